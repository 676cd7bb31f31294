package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/api"
	"quern/query"
)

// maxSort is the most columns that rows are sorted by.
const maxSort = 10

// ListRows reads one page of a dataset's rows.
func (o operations) ListRows(ctx context.Context, r api.ListRowsRequestObject) (api.ListRowsResponseObject, error) {
	limit := int64(r.Params.Limit)
	if limit == 0 {
		limit = defaultRows
	}
	path, w := datasetPath(r.Username, r.Namespace, r.DatasetName), rowWindow(r.Params, limit)
	moved := w.Offset > 0 || len(w.Sort) > 0 || w.Filter != ""
	if len(w.Sort) > maxSort {
		return nil, badParameter("sort").With(quern.Fault("maxItems", "sort", fmt.Sprintf("must be given at most %d times", maxSort)))
	}
	if moved && r.Params.Cursor != "" {
		return nil, badParameter("cursor").With(quern.Fault("excluded", "cursor", "goes with none of offset, sort and filter"))
	}
	var page query.Page
	var err error
	if moved {
		page, err = o.Deps.Query.Window(ctx, principal(ctx), path, w)
	} else {
		from, _ := strconv.ParseInt("0"+r.Params.Cursor, 10, 64) // the contract's pattern was checked
		page, err = o.Deps.Query.Rows(ctx, principal(ctx), path, from, w.Limit)
	}
	if err != nil {
		return nil, err
	}
	answer := rowPage{Page: page, limit: limit, clip: int(r.Params.Clip), dir: o.Temp}
	if !r.Params.Metadata {
		return answer, nil
	}
	if query.Knows(page.Rows) {
		answer.own = o.Deps.Query.Sourced(ctx, principal(ctx), page.Rows)
		answer.Rows = answer.own
		return answer, nil
	}
	answer.about = &rowSources{ctx: ctx, catalog: o.Catalog, dataset: page.Dataset.ID, row: page.FirstRow}
	if err := answer.about.read(); err != nil {
		return nil, errors.Join(err, page.Rows.Close())
	}
	return answer, nil
}

// rowWindow reads which rows are wanted. One more than the limit tells whether there is
// another page.
func rowWindow(p api.ListRowsParams, limit int64) query.Window {
	w := query.Window{Offset: p.Offset, Limit: limit + 1, Filter: strings.TrimSpace(p.Filter)}
	for _, key := range p.Sort {
		column, descending := strings.CutSuffix(key, ":desc")
		if !descending {
			column = strings.TrimSuffix(key, ":asc")
		}
		w.Sort = append(w.Sort, query.Sort{Column: column, Descending: descending})
	}
	return w
}

// rowPage is one page of rows.
type rowPage struct {
	query.Page
	limit int64
	clip  int                // the most characters of a value; 0: no limit
	about *rowSources        // nil when rows do not tell of themselves by their place
	own   *query.SourcedRows // nil when rows do not tell of themselves by what they know
	dir   string
}

// VisitListRowsResponse writes the page.
func (p rowPage) VisitListRowsResponse(w http.ResponseWriter) error {
	encoder := query.NewEncoder(p.Rows.Columns())
	if p.about != nil || p.own != nil {
		encoder.Located()
	}
	out := newRowWriter(p.dir, encoder)
	defer out.close()
	tail, err := p.write(out)
	if err := errors.Join(err, p.Rows.Close()); err != nil {
		return err
	}
	return out.send(w, tail)
}

func (p rowPage) write(out *rowWriter) (tail string, err error) {
	next := int64(-1)
	cut := clipper{most: p.clip, columns: p.Rows.Columns()}
	for p.Rows.Next() {
		if out.count == p.limit {
			if !query.Knows(p.Rows) {
				next = p.FirstRow + out.count
			}
			break
		}
		from, err := p.source()
		if err != nil {
			return "", err
		}
		if err := out.row(cut.row(p.Rows.Row(), out.count), from); err != nil {
			return "", err
		}
	}
	tail = `,"totalCount":` + strconv.FormatInt(p.Total, 10) + cut.tail()
	if next >= 0 {
		tail += `,"nextCursor":"` + strconv.FormatInt(next, 10) + `"`
	}
	return tail, p.Rows.Err()
}

// source tells of the current row; nothing when rows do not tell of themselves.
func (p rowPage) source() (*query.RowSource, error) {
	if p.own == nil {
		return p.about.next()
	}
	if known := p.own.RowSource(); known != nil {
		return known, nil
	}
	return &query.RowSource{Row: query.RowID(p.own)}, nil
}

// clipper cuts values that are longer than wanted, and remembers which.
type clipper struct {
	most    int
	columns []quern.Column
	cut     []api.ClippedValue
}

// row returns a row whose values are short enough.
func (c *clipper) row(row []any, at int64) []any {
	if c.most == 0 {
		return row
	}
	for i, v := range row {
		var text string
		switch v := v.(type) {
		case string:
			text = v
		case json.RawMessage:
			text = string(v)
		}
		if len(text) <= c.most || c.columns[i].Type.Temporal() {
			continue
		}
		if length := utf8.RuneCountInString(text); length > c.most {
			row[i] = firstRunes(text, c.most)
			c.cut = append(c.cut, api.ClippedValue{Row: at, Column: c.columns[i].Name, Length: int64(length)})
		}
	}
	return row
}

// firstRunes returns the first characters of a text that has more.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// tail is the member that tells what was cut; nothing when nothing was.
func (c *clipper) tail() string {
	if len(c.cut) == 0 {
		return ""
	}
	list, _ := json.Marshal(c.cut) // plain values
	return `,"clipped":` + string(list)
}

// ColumnHistogram tells how the values of a column are spread.
func (o operations) ColumnHistogram(ctx context.Context, r api.ColumnHistogramRequestObject) (api.ColumnHistogramResponseObject, error) {
	bins := int(r.Params.Bins)
	if bins == 0 {
		bins = defaultBins
	}
	path := datasetPath(r.Username, r.Namespace, r.DatasetName)
	h, err := o.Deps.Query.Histogram(ctx, principal(ctx), path, r.ColumnName, strings.TrimSpace(r.Params.Filter), bins)
	if err != nil {
		return nil, err
	}
	answer := api.ColumnHistogram200JSONResponse{
		Column: h.Column.Name, Type: string(h.Column.Type), Kind: api.HistogramKind(h.Kind), Rows: h.Rows, Nulls: h.Nulls,
	}
	for _, b := range h.Bins {
		answer.Bins = append(answer.Bins, api.HistogramBin{From: b.From, To: b.To, Count: b.Count})
	}
	for _, v := range h.Values {
		answer.Values = append(answer.Values, api.HistogramValue{Value: v.Value, Count: v.Count})
	}
	if h.OtherValues > 0 {
		answer.Others = api.HistogramOthers{Values: h.OtherValues, Rows: h.OtherRows}
	}
	return answer, nil
}

// defaultBins is how many bins a histogram has about, where nothing else is said.
const defaultBins = 20
