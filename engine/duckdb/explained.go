package duckdb

import (
	"encoding/json"
	"slices"
	"strings"

	"quern"
	"quern/engine"
)

// explainedNode is a step of a plan as the engine explains it.
type explainedNode struct {
	Name     string          `json:"name"`
	Children []explainedNode `json:"children"`
	Info     struct {
		Projections explainedTexts `json:"Projections"`
		Filters     explainedTexts `json:"Filters"`
	} `json:"extra_info"`
}

// explainedTexts is one text or several.
type explainedTexts []string

// UnmarshalJSON reads a text, or a list of them.
func (t *explainedTexts) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = explainedTexts{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// explainedSpans returns what the columns take that are named where the engine explains a
// query. It serves for plans that the engine cannot write down, such as those that read what
// they sort by first and the rest later: an explanation does not say of which file a column
// is, so all files count as read that have one of the name.
func (j *job) explainedSpans(sql string, files sparseFiles) (spans []engine.Span, ok bool) {
	var text string
	err := j.each("EXPLAIN (FORMAT json) "+sql, func(s *stream) { text = string(s.vectors[1].bytes(0)) })
	if err != nil {
		return nil, false
	}
	var plan []explainedNode
	if json.Unmarshal([]byte(text), &plan) != nil {
		return nil, false
	}
	columns := map[string]bool{}
	for _, node := range plan {
		if !node.name(files, columns) {
			return nil, false
		}
	}
	for file, segment := range files {
		some, ok := spansIn(file, segment, columns, nil)
		if !ok {
			return nil, false
		}
		spans = append(spans, some...)
	}
	return spans, true
}

// name adds the columns that a step and those below it read. It reports false for a read of
// what is no column of the files: then nobody knows what is meant.
func (n explainedNode) name(files sparseFiles, columns map[string]bool) bool {
	reads := n.Name == "READ_PARQUET"
	for _, projected := range n.Info.Projections {
		if reads && !files.hold(projected) {
			return false
		}
		columns[projected] = reads || columns[projected]
	}
	for _, s := range files {
		for _, c := range s.Columns {
			quoted := strings.ReplaceAll(c.Name, `"`, `""`)
			named := func(text string) bool { return strings.Contains(text, c.Name) || strings.Contains(text, quoted) }
			if reads && slices.ContainsFunc(n.Info.Filters, named) {
				columns[c.Name] = true
			}
		}
	}
	return !slices.ContainsFunc(n.Children, func(child explainedNode) bool { return !child.name(files, columns) })
}

// hold reports whether a file has a column of a name.
func (f sparseFiles) hold(name string) bool {
	for _, s := range f {
		if slices.ContainsFunc(s.Columns, func(c quern.Column) bool { return c.Name == name }) {
			return true
		}
	}
	return false
}
