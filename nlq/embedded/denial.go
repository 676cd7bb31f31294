package embedded

import (
	"regexp"
	"slices"

	"quern/nlq/grammar"
)

// denials are the words without which nobody means rows that are not among others.
var denials = regexp.MustCompile(`(?i)n['’]?t\b|\b(not|no|never|without|neither|nor|none|nobody|nothing|nowhere|except\w*|exclud\w*|other than|` +
	`besides|outside|apart|different from|rather than|instead|only|but|still|yet|lack\w*|miss\w*|fail\w*|avoid\w*|unknown|empty|absent|zero|un\w+|non\w*)\b`)

// deniesUnasked reports whether a reading leaves rows out that are among others,
// and the question has no word for it: nearly always the opposite of what is meant.
func (r *reader) deniesUnasked(tokens []grammar.Token) bool {
	return !denials.MatchString(r.question.Text) && slices.ContainsFunc(tokens, func(t grammar.Token) bool {
		name := t.String()
		return t.Kind == grammar.Symbol && (name == "!in" || name == "EXCEPT")
	})
}
