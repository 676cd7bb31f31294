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
	forgetPattern = regexp.MustCompile(`^` + asides + `(?:` + english.Forgetting.Pattern() + ` (?:the |their |that |what )?(?P<what>[^,]+?)` +
		`(?: filter| condition| restriction| is| was)?|` +
		`(?:drop|remove|lift|undo|lose|take (?:off|away|out)|without|no) (?:the |that |this )?(?P<lifted>[^,]+?) (?:filter|condition|restriction|limit|criterion)s?|` +
		`(?:(?:for|in|from|of|across|on|at|with|show|list) )*(?:all|any) (?:the |of the |kinds of |sorts of )?(?P<all>[^,]+?))$`)
	wholePattern = regexp.MustCompile(`^` + asides + `(?:for |of |with )?(?:` + english.Wholes.Pattern() + `|all of (?:them|it)|all)$`)
	// notOnlyPattern widens the rows to those that a condition left out: "not just the
	// young ones", with or without what they are of.
	notOnlyPattern = regexp.MustCompile(`^` + asides + `(?:(?P<before>[^,]+?),? )?not (?:only|just) (?:for |in |of |from |to )?(?:the |those )?(?P<what>[^,]+?)` +
		`(?: ones?)?(?:, ?(?P<behind>.+))?$`)
	// wholeWords are what may stand beside and says that all rows are meant.
	wholeWords = regexp.MustCompile(`^(?:(?:for|in|of|from|across|over|but) )*(?:(?:all|every|any|the whole|the entire)(?: of)?(?: the| those| our)?(?P<noun> [a-z]+)?|` +
		english.Wholes.Pattern() + `)$`)
	undoPattern = regexp.MustCompile(`^` + openers + `(?:without (?:that|this|it)|(?:undo|drop|remove|forget) (?:that|this|it)|take (?:that|it) (?:away|out|off))$`)
	wider       = english.Wider.Finder()
)

// forgetCondition asks the same without a condition: "never mind the city", "in all
// towns", "overall", "not just Oakford".
func forgetCondition(e *editor) bool {
	s := e.query.Select
	if m, ok := english.Groups(notOnlyPattern, e.text); ok {
		return e.notOnly(m)
	}
	if undoPattern.MatchString(e.text) {
		return e.dropLast()
	}
	if wholePattern.MatchString(e.text) {
		return e.takeWhole()
	}
	m, ok := english.Groups(forgetPattern, e.text)
	if !ok || s.Where == nil {
		return false
	}
	if m.Has("all") && e.oneRow() && !strings.HasSuffix(e.text, " together") {
		e.doubt("I took %q as all of them together, not as each of them.", e.text)
	}
	return e.dropAbout(m.Text("what") + m.Text("all") + m.Text("lifted"))
}

// dropAbout drops the conditions that some words are about. It reports whether there is
// one.
func (e *editor) dropAbout(what string) bool {
	s := e.query.Select
	kept := slices.DeleteFunc(slices.Clone(tree.Conjuncts(s.Where)), func(c tree.Cond) bool { return e.isAbout(c, what) })
	if len(kept) == len(tree.Conjuncts(s.Where)) {
		return false
	}
	s.Where = tree.All(kept...)
	return true
}

// dropLast drops the condition that was added last.
func (e *editor) dropLast() bool {
	all := tree.Conjuncts(e.query.Select.Where)
	if len(all) == 0 {
		return false
	}
	e.query.Select.Where = tree.All(all[:len(all)-1]...)
	return true
}

// notOnly drops what rows were narrowed to. Where no condition is named so it is the
// last, which is a guess when there are others.
func (e *editor) notOnly(m english.Match) bool {
	for _, beside := range []string{m.Text("before"), m.Text("behind")} {
		if beside != "" && !wholeWords.MatchString(beside) {
			return false
		}
	}
	if e.dropAbout(m.Text("what")) {
		return true
	}
	if more := len(tree.Conjuncts(e.query.Select.Where)); more > 1 {
		e.doubt("I took %q to be the condition that was added last.", m.Text("what"))
	}
	return e.dropLast()
}

// takeWhole asks the same of all rows: as one number where it was one for each group,
// without conditions otherwise.
func (e *editor) takeWhole() bool {
	s := e.query.Select
	numbers := aggregated(s.Items)
	switch {
	case e.query.Limit != nil || s.Having != nil || len(numbers) == 0:
		return false
	case len(s.Group) > 0:
		s.Items, s.Group, e.query.Order = numbers, nil, nil
		return true
	}
	had := s.Where != nil
	s.Where = nil
	return had
}

// isAbout reports whether a condition is what some words name: its column, the dataset
// that it is of, its value, or a time.
func (e *editor) isAbout(c tree.Cond, what string) bool {
	words := nameStems(what)
	if in, ok := c.(tree.In); ok && in.Query != nil && in.Query.Select != nil {
		inner := in.Query.Select
		of := stemsOf(lex.Words(inner.From[0].Dataset.Dataset, nil))
		return slices.Equal(of, words) || slices.ContainsFunc(tree.Conjuncts(inner.Where), func(c tree.Cond) bool { return e.isAbout(c, what) })
	}
	column, ok := condSubject(c).(tree.Column)
	if !ok || len(words) == 0 {
		return false
	}
	_, isPeriod := c.(tree.Period)
	unit := english.Singular(strings.TrimSuffix(strings.TrimSuffix(what, " together"), " ones"))
	if isPeriod && english.PeriodUnits.With(english.Moments).Has(unit) {
		return true
	}
	if compare, ok := c.(tree.Compare); ok {
		if k, isLiteral := compare.Right.(tree.Literal); isLiteral && slices.Equal(stemsOf(lex.Words(k.Text, nil)), words) {
			return true
		}
	}
	named := stemsOf(lex.Words(column.Name, nil))
	if ways := e.holders(what, findExact); len(ways) == 1 && reflect.DeepEqual(condSubject(ways[0]), condSubject(c)) {
		return true
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(named, w) })
}

// widen returns conditions that let in what one of them does and a new one as well;
// ok is false when none is about the same value.
func widen(where, c tree.Cond) (tree.Cond, bool) {
	all := slices.Clone(tree.Conjuncts(where))
	for i, o := range all {
		if condSubject(o) == nil || !reflect.DeepEqual(condSubject(o), condSubject(c)) {
			continue
		}
		all[i] = either(o, c)
		return tree.All(all...), true
	}
	return where, false
}

// either returns the condition that one of two holds, as a list of values where both
// are values.
func either(a, b tree.Cond) tree.Cond {
	first, isList := valuesOf(a)
	second, isValue := valuesOf(b)
	if isList && isValue {
		return tree.In{Expr: condSubject(a), List: slices.Concat(first, second)}
	}
	if or, ok := a.(tree.Or); ok {
		return tree.Or{Conds: append(slices.Clone(or.Conds), b)}
	}
	return tree.Or{Conds: []tree.Cond{a, b}}
}

// valuesOf returns the values that a condition allows; ok is false when it is not of
// values.
func valuesOf(c tree.Cond) ([]tree.Literal, bool) {
	switch c := c.(type) {
	case tree.Compare:
		k, ok := c.Right.(tree.Literal)
		return []tree.Literal{k}, ok && c.Op == tree.Equal
	case tree.In:
		return c.List, c.Query == nil
	}
	return nil, false
}
