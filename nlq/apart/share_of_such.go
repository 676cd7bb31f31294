package apart

import (
	"context"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

// shareOfSuch is how one asks for a part of rows that are such themselves: late returns as a
// percentage of all loans that have come back.
var shareOfSuch = regexp.MustCompile(`(?i)\bas (?:a|the) (?P<share>` + english.Shares.Pattern() + `) of (?:all )?(?:of )?(?:the |our |my )?` +
	`(?P<rows>(?:\w+ ){1,3}?(?:that|which|who) [^?.!,]+?)[\s?.!]*$`)

// readShareOfSuch reads a text that asks for a part of rows that are such themselves: as the text
// without that, whose whole is then only of such rows. ok is false when it is no such text, or its
// rows are not read as some of those.
func (r Reader) readShareOfSuch(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(shareOfSuch, w.Text)
	if !ok || r.Whole.ColumnNamed(strings.ToLower(m.Text("share"))) {
		return t, false, nil
	}
	such, err := r.readCount(ctx, ground.Wording{Text: "How many " + m.Text("rows") + "?", Rows: w.Rows})
	if err != nil || such == nil || len(such.conds) == 0 {
		return t, false, err
	}
	return r.reread(ctx, w, w.Text, func(q *tree.Query) bool { return withinSuch(q, such) })
}

// withinSuch holds the rows of a query that shows one share of all rows of a dataset to some of
// them.
func withinSuch(q *tree.Query, such *count) bool {
	s := q.Select
	if s == nil || len(s.From) != 1 || s.From[0].Dataset != such.source.Dataset || s.From[0].Ref() != such.source.Ref() {
		return false
	}
	at := slices.IndexFunc(s.Items, func(i tree.Item) bool { _, is := i.Expr.(tree.Share); return is })
	if at < 0 {
		return false
	}
	held, added := tree.Conjuncts(s.Where), false
	for _, c := range such.conds {
		if slices.ContainsFunc(held, func(o tree.Cond) bool { return reflect.DeepEqual(o, c) }) {
			continue
		}
		held, added = append(slices.Clone(held), c), true
	}
	share := s.Items[at].Expr.(tree.Share)
	isHeld := func(c tree.Cond) bool {
		return slices.ContainsFunc(held, func(o tree.Cond) bool { return reflect.DeepEqual(o, c) })
	}
	if !added || !slices.ContainsFunc(tree.Conjuncts(share.Where), func(c tree.Cond) bool { return !isHeld(c) }) {
		return false
	}
	s.Where = tree.All(held...)
	return true
}
