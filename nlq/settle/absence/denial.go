package absence

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// missesOut finds the words by which one says, without a denial, that something did not happen.
var missesOut = regexp.MustCompile(`(?i)\b(?:absent|absence|miss(?:ed|es|ing)?|skip(?:ped|s)?|fail(?:ed|s)?|forgot|lack(?:s|ed)?)\b`)

// Denial tests a column whose name denies something for what the text says: the no-shows
// are those whose no_show says yes, and those who turned up are the others.
func (g Rules) Denial(q *tree.Query) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil {
			ground.ReplaceConds(q, func(c tree.Cond) tree.Cond { return g.denied(q.Select.From, c) })
		}
	})
}

// denied returns a condition on a column whose name denies something as the text means it.
func (g Rules) denied(from []tree.Source, c tree.Cond) tree.Cond {
	compare, k, of, ok := g.TestedTruth(from, c)
	if !ok {
		return c
	}
	yes, no, _ := of.Truth()
	what, isDenial := g.Asked.DenialIn(of)
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

// saysDenial reports whether the text says in one word that something is not so, whether it
// denies that, or, without the word, what the word denies, and whether nothing can be told of
// it: the text gives the value of the column itself, or has several parts of which any may be
// what is denied.
func (g Rules) saysDenial(what string) (said, denied, untold bool) {
	if at := ground.FinderOf(what).FindStringIndex(g.Text); at != nil {
		return true, deniesNext.MatchString(g.Text[:at[0]]), givesValue.MatchString(g.Text[at[1]:])
	}
	if at := plainly(what).FindStringSubmatchIndex(g.Text); at != nil {
		at = at[2:]
		return false, deniesNext.MatchString(g.Text[:at[0]]) || failsNext.MatchString(g.Text[:at[0]]), false
	}
	text := noMore.ReplaceAllString(g.Text, "")
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

// deniesNext finds a denial of what comes right behind.
var deniesNext = regexp.MustCompile(`(?i)(?:\bnot|n't|\b(?:is|are|was|were)nt|\bnever|\bno|\bwithout|\bexcept|\bexcluding|\bapart from) (?:(?:a|an|any|the|been|were|for|even|ever|actually|really) )*$`)
