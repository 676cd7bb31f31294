package schema

import (
	"cmp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
)

// mostNeither is how many values a column of yes and no may have that say neither.
const mostNeither = 2

// mostTruths is how many ways of writing yes and no a column may have.
const mostTruths = 10

// Truth returns the two values of a column that says yes or no, as queries write
// them; ok is false for any other column. Files write them in many ways: of
// those that can mean something else, a number or an initial, both must occur. Where many
// hands have written one column (Y, yes, n, No) it is the likeliest of each; Spellings has the others.
// Beside yes and no in words there may be a few that are neither: unsure, n/a, lost.
func (c *Column) Truth() (yes, no string, ok bool) {
	if c.Type == quern.Boolean {
		return "true", "false", true
	}
	if c.Values != nil && c.Values.HasMeanings() {
		yes, isYes := c.Values.Meant("yes")
		no, isNo := c.Values.Meant("no")
		if isYes && isNo {
			return yes, no, true
		}
	}
	if c.Values == nil || !c.Values.Complete() || c.Values.Len() == 0 || c.Values.Len() > mostTruths {
		return "", "", false
	}
	return c.Values.truth()
}

// truth returns the two values of a column of kinds that says yes or no.
func (v *Values) truth() (yes, no string, ok bool) {
	hasWord, neither := false, 0
	for _, one := range v.values {
		is, truth := lex.Truth(one.text)
		hasWord = hasWord || truth && len(one.folded) > 1
		switch {
		case !truth:
			neither++
		case is:
			yes = cmp.Or(yes, one.text)
		default:
			no = cmp.Or(no, one.text)
		}
	}
	switch {
	case neither > 0:
		return yes, no, neither <= mostNeither && len(yes) > 1 && len(no) > 1
	case yes == "" || no == "":
		return completePair(yes, no)
	case v.Len() > 2:
		return yes, no, hasWord
	}
	return yes, no, areOpposite(yes, no)
}

// Neither returns the values of a column of yes and no that say neither.
func (c *Column) Neither() (all []string) {
	if _, _, ok := c.Truth(); !ok || c.Values == nil || c.Values.HasMeanings() {
		return nil
	}
	for _, v := range c.Values.values {
		if _, truth := lex.Truth(v.text); !truth {
			all = append(all, v.text)
		}
	}
	return all
}

// Denials begin the names of columns that say that something is not so.
var Denials = []string{"non", "not", "no"}

// IsDenial reports whether the name of a column says, in words of its own, that something is
// not so: no_show. As it is written: elsewhere in names, no is short for a number, as it is
// before what is counted, of numbers (no_children) or of anything (no_of_children).
func (c *Column) IsDenial() bool {
	words := english.NameWords(c.Name)
	if len(words) < 2 || !slices.Contains(Denials, words[0]) {
		return false
	}
	last := words[len(words)-1]
	counts := words[0] == "no" && (words[1] == "of" || c.Type.Numeric() && english.Singular(last) != last)
	return !counts
}

// Spellings returns a value in all the ways in which the column has it written; none when it
// is written in one way.
func (c *Column) Spellings(text string) []string {
	is, truth := lex.Truth(text)
	if _, _, ok := c.Truth(); !ok || !truth || c.Values.Len() <= 2 {
		return c.Values.Spellings(text)
	}
	var all []string
	for _, v := range c.Values.values {
		if other, isTruth := lex.Truth(v.text); isTruth && other == is {
			all = append(append(all, v.text), c.Values.spelled[hash(v.folded)]...)
		}
	}
	if len(all) == 1 {
		return nil
	}
	return all
}

// areOpposite reports whether two values say yes and no in the same way.
func areOpposite(yes, no string) bool {
	other, _ := lex.Untruth(yes)
	return strings.EqualFold(other, strings.TrimSpace(no))
}

// completePair returns both values of a column of which only one occurs.
func completePair(yes, no string) (string, string, bool) {
	const shortest = 2 // of what is a word
	said := yes + no
	other, ok := lex.Untruth(said)
	if !ok || len(strings.TrimSpace(said)) < shortest {
		return "", "", false
	}
	if yes != "" {
		return yes, other, true
	}
	return other, no, true
}
