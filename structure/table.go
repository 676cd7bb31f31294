package structure

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"quern"
)

// tableStep makes rows of text.
type tableStep struct {
	about
	fields  []field
	pattern *pattern // of lines that are records, once it is known
	seen    bool
	asked   *modelRun // what was said with a model; nil: nothing yet
}

func (s *tableStep) run(ctx context.Context, rows []Row) ([]Row, error) {
	for i := range rows {
		s.seen = s.seen || rows[i].find(s.DeriveFrom) >= 0
	}
	if !s.seen && len(rows) > 0 {
		return nil, missing(s.at("deriveFrom"), s.DeriveFrom, rows)
	}
	docs := s.documents(rows)
	if s.model.Model != nil {
		return s.runModel(ctx, docs, rows)
	}
	return s.write(s.read(docs), rows), nil
}

// document is a text and the rows that it came in.
type document struct {
	lines []textLine
	// row is the input row of a document that came in one, and first that of its
	// first line where every line is a row.
	row     int
	byLine  bool
	offsets []int // byLine: the row of each line
	nested  []Row // the rows of a document that is JSON
}

// documents are the texts of a batch of rows. Rows that are the lines of a text are
// one.
func (s *tableStep) documents(rows []Row) []document {
	lines := len(rows) > 0
	for i := range rows {
		lines = lines && rows[i].Line > 0
	}
	if lines {
		return []document{s.lineDocument(rows)}
	}
	docs := make([]document, 0, len(rows))
	for i := range rows {
		at := rows[i].find(s.DeriveFrom)
		if at < 0 {
			docs = append(docs, document{row: i})
			continue
		}
		m, d := rows[i].Members[at], document{row: i}
		if made, ok := jsonDocument(m); ok {
			d.nested = made
		} else {
			d.lines = linesOf(textOf(m.Value))
		}
		docs = append(docs, d)
	}
	return docs
}

// jsonDocument returns the rows of a text that is JSON.
func jsonDocument(m Member) ([]Row, bool) {
	if text, ok := m.Value.(string); ok {
		trimmed := []byte(strings.TrimSpace(text))
		if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' || !json.Valid(trimmed) {
			return nil, false
		}
		return jsonRows(m.Name, trimmed)
	}
	nested, ok := m.Value.(json.RawMessage)
	if !ok {
		return nil, false
	}
	return jsonRows(m.Name, nested)
}

// lineDocument joins rows that are lines.
func (s *tableStep) lineDocument(rows []Row) document {
	d := document{byLine: true}
	for i := range rows {
		number := rows[i].Line
		gap := i > 0 && number > rows[i-1].Line+1
		text := strings.TrimRight(rows[i].text(s.DeriveFrom), " \t\r")
		if strings.TrimSpace(text) == "" {
			continue
		}
		d.lines = append(d.lines, textLine{text: text, number: number, blank: gap})
		d.offsets = append(d.offsets, i)
	}
	return d
}

// found is what was read of a document.
type found struct {
	document
	records []record
	cues    map[string][]string // words beside the values of a column
	failed  bool                // a model gave no answer for some of it
}

// read finds the records of documents without a model.
func (s *tableStep) read(docs []document) []found {
	all := make([]found, 0, len(docs))
	if together := s.readTogether(docs); together != nil {
		all = together
	} else {
		for _, d := range docs {
			all = append(all, s.readDocument(d))
		}
	}
	s.nameFields(all)
	return all
}

// readTogether reads documents of one line each by what they have in common; nil
// when they are not such, or have nothing in common.
func (s *tableStep) readTogether(docs []document) []found {
	var lines []textLine
	for _, d := range docs {
		if d.byLine || len(d.lines) != 1 {
			return nil
		}
		lines = append(lines, d.lines[0])
	}
	if s.pattern == nil {
		p, ok := learnPattern(lines)
		if !ok {
			return nil
		}
		s.pattern = p
	}
	all := make([]found, len(docs))
	for i, d := range docs {
		all[i] = found{document: d, records: s.pattern.records(d.lines), cues: s.pattern.cues()}
	}
	return all
}

// cues are the words beside the values of the columns.
func (p *pattern) cues() map[string][]string {
	all := map[string][]string{}
	for _, c := range p.columns {
		all[c.name] = c.cues
	}
	return all
}

// readDocument finds the records of one document, in the first way that fits it.
func (s *tableStep) readDocument(d document) found {
	f := found{document: d}
	lines := d.lines
	if len(lines) == 0 || d.nested != nil {
		return f
	}
	if s.pattern != nil && d.byLine {
		f.records, f.cues = s.pattern.records(lines), s.pattern.cues()
		return f
	}
	for _, fits := range []form{
		plain(findMessages), plain(findCards), s.asList, plain(findPairs), s.asGrid(delimited...), s.asWideGrid, plain(findAligned), plain(findReceipt),
		s.asPattern, s.asGrid(cutSpaces), plain(findBlocks),
	} {
		if fits(&f) {
			return f
		}
	}
	f.records = s.prose(d)
	return f
}

// wantsAny reports whether the definition wants a column that an item of a list is
// called: then the list is of one thing.
func (s *tableStep) wantsAny(items []record) bool {
	for _, r := range items {
		for _, f := range s.fields {
			if loose(f.name) == loose(r.values[0].text) {
				return true
			}
		}
	}
	return false
}

// prose is the records of a text that has no form: every row of its own, or else
// all of it.
func (s *tableStep) prose(d document) []record {
	if !d.byLine {
		return []record{{text: joined(d.lines), line: d.lines[0].number}}
	}
	all := make([]record, len(d.lines))
	for i, l := range d.lines {
		all[i] = record{text: l.text, line: l.number}
	}
	return all
}

// gridRecords returns the records of a text that writes a table out, and says what
// stands outside of it.
func (s *tableStep) gridRecords(lines []textLine, ways ...cutter) ([]record, bool) {
	g, ok := findGrid(lines, ways...)
	if !ok || len(g.outside) == 0 {
		return g.records(), ok
	}
	s.report().Unread += int64(len(g.outside))
	first := g.outside[0]
	s.note("%d lines are not part of the table; the first is line %d: %s", len(g.outside), first.number, quern.Clip(first.text, 120))
	return g.records(), true
}

// nameFields brings the columns that were found to the names of the definition, and
// looks in the texts for those that were not.
func (s *tableStep) nameFields(all []found) {
	shapes, cues := map[string]*[shapeCount]int{}, map[string][]string{}
	var order []string
	for _, f := range all {
		for _, r := range f.records {
			for _, v := range r.values {
				counts := shapes[v.name]
				if counts == nil {
					counts = new([shapeCount]int)
					shapes[v.name], cues[v.name] = counts, f.cues[v.name]
					order = append(order, v.name)
				}
				counts[v.shape]++
			}
		}
	}
	columns := make([]source, len(order))
	for i, name := range order {
		columns[i] = source{name, mostOf(shapes[name]), cues[name], usualNames[name]}
	}
	names := assign(columns, s.fields, s.work.service.o.Alike)
	for _, f := range all {
		for j := range f.records {
			f.records[j].nameFields(names, s.fields)
		}
	}
}

// nameFields gives the values of a record their names, and looks for fields that it
// lacks in its text.
func (r *record) nameFields(names map[string]string, fields []field) {
	for k := range r.values {
		if to := names[r.values[k].name]; to != "" {
			r.values[k].name = to
		}
	}
	fill(r, fields)
	switch {
	case len(r.values) > 0:
		r.unread = ""
	case r.unread == "":
		r.unread = "nothing in it was recognised"
	}
}

// write makes rows of what was found.
func (s *tableStep) write(all []found, rows []Row) []Row {
	taken := s.takenNames(rows)
	renamed := map[string]string{}
	var out []Row
	for _, f := range all {
		out = s.writeDocument(out, f, rows, taken, renamed)
	}
	return out
}

// takenNames are the names of columns that the rows have beside the text.
func (s *tableStep) takenNames(rows []Row) map[string]int {
	taken := map[string]int{}
	for _, name := range columnsOf(rows) {
		if !s.Replace || !strings.EqualFold(name, s.DeriveFrom) {
			taken[strings.ToLower(name)]++
		}
	}
	return taken
}

func (s *tableStep) writeDocument(out []Row, f found, rows []Row, taken map[string]int, renamed map[string]string) []Row {
	if f.nested != nil {
		others := rows[f.row].without(s.DeriveFrom)
		for _, r := range f.nested {
			r.Source = rows[f.row].Source
			out = append(out, r.with(others))
		}
		return out
	}
	if len(f.records) == 0 {
		if !f.byLine {
			out = append(out, rows[f.row])
		}
		return out
	}
	line := 0
	for _, r := range f.records {
		row := Row{}
		if f.byLine {
			for line < len(f.lines)-1 && f.lines[line].number < r.line {
				line++
			}
			row.Source = rows[f.offsets[line]].Source
		} else {
			row.Source = rows[f.row].Source
			row.Members = rows[f.row].without(s.DeriveFrom)
		}
		out = append(out, s.writeRecord(row, r, taken, renamed))
	}
	return out
}

// writeRecord makes a row of a record: its text, its values, and where they are from.
func (s *tableStep) writeRecord(row Row, r record, taken map[string]int, renamed map[string]string) Row {
	if !s.Replace || r.unread != "" {
		row.Members = append(row.Members, Member{Name: s.DeriveFrom, Value: r.text})
	}
	if r.unread != "" {
		s.report().Unread++
		s.note("line %d %s, and was kept as text: %s", r.line, r.unread, quern.Clip(r.text, 120))
		row.set(Member{Name: quern.ProvenancePrefix + s.DeriveFrom, Value: provenance{Note: r.unread}.json()})
		return row
	}
	for _, v := range r.values {
		name, known := renamed[v.name]
		if !known {
			name = unique(taken, v.name)
			renamed[v.name] = name
		}
		m := Member{Name: name, Value: v.read, Read: true}
		words := ""
		if v.read == nil {
			text := canonical(v.shape, v.text)
			if text != v.text {
				words = v.text
			}
			m.Value = text
		} else {
			words = v.text
		}
		p := provenance{From: s.DeriveFrom, Words: words, By: v.by, Confidence: v.sure}
		if v.at.start >= 0 && v.at.end <= len(r.text) {
			p.Start = utf8.RuneCountInString(r.text[:v.at.start])
			p.End = p.Start + utf8.RuneCountInString(r.text[v.at.start:v.at.end])
		}
		row.Members = append(row.Members, m, Member{Name: quern.ProvenancePrefix + name, Value: p.json()})
	}
	return row
}
