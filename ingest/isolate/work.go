package isolate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	"quern/ingest/format"
	"quern/sandbox"
)

// maxRequest bounds what a worker is asked.
const maxRequest = 64 << 10

// Work reads documents, one after the other, until the server hangs up.
func Work(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	in := bufio.NewReaderSize(w, maxRequest)
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if err := answer(w, w.Scratch, r); err != nil {
			return err
		}
	}
}

// answer sends the tables of a document, or why it cannot be read.
func answer(to io.Writer, scratch string, r request) error {
	out := bufio.NewWriterSize(to, 256<<10)
	err := sendTables(out, scratch, r)
	if refusal, ok := format.Refused(err); ok {
		err = writeJSON(out, frameRefusal, refusal)
	} else if err == nil {
		err = writeFrame(out, frameDone, nil)
	}
	return errors.Join(err, out.Flush())
}

func sendTables(out *bufio.Writer, scratch string, r request) error {
	o := format.Options{Header: r.Header, PDF: r.PDF, KeepTotals: r.KeepTotals, Compiled: r.Compiled, Dir: scratch}
	tables, err := format.Tables(context.Background(), r.Path, r.Kind, o)
	for _, t := range tables {
		if err := sendTable(out, t); err != nil {
			return err
		}
	}
	return err
}

func sendTable(out *bufio.Writer, t format.Table) error {
	in, err := t.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	about := tableFrame{
		Member: t.Member, Sheet: t.Sheet, Detail: t.Detail, DecimalComma: t.DecimalComma, Header: in.Header(), Totals: t.Totals,
	}
	if err := writeJSON(out, frameTable, about); err != nil {
		return err
	}
	var payload []byte
	for {
		rec, err := in.Next()
		fault, isFault := errors.AsType[*format.Fault](err)
		switch {
		case err == nil:
			payload = appendRecord(payload[:0], rec)
			err = writeFrame(out, frameRecord, payload)
		case errors.Is(err, io.EOF):
			return writeJSON(out, frameNotes, in.Notes())
		case isFault:
			err = writeJSON(out, frameFault, faultFrame(*fault))
		}
		if err != nil {
			return err
		}
	}
}
