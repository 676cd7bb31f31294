package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// missesOut finds the words by which one says, without a denial, that something did not happen.
var missesOut = regexp.MustCompile(`(?i)\b(?:absent|absence|miss(?:ed|es|ing)?|skip(?:ped|s)?|fail(?:ed|s)?|forgot|lack(?:s|ed)?)\b`)

// settleDenial tests a column whose name denies something for what the text says: the no-shows
// are those whose no_show says yes, and those who turned up are the others.
func (g *grounding) settleDenial(q *tree.Query) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil {
			replaceConds(q, func(c tree.Cond) tree.Cond { return g.denied(q.Select.From, c) })
		}
	})
}

// denied returns a condition on a column whose name denies something as the text means it.
func (g *grounding) denied(from []tree.Source, c tree.Cond) tree.Cond {
	compare, k, of, ok := g.testedTruth(from, c)
	if !ok {
		return c
	}
	yes, no, _ := of.Truth()
	what, isDenial := g.denialIn(of)
	if !isDenial {
		return c
	}
	said, denied, untold := g.saysDenial(what)
	switch {
	case untold:
		return c
	case said != denied:
		k.Text = yes
	default:
		k.Text = no
	}
	compare.Right = k
	return compare
}

// testedTruth returns a condition that a column of yes and no is equal to something, that, and the column.
func (g *grounding) testedTruth(from []tree.Source, c tree.Cond) (compare tree.Compare, k tree.Literal, of schema.Column, ok bool) {
	compare, isCompare := c.(tree.Compare)
	column, isColumn := compare.Left.(tree.Column)
	k, isLiteral := compare.Right.(tree.Literal)
	id, known := g.view.ColumnOf(from, column)
	if !isCompare || !isColumn || !isLiteral || !known || compare.Op != tree.Equal {
		return compare, k, of, false
	}
	of = g.view.Columns[id]
	_, _, ok = of.Truth()
	return compare, k, of, ok
}

// denialIn returns what the name of a column says is not so: the show of no_show and noshow.
func (r *reader) denialIn(c schema.Column) (what string, ok bool) {
	if !strings.HasPrefix(c.Name, "n") && !strings.HasPrefix(c.Name, "N") {
		return "", false // as nearly all
	}
	if c.IsDenial() {
		return strings.Join(english.NameWords(c.Name)[1:], " "), true
	}
	for _, denies := range schema.Denials {
		what, ok := strings.CutPrefix(strings.ToLower(c.Name), denies)
		if ok && len(what) > len(denies) && r.vectors.IsWord(what) && !r.vectors.IsWord(c.Name) {
			return what, true
		}
	}
	return "", false
}

// saysDenial reports whether the text says in one word that something is not so, whether it
// denies that, or, without the word, what the word denies, and whether nothing can be told of
// it: the text gives the value of the column itself, or has several parts of which any may be
// what is denied.
func (g *grounding) saysDenial(what string) (said, denied, untold bool) {
	if at := finderOf(what).FindStringIndex(g.text); at != nil {
		return true, deniesNext.MatchString(g.text[:at[0]]), givesValue.MatchString(g.text[at[1]:])
	}
	if at := plainly(what).FindStringSubmatchIndex(g.text); at != nil {
		at = at[2:]
		return false, deniesNext.MatchString(g.text[:at[0]]) || failsNext.MatchString(g.text[:at[0]]), false
	}
	text := noMore.ReplaceAllString(g.text, "")
	isNegation := func(word string) bool { return english.Negations.Has(word) || strings.HasSuffix(word, "n't") }
	denied = missesOut.MatchString(text) || slices.ContainsFunc(lex.Lower(lex.Tokens(text)), isNegation)
	return false, denied, denied && severalParts.MatchString(text)
}

// plainly finds what a column denies where the text says it without a denial in the same word:
// showed up. A text that begins with such a word tells somebody to do it: show the guests.
func plainly(what string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\w\W+(` + regexp.QuoteMeta(what) + `(?:s|es|ed|n|ing)?)\b(?:$|\W*$|\W+(?:up|at|for|in|on|but|and|or|with|without|by|last|this)\b)`)
}

// failsNext finds a verb by which what comes right behind did not happen: failed to show up.
var failsNext = regexp.MustCompile(`(?i)\b(?:fail(?:ed|s)?|forgot|neglected) to $`)

// noMore finds what denies nothing, but compares: no more than.
var noMore = regexp.MustCompile(`(?i)\b(?:no|not) (?:more|less|fewer|later|earlier|longer|older|younger)\b`)

// severalParts finds what joins several parts of a text.
var severalParts = regexp.MustCompile(`(?i)\b(?:and|but|or|without|while|whose)\b`)

// givesValue finds the value of a column right behind its name: no_show is no.
var givesValue = regexp.MustCompile(`(?i)^\W*(?:(?:is|was|says|equals) |[=:] ?)\W*(?:no|yes|false|true|n|y|0|1)\b`)

// finderOf finds what is not so, as people write it: no-shows, non-smoking, unpaid.
func finderOf(what string) *regexp.Regexp {
	prefixes := strings.Join(append(slices.Clone(schema.Denials), english.NegativePrefixes.Words()...), "|")
	return regexp.MustCompile(`(?i)\b(?:` + prefixes + `)[-_ ]?` + regexp.QuoteMeta(what) + `(?:s|es|ed)?\b`)
}

// inDenials returns the words of a text that are the name of a column which denies something
// and is written in one word, as that name: no-shows are noshow.
func (r *reader) inDenials(text string) (changes []english.Change) {
	for i := range r.whole.Columns {
		c := r.whole.Columns[i]
		what, ok := r.denialIn(c)
		if !ok || c.IsDenial() {
			continue
		}
		if _, _, truth := c.Truth(); !truth {
			continue
		}
		for _, at := range finderOf(what).FindAllStringIndex(text, -1) {
			changes = append(changes, english.Change{Start: at[0], End: at[1], By: strings.ToLower(c.Name)})
		}
		return changes
	}
	return nil
}

// deniesNext finds a denial of what comes right behind.
var deniesNext = regexp.MustCompile(`(?i)(?:\bnot|n't|\b(?:is|are|was|were)nt|\bnever|\bno|\bwithout|\bexcept|\bexcluding|\bapart from) (?:(?:a|an|any|the|been|were|for|even|ever|actually|really) )*$`)
