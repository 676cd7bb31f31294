package ingest

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"quern/ingest/format"
)

// maxEnvelope is how many objects in objects the list of rows is looked for in.
const maxEnvelope = 6

// envelope is an object around the list that holds a file's rows.
type envelope struct {
	path   []string // the members that lead to the list
	rows   int64
	beside []string // other members of the outermost object
}

// envelopeOf finds the list of objects in a file that is one object; nil when the file
// is not, or holds no such list. Of several, the one that is least deep counts, and of
// those the longest.
func envelopeOf(text format.TextFile) (*envelope, error) {
	in, closer, err := text.Open(nil)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	limit := &rowLimit{r: in, left: format.MaxRecord}
	w := &envelopeWalk{dec: jsontext.NewDecoder(limit), limit: limit}
	if w.dec.PeekKind() != '{' {
		return nil, nil
	}
	if err := w.object(nil); err != nil {
		return nil, nil
	}
	if _, err := w.dec.ReadToken(); !errors.Is(err, io.EOF) || w.best == nil {
		return nil, nil
	}
	for _, name := range w.first {
		if name != w.best.path[0] {
			w.best.beside = append(w.best.beside, name)
		}
	}
	return w.best, nil
}

type envelopeWalk struct {
	dec   *jsontext.Decoder
	limit *rowLimit
	best  *envelope
	first []string // members of the outermost object
}

// object walks through an object that the decoder stands before.
func (w *envelopeWalk) object(path []string) error {
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	for w.dec.PeekKind() != '}' {
		w.limit.left = format.MaxRecord
		token, err := w.dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if len(path) == 0 && len(w.first) < maxNamed {
			w.first = append(w.first, name)
		}
		at := append(path[:len(path):len(path)], name)
		switch kind := w.dec.PeekKind(); {
		case kind == '[':
			err = w.list(at)
		case kind == '{' && len(at) < maxEnvelope:
			err = w.object(at)
		default:
			err = w.dec.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

// list counts the objects of a list.
func (w *envelopeWalk) list(path []string) error {
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	var objects, others int64
	for w.dec.PeekKind() != ']' {
		w.limit.left = format.MaxRecord
		if w.dec.PeekKind() == '{' {
			objects++
		} else {
			others++
		}
		if err := w.dec.SkipValue(); err != nil {
			return err
		}
	}
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	better := w.best == nil || len(path) < len(w.best.path) || len(path) == len(w.best.path) && objects > w.best.rows
	if objects > 0 && others == 0 && better {
		w.best = &envelope{path: path, rows: objects}
	}
	return nil
}

// enter brings a decoder into the list. What it passes over was walked through before.
func (e *envelope) enter(dec *jsontext.Decoder) error {
	for _, wanted := range e.path {
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		for {
			token, err := dec.ReadToken()
			if err != nil {
				return err
			}
			if token.String() == wanted {
				break
			}
			if err := dec.SkipValue(); err != nil {
				return err
			}
		}
	}
	_, err := dec.ReadToken()
	return err
}

// note tells which list the rows are.
func (e *envelope) note() string {
	text := "the rows are those of " + strings.Join(e.path, ".")
	if len(e.beside) > 0 {
		text += "; beside them the file has " + strings.Join(e.beside, ", ")
	}
	return text
}
