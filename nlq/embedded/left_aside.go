package embedded

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/follow"
	"quern/nlq/schema"
	"quern/tree"
)

// leavesAside is how one says, behind a question, which rows are not to count: leave out
// cancelled bookings, not counting those without a city, (cancelled ones don't count).
var leavesAside = regexp.MustCompile(`(?i)[\s,.;:?!(–-]+(?:please )?(?:` +
	`(?:(?:leave|leaving) out|(?:not|without|don'?t|do not) (?:count(?:ing)?|bother(?:ing)? (?:with|about)|include|including)|exclud(?:e|ing)|ignor(?:e|ing)|disregard(?:ing)?|skip(?:ping)?) (?P<rows>[^.?!()]+?)` +
	`|without (?:the )?(?P<kind>[\w-]+) ones` +
	`|(?:the )?(?P<named>[\w-]+) ones (?:(?:do not|don'?t) count|(?:are )?(?:left out|not counted|excluded|ignored|left aside))` +
	`)[\s.?!)]*$`)

// readLeftAside reads a text that says which rows are not to count: as the text without
// that, whose rows are held to the others. ok is false when it is no such text, or what
// it says of the rows is not understood.
func (r *reader) readLeftAside(ctx context.Context, w wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(leavesAside, w.text)
	if !ok {
		return t, false, nil
	}
	start, _ := m.Span("")
	rest := w.text[:start]
	whole, err := r.alone(ctx, wording{text: rest, rows: w.rows})
	if err != nil || whole.Query == nil || whole.Query.Select == nil {
		return t, false, err
	}
	q := tree.Clone(whole.Query)
	c, score, ok := r.conditionSaid(q, m.Text("rows")+m.Text("kind")+m.Text("named"))
	if !ok {
		return t, false, nil
	}
	q.Select.Where = tree.All(append(slices.Clone(tree.Conjuncts(q.Select.Where)), opposite(r.whole, q.Select, c))...)
	made, ok := r.candidate(q, min(whole.Score, score))
	if !ok {
		return t, false, nil
	}
	t = made.translation(min(whole.Confidence, follow.Confidence))
	t.Notes, t.Doubt, t.Words = whole.Notes, whole.Doubt, place(whole.Words, rest, w.text)
	return t, true, nil
}

// rowsSaid splits what is said of rows from their name: "gifts" from "without campaign".
var rowsSaid = regexp.MustCompile(`(?i)^(?:the |those |all |any )*(?:\w+ )??(?:(?:where|that|which|who) )?(?P<said>(?:with|without|are|is|was|were|have|has|had|do|does|did|not|never|no)\b.*)$`)

// conditionSaid returns the condition on the rows of a query that a phrase names them by:
// cancelled bookings, gifts without campaign.
func (r *reader) conditionSaid(q *tree.Query, phrase string) (c tree.Cond, score float64, ok bool) {
	phrase = strings.TrimSpace(phrase)
	var ways []string
	if m, found := english.Groups(rowsSaid, phrase); found {
		ways = append(ways, m.Text("said"))
	}
	ways = append(ways, "are "+phrase)
	if at := strings.LastIndexByte(phrase, ' '); at > 0 {
		ways = append(ways, "are "+phrase[:at])
	}
	for _, way := range ways {
		if c, score, ok = follow.Condition(r.whole, q, way, r.question.Now); ok {
			return c, score, true
		}
	}
	return nil, 0, false
}

// opposite returns the condition that holds for the rows for which another does not, those
// of which nothing is known among them unless a column says yes and no.
func opposite(v schema.View, s *tree.Select, c tree.Cond) tree.Cond {
	switch c := c.(type) {
	case tree.Not:
		return c.Cond
	case tree.Compare:
		column, isColumn := c.Left.(tree.Column)
		k, isLiteral := c.Right.(tree.Literal)
		id, known := v.ColumnOf(s.From, column)
		if !isColumn || !isLiteral || !known || c.Op != tree.Equal {
			break
		}
		yes, no, isTruth := v.Columns[id].Truth()
		switch {
		case isTruth && strings.EqualFold(k.Text, yes):
			k.Text = no
			return tree.Compare{Op: tree.Equal, Left: column, Right: k}
		case isTruth:
			k.Text = yes
			return tree.Compare{Op: tree.Equal, Left: column, Right: k}
		case v.HasNull(id):
			return tree.Or{Conds: []tree.Cond{tree.Compare{Op: tree.NotEqual, Left: column, Right: k}, tree.IsNull{Expr: column}}}
		}
		return tree.Compare{Op: tree.NotEqual, Left: column, Right: k}
	}
	return tree.Not{Cond: c}
}
