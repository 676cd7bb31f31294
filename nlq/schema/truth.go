package schema

import (
	"strings"

	"quern"
	"quern/nlq/lex"
)

// Truth returns the two values of a column that says yes or no, as queries write
// them; ok is false for any other column. Files write them in many ways: of
// those that can mean something else, a number or an initial, both must occur.
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
	if c.Values == nil || !c.Values.Complete() || c.Values.Len() == 0 || c.Values.Len() > 2 {
		return "", "", false
	}
	for _, v := range c.Values.values {
		is, truth := lex.Truth(v.text)
		switch {
		case !truth:
			return "", "", false
		case is:
			yes = v.text
		default:
			no = v.text
		}
	}
	if yes != "" && no != "" {
		return yes, no, areOpposite(yes, no)
	}
	return completePair(yes, no)
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
