package tree

import (
	"fmt"
	"slices"
	"strings"

	"quern"
)

// Table is a dataset as a query sees it.
type Table struct {
	Path    quern.DatasetPath
	Columns []quern.Column
}

// Column finds a column by name; case does not count.
func (t Table) Column(name string) (quern.Column, bool) {
	for _, c := range t.Columns {
		if SameName(c.Name, name) {
			return c, true
		}
	}
	return quern.Column{}, false
}

// Schema is what a query may speak of.
type Schema struct {
	In     quern.NamespacePath // where names without owner or namespace are looked up
	Tables []Table
	// Find returns tables that are not in Tables; nil when there are no others.
	Find   func(quern.DatasetPath) (Table, bool)
	Others []string // datasets that are not in Tables, to suggest
}

// datasets names what there is, to suggest.
func (s Schema) datasets() []string {
	names := slices.Clone(s.Others)
	for _, t := range s.Tables {
		names = append(names, t.Path.Dataset)
	}
	return names
}

// Complete returns the full path of a name.
func (s Schema) Complete(n Name) quern.DatasetPath {
	if n.Owner == "" {
		n.Owner = s.In.Owner
		if n.Namespace == "" {
			n.Namespace = s.In.Namespace
		}
	}
	return n
}

// Table finds the table that a name means.
func (s Schema) Table(n Name) (Table, bool) {
	path := s.Complete(n)
	for _, t := range s.Tables {
		if SamePath(t.Path, path) {
			return t, true
		}
	}
	if s.Find != nil {
		return s.Find(path)
	}
	return Table{}, false
}

// SamePath reports whether two paths lead to the same dataset.
func SamePath(a, b quern.DatasetPath) bool {
	return SameName(a.Owner, b.Owner) && SameName(a.Namespace, b.Namespace) && SameName(a.Dataset, b.Dataset)
}

// Problem says why a tree does not fit a schema or its links.
type Problem struct {
	Name    string // what it is about, as the query writes it
	Message string
}

func (p *Problem) Error() string { return p.Message }

// Invalid returns the problem as callers see it, with the place in the text that
// names what it is about.
func (p *Problem) Invalid(text string) *quern.Error {
	language := sqlText
	if IsFluent(text) {
		language = fluentText
	}
	tokens, _ := lex(text, language)
	for _, t := range tokens {
		named := SameName(t.text, p.Name) || strings.HasSuffix(quern.NameKey(t.text), "/"+quern.NameKey(p.Name))
		if p.Name != "" && named {
			return errorAt(text, t.at, "%s", p.Message).Invalid()
		}
	}
	return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s", p.Message)
}

func problem(name, format string, args ...any) *Problem {
	return &Problem{name, fmt.Sprintf(format, args...)}
}

// unknown is the problem of a name that is none of those there are.
func unknown(what, name string, there []string) *Problem {
	if near := nearest(name, there); near != "" {
		return problem(name, "there is no %s %q; did you mean %q?", what, name, near)
	}
	return problem(name, "there is no %s %q", what, name)
}

// nearest returns the name most like another, or none when none is alike.
func nearest(name string, there []string) string {
	best, least := "", len(name)/2+1
	for _, n := range there {
		d := distance(quern.NameKey(name), quern.NameKey(n))
		if contains := strings.Contains(quern.NameKey(n), quern.NameKey(name)); contains && len(name) > 2 {
			d = min(d, 1)
		}
		if d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is how many characters to change, add or drop between two texts.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			cost := diagonal
			if r != s {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
