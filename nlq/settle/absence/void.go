package absence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// whatever says that all rows are meant, whatever came of them.
var whatever = regexp.MustCompile(`(?i)\b(?:including|includes?|included|regardless|no matter|whatever|whether|counting)\b`)

// NoteVoid says of a number of rows that those are among them of which a column says that they did
// not come to pass, where the question does not speak of that: cancelled bookings count as well.
func NoteVoid(r *ground.Asked, t *nlq.Translation) {
	if t.Query == nil || t.Query.Select == nil || whatever.MatchString(r.Question.Text) {
		return
	}
	s := t.Query.Select
	counts := slices.ContainsFunc(s.Items, func(i tree.Item) bool {
		a, is := i.Expr.(tree.Aggregate)
		return is && (a.Func == tree.Count || a.Func == tree.Sum)
	})
	if !counts || len(s.From) == 0 {
		return
	}
	for _, id := range r.Whole.ColumnsOf(s.From[0]) {
		c := r.Whole.Columns[id]
		column := tree.Column{Source: s.From[0].Ref(), Name: c.Name}
		value, ok := voidIn(c)
		if !ok || ground.UsesColumn(t.Query, column) {
			continue
		}
		t.Notes = append(t.Notes, fmt.Sprintf("Rows whose %s is %q count as well.", strings.ToLower(english.Spaced(c.Name)), value))
		return
	}
}

// voidIn returns the value of a column of kinds by which rows did not come to pass.
func voidIn(c schema.Column) (value string, ok bool) {
	if c.Values == nil || !c.Category() {
		return "", false
	}
	for _, v := range c.Values.All() {
		if english.Voids.Has(strings.ReplaceAll(strings.ToLower(v), " ", "-")) {
			return v, true
		}
	}
	return "", false
}
