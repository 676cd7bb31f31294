package structure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quern"
)

// Row is one row on its way: its members in order.
type Row struct {
	Members []Member
	// Line is where a row that is a line of a text stands in it, from 1; 0 for others.
	Line int64
	// Source is the number of the row of the input that this one was made of.
	Source int64
}

// Member is one value of a row: nil, a bool, a json.Number, a string, or a
// json.RawMessage for what is nested.
type Member struct {
	Name  string
	Value any
	// Read says that the value is text as a document has it, so that it may be a
	// number or a date that nobody has read yet.
	Read bool
}

// find returns where a row has a column, whose name is compared as names of columns
// are; -1: nowhere.
func (r *Row) find(name string) int {
	key := quern.NameKey(name)
	return slices.IndexFunc(r.Members, func(m Member) bool { return m.Name == name || quern.NameKey(m.Name) == key })
}

// text returns what a column of the row holds as text; empty when it is missing or
// nested.
func (r *Row) text(name string) string {
	at := r.find(name)
	if at < 0 {
		return ""
	}
	return textOf(r.Members[at].Value)
}

func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return fmt.Sprint(v)
	}
	return ""
}

// set gives a row a value, in the place of the one it has under the name.
func (r *Row) set(m Member) {
	if at := r.find(m.Name); at >= 0 {
		r.Members[at].Value, r.Members[at].Read = m.Value, m.Read
		return
	}
	r.Members = append(r.Members, m)
}

// without returns the members of a row but one.
func (r *Row) without(name string) []Member {
	at := r.find(name)
	if at < 0 {
		return slices.Clone(r.Members)
	}
	return slices.Delete(slices.Clone(r.Members), at, at+1)
}

// DecodeRow reads a row from a JSON object, its members in their order.
func DecodeRow(object []byte) (Row, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	open, err := dec.Token()
	if err != nil || open != json.Delim('{') {
		return Row{}, fmt.Errorf("structure: a row is not an object: %w", err)
	}
	var r Row
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return Row{}, err
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return Row{}, err
		}
		value, err := decodeValue(raw)
		if err != nil {
			return Row{}, err
		}
		r.Members = append(r.Members, Member{Name: name.(string), Value: value}) //nolint:forcetypeassert // names are strings
	}
	return r, nil
}

// decodeValue reads a value; what is nested stays as it is.
func decodeValue(raw json.RawMessage) (value any, err error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return nil, nil //nolint:nilnil // null
	}
	switch raw[0] {
	case '{', '[':
		return slices.Clone(raw), nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err = dec.Decode(&value)
	return value, err
}

// AppendJSON appends a row as a JSON object.
func (r Row) AppendJSON(b []byte) ([]byte, error) {
	b = append(b, '{')
	for i, m := range r.Members {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendAny(b, m.Name); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = appendAny(b, m.Value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendAny(b []byte, value any) ([]byte, error) {
	out := bytes.NewBuffer(b)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// columnsOf lists the names of the columns that rows have, in the order in which
// they come.
func columnsOf(rows []Row) []string {
	var names []string
	seen := map[string]bool{}
	for i := range rows {
		for _, m := range rows[i].Members {
			if key := quern.NameKey(m.Name); !seen[key] && !strings.HasPrefix(m.Name, quern.InternalPrefix) {
				seen[key] = true
				names = append(names, m.Name)
			}
		}
	}
	return names
}
