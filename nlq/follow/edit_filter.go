package follow

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// filterCue is how a follow-up that narrows or moves the previous rows begins.
	filterCue = regexp.MustCompile(`^` + openers + `(?:` + english.FilterCues.With(english.Leaving).Pattern() +
		`|the [a-z-]+ ones?|(?:which |who |how many )?of (?:them|those|these)|` +
		`(?:count|show|list|give|keep|take|use|see)(?: me| us)? (?:only|just|those|these|the ones))\b| only$`)
	leavingCue = regexp.MustCompile(`^` + openers + english.Leaving.Pattern() + `\b`)
	// exclusion is how one says what is left out.
	exclusion = english.Exclusions.With(english.Leaving).Finder()
)

// commandWords begin a wish that narrows the rows before: "keep only".
var commandWords = map[string]bool{"count": true, "show": true, "list": true, "give": true, "keep": true, "take": true, "use": true, "see": true}

// widerWords ask for more rows beside those before.
var widerWords = map[string]bool{"include": true, "including": true, "add": true, "plus": true, "well": true}

// countFirst makes the rows that a follow-up counts some of a count: "how many of those
// are paid?". It reports false when they are not rows of one query without groups.
func (e *editor) countFirst() bool {
	s := e.query.Select
	if e.oneRow() {
		return len(s.Items) == 1 && e.lists(rowCount)
	}
	return len(s.Group) == 0 && s.Having == nil && !s.Distinct && e.query.Limit == nil && e.showOne(rowCount)
}

// isQuestionWord reports whether a word is one of a question that stands on its own.
func isQuestionWord(word string) bool {
	return english.Interrogatives.Has(word) || word == "many" || word == "much"
}

// filterRows narrows the previous rows or asks the same of others: "only the open
// ones", "and in 2021?", "what about Lyon?", "without the cancelled ones".
func filterRows(e *editor) bool {
	start := filterCue.FindString(e.text)
	asksFor := len(e.words) > 0 && (e.words[0] == "which" || e.words[0] == "who")
	if e.oneRow() && asksFor || strings.Contains(start, "how many of") && !e.countFirst() {
		return false
	}
	e.takeCue(start)
	said := e.conditions()
	negated := exclusion.MatchString(e.text) && !e.lacks
	unclear := negated && len(said) > 1 // which of them is not so?
	bare := start == ""
	if unclear || len(said) == 0 || bare && !e.changesOne(said) || !e.forgives(bare) {
		return false
	}
	var made []*tree.Query
	for _, way := range combine(said) {
		q := tree.Clone(e.query)
		for i, c := range way {
			also := slices.ContainsFunc(way[:i], func(o tree.Cond) bool { return areOneOf(o, c) })
			e.apply(q, c, negated, also)
		}
		made = append(made, q)
	}
	return e.use(made)
}

// takeCue marks the words as understood by which a follow-up says that it narrows, widens
// or leaves out.
func (e *editor) takeCue(start string) {
	n := min(len(strings.Fields(start)), len(e.words))
	for i, w := range e.words {
		begins := i < n && (isQuestionWord(w) || commandWords[w])
		e.taken[i] = e.taken[i] || begins || widerWords[w]
	}
	e.take(0, min(len(strings.Fields(leavingCue.FindString(e.text))), len(e.words)))
}

// forgives reports whether every word is understood, or all but a verb beside values that
// are there as they are said, which is to be doubted.
func (e *editor) forgives(bare bool) bool {
	left := e.notUnderstood()
	if len(left) == 0 {
		return true
	}
	if len(left) > 1 || bare || e.score < 1 || !e.isVerb(left[0]) || e.isHeld(left[0]) {
		return false
	}
	e.doubt("I did not use the word %q.", left[0])
	return true
}

// isHeld reports whether a word stands behind a preposition, so that it is no verb: from
// Mars.
func (e *editor) isHeld(word string) bool {
	at := slices.Index(e.words, word)
	return at > 0 && english.Prepositions.Has(e.words[at-1])
}

// changesOne reports whether what was said, without a word that says so, is nothing but
// another value of what one condition before is about: "daily?" behind "weekly".
func (e *editor) changesOne(said [][]tree.Cond) bool {
	const longest = 5
	if len(said) != 1 || len(said[0]) != 1 || len(e.words) > longest {
		return false
	}
	column, ok := condSubject(said[0][0]).(tree.Column)
	return ok && e.constrains(column)
}

// combine returns the ways in which several things can be meant together, at most
// mostWays of them; said has the ways of each thing.
func combine(said [][]tree.Cond) [][]tree.Cond {
	ways := [][]tree.Cond{nil}
	for _, s := range said {
		var longer [][]tree.Cond
		for _, way := range ways {
			for _, c := range s {
				longer = append(longer, append(slices.Clone(way), c))
			}
		}
		ways = longer
	}
	return ways[:min(len(ways), mostWays)]
}

// allows reports whether a condition is another, or that in all spellings of its value.
func (e *editor) allows(c, other tree.Cond) bool {
	if reflect.DeepEqual(c, other) {
		return true
	}
	in, isIn := c.(tree.In)
	values, ok := valuesOf(other)
	column, isColumn := in.Expr.(tree.Column)
	id, known := e.view.ColumnOf(e.query.Select.From, column)
	if !isIn || !ok || len(values) != 1 || !isColumn || !known || !reflect.DeepEqual(in.Expr, condSubject(other)) {
		return false
	}
	all := e.view.Columns[id].Spellings(values[0].Text)
	return len(all) == len(in.List) && !slices.ContainsFunc(in.List, func(k tree.Literal) bool { return !slices.Contains(all, k.Text) })
}

// areOneOf reports whether two conditions of one follow-up are two values of one column, of
// which either will do: "with a car or a van".
func areOneOf(a, b tree.Cond) bool {
	_, first := valuesOf(a)
	_, second := valuesOf(b)
	return first && second && reflect.DeepEqual(condSubject(a), condSubject(b))
}

// apply puts a condition where it belongs: into the share that is about the same
// column, into the nested query that reads its table, or into the query itself. With also it
// is one more value beside those that the follow-up named before it.
func (e *editor) apply(q *tree.Query, c tree.Cond, negated, also bool) {
	change := func(where tree.Cond) tree.Cond {
		if negated {
			said := c
			kept := slices.DeleteFunc(slices.Clone(tree.Conjuncts(where)), func(o tree.Cond) bool {
				if !e.allows(o, c) {
					return false
				}
				said = o // in all its spellings
				return true
			})
			return addConds(tree.All(kept...), e.negate(said))
		}
		if more, ok := widen(where, c); ok && (also || wider.MatchString(e.text)) {
			return more
		}
		return replaceCond(where, c)
	}
	if HasAggregate(tree.Item{Expr: condSubject(c)}) {
		q.Select.Having = change(q.Select.Having)
		return
	}
	column, _ := condSubject(c).(tree.Column)
	if call, ok := condSubject(c).(tree.Call); ok {
		column, _ = call.Args[0].(tree.Column)
	}
	for i, item := range q.Select.Items {
		if share, ok := item.Expr.(tree.Share); ok && constrains(share.Where, column) {
			q.Select.Items[i].Expr = tree.Share{Where: change(share.Where)}
			return
		}
	}
	s := q.Select
	for _, p := range e.view.Places(q.Select) {
		if p.Source.Ref() == column.Source {
			if p.Nested != nil {
				s = p.Nested.Select
			}
			break
		}
	}
	s.Where = change(s.Where)
}

// understoodAll reports whether every word is part of a condition, says of which
// table it is, or holds the phrase together.
func (e *editor) understoodAll() bool { return len(e.notUnderstood()) == 0 }

// notUnderstood returns the words that are no part of a condition, do not say of which
// table it is, and do not hold the phrase together.
func (e *editor) notUnderstood() []string {
	var left []string
	for i, w := range e.words {
		if e.taken[i] {
			continue
		}
		if isQuestionWord(w) && !e.isRelative(i) || !e.isConnective(w) {
			left = append(left, w)
		}
	}
	return left
}

// isRelative reports whether a word of a question stands behind the rows that it tells
// more of: "those who", "the ones which".
func (e *editor) isRelative(i int) bool {
	w := e.words[i]
	if i == 0 || w != "who" && w != "which" && w != "whose" && w != "what" {
		return false
	}
	before := e.words[i-1]
	return english.Pronouns.Has(before) || english.People.Has(before) || e.isTable(before) || before == "only" || before == "just"
}

// isVerb reports whether a word may be a verb that tells no more than the condition
// beside it: nothing of the data is named like it.
func (e *editor) isVerb(word string) bool {
	_, isNumber := lex.Number(word)
	return len(e.words) > 2 && !isNumber && !isQuestionWord(word) && !e.view.ColumnNamed(word) && !e.view.MentionsTable(word) &&
		!e.view.HasValue(word) && !english.Negations.Has(word) && !pronouns.MatchString(word)
}

// isConnective reports whether a word may stand beside conditions: it has no
// meaning of its own, or names what the conditions are about.
func (e *editor) isConnective(w string) bool {
	if lex.Function(w) || english.Fillers.Has(w) || english.Linking.Has(w) || english.People.Has(w) || e.isTable(w) || !strings.ContainsFunc(w, isWordRune) {
		return true
	}
	return slices.ContainsFunc(e.valueNames, func(of string) bool { return schema.Related(of, w) })
}

func isWordRune(r rune) bool { return r > 127 || lex.Fold(string(r)) != "" }
