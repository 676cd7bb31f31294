package label

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

var (
	// asksWhich is how a question begins that asks for what nobody named.
	asksWhich = regexp.MustCompile(`(?i)^\W*(?:and |so )?(?:who|whom|which|what)\b`)
	// numberWords are the words by which one asks for what rows are numbered by.
	numberWords = english.AskNumber.Finder()
	// denyingNo is no as a denial, which asks for no number: no answer, but not the order no and date.
	denyingNo = regexp.MustCompile(`(?i)\bno [a-z]+`)
	// numberOf is how one asks how many there are.
	numberOf = regexp.MustCompile(`(?i)\b(?:numbers?|nr|no\.?) of\b`)
	// asksForAll are the words by which one asks for all that is known of rows.
	asksForAll = english.WholeRows.Finder()
	// asksForDays is how one asks when something was.
	asksForDays = regexp.MustCompile(`(?i)\b(?:when|dates?|days?|nights?|evenings?|mornings?|times?|weeks?|months?|years?)\b`)
	// asksToSee is how one asks to see rows, whatever is known of them.
	asksToSee = regexp.MustCompile(`(?i)^\W*(?:please )?(?:show|list|display|give|print|get)\b`)
)

// AsksForNumbers returns the words by which a text asks for what rows are numbered by.
func AsksForNumbers(text string) []string {
	text = denyingNo.ReplaceAllStringFunc(text, func(said string) string {
		if word := strings.ToLower(said[len("no "):]); word == "and" || english.Prepositions.Has(word) {
			return said
		}
		return ""
	})
	return numberWords.FindAllString(text, -1)
}

// NameRows makes a reading that lists rows, or groups of them, show what people call
// them: both parts of a person's name where it has one, and the name instead of a number
// that the text does not ask for or of all that is known of each.
func (g Rules) NameRows(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) == 0 {
		return
	}
	g.nameAsked(q)
	if len(s.Group) == 0 && len(s.Items) == 1 {
		g.nameWholeRows(q)
	}
	g.NameGroups(s)
	g.showEach(s)
	g.nameReferred(q)
	g.completeNames(s)
	g.TellApart(q)
}

// wholeRowsOf returns the source of which a reading shows all columns or a number alone,
// where its rows are better called by their names.
func (g Rules) wholeRowsOf(q *tree.Query) (ref string, ok bool) {
	s := q.Select
	switch e := s.Items[0].Expr.(type) {
	case tree.Star:
		if ref = e.Source; ref == "" && len(s.From) == 1 {
			ref = s.From[0].Ref()
		}
		isPlain := s.Where == nil && q.Limit == nil && asksToSee.MatchString(g.Text)
		return ref, !isPlain && !asksForAll.MatchString(g.Text)
	case tree.Column:
		id, known := g.View.ColumnOf(s.From, e)
		isDay := known && g.View.Columns[id].Type.Temporal() && g.TimesNamed(id) == 0 && !asksForDays.MatchString(g.Text)
		isNumber := known && (isDay || ground.IsNumbering(g.View.Columns[id]) || g.isModel(g.View.Columns[id].Table) && g.TimesNamed(id) == 0 || g.View.IsCode(id))
		return e.Source, isNumber && g.View.Columns[id].Key() && len(AsksForNumbers(g.Text)) == 0
	}
	return "", false
}

// nameWholeRows shows the names of rows of which a reading shows all or a number alone.
func (g Rules) nameWholeRows(q *tree.Query) {
	s := q.Select
	ref, ok := g.wholeRowsOf(q)
	if !ok {
		return
	}
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == ref })
	if at < 0 {
		return
	}
	table, ok := g.View.TableOf(s.From[at])
	if !ok {
		return
	}
	labels := slices.DeleteFunc(g.View.LabelsOf(table), func(id int) bool {
		return ground.IsSaid(s.Where, tree.Column{Source: ref, Name: g.View.Columns[id].Name})
	})
	if len(labels) == 0 {
		labels = g.numbersOf(table)
	}
	if len(labels) == 0 {
		return
	}
	s.Items = nil
	for _, id := range labels {
		s.Items = append(s.Items, tree.Item{Expr: tree.Column{Source: ref, Name: g.View.Columns[id].Name}})
	}
}

// numbersOf returns what rows without a name are called by: what tells them apart, unless that is a day
// on which something else is to be known of them.
func (g Rules) numbersOf(table int) []int {
	key, hasKey := g.View.KeyOf(table)
	about, says := g.View.AboutOf(table)
	switch {
	case !hasKey || !asksWhich.MatchString(g.Text):
		return nil
	case g.View.Columns[key].Type.Temporal() && says:
		return []int{about}
	}
	return []int{key}
}

// showEach lists what rows are of for each of them where the text asks for the rows: two purchases of
// balls are two.
func (g Rules) showEach(s *tree.Select) {
	if !s.Distinct || len(s.Items) != 1 || len(s.Group) > 0 || len(s.From) != 1 {
		return
	}
	column, ok := s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, column)
	if !ok || !known {
		return
	}
	table := g.View.Columns[id].Table
	if about, says := g.View.AboutOf(table); says && about == id && g.TimesNamed(id) == 0 && g.SaysTable(table) {
		s.Distinct = false
	}
}

// NameGroups shows the names of rows that a reading groups by their key and shows the
// number of, where the text does not name the number.
func (g Rules) NameGroups(s *tree.Select) {
	if len(s.Group) != 1 {
		return
	}
	key, ok := s.Group[0].(tree.Column)
	id, known := g.View.ColumnOf(s.From, key)
	if !ok || !known || !g.View.Columns[id].Key() || !ground.IsNumbering(g.View.Columns[id]) || len(AsksForNumbers(numberOf.ReplaceAllString(g.Text, ""))) > 0 {
		return
	}
	at := slices.IndexFunc(s.Items, func(i tree.Item) bool { return i.Expr == tree.Expr(key) })
	labels := g.View.LabelsOf(g.View.Columns[id].Table)
	isShown := func(i tree.Item) bool {
		c, ofGroup, _ := shownColumn(i)
		label, known := g.View.ColumnOf(s.From, c)
		return ofGroup && known && slices.Contains(labels, label)
	}
	if at < 0 || len(labels) == 0 || slices.ContainsFunc(s.Items, isShown) {
		return
	}
	items := slices.Delete(slices.Clone(s.Items), at, at+1)
	for i, label := range labels {
		column := tree.Column{Source: key.Source, Name: g.View.Columns[label].Name}
		items = slices.Insert(items, at+i, tree.Item{Expr: tree.Aggregate{Func: tree.Any, Arg: column}})
	}
	s.Items = items
}

// completeNames adds the other part of the name of people of whom a reading shows one,
// unless the text names the part.
func (g Rules) completeNames(s *tree.Select) {
	for i := 0; i < len(s.Items); i++ {
		column, ofGroup, ok := shownColumn(s.Items[i])
		id, known := g.View.ColumnOf(s.From, column)
		if !ok || !known || g.namesPart(id) {
			continue
		}
		labels := g.View.LabelsOf(g.View.Columns[id].Table)
		at := slices.Index(labels, id)
		isPart := english.NamePart(g.View.Columns[id].Words) != english.NoName
		if len(labels) != 2 || at < 0 || !isPart || !g.groupsPeople(s, column, ofGroup) {
			continue
		}
		other := tree.Column{Source: column.Source, Name: g.View.Columns[labels[1-at]].Name}
		item := tree.Item{Expr: other}
		if len(s.Group) > 0 {
			item.Expr = tree.Aggregate{Func: tree.Any, Arg: other}
			s.Items[i].Expr = tree.Aggregate{Func: tree.Any, Arg: column}
		}
		if slices.ContainsFunc(s.Items, func(i tree.Item) bool { c, _, _ := shownColumn(i); return c == other }) {
			continue
		}
		s.Items = slices.Insert(slices.Clone(s.Items), i+1-at, item)
		i++
	}
}

// shownColumn returns the column that an item shows, by itself or as any of its group.
func shownColumn(i tree.Item) (c tree.Column, ofGroup, ok bool) {
	shown := i.Expr
	if a, isAggregate := shown.(tree.Aggregate); isAggregate && a.Func == tree.Any {
		shown, ofGroup = a.Arg, true
	}
	c, ok = shown.(tree.Column)
	return c, ofGroup, ok
}

// TellApart groups rows of others by the key of what they belong to, where a reading
// groups them by a name that a few share and the text does not ask for names: two people
// of one name are two.
func (g Rules) TellApart(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) < 2 || len(s.Group) == 0 || s.Having != nil && g.namesGroup(s) {
		return
	}
	first, ok := s.Group[0].(tree.Column)
	id, known := g.View.ColumnOf(s.From, first)
	if !ok || !known || !g.isShared(s, g.View.Columns[id].Table) {
		return
	}
	key, ok := g.View.KeyOf(g.View.Columns[id].Table)
	isGroup := func(e tree.Expr) bool { return slices.Contains(s.Group, e) }
	plain := func(e tree.Expr) bool { _, aggregate := e.(tree.Aggregate); return aggregate || isGroup(e) }
	if !ok || slices.ContainsFunc(s.Items, func(i tree.Item) bool { return !plain(i.Expr) }) ||
		slices.ContainsFunc(q.Order, func(o tree.Order) bool { return !plain(o.Expr) }) {
		return
	}
	items, order := slices.Clone(s.Items), slices.Clone(q.Order)
	for i := range items {
		if isGroup(items[i].Expr) {
			items[i].Expr = tree.Aggregate{Func: tree.Any, Arg: items[i].Expr}
		}
	}
	for i := range order {
		if isGroup(order[i].Expr) {
			order[i].Expr = tree.Aggregate{Func: tree.Any, Arg: order[i].Expr}
		}
	}
	s.Items, q.Order = items, order
	s.Group = []tree.Expr{tree.Column{Source: first.Source, Name: g.View.Columns[key].Name}}
}

// groupsByNames is how one asks for groups by names, whoever shares them: for each airport
// name.
var groupsByNames = regexp.MustCompile(`(?i)\b(?:each|every|per|by) (?:\w+ )?name\b`)

// ordersByNames is how one asks for an order by names, which groups nothing.
var ordersByNames = regexp.MustCompile(`(?i)\b(?:sort|order|rank|arrang)\w* (?:\w+ ){0,2}?by (?:\w+ )?name\b`)

// isShared reports whether a select groups by what people call the rows of a table alone,
// a few of them share it, and the text does not ask for it by its name.
func (g Rules) isShared(s *tree.Select, table int) bool {
	if groupsByNames.MatchString(ordersByNames.ReplaceAllString(g.Text, "")) {
		return false
	}
	labels := g.View.LabelsOf(table)
	for _, by := range s.Group {
		column, ok := by.(tree.Column)
		label, known := g.View.ColumnOf(s.From, column)
		if !ok || !known || !slices.Contains(labels, label) || g.namesPart(label) {
			return false
		}
		if of := g.View.Columns[label]; of.Distinct >= of.Rows || !g.isMostlyOwn(label) {
			return false
		}
	}
	return true
}

// isMostlyOwn reports whether most rows have a value of a column that no other has, as
// people have names.
func (g Rules) isMostlyOwn(column int) bool {
	const most = 0.7
	c := g.View.Columns[column]
	return float64(c.Distinct) >= most*float64(c.Rows)
}

// namesGroup reports whether a condition on groups is about what they are grouped by.
func (g Rules) namesGroup(s *tree.Select) bool {
	return slices.ContainsFunc(tree.Conjuncts(s.Having), func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		_, aggregate := compare.Left.(tree.Aggregate)
		return !ok || !aggregate
	})
}

// groupsPeople reports whether a part of a name may be shown with the other one: rows
// are listed, or grouped by the key of the people, which takes the place of the part
// where they are grouped by that.
func (g Rules) groupsPeople(s *tree.Select, part tree.Column, ofGroup bool) bool {
	if len(s.Group) == 0 {
		return !ofGroup
	}
	at := slices.Index(s.Group, tree.Expr(part))
	if at < 0 {
		return ofGroup
	}
	source := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == part.Source })
	table, _ := g.View.TableOf(s.From[source])
	key, ok := g.View.KeyOf(table)
	if ok {
		s.Group[at] = tree.Column{Source: part.Source, Name: g.View.Columns[key].Name}
	}
	return ok
}

// namesPart reports whether the text asks for one part of a name: the first names.
func (g Rules) namesPart(column int) bool {
	words := g.View.Columns[column].Words
	for i, t := range g.Features.Tokens {
		word := english.Singular(strings.ToLower(t.Text))
		part := english.NamePart([]string{word})
		if part == english.NoName || part != english.NamePart(words) {
			continue
		}
		alone := strings.HasSuffix(word, "name") || len(words) == 1 && g.Names(column)
		if before := i+1 < len(g.Features.Tokens) && english.Singular(strings.ToLower(g.Features.Tokens[i+1].Text)) == "name"; before || alone {
			return true
		}
	}
	return false
}

// isModel reports whether the things of a table are called by who made them and their model.
func (g Rules) isModel(table int) bool {
	labels := g.View.LabelsOf(table)
	return len(labels) == 2 && english.NamePart(g.View.Columns[labels[0]].Words) == english.NoName
}
