package structure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"quern"
)

// asInvalid returns an error as what is wrong with a request, if it is that.
func asInvalid(err error) (*quern.Error, bool) {
	e, ok := errors.AsType[*quern.Error](err)
	return e, ok && e.Kind == quern.Invalid
}

// rowsStep makes rows of a column that holds JSON, or a table as text.
type rowsStep struct {
	about
	seen bool // a row had the column
	read bool // one could be read
}

func (s *rowsStep) run(_ context.Context, rows []Row) ([]Row, error) {
	var out []Row
	for i := range rows {
		at := rows[i].find(s.DeriveFrom)
		s.seen = s.seen || at >= 0
		if at < 0 || rows[i].Members[at].Value == nil {
			if len(rows[i].Members) > 0 {
				out = append(out, rows[i])
			}
			continue
		}
		made, ok := nestedRows(rows[i].Members[at])
		if !ok {
			s.report().Unread++
			s.note("row %d holds neither JSON nor a table in %s; it was kept as it is", rows[i].Source+1, s.DeriveFrom)
			out = append(out, rows[i])
			continue
		}
		s.read = true
		others := rows[i].without(s.DeriveFrom)
		for _, r := range made {
			r.Source = rows[i].Source
			out = append(out, r.with(others))
		}
	}
	if !s.seen && len(rows) > 0 {
		return nil, missing(s.at("deriveFrom"), s.DeriveFrom, rows)
	}
	if !s.read && s.report().Unread > 0 {
		return nil, invalid(quern.Fault("value", s.at("deriveFrom"), quern.Clip(s.DeriveFrom, 80)+" holds neither JSON nor a table in any row"))
	}
	return out, nil
}

// with returns the row with members of the one it was made of. Those whose names it
// has itself get a number.
func (r Row) with(others []Member) Row {
	taken := map[string]int{}
	for _, m := range r.Members {
		taken[strings.ToLower(m.Name)]++
	}
	for _, m := range others {
		m.Name = unique(taken, m.Name)
		r.Members = append(r.Members, m)
	}
	return r
}

// nestedRows returns the rows that a value holds: nested, as JSON in a text, or as a
// table that a text writes out.
func nestedRows(m Member) (rows []Row, ok bool) {
	switch v := m.Value.(type) {
	case json.RawMessage:
		return jsonRows(m.Name, v)
	case string:
		return textRows(m.Name, v)
	}
	return nil, false
}

func textRows(name, text string) ([]Row, bool) {
	trimmed := bytes.TrimSpace([]byte(text))
	if json.Valid(trimmed) && len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		return jsonRows(name, trimmed)
	}
	if rows, ok := ndjsonRows(name, trimmed); ok {
		return rows, true
	}
	g, ok := findGrid(linesOf(text), append(delimited[:len(delimited):len(delimited)], cutSpaces)...)
	if !ok {
		return nil, false
	}
	var rows []Row
	for _, r := range g.records() {
		var row Row
		for _, v := range r.values {
			row.Members = append(row.Members, Member{Name: v.name, Value: v.text, Read: true})
		}
		rows = append(rows, row)
	}
	return rows, true
}

// ndjsonRows reads objects one a line.
func ndjsonRows(name string, text []byte) (rows []Row, ok bool) {
	if len(text) == 0 || text[0] != '{' {
		return nil, false
	}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if !json.Valid(line) {
			return nil, false
		}
		some, ok := jsonRows(name, line)
		if !ok {
			return nil, false
		}
		rows = append(rows, some...)
	}
	return rows, true
}

// jsonRows returns the rows of a nested value: the objects of a list, or one object.
// What is no object becomes a row under the column's name.
func jsonRows(name string, value json.RawMessage) ([]Row, bool) {
	var list []json.RawMessage
	if bytes.TrimSpace(value)[0] == '{' {
		list = []json.RawMessage{value}
	} else if json.Unmarshal(value, &list) != nil {
		return nil, false
	}
	rows := make([]Row, 0, len(list))
	for _, item := range list {
		if item = bytes.TrimSpace(item); len(item) > 0 && item[0] == '{' {
			row, err := DecodeRow(item)
			if err != nil {
				return nil, false
			}
			rows = append(rows, row)
			continue
		}
		v, err := decodeValue(item)
		if err != nil {
			return nil, false
		}
		rows = append(rows, Row{Members: []Member{{Name: name, Value: v}}})
	}
	return rows, true
}
