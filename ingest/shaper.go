package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
	"quern/engine"
)

// shaper writes rows as NDJSON with members named by position, and learns the
// shape of each column on the way.
type shaper struct {
	out     *bufio.Writer
	limits  Limits
	rows    int64
	columns []catalog.Batch
	byRaw   map[string]int // a member's name as the body writes it, quotes included
	byKey   map[string]int // the name as columns are compared
	before  []spelling     // the members of the row before, by position
	members [][]byte       // per column, its name in what is written
	lastRow []int64        // per column, the row it was last seen in
	tries   int64          // of usual
	lastTry []int64        // per column, the last of these that saw it
	line    []byte         // the current row as it will be written
	prefix  []byte         // a member of the first column that every row begins with
	bad     problems
	learned int // how often what usual looks at has changed
	// Where blocks are given, usual rows become values of them: holdings says what the columns
	// hold, and grown that some have more digits than was known.
	blocks   engine.Blocks
	holdings []holding
	grown    bool
	// internal says that rows may have internal columns, for the server made them.
	internal bool
}

// spelling is a member's name as the body writes it, and the column it means.
type spelling struct {
	raw    jsontext.Value
	column int
}

func newShaper(out io.Writer, limits Limits) *shaper {
	return &shaper{out: bufio.NewWriterSize(out, 1<<16), limits: limits, byRaw: map[string]int{}, byKey: map[string]int{}}
}

// begin makes every row begin with a column of one text.
func (s *shaper) begin(name, text string) error {
	quoted, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		return err
	}
	if _, err := s.column(quoted); err != nil {
		return err
	}
	s.columns[0].Shape = catalog.Shape{Type: quern.Text}
	s.prefix = appendText(append([]byte{}, s.members[0]...), []byte(text))
	return nil
}

// batch takes rows, one after the other in one piece, each ending where ends
// says.
func (s *shaper) batch(b batch) error {
	start := 0
	for _, end := range b.ends {
		var err error
		if row := b.rows[start:end]; s.usual(row) > 0 {
			err = s.keepUsual()
		} else {
			err = s.row(row)
		}
		if err != nil {
			return err
		}
		start = end
	}
	return nil
}

// row takes one row apart, which is known to be JSON.
func (s *shaper) row(row jsontext.Value) error {
	defer func() { s.rows++ }()
	if row.Kind() != '{' {
		s.bad.add("type", fmt.Sprintf("data[%d]", s.rows), "must be an object")
		return nil
	}
	s.line = append(append(s.line[:0], '{'), s.prefix...)
	if s.prefix != nil {
		s.lastRow[0] = s.rows + 1
	}
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
	_, err := s.out.Write(append(s.line, "}\n"...))
	return err
}

func (s *shaper) member(position int, name, value jsontext.Value) error {
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

// named returns the number of the column a member names, as column does. Most
// rows name the same members in the same order, so the row before is asked
// first.
func (s *shaper) named(position int, raw jsontext.Value) (int, error) {
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

// column returns the number of the column a member names, -1 for one that cannot
// be a column.
func (s *shaper) column(raw jsontext.Value) (int, error) {
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return 0, err
	}
	name := string(text)
	column, known := s.byKey[strings.ToLower(name)]
	if !known {
		column = -1
		reason := columnNameProblem(name)
		if s.internal && strings.HasPrefix(name, quern.InternalPrefix) {
			reason = ""
		}
		if reason != "" {
			s.bad.add("column", fmt.Sprintf("data[%d]", s.rows), "a column named "+quoteShort(name)+" "+reason)
		} else if len(s.columns) == s.limits.Columns {
			return 0, quern.E(quern.Invalid, quern.CodeInvalid, "a dataset may have at most %d columns", s.limits.Columns).
				With(quern.SubError{Code: "maxColumns",
					Message: fmt.Sprintf("data[%d]: has a column beyond the limit of %d", s.rows, s.limits.Columns)})
		} else {
			column = len(s.columns)
			s.learned++
			s.columns = append(s.columns, catalog.Batch{Name: name})
			s.lastRow, s.lastTry = append(s.lastRow, 0), append(s.lastTry, 0)
			s.members = append(s.members, fmt.Appendf(nil, `"c%d":`, column))
			s.byKey[strings.ToLower(name)] = column
		}
	}
	// Spellings come from the body: remember as many as there can be columns,
	// and look the others up each time.
	if len(s.byRaw) < 4*s.limits.Columns {
		s.learned++
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

func (s *shaper) value(column int, value jsontext.Value) error {
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
		s.learned++
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

func (s *shaper) problem(code string, column int, reason string) {
	s.bad.add(code, fmt.Sprintf("data[%d].%s", s.rows, quoteShort(s.columns[column].Name)), reason)
}
