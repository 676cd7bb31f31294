package apart

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/follow"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// leavesAside is how one says, behind a question, which rows are not to count: leave out
	// cancelled bookings, not counting those without a city, (cancelled ones don't count).
	leavesAside = regexp.MustCompile(`(?i)[\s,.;:?!(–-]+(?:please )?(?:` +
		`(?:(?:leave|leaving) (?:out|aside)|(?:not|without|don'?t|do not) (?:count(?:ing)?|bother(?:ing)? (?:with|about)|include|including)|exclud(?:e|ing)|ignor(?:e|ing)|disregard(?:ing)?|skip(?:ping)?) (?P<rows>[^.?!()]+?)` +
		`|without (?:the )?(?P<kind>[\w-]+) ones` +
		`|(?:the )?(?P<named>[\w-]+)(?: ones)? (?:(?:do not|don'?t) count|(?:are )?(?:left out|not counted|excluded|ignored|left aside))` +
		`)[\s.?!)]*$`)
	// firstAside is how one says it in front: leaving aside those who dropped out, who still owes us money?
	firstAside = regexp.MustCompile(`(?i)^\W*(?:leaving (?:out|aside)|not counting|excluding|ignoring|disregarding|apart from|aside from|except for) (?P<rows>[^,?!]+), (?P<rest>.+)$`)
	// orOthers stands between several kinds of rows.
	orOthers = regexp.MustCompile(`(?i),? (?:or|and|nor) `)
)

// asideIn takes a text apart that says which rows are not to count; ok is false when it is no such text.
func asideIn(text string) (rest, rows string, ok bool) {
	if m, found := english.Groups(firstAside, text); found {
		return m.Text("rest"), m.Text("rows"), true
	}
	m, ok := english.Groups(leavesAside, text)
	if !ok {
		return "", "", false
	}
	start, _ := m.Span("")
	return text[:start], m.Text("rows") + m.Text("kind") + m.Text("named"), true
}

// readLeftAside reads a text that says which rows are not to count: as the text without
// that, whose rows are held to the others. ok is false when it is no such text, or what
// it says of the rows is not understood.
func (r Reader) readLeftAside(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	rest, rows, ok := asideIn(w.Text)
	if !ok {
		return t, false, nil
	}
	whole, err := r.ReadAlone(ctx, ground.Wording{Text: rest, Rows: w.Rows})
	if err != nil || whole.Query == nil || whole.Query.Select == nil {
		return t, false, err
	}
	if name, isApart := r.measureApart(whole.Query, rows); isApart {
		whole.Words = ground.Place(whole.Words, rest, w.Text)
		whole.Notes = append(whole.Notes, fmt.Sprintf("The column %s is no part of it.", name))
		return whole, true, nil
	}
	q := tree.Clone(whole.Query)
	score := whole.Score
	for _, kind := range r.kindsSaid(q, rows) {
		c, like, known := r.conditionSaid(q, kind)
		if !known {
			return t, false, nil
		}
		score = min(score, like)
		q.Select.Where = tree.All(append(slices.Clone(tree.Conjuncts(q.Select.Where)), opposite(r.Whole, q.Select, c))...)
	}
	t, ok = r.Translate(q, score, min(whole.Confidence, follow.Confidence))
	if !ok {
		return t, false, nil
	}
	t.Notes, t.Doubt, t.Words = whole.Notes, whole.Doubt, ground.Place(whole.Words, rest, w.Text)
	return t, true, nil
}

// kindsSaid returns what a phrase says of several kinds of rows one by one, or the phrase where that
// is of one kind.
func (r Reader) kindsSaid(q *tree.Query, phrase string) []string {
	all := orOthers.Split(phrase, -1)
	for _, kind := range all {
		if _, _, ok := r.conditionSaid(q, kind); !ok {
			return []string{phrase}
		}
	}
	return all
}

// measureApart returns the one column of amounts that a phrase names, where a query adds up without
// it: sales without shipping are not those of other rows.
func (r Reader) measureApart(q *tree.Query, phrase string) (name string, ok bool) {
	words := english.Stems(slices.DeleteFunc(lex.Lower(lex.Tokens(phrase)), lex.Function))
	if len(words) == 0 || !slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool { return isAggregate(i.Expr) && !ground.IsCount(i.Expr) }) {
		return "", false
	}
	var found []schema.Column
	for _, c := range r.Whole.Columns {
		own := english.Stems(c.Words)
		isNamed := own[0] == words[0] && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(own, w) })
		if isNamed && ground.AddsUp(c) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	isUsed := false
	tree.EachColumn(q, func(c tree.Column) { isUsed = isUsed || strings.EqualFold(c.Name, found[0].Name) })
	return found[0].Name, !isUsed
}

// rowsSaid splits what is said of rows from their name: "gifts" from "without campaign".
var rowsSaid = regexp.MustCompile(`(?i)^(?:the |those |all |any )*(?:\w+ )??(?:(?:where|that|which|who) )?(?P<said>(?:with|without|are|is|was|were|have|has|had|do|does|did|not|never|no)\b.*)$`)

// conditionSaid returns the condition on the rows of a query that a phrase names them by:
// cancelled bookings, gifts without campaign.
func (r Reader) conditionSaid(q *tree.Query, phrase string) (c tree.Cond, score float64, ok bool) {
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
		if c, score, ok = follow.Condition(r.Whole, q, way, r.Question.Now); ok {
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
