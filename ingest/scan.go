package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

// scanner reads the body of a JSON ingest once, from front to back, writes its
// rows as NDJSON with members named by position, and learns the shape of each
// column on the way.
type scanner struct {
	dec     *jsontext.Decoder
	out     *bufio.Writer
	limits  Limits
	rows    int64
	columns []catalog.Batch
	byRaw   map[string]int // a member's name as the body writes it, quotes included
	byKey   map[string]int // the name as columns are compared
	before  []spelling     // the members of the row before, by position
	members [][]byte       // per column, its name in what is written
	lastRow []int64        // per column, the row it was last seen in
	line    []byte         // the current row as it will be written
	bad     problems
}

// spelling is a member's name as the body writes it, and the column it means.
type spelling struct {
	raw    jsontext.Value
	column int
}

// scanned is what a scan learned.
type scanned struct {
	rows    int64
	columns []catalog.Batch
}

// scan reads an ingest body. Malformed when it is not JSON; Invalid, naming
// each wrong row and member, when it is JSON of the wrong form.
func scan(body io.Reader, out io.Writer, limits Limits) (scanned, error) {
	s := &scanner{
		dec: jsontext.NewDecoder(body), out: bufio.NewWriterSize(out, 1<<16), limits: limits,
		byRaw: map[string]int{}, byKey: map[string]int{},
	}
	if err := s.body(); err != nil {
		return scanned{}, malformed(err)
	}
	if err := s.bad.err(); err != nil {
		return scanned{}, err
	}
	return scanned{s.rows, s.columns}, s.out.Flush()
}

// malformed turns a decoder's error into ours. Errors of the reader, such as a
// body beyond its limit, pass unchanged.
func malformed(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body ends before its JSON does").Because(err)
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return quern.E(quern.Invalid, quern.CodeInvalid, "an object names a member twice, at byte %d", syntax.ByteOffset).
				With(quern.SubError{Code: "duplicate", Message: string(syntax.JSONPointer) + ": is named twice"})
		}
		return quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body is not valid JSON at byte %d", syntax.ByteOffset).Because(err)
	}
	return err
}

func (s *scanner) body() error {
	if s.dec.PeekKind() != '{' {
		if err := s.dec.SkipValue(); err != nil {
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
		switch name.String() {
		case "data":
			hasData = true
			err = s.data()
		case "infer":
			err = s.infer()
		default:
			err = s.dec.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	switch {
	case !hasData:
		s.bad.add("required", "data", "is required")
	case s.rows > 0 && len(s.columns) == 0 && s.bad.count == 0:
		s.bad.add("required", "data", "no row has a member")
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
		err = quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body goes on behind its JSON, at byte %d", s.dec.InputOffset())
	}
	return err
}

// infer refuses steps: an instruction must not be dropped in silence.
func (s *scanner) infer() error {
	value, err := s.dec.ReadValue()
	if err != nil {
		return err
	}
	switch string(bytes.Join(bytes.Fields(value), nil)) {
	case "null", "false", "[]", "{}":
	default:
		s.bad.add("unsupported", "infer", "this server does not run inference steps")
	}
	return nil
}

func (s *scanner) data() error {
	if s.dec.PeekKind() != '[' {
		s.bad.add("type", "data", "must be an array of objects")
		return s.dec.SkipValue()
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != ']' {
		if s.rows == s.limits.Rows {
			return quern.E(quern.Invalid, quern.CodeInvalid, "a request may carry at most %d rows", s.limits.Rows).
				With(quern.SubError{Code: "maxItems", Message: fmt.Sprintf("data: has more than %d rows", s.limits.Rows)})
		}
		if err := s.row(); err != nil {
			return err
		}
		s.rows++
	}
	_, err := s.dec.ReadToken()
	return err
}

// row reads one row as a whole, which makes sure that it is JSON, and takes it
// apart.
func (s *scanner) row() error {
	row, err := s.dec.ReadValue()
	if err != nil {
		return err
	}
	if row.Kind() != '{' {
		s.bad.add("type", fmt.Sprintf("data[%d]", s.rows), "must be an object")
		return nil
	}
	s.line = append(s.line[:0], '{')
	for position, at := 0, skipSpace(row, 1); row[at] != '}'; position++ {
		end := stringEnd(row, at)
		name := row[at:end]
		at = skipSpace(row, skipSpace(row, end)+1)
		end = valueEnd(row, at)
		if err := s.member(position, name, row[at:end]); err != nil {
			return err
		}
		if at = skipSpace(row, end); row[at] == ',' {
			at = skipSpace(row, at+1)
		}
	}
	_, err = s.out.Write(append(s.line, "}\n"...))
	return err
}

func (s *scanner) member(position int, name, value jsontext.Value) error {
	column, err := s.named(position, name)
	if err != nil || column < 0 {
		return err
	}
	if s.lastRow[column] == s.rows+1 {
		s.problem("duplicate", column, "is named twice, in other capitals")
		return nil
	}
	s.lastRow[column] = s.rows + 1
	return s.value(column, value)
}

// named gives the number of the column a member names, as column does. Most
// rows name the same members in the same order, so the row before is asked
// first.
func (s *scanner) named(position int, raw jsontext.Value) (int, error) {
	if position < len(s.before) && bytes.Equal(s.before[position].raw, raw) {
		return s.before[position].column, nil
	}
	column, known := s.byRaw[string(raw)]
	if !known {
		var err error
		if column, err = s.column(raw); err != nil {
			return 0, err
		}
	}
	switch {
	case position < len(s.before):
		s.before[position] = spelling{raw.Clone(), column}
	case position == len(s.before) && position < s.limits.Columns:
		s.before = append(s.before, spelling{raw.Clone(), column})
	}
	return column, nil
}

// column gives the number of the column a member names, -1 for one that cannot
// be a column.
func (s *scanner) column(raw jsontext.Value) (int, error) {
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return 0, err
	}
	name := string(text)
	column, known := s.byKey[strings.ToLower(name)]
	if !known {
		column = -1
		if reason := columnNameProblem(name); reason != "" {
			s.bad.add("column", fmt.Sprintf("data[%d]", s.rows), "a column named "+quoteShort(name)+" "+reason)
		} else if len(s.columns) == s.limits.Columns {
			return 0, quern.E(quern.Invalid, quern.CodeInvalid, "a dataset may have at most %d columns", s.limits.Columns).
				With(quern.SubError{Code: "maxColumns", Message: fmt.Sprintf("data[%d]: has a column beyond the limit of %d", s.rows, s.limits.Columns)})
		} else {
			column = len(s.columns)
			s.columns = append(s.columns, catalog.Batch{Name: name})
			s.lastRow = append(s.lastRow, 0)
			s.members = append(s.members, fmt.Appendf(nil, `"c%d":`, column))
			s.byKey[strings.ToLower(name)] = column
		}
	}
	// Spellings come from the body: remember as many as there can be columns,
	// and look the others up each time.
	if len(s.byRaw) < 4*s.limits.Columns {
		s.byRaw[string(raw)] = column
	}
	return column, nil
}

func columnNameProblem(name string) string {
	switch {
	case name == "":
		return "is refused: a column needs a name"
	case strings.HasPrefix(name, quern.InternalPrefix):
		return "is refused: names that start with __ are internal"
	case utf8.RuneCountInString(name) > maxColumnName:
		return "is refused: names have at most " + strconv.Itoa(maxColumnName) + " characters"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "is refused: names have no control characters"
	}
	return ""
}

func (s *scanner) value(column int, value jsontext.Value) error {
	shape, reason := shapeOf(value)
	if reason != "" {
		s.problem("value", column, reason)
		return nil
	}
	if value.Kind() == 'n' {
		return nil
	}
	if at := &s.columns[column].Shape; !holds(*at, shape) {
		*at = at.Join(shape)
	}
	if len(s.line) > 1 {
		s.line = append(s.line, ',')
	}
	s.line = append(s.line, s.members[column]...)
	if k := value.Kind(); k == '{' || k == '[' {
		value = value.Clone()
		if err := value.Compact(); err != nil {
			return err
		}
	}
	s.line = append(s.line, value...)
	return nil
}

func (s *scanner) problem(code string, column int, reason string) {
	s.bad.add(code, fmt.Sprintf("data[%d].%s", s.rows, quoteShort(s.columns[column].Name)), reason)
}

// problems collects what is wrong with a body.
type problems struct {
	sub   []quern.SubError
	count int
}

func (p *problems) add(code, field, reason string) {
	p.count++
	if len(p.sub) < maxProblems {
		p.sub = append(p.sub, quern.SubError{Code: code, Message: field + ": " + reason})
	}
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
