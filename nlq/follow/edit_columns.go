package follow

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	addPattern = regexp.MustCompile(`^(?:please )?(?:(?:(?:and|also|please|then|ok|okay|so) )+(?:at least )?(?:show|add|include|with|give)?(?: me)?|` +
		`(?:add|include|with|plus)\b|(?:show|give|list|get|tell)(?: me| us)?(?: also| as well| their| its| (?:it|` + theRows + `) (?:with|including|and)))` +
		`(?: also| as well)? ?(?:the |their |its |his |her )?(?P<columns>.+?)(?: as well| too| also)?` + forEach + `$`)
	addTooPattern = regexp.MustCompile(`^(?:show|give|list|get|tell)(?: me| us)? (?:the |their |its )?(?P<columns>.+?)(?: (?:as well|too|also)|` + forEachOne + `)$`)
	// givePattern asks for columns without a word that says whether others stay.
	givePattern = regexp.MustCompile(`^` + openers + `(?:show|give|tell|list|get|display)(?: me| us)? (?P<columns>.+?)` + forEach + `$`)
	onlyPattern = regexp.MustCompile(`^` + openers + `(?:(?P<shown>(?:show|list|give|display)(?: me)? )(?:(?:only|just) )?|(?:only|just) )` +
		`(?:the |their |its )?(?P<columns>.+?)(?P<only> only| alone)?$`)
	instead = regexp.MustCompile(`^` + asides + `(?:the |their |its )?(?P<columns>.+)$`)
	// listed parts the names of columns.
	listed = regexp.MustCompile(`,? (?:and|or) (?:the |their |its |his |her )?|, ?(?:the |their |its |his |her )?`)
)

// What stands behind columns that are asked for of each of the rows.
var (
	forEachOne = `(?: (?:for|of|to) (?:each|every one|all)?(?: of)? ?(?:` + plural + `|it)?| each| there)`
	forEach    = forEachOne + `?`
)

// addColumn adds columns to the previous rows: "also show the city".
func addColumn(e *editor) bool {
	m, ok := english.Groups(addPattern, e.text)
	if !ok {
		m, ok = english.Groups(addTooPattern, e.text)
	}
	if !ok {
		return false
	}
	names := listed.Split(m.Text("columns"), -1)
	if len(names) == 1 && e.holdsTo(names[0]) {
		return false
	}
	return e.addColumns(names)
}

// showsMore is how one asks to see something beside what is shown.
var showsMore = regexp.MustCompile(`\b(?:show|add|include|give|list|get|tell|also|too|as well|each|their|its|his|her)\b`)

// holdsTo reports whether a column that is added by its name holds the rows to those that have it: with
// parking, with an email, and insured.
func (e *editor) holdsTo(name string) bool {
	doubts := e.doubts
	column, ok := e.shownColumn(name)
	e.doubts = doubts // it is looked up again to be shown
	id, known := e.view.ColumnOf(e.query.Select.From, column)
	if !ok || !known || showsMore.MatchString(e.text) {
		return false
	}
	if strings.HasPrefix(e.text, "with ") {
		isOne := strings.HasPrefix(name, "a ") || strings.HasPrefix(name, "an ")
		return e.saysYes(column) || isOne && e.view.HasNull(id)
	}
	return e.saysYes(column) && e.constrains(column)
}

// nameColumns adds columns that are named and nothing else: "telephone numbers?",
// "names and birth dates", "give me the price".
func nameColumns(e *editor) bool {
	m, ok := english.Groups(givePattern, e.text)
	if !ok {
		m, ok = english.Groups(instead, e.text)
	}
	if !ok {
		return false
	}
	name := strings.TrimPrefix(m.Text("columns"), "the ")
	names := listed.Split(strings.TrimPrefix(name, "their "), -1)
	return !slices.ContainsFunc(names, e.isNoName) && e.addColumns(names)
}

// isNoName reports whether a phrase is not the bare name of a column: it has a word that
// holds a sentence together, or is what a table is called.
func (e *editor) isNoName(phrase string) bool {
	joins := slices.ContainsFunc(strings.Fields(phrase), func(w string) bool { return lex.Function(w) && w != "of" && w != "the" })
	return joins || slices.ContainsFunc(e.view.Tables, func(t schema.Table) bool {
		return slices.Equal(stemsOf(t.Words), nameStems(phrase))
	})
}

// addColumns adds columns, by their names, to the previous rows.
func (e *editor) addColumns(names []string) bool {
	if e.oneRow() && !e.listCounted() {
		return false
	}
	var shown []tree.Column
	for _, name := range names {
		columns, ok := e.shownColumns(name)
		if !ok {
			return false
		}
		shown = append(shown, columns...)
	}
	return e.show(shown)
}

// show adds columns to the previous rows, as many of them as there are.
func (e *editor) show(columns []tree.Column) bool {
	s := e.query.Select
	if s.Distinct && !e.listsLabel() {
		return false // the same row may be shown more than once then
	}
	added := false
	for _, column := range e.asPeople(columns) {
		shown, ok := e.ofGroup(column)
		if !ok {
			return false
		}
		if !e.lists(shown) {
			s.Items, added = append(s.Items, tree.Item{Expr: shown}), true
		}
	}
	return added || len(columns) > 0
}

// asPeople returns columns with the names of people in the place of keys that refer to them.
func (e *editor) asPeople(columns []tree.Column) []tree.Column {
	var all []tree.Column
	for _, column := range columns {
		id, known := e.view.ColumnOf(e.query.Select.From, column)
		l, refers := e.view.Referred(id)
		if of := e.view.Columns[l.To].Table; known && refers && e.view.IsOfPeople(of) && !e.reads(of) {
			all = append(all, e.labels(e.join(way{of, []schema.Link{l}}))...)
			continue
		}
		all = append(all, column)
	}
	return all
}

// listsLabel reports whether what the rows are called is among what is shown of them.
func (e *editor) listsLabel() bool {
	source, ok := e.shownSource()
	return ok && slices.ContainsFunc(e.labels(source), func(c tree.Column) bool { return e.lists(c) })
}

// listCounted makes a count of rows a list of what they are called.
func (e *editor) listCounted() bool {
	s := e.query.Select
	if share, ok := s.Items[0].Expr.(tree.Share); ok && share.Of == nil && len(s.Items) == 1 {
		s.Where, s.Items = addConds(s.Where, tree.Conjuncts(share.Where)...), []tree.Item{{Expr: rowCount}}
	}
	if len(s.Items) != 1 || !e.lists(rowCount) || len(s.Group) > 0 || len(s.From) > 1 {
		return false
	}
	p, ok := subject(e.view, s, e.previous)
	if !ok || p.Nested != nil {
		return false
	}
	s.Items = nil
	for _, label := range e.labels(p.Source) {
		s.Items = append(s.Items, tree.Item{Expr: label})
	}
	return len(s.Items) > 0
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
	return ok && (e.view.Columns[i].Type.Temporal() || e.view.Columns[i].CountsStock()) || e.saysYes(column)
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

// shownColumn returns the one column that people mean by a name.
func (e *editor) shownColumn(name string) (tree.Column, bool) {
	columns, ok := e.shownColumns(name)
	if !ok || len(columns) != 1 {
		return tree.Column{}, false
	}
	return columns[0], true
}

// shownColumns returns the columns that people mean by a name: one that is named so, by
// the name without a word that says nothing ("phone number" of "phone"), what the rows
// are called where it is "name", or what rows of a table beside them are called.
func (e *editor) shownColumns(name string) ([]tree.Column, bool) {
	if isPlaced.MatchString(name) {
		return nil, false
	}
	if columns, ok := e.columnsNamed(name); ok {
		return columns, true
	}
	if rest := kindOf.ReplaceAllString(name, ""); rest != name {
		return e.shownColumns(rest)
	}
	words := strings.Fields(name)
	last := len(words) - 1
	if last < 0 {
		return nil, false
	}
	head := english.Singular(words[last])
	if owner := strings.TrimSuffix(strings.TrimSuffix(words[0], "s"), "'"); last > 0 && strings.HasSuffix(words[0], "'") || last > 0 && owner+"'s" == words[0] {
		e.doubt("I did not use the word %q.", owner)
		return e.shownColumns(strings.Join(words[1:], " "))
	}
	if last == 0 && english.Labels.Has(head) {
		return e.rowsLabels()
	}
	if last == 0 || !english.NameHeads.Has(head) && !english.Details.Has(head) {
		return nil, false
	}
	rest := strings.Join(words[:last], " ")
	if column, ok := e.bornOn(rest); ok {
		return []tree.Column{column}, true
	}
	rest = strings.TrimSuffix(strings.TrimSuffix(rest, "'s"), "'")
	return e.columnsNamed(rest)
}

// isPlaced begins with a word that holds rows to something, or says that they lack it: at the station,
// without a dog.
var isPlaced = regexp.MustCompile(`^(?:at|in|from|on|near|behind|before|after|until|since|during|with|without|no|not|never|except|excluding|but|minus|lacking|missing) `)

// columnsNamed returns the column that has a name, or what the rows of a table beside the
// previous ones are called that has it, or else the one column with the name in its own.
func (e *editor) columnsNamed(name string) ([]tree.Column, bool) {
	if column, ok := e.column(name); ok {
		if i, _ := e.view.ColumnOf(e.query.Select.From, column); named(e.view.Columns[i], nameStems(name)) == fully {
			return []tree.Column{column}, true
		}
	}
	if source, ok := e.sourceOf(name); ok && !e.isOwn(source) {
		source, _ = e.sourceNamed(name)
		return e.labels(source), true
	}
	if column, ok := e.columnOrJoin(name); ok {
		return []tree.Column{column}, true
	}
	return nil, false
}

// isOwn reports whether a source is the one whose rows are listed.
func (e *editor) isOwn(source tree.Source) bool {
	p, ok := subject(e.view, e.query.Select, e.previous)
	return ok && p.Nested == nil && p.Source.Ref() == source.Ref()
}

// bornOn returns the one column that says when somebody was born, where a phrase is
// about that.
func (e *editor) bornOn(phrase string) (tree.Column, bool) {
	if !english.Births.Has(phrase) {
		return tree.Column{}, false
	}
	found := e.columnsThat(func(c schema.Column) bool { return slices.ContainsFunc(c.Words, english.Births.Has) })
	if len(found) != 1 {
		return tree.Column{}, false
	}
	return found[0], true
}

// rowsLabels returns the columns that the rows that are listed are called by.
func (e *editor) rowsLabels() ([]tree.Column, bool) {
	p, ok := subject(e.view, e.query.Select, e.previous)
	if !ok || p.Nested != nil {
		return nil, false
	}
	found := e.labels(p.Source)
	if len(found) == 1 && e.view.IsKey(e.query.Select.From, found[0]) {
		i, _ := e.view.ColumnOf(e.query.Select.From, found[0])
		return found, e.view.Columns[i].Type == quern.Text
	}
	return found, len(found) > 0
}

// rowsLabel returns the column that is named like the rows that are listed.
func (e *editor) rowsLabel() (tree.Column, bool) {
	found, ok := e.rowsLabels()
	if !ok {
		return tree.Column{}, false
	}
	return found[len(found)-1], true
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
