package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// them is how a question refers to the rows before, be they one or many.
	them = `(?:` + backWords + `|(?:that|this|these|those) (?P<noun>[a-z]+))`
	// backWords are the same, without a noun.
	backWords = `(?:` + plural + `|` + singular + `|that|this)`
	// whichPattern asks for a column by its name: "which room are they in?".
	whichPattern = regexp.MustCompile(`^` + openers + `(?:in |on |at |from |for |of |to )?(?:which|what) (?P<what>[a-z0-9][a-z0-9 '-]*?) ` +
		`(?:is|are|was|were|do|does|did|has|have|had) ` + them +
		`(?: (?:in|on|at|from|to|for|of|with|have|has|live|come|belong|work|use|got|get|made|been|sit|stand|by|stay|start|under))*$`)
	// whatPattern asks for it as something that the rows have: "what are their phone
	// numbers?", "who are the contact persons there?".
	whatPattern = regexp.MustCompile(`^` + openers + `(?:what|who|which|whose)(?:'s| is| are| was| were) (?P<of>the |their |its |his |her )(?P<what>.+?)` +
		`(?P<back>` + forEachOne + `| (?:in|on|at|for|of) (?:` + them + `))?$`)
	// anyPattern asks whether there is something in a column: "any remarks on them?".
	anyPattern = regexp.MustCompile(`^` + openers + `(?:are there |is there |have they |do they have |do we have )?any (?P<what>.+?)` +
		`(?: (?:on|for|about|of|with|to) (?:` + plural + `|` + singular + `|that))$`)
	whenPattern  = regexp.MustCompile(`^` + openers + `(?:since )?when (?:is|are|was|were|do|does|did|had|has|have) ` + them + `(?: (?P<verb>[a-z]+)(?: (?:with|at|by|for) us)?)?$`)
	wherePattern = regexp.MustCompile(`^` + openers + `where (?:is|are|was|were|do|does|did|has|have) ` + them + `(?: (?:all|from|live|lives|based|located|come from|` +
		`stay|work|kept|be|found|at))*$`)
	costPattern = regexp.MustCompile(`^` + openers + `(?:how much|what) (?:is|are|was|were|do|does|did) ` + them + `(?: (?P<verb>cost|paid|charge|earn|get))?` +
		`(?: (?:per|an|a|each) ?(?P<unit>[a-z]+)?)?$`)
	howManyOf = regexp.MustCompile(`^` + openers + `how (?:many|much) (?P<what>[a-z ]+?) (?:do|does|did|has|have|had|is|are|was|were) (?:` + them +
		`|there in (?:` + plural + `|` + singular + `|that)|in (?:there|it|` + plural + `))(?: have| has| got| need| take| give)?$`)
	whoPattern  = regexp.MustCompile(`^` + openers + `who (?P<verb>[a-z]+(?: for| in)?) ` + them + `$`)
	linkPattern = regexp.MustCompile(`^` + openers + `(?:for |from |to |of |by |with )?(?:which|what) (?P<what>[a-z]+(?: [a-z]+)?) ` +
		`(?P<verb>(?:[a-z]+ ){1,3}?)` + them + `(?: for| from| to| by| with)?$`)
	ownerPattern = regexp.MustCompile(`^` + openers + `(?:whose (?:is|are|was|were) ` + backWords + `|who (?:do|does|did) ` + backWords + ` belong to|who (?:owns|own|owned) ` + backWords + `)$`)
	bareAsk      = regexp.MustCompile(`^` + openers + `(?:which|what) (?P<what>[a-z]+(?: [a-z]+)?)$`)
)

// askColumn answers a question about what the previous rows have, as a column beside
// what is shown of them: "which room are they in?", "when did she start?".
func askColumn(e *editor) bool {
	if m, ok := english.Groups(whichPattern, e.text); ok && e.oneRow() {
		if source, other := e.sourceOf(m.Text("what")); other && !e.isOwn(source) {
			return false // they are asked for, and the rows before are not
		}
	}
	if e.sumsUp() {
		return true
	}
	if len(e.query.Select.Items) == 0 || e.oneRow() && !e.listCounted() {
		return false
	}
	return e.askShown()
}

// askShown answers a question about what rows that are listed have.
func (e *editor) askShown() bool {
	if m, ok := english.Groups(whatPattern, e.text); ok && (isPossessive(m.Text("of")) || m.Has("back")) {
		return e.showNamed(m.Text("what"))
	}
	if m, ok := english.Groups(anyPattern, e.text); ok {
		return e.showNamed(m.Text("what"))
	}
	if m, ok := english.Groups(bareAsk, e.text); ok && !e.isTable(m.Text("what")) {
		column, ok := e.column(m.Text("what"))
		return ok && e.show([]tree.Column{column})
	}
	for _, ask := range []struct {
		pattern *regexp.Regexp
		show    func(english.Match) bool
	}{
		{whichPattern, func(m english.Match) bool { return e.showNamed(m.Text("what")) }},
		{howManyOf, func(m english.Match) bool { return e.showNumber(m.Text("what")) }},
		{whenPattern, func(m english.Match) bool { return e.showWhen(m.Text("verb")) }},
		{wherePattern, func(english.Match) bool { return e.showWhere() }},
		{costPattern, func(m english.Match) bool { return e.showCost(m.Text("verb"), m.Text("unit")) }},
	} {
		if m, ok := english.Groups(ask.pattern, e.text); ok && e.isRows(m.Text("noun")) {
			return ask.show(m)
		}
	}
	return false
}

// altogether asks what rows that were counted came to.
var altogether = regexp.MustCompile(`^` + openers + `how much (?:is|was|did) (?:that|it|this)(?: (?:cost|make|come to))?(?: altogether| in all| in total| all together)?$`)

// sumsUp makes a count of rows the sum of what they cost, where the text asks how much that was.
func (e *editor) sumsUp() bool {
	if !altogether.MatchString(e.text) || !e.oneRow() || len(e.query.Select.Items) != 1 || !e.lists(rowCount) {
		return false
	}
	found := e.pricesOrTimes(false)
	if len(found) != 1 {
		return false
	}
	e.query.Select.Items[0] = tree.Item{Expr: tree.Aggregate{Func: tree.Sum, Arg: found[0]}}
	return true
}

// isRows reports whether a noun can stand for the rows before: none is said, or it names
// a table that is read.
func (e *editor) isRows(noun string) bool {
	return noun == "" || e.isTable(noun) || english.People.Has(english.Plural(noun)) || english.RowNouns.Has(noun)
}

// showNamed adds the column that a phrase names.
func (e *editor) showNamed(phrase string) bool {
	columns, ok := e.shownColumns(phrase)
	return ok && e.show(columns)
}

// showNumber adds the column of numbers of one row that a phrase names: "how many beds
// do they have?".
func (e *editor) showNumber(phrase string) bool {
	column, ok := e.column(phrase)
	i, known := e.view.ColumnOf(e.query.Select.From, column)
	if !ok || !known || !e.view.Columns[i].Type.Numeric() || e.identifies(i) {
		return false
	}
	return e.show([]tree.Column{column})
}

// shownSource returns the source whose rows are shown: that of the key which they are
// grouped by, or the one whose columns are listed.
func (e *editor) shownSource() (tree.Source, bool) {
	for _, g := range e.query.Select.Group {
		key, ok := g.(tree.Column)
		for _, source := range e.query.Select.From {
			if ok && source.Ref() == key.Source && e.view.IsKey(e.query.Select.From, key) {
				return source, true
			}
		}
	}
	p, ok := subject(e.view, e.query.Select, e.previous)
	return p.Source, ok && p.Nested == nil
}

// showWhen adds the time that a verb is about, or all that tell when rows are.
func (e *editor) showWhen(verb string) bool {
	source, ok := e.shownSource()
	if !ok {
		return false
	}
	times := e.view.TimesOf(source)
	if verb != "" {
		times = schema.NamedTimes(times, []string{verb})
	}
	if len(times) == 1 {
		return e.show([]tree.Column{times[0].Column})
	}
	var parts []tree.Column
	for _, i := range e.view.ColumnsOf(source) {
		c := e.view.Columns[i]
		if verb == "" && len(c.Words) > 0 && english.WhenNames.Has(c.Words[len(c.Words)-1]) {
			parts = append(parts, tree.Column{Source: source.Ref(), Name: c.Name})
		}
	}
	return len(times) == 0 && len(parts) > 0 && e.show(parts)
}

// showWhere adds the one column that says where rows are.
func (e *editor) showWhere() bool {
	source, ok := e.shownSource()
	if !ok {
		return false
	}
	var found []tree.Column
	for _, i := range e.view.ColumnsOf(source) {
		c := e.view.Columns[i]
		if len(c.Words) > 0 && english.PlaceNames.Has(c.Words[len(c.Words)-1]) {
			found = append(found, tree.Column{Source: source.Ref(), Name: c.Name})
		}
	}
	if len(found) > 1 {
		e.doubt("More than one column says where they are.")
	}
	return len(found) > 0 && e.show(found)
}

// showCost adds the one column that says what a row costs, of a unit where one is said.
func (e *editor) showCost(verb, unit string) bool {
	if verb == "" && unit == "" && !strings.Contains(e.text, "how much") {
		return false
	}
	found := e.pricesOrTimes(false)
	if len(found) != 1 || unit != "" {
		found = slices.DeleteFunc(e.moneyColumns(), func(c tree.Column) bool {
			i, _ := e.view.ColumnOf(e.query.Select.From, c)
			return unit == "" || !slices.ContainsFunc(e.view.Columns[i].Words, func(w string) bool { return schema.Related(w, unit) })
		})
	}
	return len(found) == 1 && e.show(found)
}

// askLinked answers a question about what other rows the previous ones belong to, by what
// those are called: "who teaches them?", "which client was that for?".
func askLinked(e *editor) bool {
	if e.oneRow() && !(len(e.query.Select.Items) == 1 && e.lists(rowCount)) {
		return false
	}
	if m, ok := english.Groups(whoPattern, e.text); ok && e.isRows(m.Text("noun")) {
		return e.showAgent(m.Text("verb"))
	}
	if ownerPattern.MatchString(e.text) {
		return e.showOwner()
	}
	m, ok := english.Groups(linkPattern, e.text)
	if !ok || !e.isRows(m.Text("noun")) || e.saysState(m.Text("verb")) {
		return false
	}
	if e.isTable(m.Text("what")) && len(e.query.Select.From) == 1 {
		return e.listOwn()
	}
	source, ok := e.sourceNamed(m.Text("what"))
	return ok && e.showLabels(source)
}

// saysState reports whether words that hold a question together tell something of rows:
// a value, or a column of yes and no.
func (e *editor) saysState(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		if lex.Function(w) {
			return false
		}
		_, isColumn := e.column(w)
		return isColumn || len(e.holders(w, findExact)) > 0
	})
}

// listOwn lists the rows that were counted, by what they are called.
func (e *editor) listOwn() bool {
	if e.oneRow() {
		return e.listCounted()
	}
	return true
}

// showLabels adds what rows of a source are called. Where the previous rows were only
// counted, each is shown once.
func (e *editor) showLabels(source tree.Source) bool {
	s := e.query.Select
	if !e.oneRow() {
		return e.show(e.labels(source))
	}
	s.Items, s.Distinct = nil, true
	for _, label := range e.labels(source) {
		s.Items = append(s.Items, tree.Item{Expr: label})
	}
	return len(s.Items) > 0
}

// showAgent adds who did something with the rows: the column, or the table, that is
// named like a verb or by the noun for who does it.
func (e *editor) showAgent(verb string) bool {
	verb = strings.Fields(verb)[0]
	names := english.Agents(verb)
	var found []tree.Column
	for _, source := range e.query.Select.From {
		for _, i := range e.view.ColumnsOf(source) {
			c := e.view.Columns[i]
			isAgent := len(c.Words) == 1 && (slices.Contains(names, c.Words[0]) || schema.Related(c.Words[0], verb))
			if isAgent && !e.identifies(i) {
				found = append(found, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	if len(found) == 1 && (!e.oneRow() || e.listCounted()) {
		return e.show(found)
	}
	for _, name := range append(names, verb) {
		if source, ok := e.sourceNamed(name); ok && !e.isOwn(source) {
			return e.showLabels(source)
		}
	}
	return false
}

// showOwner adds what the only people, or the rows of the only table, that the previous rows
// belong to are called.
func (e *editor) showOwner() bool {
	if w, ok := e.people(); ok {
		return e.showLabels(e.join(w))
	}
	ways := slices.DeleteFunc(e.ways(), func(w way) bool { return len(w.links) > 1 })
	if len(ways) != 1 {
		return false
	}
	return e.showLabels(e.join(ways[0]))
}
