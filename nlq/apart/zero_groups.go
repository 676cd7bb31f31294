package apart

import (
	"context"
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/nlq/settle/amount"
	"quern/nlq/settle/label"
	"quern/tree"
)

var (
	// asksForZero is how one asks, behind a question for a number of each of some things,
	// for those that have none: "including those with none", "zero ones too", "even if 0".
	asksForZero = regexp.MustCompile(`(?i)[\s,;:.?!(–-]*\b(?:` +
		`(?:(?:please|and|also|but|i (?:need|want|would like|'d like) to|make sure to|be sure to)\s+)*` +
		`(?:incl(?:\.|ude[ds]?\b|uding\b)?|show(?:ing)?\b|list(?:ing)?\b|keep(?:ing)?\b|see\b|count(?:ing)?\b|even\b|also\b|` +
		`(?:do not|don'?t|without) (?:leav(?:e|ing) out|forget(?:ting)?|skip(?:ping)?|omit(?:ting)?|drop(?:ping)?)\b)` +
		`[^.?!;]*?\b(?:zero(?:s|es)?|0|none|never|nothing|without|no)\b[^.?!;]*` +
		`|with (?:a )?(?:zero(?:s|es)?|0|none)\b[^.?!;]*` +
		`|(?:zero(?:s|es)?|0|none) (?:ones|too|as well|also|included|if|for|where|when|should|must|counts?)\b[^.?!;]*` +
		`|(?:those|the ones|them|ones) (?:with|without|who|that|which)\b[^.?!;]*?\b(?:zero|0|none|any|nothing|no)\b[^.?!;]*?\b(?:too|as well|also|included)` +
		`)[\s.?!)]*$`)
	// asksOfEach is how one asks for a number of each of some things.
	asksOfEach = regexp.MustCompile(`(?i)\b(?:` + english.Each.Pattern() + `|by|all)\b`)
)

// readWithZero reads a text that asks for a number of each of some things, those that
// have none included: as the text without that, whose groups are kept where they have
// no rows. ok is false when it is no such text.
func (r Reader) readWithZero(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	at := asksForZero.FindStringIndex(w.Text)
	if at == nil || at[0] == 0 || !asksOfEach.MatchString(w.Text[:at[0]]) {
		return t, false, nil
	}
	rest := w.Text[:at[0]]
	whole, err := r.ReadAlone(ctx, ground.Wording{Text: rest, Rows: w.Rows})
	if err != nil || whole.Query == nil {
		return t, false, err
	}
	q := tree.Clone(whole.Query)
	if !keepGroups(r.Whole, q) {
		return t, false, nil
	}
	label.Of(r.Ground(ground.Wording{Text: rest, Rows: w.Rows})).NameGroups(q.Select)
	t, ok = r.Translate(q, whole.Score, whole.Confidence)
	if !ok {
		return t, false, nil
	}
	t.Notes, t.Doubt, t.Words = whole.Notes, whole.Doubt, ground.Place(whole.Words, rest, w.Text)
	return t, true, nil
}

// keepGroups makes a query that groups rows keep the groups that have none: the rows of
// the dataset that is grouped by stay without partners, and what restricts the rows says
// which of them count. ok is false when its groups are no things of their own.
func keepGroups(v schema.View, q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.Group) != 1 || s.Having != nil || q.Limit != nil {
		return false
	}
	if slices.ContainsFunc(s.From, func(f tree.Source) bool { return f.Outer }) {
		countKept(q, nil, nil) // they are kept already
		return true
	}
	if _, isColumn := s.Group[0].(tree.Column); !isColumn {
		return false
	}
	groupByParent(v, s)
	group := s.Group[0].(tree.Column)
	from, ok := startAt(s.From, group.Source)
	if !ok {
		return false
	}
	var kept, moved []tree.Cond
	for _, c := range tree.Conjuncts(s.Where) {
		if own := conditionOf(c); len(from) > 1 && own == group.Source {
			kept = append(kept, c)
		} else {
			moved = append(moved, c)
		}
	}
	if slices.ContainsFunc(moved, hasQuery) {
		return false
	}
	if id, known := v.ColumnOf(s.From, group); known && v.HasNull(id) {
		kept = append(kept, tree.Not{Cond: tree.IsNull{Expr: group}})
	}
	s.From, s.Where = from, tree.All(kept...)
	countKept(q, from, moved)
	return true
}

// countKept makes the aggregates of a query those of the rows that some conditions hold
// for, and of groups without rows the number 0.
func countKept(q *tree.Query, from []tree.Source, where []tree.Cond) {
	var partner tree.Expr // what is there where a row has a partner
	if len(from) > 1 {
		partner = from[len(from)-1].On[0].Right
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		if !ok || a.Func == tree.Any {
			return e
		}
		if _, rows := a.Arg.(tree.Star); rows && partner != nil {
			a.Arg = partner
		}
		a.Where = tree.All(append(slices.Clone(where), tree.Conjuncts(a.Where)...)...)
		if a.Func == tree.Sum {
			return amount.OrNothing(a)
		}
		return a
	})
}

// groupByParent groups by the key that the column of the groups refers to, and reads its
// dataset too: the hives of harvests are those of hives.
func groupByParent(v schema.View, s *tree.Select) {
	group := s.Group[0].(tree.Column)
	id, known := v.ColumnOf(s.From, group)
	if !known {
		return
	}
	for _, l := range v.Links {
		to := v.Columns[l.To]
		path := v.Tables[to.Table].Path
		if l.From != id || !to.Key() || to.Table == v.Columns[id].Table {
			continue
		}
		parent := tree.Column{Source: path.Dataset, Name: to.Name}
		if !slices.ContainsFunc(s.From, func(f tree.Source) bool { return f.Ref() == path.Dataset }) {
			s.From = append(slices.Clone(s.From), tree.Source{Dataset: path, On: []tree.Pair{{Left: group, Right: parent}}})
		}
		for i, item := range s.Items {
			if item.Expr == tree.Expr(group) {
				s.Items[i].Expr = parent
			}
		}
		s.Group[0] = parent
		return
	}
}

// startAt returns the sources of a select from another one on, each joined to one before
// it, the others as outer joins; ok is false where they are no tree of single pairs.
func startAt(from []tree.Source, ref string) (ordered []tree.Source, ok bool) {
	var pairs []tree.Pair
	for _, s := range from {
		if len(s.On) > 1 {
			return nil, false
		}
		pairs = append(pairs, s.On...)
		if s.Ref() == ref {
			ordered = []tree.Source{{Dataset: s.Dataset, Alias: s.Alias}}
		}
	}
	there := map[string]bool{ref: true}
	for len(ordered) > 0 && len(ordered) < len(from) {
		before := len(ordered)
		for _, p := range pairs {
			if there[p.Right.Source] {
				p.Left, p.Right = p.Right, p.Left
			}
			at := slices.IndexFunc(from, func(s tree.Source) bool { return s.Ref() == p.Right.Source })
			if !there[p.Left.Source] || there[p.Right.Source] || at < 0 {
				continue
			}
			there[p.Right.Source] = true
			ordered = append(ordered, tree.Source{Dataset: from[at].Dataset, Alias: from[at].Alias, Outer: true, On: []tree.Pair{p}})
		}
		if len(ordered) == before {
			return nil, false
		}
	}
	return ordered, len(ordered) == len(from)
}

// conditionOf returns the one source that a condition is on; empty when there are several.
func conditionOf(c tree.Cond) (source string) {
	several := false
	tree.EachColumn(&tree.Query{Select: &tree.Select{Where: c}}, func(column tree.Column) {
		several = several || source != "" && source != column.Source
		source = column.Source
	})
	if several {
		return ""
	}
	return source
}

// hasQuery reports whether a condition has a query in it.
func hasQuery(c tree.Cond) (has bool) {
	q := &tree.Query{Select: &tree.Select{Where: c}}
	tree.EachQuery(q, func(inner *tree.Query) { has = has || inner != q })
	return has
}
