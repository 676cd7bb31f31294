package embedded

import (
	"regexp"
	"slices"

	"quern/nlq/grammar"
)

// asksForExclusion are the words without which nobody means rows that are not
// among others.
var asksForExclusion = regexp.MustCompile(`(?i)n['’]?t\b|\b(?:not|no|never|without|neither|nor|none|nobody|nothing|nowhere|except\w*|exclud\w*|` +
	`other than|besides|outside|apart|different from|rather than|instead|only|but|still|yet|lack\w*|miss\w*|fail\w*|avoid\w*|unknown|empty|` +
	`absent|zero|un\w+|non\w*)\b`)

// excludesUnasked reports whether a reading leaves out rows that are among others,
// and the text has no word for it: nearly always the opposite of what is meant.
func (a *attempt) excludesUnasked(tokens []grammar.Token) bool {
	return !asksForExclusion.MatchString(a.text) && slices.ContainsFunc(tokens, func(t grammar.Token) bool {
		name := t.String()
		return t.Kind == grammar.Symbol && (name == "!in" || name == "EXCEPT")
	})
}
