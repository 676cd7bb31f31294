package apart

import (
	"context"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/follow"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	// sharePattern is how one asks which part of some rows are such.
	sharePattern = regexp.MustCompile(`(?i)^(?:and |so |now |then )*` +
		`(?:what(?:'s| is| are| was| were)?|which|show(?: me)?|give(?: me)?|tell me|` +
		`calculate|compute|how much|how large(?: is)?)?(?: the| a)? ?(?P<share>` + english.Shares.Pattern() + `)` +
		`(?: \(?in (?:percent|%)\)?)? (?:of|among) (?:all |the |our |my |all of )*(?P<rows>.+?)[ ?.!]*$`)
	// rowsVerb ends the name of the rows of which a part is asked for.
	rowsVerb = regexp.MustCompile(`(?i) (?:is|are|was|were|has|have|had|does|do|did|be|(?:ends?|ended|winds?|wound) up|turn(?:s|ed)? out|gets?|got|remain(?:s|ed)?|stay(?:s|ed)?) `)
)

// contracted are denials that are written with their verb: haven't been paid.
var contracted = regexp.MustCompile(`(?i)\b(?P<verb>have|has|had|are|is|were|was|do|does|did)n['’]?t\b`)

// sharesMoney begins with money rather than with rows of it: our spending.
var sharesMoney = regexp.MustCompile(`(?i)^(?:(?:all|the|our|my|total|of|that|this year['’]s) )*(?:spend(?:ing)?|income|takings|revenue|turnover|costs|expenses|outgoings|expenditure|money|sales revenue)\b`)

// readShare reads a text that asks for the share of some rows that are such, in
// percent: by the rows that are such and those that there are. ok is false when it
// is no such text.
func (r Reader) readShare(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(sharePattern, w.Text)
	if !ok || r.Whole.ColumnNamed(strings.ToLower(m.Text("share"))) {
		return t, false, nil
	}
	phrase := contracted.ReplaceAllString(m.Text("rows"), "$verb not")
	if sharesMoney.MatchString(phrase) {
		return t, false, nil // of the money, not of the rows
	}
	rows, ok := r.rowsName(phrase)
	if !ok {
		return t, false, nil
	}
	all, err := r.readCount(ctx, ground.Wording{Text: "How many " + rows + " are there?", Rows: w.Rows})
	if err != nil || all == nil {
		return t, false, err
	}
	some := r.narrowCount(all, phrase[len(rows):])
	if some == nil {
		if some, err = r.readCount(ctx, ground.Wording{Text: "How many " + phrase + "?", Rows: w.Rows}); err != nil {
			return t, false, err
		}
	}
	q := shareOf(some, all)
	if q == nil {
		return t, false, nil
	}
	if t, ok = r.Translate(q, min(some.score, all.score), min(some.confidence, all.confidence)); !ok {
		return t, false, nil
	}
	t.Notes, t.Doubt = slices.Concat(all.read.Notes, some.read.Notes), all.read.Doubt || some.read.Doubt
	t.Words = ground.Join(ground.Place(all.read.Words, "", w.Text), ground.Place(some.read.Words, "", w.Text))
	return t, true, nil
}

// rowsName returns the words of a phrase that name rows: up to its verb, or else
// to the name of a table.
func (r Reader) rowsName(phrase string) (string, bool) {
	first := -1
	for _, t := range lex.Tokens(phrase) {
		for i := range r.Whole.Tables {
			if first < 0 && r.Whole.Mention(t.Text, i) == 0 {
				first = t.End
			}
		}
	}
	if first < 0 {
		return "", false
	}
	if at := rowsVerb.FindStringIndex(phrase[first:]); at != nil {
		return phrase[:first+at[0]], true
	}
	return phrase[:first], true
}

// count is a question for a number of rows, as it was read.
type count struct {
	query      *tree.Query
	source     tree.Source
	table      int
	conds      []tree.Cond // of the table alone
	group      []tree.Expr
	score      float64
	confidence float64
	read       nlq.Translation // what it is read from
}

// readCount reads a text that asks for a number of rows; nil when it is read
// otherwise.
func (r Reader) readCount(ctx context.Context, w ground.Wording) (*count, error) {
	t, err := r.ReadWhole(ctx, w)
	if err != nil || t.Query == nil || t.Query.Select == nil || t.Query.Limit != nil || t.Query.Select.Having != nil {
		return nil, err
	}
	s := t.Query.Select
	kept := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool {
		return slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, i.Expr) })
	})
	if len(kept) != 1 || !ground.IsCount(kept[0].Expr) {
		return nil, nil
	}
	ungrouped := &tree.Query{Select: &tree.Select{Items: kept, From: s.From, Where: s.Where, Distinct: s.Distinct}}
	rows, ok := follow.RowsOf(r.Whole, ungrouped, w.Text)
	if !ok || rows.Nested {
		return nil, nil
	}
	for _, g := range s.Group {
		if c, ok := g.(tree.Column); !ok || c.Source != rows.Source.Ref() {
			return nil, nil
		}
	}
	conds, ok := rows.Conditions(rows.Source.Ref())
	if !ok {
		return nil, nil
	}
	return &count{t.Query, rows.Source, rows.Table, conds, s.Group, t.Score, t.Confidence, t}, nil
}

// narrowCount returns the count of those rows that are such where all that says so
// is a value, a period or a state ("are unpaid"), as in a follow-up; nil where the
// networks have to read it.
func (r Reader) narrowCount(all *count, which string) *count {
	c, score, ok := follow.Condition(r.Whole, all.query, which, r.Question.Now)
	if !ok {
		return nil
	}
	some := *all
	some.score, some.confidence = min(all.score, score), min(all.confidence, follow.Confidence)
	some.conds = append(slices.Clone(all.conds), c)
	return &some
}

// shareOf returns the share that some rows are of all; nil when they are no part of these.
func shareOf(some, all *count) *tree.Query {
	if some == nil || some.table != all.table || len(all.group) > 0 {
		return nil
	}
	rest := some.conds
	for _, c := range all.conds {
		i := slices.IndexFunc(rest, func(o tree.Cond) bool { return reflect.DeepEqual(o, c) })
		if i < 0 {
			return nil
		}
		rest = slices.Delete(slices.Clone(rest), i, i+1)
	}
	if len(rest) == 0 {
		return nil
	}
	s := &tree.Select{
		From: []tree.Source{{Dataset: some.source.Dataset, Alias: some.source.Alias}}, Where: tree.All(all.conds...), Group: some.group,
	}
	q := &tree.Query{Select: s}
	for _, g := range some.group {
		s.Items = append(s.Items, tree.Item{Expr: g})
		q.Order = append(q.Order, tree.Order{Expr: g})
	}
	s.Items = append(s.Items, tree.Item{Expr: tree.Share{Where: tree.All(rest...)}})
	return q
}
