package rest

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"quern"
	"quern/api"
	"quern/query"
)

// rejectedPage is how many unreadable rows are held at a time.
const rejectedPage = 500

// ListRejectedRows streams the rows that could not be read.
func (o operations) ListRejectedRows(ctx context.Context, r api.ListRejectedRowsRequestObject) (api.ListRejectedRowsResponseObject, error) {
	format := query.Format(r.Params.Format)
	if format == "" {
		format = query.CSV
	}
	id := quern.IngestionID(r.IngestionID)
	first, err := o.Ingest.Rejected(ctx, principal(ctx), id, 0, rejectedPage)
	return rejected{ctx, o, id, first, format}, err
}

// rejected is unreadable rows on their way out.
type rejected struct {
	ctx    context.Context // a response object outlives its handler's call, not its request
	o      operations
	id     quern.IngestionID
	first  []quern.RejectedRow
	format query.Format
}

// VisitListRejectedRowsResponse writes the rows, page by page.
func (r rejected) VisitListRejectedRowsResponse(w http.ResponseWriter) error {
	to := &patientWriter{w: w, header: map[string]string{
		"Content-Type":        exportTypes[r.format],
		"Content-Disposition": `attachment; filename="rejected-` + string(r.id) + "." + string(r.format) + `"`,
	}}
	out := bufio.NewWriterSize(to, 1<<16)
	sink := rejectedJSON(out, r.format == query.JSON)
	if r.format == query.CSV {
		sink = rejectedCSV(out)
	}
	if err := r.each(sink.row); err != nil {
		return err
	}
	if err := sink.end(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := to.Write(nil) // the header, where there was nothing to write
	return err
}

func (r rejected) each(row func(quern.RejectedRow) error) error {
	still, page := stillKnown(r.ctx), r.first
	for at := 0; ; {
		for _, one := range page {
			if err := row(one); err != nil {
				return err
			}
		}
		if at += len(page); len(page) < rejectedPage {
			return nil
		}
		if err := still(r.ctx); err != nil {
			return err
		}
		var err error
		if page, err = r.o.Ingest.Rejected(r.ctx, principal(r.ctx), r.id, at, rejectedPage); err != nil {
			return err
		}
	}
}

// rejectedSink writes unreadable rows in one format.
type rejectedSink struct {
	row func(quern.RejectedRow) error
	end func() error
}

// rejectedCSV writes lines that a spreadsheet may open: what strangers wrote
// into a file must not run there.
func rejectedCSV(out io.Writer) rejectedSink {
	w := csv.NewWriter(out)
	header := w.Write([]string{"filename", "member", "row", "line", "reason", "text"})
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	return rejectedSink{
		row: func(r quern.RejectedRow) error {
			return w.Write([]string{
				query.Harmless(r.File), query.Harmless(r.Member), number(r.Row), number(r.Line), query.Harmless(r.Reason), query.Harmless(r.Text),
			})
		},
		end: func() error {
			if w.Flush(); header != nil {
				return header
			}
			return w.Error()
		},
	}
}

// rejectedJSON writes objects, one a line, or all in the one of the contract.
func rejectedJSON(out *bufio.Writer, whole bool) rejectedSink {
	between := ""
	if whole {
		between = `{"data":[`
	}
	return rejectedSink{
		row: func(r quern.RejectedRow) error {
			text, err := json.Marshal(api.RejectedRow{Filename: r.File, Member: r.Member, Row: r.Row, Line: r.Line, Reason: r.Reason, Text: r.Text})
			if err != nil {
				return err
			}
			_, _ = out.WriteString(between)
			_, err = out.Write(text)
			if between = "\n"; whole {
				between = ",\n"
			}
			return err
		},
		end: func() error {
			var err error
			switch {
			case !whole && between != "":
				_, err = out.WriteString("\n")
			case whole && between[0] == '{':
				_, err = out.WriteString(between + "]}\n")
			case whole:
				_, err = out.WriteString("]}\n")
			}
			return err
		},
	}
}
