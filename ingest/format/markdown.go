package format

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// markdownTables returns the tables of a Markdown file, and behind them its text, a
// row for every section with the headings above it.
func markdownTables(path string, o Options) ([]Table, error) {
	in, file, err := OpenText(path, o.Watch)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxDocument+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxDocument {
		return nil, refuse("the Markdown file is larger than %d MiB", maxDocument>>20)
	}
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	if bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r")) > maxHeldCells {
		return nil, refuse("the Markdown file has more than %d lines", maxHeldCells)
	}
	whole := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text))
	m := markdown{lines: strings.Split(whole, "\n"), budget: heldBudget("Markdown file")}
	if err := m.read(); err != nil {
		return nil, err
	}
	var tables []Table
	for i, rows := range m.tables {
		named := o.Header == nil || *o.Header
		tables = append(tables, memoryNamed(tableName(i+1), "Markdown", rows, named))
	}
	if len(m.sections) > 0 {
		member := "text"
		if len(tables) == 0 {
			member = ""
		}
		rows := append([][]string{{"section", "text"}}, m.sections...)
		tables = append(tables, memoryNamed(member, "Markdown, a row for every section", rows, true))
	}
	if len(tables) == 1 {
		tables[0].Member = ""
	}
	if len(tables) == 0 {
		return nil, refuse("the Markdown file holds no text")
	}
	return tables, nil
}

func markdownName(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown", ".mdown", ".mkd":
		return true
	}
	return false
}

// looksLikeMarkdown reports whether text holds a table as Markdown has them: a
// heading and below it a line of dashes between bars. Other text becomes Markdown
// by its name alone.
func looksLikeMarkdown(text []byte) bool {
	before := ""
	for line := range strings.Lines(string(text)) {
		if startsTable(before, line) {
			return true
		}
		before = line
	}
	return false
}

// startsTable reports whether a line is the heading of a table, by the line below.
func startsTable(line, below string) bool {
	if !strings.Contains(line, "|") || !ruled(below) {
		return false
	}
	if min(strings.Count(line, "|"), strings.Count(below, "|")) > MaxCells {
		return true // one that is refused, before its cells are made
	}
	return max(strings.Count(line, "|"), strings.Count(below, "|")) <= 2*MaxCells && len(cutCells(line)) == len(cutCells(below))
}

// ruled reports whether a line is what parts a table's heading from its rows.
func ruled(line string) bool {
	bars := strings.Count(line, "|")
	if bars == 0 || !strings.Contains(line, "-") || strings.Trim(line, " \t\r\n|:-") != "" {
		return false
	}
	if bars > MaxCells {
		return true
	}
	for _, cell := range cutCells(line) {
		if cell = strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":"); cell == "" || strings.Trim(cell, "-") != "" {
			return false
		}
	}
	return true
}

// cutCells takes a row apart at the bars that have no backslash before them.
func cutCells(line string) (cells []string) {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = line[:len(line)-1]
	}
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			cells = append(cells, bareCell(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(cells, bareCell(cell.String()))
}

// bareCell takes off the marks that make a whole cell bold, slanted or code.
func bareCell(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"**", "__", "`", "*"} {
		inner, opened := strings.CutPrefix(text, mark)
		inner, closed := strings.CutSuffix(inner, mark)
		if opened && closed && inner != "" && !strings.Contains(inner, mark) {
			return strings.TrimSpace(inner)
		}
	}
	return text
}

// markdown collects the tables and sections of a text.
type markdown struct {
	lines    []string
	tables   [][][]string
	sections [][]string
	path     [6]string // headings around the place that is being read, by level
	body     []string
	fence    string // what closes the code that is being read
	budget   *budget
}

func (m *markdown) read() error {
	for at := 0; at < len(m.lines); {
		lines, err := m.take(at)
		if err != nil {
			return err
		}
		at += lines
	}
	return m.endSection()
}

// take reads what begins at a line and returns how many lines it has.
func (m *markdown) take(at int) (lines int, err error) {
	line := strings.TrimSpace(m.lines[at])
	if m.fence != "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		m.code(line)
		m.body = append(m.body, m.lines[at])
		return 1, nil
	}
	if level, title := atxHeading(m.lines[at]); level > 0 {
		return 1, m.beginSection(level, title)
	}
	if at+1 < len(m.lines) {
		below := m.lines[at+1]
		if startsTable(line, below) {
			return m.table(at)
		}
		apart := at == 0 || strings.TrimSpace(m.lines[at-1]) == ""
		if level := underline(below); level > 0 && line != "" && apart && plainLine(line) {
			return 2, m.beginSection(level, line)
		}
	}
	m.body = append(m.body, m.lines[at])
	return 1, nil
}

// code opens or closes a block of code.
func (m *markdown) code(line string) {
	switch {
	case m.fence == "":
		m.fence = line[:3]
	case strings.HasPrefix(line, m.fence) && strings.Trim(line, m.fence[:1]) == "":
		m.fence = ""
	}
}

// atxHeading reads a heading that begins with hashes; level 0 when there is none.
func atxHeading(line string) (level int, title string) {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 {
		return 0, ""
	}
	title = strings.TrimLeft(text, "#")
	level = len(text) - len(title)
	apart := title == "" || title[0] == ' ' || title[0] == '\t'
	if level == 0 || level > 6 || !apart {
		return 0, ""
	}
	title = strings.TrimSpace(title)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return level, title
}

// underline returns the level of the heading that a line underlines, 0 for none.
func underline(line string) int {
	line = strings.TrimSpace(line)
	switch {
	case len(line) >= 3 && strings.Trim(line, "=") == "":
		return 1
	case len(line) >= 3 && strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// plainLine reports whether a line can be underlined: it is no list, quote or rule.
func plainLine(line string) bool { return !strings.ContainsAny(line[:1], "-*+>|=") }

// beginSection ends the section before and begins another.
func (m *markdown) beginSection(level int, title string) error {
	err := m.endSection()
	m.path[level-1] = title
	for i := level; i < len(m.path); i++ {
		m.path[i] = ""
	}
	return err
}

// endSection makes a row of the text since the last heading, if there is any.
func (m *markdown) endSection() error {
	text := strings.Trim(strings.Join(m.body, "\n"), "\n")
	m.body = nil
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var path []string
	for _, title := range m.path {
		if title != "" {
			path = append(path, title)
		}
	}
	row := []string{strings.Join(path, " > "), text}
	m.sections = append(m.sections, row)
	return errors.Join(m.budget.take(row[0], 1), m.budget.take(row[1], 1))
}

// table reads a table and returns how many lines it has.
func (m *markdown) table(at int) (lines int, err error) {
	if len(m.tables) == MaxTables {
		return 0, errTables
	}
	var rows [][]string
	for at+lines < len(m.lines) {
		line := m.lines[at+lines]
		if lines >= 2 && !strings.Contains(line, "|") {
			break
		}
		lines++
		if lines == 2 {
			continue // what parts the heading from the rows
		}
		bars := strings.Count(line, "|")
		if bars > MaxCells {
			return 0, refuse("line %d has %d cells; more than %d cannot be read", at+lines, bars+1, MaxCells)
		}
		if err := m.budget.take("", bars+1); err != nil {
			return 0, err
		}
		rows = append(rows, cutCells(line))
	}
	m.tables = append(m.tables, rows)
	return lines, nil
}
