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
	// filterCue is how a follow-up that narrows or moves the previous rows begins.
	filterCue = regexp.MustCompile(`^` + openers + `(?:` + english.FilterCues.Pattern() +
		`|the [a-z-]+ ones?|(?:which )?of (?:them|those|these))\b`)
	// exclusion is how one says what is left out.
	exclusion = english.Exclusions.Finder()
)

// isQuestionWord reports whether a word is one of a question that stands on its own.
func isQuestionWord(word string) bool {
	return english.Interrogatives.Has(word) || word == "many" || word == "much"
}

// filterRows narrows the previous rows or asks the same of others: "only the open
// ones", "and in 2021?", "what about Lyon?", "without the cancelled ones".
func filterRows(e *editor) bool {
	start := filterCue.FindString(e.text)
	ofOne := e.oneRow() && strings.Contains(start, "which of")
	if ofOne {
		return false
	}
	bare := start == ""
	for i, n := 0, len(strings.Fields(start)); i < n && i < len(e.words); i++ {
		if isQuestionWord(e.words[i]) {
			e.taken[i] = true
		}
	}
	said := e.conditions()
	negated := exclusion.MatchString(e.text)
	unclear := negated && len(said) > 1 // which of them is not so?
	if unclear || len(said) == 0 || !e.understoodAll() || bare && !e.changesOne(said) {
		return false
	}
	var made []*tree.Query
	for _, way := range combine(said) {
		q := tree.Clone(e.query)
		for _, c := range way {
			e.apply(q, c, negated)
		}
		made = append(made, q)
	}
	return e.use(made)
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

// apply puts a condition where it belongs: into the share that is about the same
// column, into the nested query that reads its table, or into the query itself.
func (e *editor) apply(q *tree.Query, c tree.Cond, negated bool) {
	change := func(where tree.Cond) tree.Cond {
		if negated {
			return addConds(where, e.negate(c))
		}
		if more, ok := widen(where, c); ok && wider.MatchString(e.text) {
			return more
		}
		return replaceCond(where, c)
	}
	column, _ := condSubject(c).(tree.Column)
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
func (e *editor) understoodAll() bool {
	for i, w := range e.words {
		if e.taken[i] {
			continue
		}
		if isQuestionWord(w) || !e.isConnective(w) {
			return false
		}
	}
	return true
}

// isConnective reports whether a word may stand beside conditions: it has no
// meaning of its own, or names what the conditions are about.
func (e *editor) isConnective(w string) bool {
	if lex.Function(w) || english.Fillers.Has(w) || e.isTable(w) || !strings.ContainsFunc(w, isWordRune) {
		return true
	}
	return slices.ContainsFunc(e.valueNames, func(of string) bool { return schema.Related(of, w) })
}

func isWordRune(r rune) bool { return r > 127 || lex.Fold(string(r)) != "" }
