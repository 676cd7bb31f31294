package follow

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	addPattern = regexp.MustCompile(`^(?:please )?(?:(?:(?:and|also|please) )+(?:show|add|include|with|give)?(?: me)?|(?:add|include|with)|` +
		`(?:show|give)(?: me)?(?: also| as well| their| its))(?: also| as well)? ?(?:the |their |its )?(?P<columns>.+?)(?: as well| too| also)?$`)
	addTooPattern = regexp.MustCompile(`^(?:show|give)(?: me)? (?:the |their |its )?(?P<columns>.+?) (?:as well|too|also)$`)
	onlyPattern   = regexp.MustCompile(`^` + openers + `(?:(?P<shown>(?:show|list|give|display)(?: me)? )(?:(?:only|just) )?|(?:only|just) )` +
		`(?:the |their |its )?(?P<columns>.+?)(?P<only> only| alone)?$`)
	instead = regexp.MustCompile(`^` + asides + `(?:the |their |its )?(?P<columns>.+)$`)
	// listed parts the names of columns.
	listed = regexp.MustCompile(`,? (?:and|or) (?:the |their |its )?|, ?(?:the |their |its )?`)
)

// addColumn adds columns to the previous rows: "also show the city".
func addColumn(e *editor) bool {
	s := e.query.Select
	m, ok := english.Groups(addPattern, e.text)
	if !ok {
		m, ok = english.Groups(addTooPattern, e.text)
	}
	if !ok || s.Distinct || e.oneRow() && !e.listCounted() {
		return false
	}
	for _, name := range listed.Split(m.Text("columns"), -1) {
		column, ok := e.shownColumn(name)
		says := strings.HasPrefix(e.text, "with ") && e.saysYes(column) // with parking: those that have it
		if !ok || says {
			return false
		}
		shown, ok := e.ofGroup(column)
		if !ok {
			return false
		}
		if !e.lists(shown) {
			s.Items = append(s.Items, tree.Item{Expr: shown})
		}
	}
	return true
}

// listCounted makes a count of rows a list of what they are called.
func (e *editor) listCounted() bool {
	s := e.query.Select
	if len(s.Items) != 1 || !e.lists(tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}) || len(s.From) > 1 {
		return false
	}
	label, ok := e.rowsLabel()
	if ok {
		s.Items = []tree.Item{{Expr: label}}
	}
	return ok
}

// showColumns shows other columns of the previous rows and nothing else: "show the
// client and the date only". A column of yes and no, or of a time, that is named
// alone may be a state of the rows, which is no column to show.
func showColumns(e *editor) bool {
	s := e.query.Select
	m, ok := english.Groups(onlyPattern, e.text)
	if !ok || s.Distinct || len(s.Group) > 0 || HasAggregate(s.Items...) {
		return false
	}
	only := strings.Contains(" "+e.text, " only") || strings.Contains(" "+e.text, " just ") || m.Has("only")
	names := listed.Split(m.Text("columns"), -1)
	var items []tree.Item
	for _, name := range names {
		column, ok := e.shownColumn(name)
		state := !m.Has("shown") && len(names) == 1 && e.isState(column)
		if !ok || !only || state {
			return false
		}
		items = append(items, tree.Item{Expr: column})
	}
	s.Items = items
	return true
}

// isState reports whether a column says of rows whether something is the case.
func (e *editor) isState(column tree.Column) bool {
	i, ok := e.view.ColumnOf(e.query.Select.From, column)
	return ok && e.view.Columns[i].Type.Temporal() || e.saysYes(column)
}

// saysYes reports whether a column says yes or no.
func (e *editor) saysYes(column tree.Column) bool {
	i, ok := e.view.ColumnOf(e.query.Select.From, column)
	if !ok {
		return false
	}
	_, _, truth := e.view.Columns[i].Truth()
	return truth
}

// changeColumn makes the same number of another column: "and children?" behind a sum
// of adults.
func changeColumn(e *editor) bool {
	s := e.query.Select
	m, ok := english.Groups(instead, e.text)
	if !ok || e.query.Limit != nil || s.Having != nil || m.Text("columns") == e.text {
		return false
	}
	before, ok := e.measuredColumn()
	if !ok {
		return false
	}
	column, ok := e.shownColumn(m.Text("columns"))
	i, known := e.view.ColumnOf(s.From, column)
	if !ok || !known || !e.view.Columns[i].Type.Numeric() || column.Source != before.Source {
		return false
	}
	tree.ReplaceValues(e.query, func(x tree.Expr) tree.Expr {
		if a, ok := x.(tree.Aggregate); ok && a.Arg == tree.Expr(before) {
			a.Arg = column
			return a
		}
		return x
	})
	return true
}

// shownColumn returns the column that people mean by a name: one that is named so, by
// the name without a word that says nothing ("phone number" of "phone"), or what the
// rows are called where it is "name".
func (e *editor) shownColumn(name string) (tree.Column, bool) {
	if column, ok := e.columnOrJoin(name); ok {
		return column, true
	}
	words := strings.Fields(name)
	last := len(words) - 1
	if last > 0 && english.NameHeads.Has(english.Singular(words[last])) {
		return e.columnOrJoin(strings.Join(words[:last], " "))
	}
	if last == 0 && english.Labels.Has(english.Singular(words[0])) {
		return e.rowsLabel()
	}
	return tree.Column{}, false
}

// rowsLabel returns the column that is named like the rows that are listed.
func (e *editor) rowsLabel() (tree.Column, bool) {
	p, ok := subject(e.view, e.query.Select, e.previous)
	if !ok || p.Nested != nil {
		return tree.Column{}, false
	}
	own := english.Stems(lex.Words(p.Source.Dataset.Dataset, nil))
	for _, i := range e.view.ColumnsOf(p.Source) {
		c := e.view.Columns[i]
		isName := len(c.Words) == 1 && english.Labels.Has(c.Words[0])
		if isName || slices.Equal(english.Stems(c.Words), own) {
			return tree.Column{Source: p.Source.Ref(), Name: c.Name}, true
		}
	}
	return tree.Column{}, false
}

// ofGroup returns a column as it can be shown: of groups, one that is the same in all
// rows of each.
func (e *editor) ofGroup(column tree.Column) (tree.Expr, bool) {
	s := e.query.Select
	if len(s.Group) == 0 {
		return column, true
	}
	same := slices.ContainsFunc(s.Group, func(g tree.Expr) bool {
		by, ok := g.(tree.Column)
		return ok && by.Source == column.Source && e.view.IsKey(s.From, by)
	})
	if slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, tree.Expr(column)) }) {
		return column, true
	}
	return tree.Aggregate{Func: tree.Any, Arg: column}, same
}
