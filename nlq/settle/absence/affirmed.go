package absence

import (
	"regexp"
	"strings"

	"quern/nlq/ground"
	"quern/tree"
)

var (
	// mildDenials are denials by which something is so all the same: still in use, only the insured.
	mildDenials = regexp.MustCompile(`(?i)\b(?:still|only|but)\b`)
	// ceased finds what denies something without a word for no.
	ceased = regexp.MustCompile(`(?i)\b(?:out of|stopped|ceased|former|ended|free of)\b`)
)

// Affirmed tests a column of yes and no for yes where the text says its name and denies
// nothing: what is still in use is in use.
func (g Rules) Affirmed(q *tree.Query) {
	if AsksForExclusion.MatchString(mildDenials.ReplaceAllString(g.Text, "")) || missesOut.MatchString(g.Text) || ceased.MatchString(g.Text) {
		return
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		ground.ReplaceConds(q, func(c tree.Cond) tree.Cond {
			compare, k, of, ok := g.TestedTruth(q.Select.From, c)
			if !ok || of.IsDenial() {
				return c
			}
			if yes, no, _ := of.Truth(); k.Text == no && len(of.Words) > 1 && ground.HasWords(g.Text, strings.Join(of.Words, " ")) {
				k.Text = yes
				compare.Right = k
			}
			return compare
		})
	})
}
