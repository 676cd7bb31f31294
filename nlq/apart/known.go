package apart

import (
	"context"
	"regexp"
	"slices"

	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

// whereKnown is how one says that only rows count of which something is known.
var whereKnown = regexp.MustCompile(`(?i)[\s,(]+(?:where|if|when|as far as) (?:we |i |you |it'?s |it is |they(?:'re| are) |(?:the |its |their )?\w+ (?:is |are ))?(?:know|known|given|recorded)\b[^.?!()]*[\s).?!]*$`)

// readKnown reads a text that leaves out rows of which what it asks for is not known: as the text
// without that, whose rows then have it. ok is false when it is no such text.
func (r Reader) readKnown(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	at := whereKnown.FindStringIndex(w.Text)
	if at == nil || at[0] == 0 {
		return t, false, nil
	}
	return r.reread(ctx, w, w.Text[:at[0]], r.holdKnown)
}

// holdKnown holds the rows of a list to those of which all numbers and times that it shows are known.
func (r Reader) holdKnown(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.Group) > 0 {
		return false
	}
	held := slices.Clone(tree.Conjuncts(s.Where))
	before := len(held)
	shown := &tree.Query{Select: &tree.Select{Items: slices.Clone(s.Items)}}
	tree.EachColumn(shown, func(column tree.Column) {
		id, known := r.Whole.ColumnOf(s.From, column)
		if c := r.Whole.Columns[max(id, 0)]; known && (c.Type.Numeric() || c.Type.Temporal()) && r.Whole.HasNull(id) {
			held = append(held, tree.Not{Cond: tree.IsNull{Expr: column}})
		}
	})
	s.Where = tree.All(held...)
	return len(held) > before
}
