package follow

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

var (
	// groupLead is what stands before "by" or "per" and says nothing of the groups.
	groupLead = `(?:(?:` + english.Openers.Pattern() + `|the same|same|(?:the |that )?(?:number|figure|total|count|sum|result)s?|` +
		`(?:show|give|list|tell|break|split|group|divide|count|do|have|see)(?: me| us)?|(?:it|that|this|` + plural + `)|down|up|out) )*`
	groupPattern = regexp.MustCompile(`^` + groupLead + `(?:(?P<cue>` + english.GroupCues.Pattern() + `) (?:the )?(?P<by>.+?)` + insteadOf +
		`|(?P<adverb>` + english.PeriodAdverbs.Pattern() + `))$`)
	allPattern = regexp.MustCompile(`^` + openers + `(?:(?:show|give|list)(?: me| us)? )?(?:all|every|each)(?: of)?(?: the)? (?P<by>[a-z -]+?)$`)
	allWord    = regexp.MustCompile(`\ball\b`)
	ofWhom     = regexp.MustCompile(`^(?P<what>.+?) of (?:the |their |each |our )?(?P<whom>[^ ]+)$`)
	kindOf     = regexp.MustCompile(`^(?:the )?(?:kind|type|sort|name)s? of (?:the )?`)
)

// groupRows splits the previous count or sum: "per status", "by city", "now by
// month", "break that down by client".
func groupRows(e *editor) bool {
	m, ok := english.Groups(groupPattern, e.text)
	s := e.query.Select
	if !ok || s.Distinct || s.Having != nil || e.query.Limit != nil {
		return false
	}
	if m.Text("adverb") != "" && len(e.holders(m.Text("adverb"), findExact)) > 0 {
		return false // it is a value
	}
	if m.Text("adverb") != "" {
		return e.groupByPeriod(english.PeriodOf(m.Text("adverb")))
	}
	all := strings.HasSuffix(m.Text("cue"), "each") || strings.HasSuffix(m.Text("cue"), "every")
	return e.groupBy(m.Text("by"), all)
}

// groupAll asks the same of every value of what a condition is about: "all rooms",
// behind how many there are in one of them.
func groupAll(e *editor) bool {
	m, ok := english.Groups(allPattern, e.text)
	if !ok || !e.oneRow() || e.query.Limit != nil {
		return false
	}
	column, ok := e.column(m.Text("by"))
	if !ok || !constrains(e.query.Select.Where, column) || !e.groupBy(m.Text("by"), true) {
		return false
	}
	if allWord.MatchString(e.text) {
		e.doubt("I took %q as each of them, not as all of them together.", e.text)
	}
	return true
}

// groupBy groups the previous numbers by what a phrase names: a column, the rows of a
// table, or a stretch of time. What the one value of that column is, is dropped: groups by
// it would be one; with all, so are other conditions of it.
func (e *editor) groupBy(phrase string, all bool) bool {
	s := e.query.Select
	phrase = strings.TrimSuffix(phrase, " of the year")
	items, keys, ok := e.groupsNamed(phrase)
	if !ok {
		return e.groupByPeriod(english.Singular(phrase))
	}
	s.Where = tree.All(slices.DeleteFunc(slices.Clone(tree.Conjuncts(s.Where)), func(c tree.Cond) bool {
		compare, _ := c.(tree.Compare)
		return tellsApart(condSubject(c), items, keys[0]) && (all || compare.Op == tree.Equal)
	})...)
	kept := slices.DeleteFunc(aggregated(s.Items), func(i tree.Item) bool {
		a, ok := i.Expr.(tree.Aggregate)
		return ok && a.Func == tree.Any
	})
	if len(kept) == 0 {
		kept = []tree.Item{{Expr: rowCount}}
	}
	s.Items, s.Group = append(items, kept...), keys
	e.query.Order = slices.DeleteFunc(e.query.Order, func(o tree.Order) bool {
		return !slices.ContainsFunc(kept, func(i tree.Item) bool { return reflect.DeepEqual(i.Expr, o.Expr) })
	})
	return true
}

// tellsApart reports whether a value is what groups are told apart by: their key, or what is
// shown of them.
func tellsApart(value tree.Expr, items []tree.Item, key tree.Expr) bool {
	return value == key || slices.ContainsFunc(items, func(i tree.Item) bool {
		a, ok := i.Expr.(tree.Aggregate)
		return ok && a.Arg == value
	})
}

// groupsNamed returns what is shown of the groups that a phrase names, and what they
// are grouped by.
func (e *editor) groupsNamed(phrase string) (items []tree.Item, keys []tree.Expr, ok bool) {
	phrase = strings.TrimSuffix(strings.TrimPrefix(phrase, "the "), " instead")
	if column, ok := e.groupColumn(phrase); ok {
		return []tree.Item{{Expr: column}}, []tree.Expr{column}, true
	}
	before := len(e.query.Select.From)
	source, ok := e.sourceNamed(phrase)
	if !ok {
		return nil, nil, false
	}
	key, ok := e.keyOf(source)
	if !ok || before == len(e.query.Select.From) && before == 1 {
		return nil, nil, false // each row is a group of its own
	}
	for _, label := range e.labels(source) {
		var shown tree.Expr = label
		if label != key {
			shown = tree.Aggregate{Func: tree.Any, Arg: label}
		}
		items = append(items, tree.Item{Expr: shown})
	}
	return items, []tree.Expr{key}, true
}

// groupColumn returns the column that a phrase names, also where it says the kind of
// something.
func (e *editor) groupColumn(phrase string) (tree.Column, bool) {
	if _, ok := e.sourceOf(phrase); ok {
		return tree.Column{}, false
	}
	if column, ok := e.columnOrJoin(phrase); ok {
		return column, true
	}
	if m, ok := english.Groups(ofWhom, phrase); ok {
		if column, ok := e.columnOrJoin(m.Text("whom") + " " + m.Text("what")); ok {
			return column, true
		}
	}
	if rest := kindOf.ReplaceAllString(phrase, ""); rest != phrase {
		return e.columnOrJoin(rest)
	}
	return tree.Column{}, false
}

// sourceOf returns the source that a noun names, if no column is named by the noun
// alone. It joins nothing.
func (e *editor) sourceOf(noun string) (tree.Source, bool) {
	probe := target{e.view, tree.Clone(e.query)}
	if _, ok := probe.columnOrJoin(noun); ok {
		column, _ := probe.columnOrJoin(noun)
		i, known := probe.view.ColumnOf(probe.query.Select.From, column)
		if known && named(probe.view.Columns[i], nameStems(noun)) == fully {
			return tree.Source{}, false
		}
	}
	return probe.sourceNamed(noun)
}
