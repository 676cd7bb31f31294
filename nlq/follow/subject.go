package follow

import (
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// subject returns the table that a question's rows are of: the one whose columns
// are listed, or counted by group, or the one that it names first, or else the
// first that is read. A question that referred back itself is still about what it
// referred to.
func subject(v schema.View, s *tree.Select, question string) (schema.Place, bool) {
	all := v.Places(s)
	if len(all) == 0 {
		return schema.Place{}, false
	}
	if p, ok := countedPlace(v, s, all, question); ok {
		return p, true
	}
	for _, i := range s.Items {
		c, ok := listedColumn(i.Expr)
		for _, p := range all {
			listed := c.Source == p.Source.Ref() || c.Source == ""
			if ok && listed && p.Nested == nil {
				return p, true
			}
		}
	}
	best, at := schema.Place{}, len(question)
	for _, p := range all {
		if found := v.Mention(question, p.Table); found >= 0 && found < at {
			best, at = p, found
		}
	}
	if at < len(question) {
		return best, true
	}
	if last := all[len(all)-1]; last.Nested != nil && pronouns.MatchString(question) {
		return last, true
	}
	return all[0], true
}

// listedColumn returns the column that an item is, or stands for all of.
func listedColumn(e tree.Expr) (tree.Column, bool) {
	switch e := e.(type) {
	case tree.Column:
		return e, true
	case tree.Star:
		return tree.Column{Source: e.Source}, true
	case tree.Aggregate:
		c, ok := e.Arg.(tree.Column)
		return c, ok && e.Func == tree.Any
	}
	return tree.Column{}, false
}

// countedPlace returns where a query that shows a number for every group reads the
// rows that it counts, unless the question names what they are grouped by before
// them: "for each ship, how many arrivals" is about ships.
func countedPlace(v schema.View, s *tree.Select, all []schema.Place, question string) (schema.Place, bool) {
	counted, ok := countedSource(v, s)
	if !ok || len(s.Group) == 0 || s.Having != nil || !HasAggregate(s.Items...) {
		return schema.Place{}, false
	}
	at := slices.IndexFunc(all, func(p schema.Place) bool { return p.Nested == nil && p.Source.Ref() == counted.Ref() })
	if at < 0 {
		return schema.Place{}, false
	}
	own := v.Mention(question, all[at].Table)
	for i, p := range all {
		named := v.Mention(question, p.Table)
		before := own < 0 || named < own
		if i != at && named >= 0 && before {
			return schema.Place{}, false
		}
	}
	return all[at], true
}

// countedSource returns the source whose rows a select counts: the only one, or
// the one of which there may be many for a row of the others.
func countedSource(v schema.View, s *tree.Select) (tree.Source, bool) {
	one := map[string]bool{} // the sources that others are linked to by a key
	for _, source := range s.From {
		for _, pair := range source.On {
			for _, end := range []tree.Column{pair.Left, pair.Right} {
				one[end.Source] = one[end.Source] || v.IsKey(s.From, end)
			}
		}
	}
	many := slices.DeleteFunc(slices.Clone(s.From), func(source tree.Source) bool { return one[source.Ref()] })
	if len(many) != 1 {
		return tree.Source{}, false
	}
	return many[0], true
}
