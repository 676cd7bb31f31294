package ingest

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
)

// Limits bounds one JSON ingest.
type Limits struct {
	Rows    int64
	Columns int
}

const (
	maxColumnName = 128 // characters
	maxProblems   = 100 // reported at once; the rest is counted
)

// scanner reads the body of a JSON ingest once, from front to back, and hands
// its rows on to a shaper, which works beside it when the body is long.
type scanner struct {
	dec    *jsontext.Decoder
	limits Limits
	rows   int64
	shapes *shaper
	work   *batches
	bad    problems
	feed   *rowFeed // that takes the rows; nil: they are written
	quickly
	// members is what the body says beside the rows.
	members members
}

// scanned is what a scan learned.
type scanned struct {
	rows    int64
	columns []catalog.Batch
	members []byte // what the body says beside the rows, as an object
}

// scan reads an ingest body. Malformed when it is not JSON; Invalid, naming
// each wrong row and member, when it is JSON of the wrong form.
func scan(body io.Reader, out io.Writer, limits Limits) (scanned, error) {
	return newScanner(body, out, limits).scan()
}

func newScanner(body io.Reader, out io.Writer, limits Limits) *scanner {
	return &scanner{limits: limits, shapes: newShaper(out, limits), quickly: quickly{
		body: body, next: quickAfter, pause: 1, parallelAfter: parallelAfter, form: bodyForm,
	}}
}

func (s *scanner) scan() (scanned, error) {
	s.dec, s.work = jsontext.NewDecoder(&s.quickly), &batches{work: s.shapes.batch}
	err := s.whole()
	if earlier := s.work.wait(); earlier != nil {
		err = earlier
	}
	if err != nil {
		return scanned{}, malformed(err, s.shift)
	}
	s.bad.addAll(s.shapes.bad)
	if s.rows > 0 && len(s.shapes.columns) == 0 && s.bad.count == 0 {
		s.bad.add("required", "data", "no row has a member")
	}
	if err := s.bad.err(); err != nil {
		return scanned{}, err
	}
	return scanned{s.rows, s.shapes.columns, s.members.object()}, s.shapes.out.Flush()
}

// malformed turns a decoder's error into ours; its offsets lack shift. Errors of the
// reader, such as a body beyond its limit, pass unchanged.
func malformed(err error, shift int64) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body ends before its JSON does").Because(err)
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return quern.E(quern.Malformed, quern.CodeMalformedJSON, "an object names a member twice, at byte %d", syntax.ByteOffset+shift).Because(err)
		}
		return quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body is not valid JSON at byte %d", syntax.ByteOffset+shift).Because(err)
	}
	return err
}

// maxDepth is how many levels a body may nest, here as in every other body.
const maxDepth = 64

func tooDeep() error {
	return quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body nests deeper than %d levels", maxDepth)
}

// skip reads past a value.
func (s *scanner) skip() error {
	for outside := s.dec.StackDepth(); ; {
		if _, err := s.dec.ReadToken(); err != nil {
			return err
		}
		switch depth := s.dec.StackDepth(); {
		case depth > maxDepth:
			return tooDeep()
		case depth == outside:
			return nil
		}
	}
}

// whole reads the body.
func (s *scanner) whole() error {
	if s.dec.PeekKind() != '{' {
		if err := s.skip(); err != nil {
			return err
		}
		s.bad.add("type", "body", "must be an object")
		return s.end()
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	hasData := false
	for s.dec.PeekKind() != '}' {
		name, err := s.dec.ReadToken()
		if err != nil {
			return err
		}
		member := name.String()
		if err := s.open(member); err != nil {
			return err
		}
		if member == "data" {
			hasData = true
			err = s.data()
		} else {
			err = s.member(member)
		}
		if err != nil {
			return err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	if !hasData {
		s.bad.add("required", "data", "is required")
	}
	return s.end()
}

// end makes sure that nothing follows the body.
func (s *scanner) end() error {
	_, err := s.dec.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		err = quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body goes on behind its JSON, at byte %d", s.offset())
	}
	return err
}

func (s *scanner) data() error {
	if s.dec.PeekKind() != '[' {
		s.bad.add("type", "data", "must be an array of objects")
		return s.skip()
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != ']' {
		if s.rows == s.limits.Rows {
			return quern.E(quern.Invalid, quern.CodeInvalid, "a request may carry at most %d rows", s.limits.Rows).
				With(quern.SubError{Code: "maxItems", Message: fmt.Sprintf("data: has more than %d rows", s.limits.Rows)})
		}
		row, err := s.dec.ReadValue()
		if err == nil && nestsDeeper(row, maxDepth-s.dec.StackDepth()) {
			err = tooDeep()
		}
		if err == nil {
			err = s.work.add(row)
		}
		if err != nil {
			return err
		}
		if s.rows++; s.rows == s.next {
			if err := s.quickRows(); err != nil {
				return err
			}
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

// problems collects what is wrong with a body.
type problems struct {
	sub   []quern.SubError
	count int
}

func (p *problems) add(code, field, reason string) {
	p.count++
	if len(p.sub) < maxProblems {
		p.sub = append(p.sub, quern.Fault(code, field, reason))
	}
}

func (p *problems) addAll(others problems) {
	p.count += others.count
	p.sub = append(others.sub, p.sub...)
	p.sub = p.sub[:min(len(p.sub), maxProblems)]
}

func (p *problems) err() error {
	if p.count == 0 {
		return nil
	}
	e := quern.E(quern.Invalid, quern.CodeInvalid, "the body fails validation")
	if p.count > len(p.sub) {
		e.Detail = fmt.Sprintf("the body fails validation in %d places; the first %d are listed", p.count, len(p.sub))
	}
	return e.With(p.sub...)
}

// quoteShort makes an untrusted name fit into a message.
func quoteShort(name string) string {
	const most = 64
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most]) + "…"
	}
	return strconv.Quote(name)
}
