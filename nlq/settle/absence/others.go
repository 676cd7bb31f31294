package absence

import (
	"regexp"

	"quern/nlq/ground"
	"quern/tree"
)

// sameAsOne is how one asks for others that have something in common with one of them: which other
// dogs are the same breed as Bruno, who else has the same teacher as Ann.
var sameAsOne = regexp.MustCompile(`(?i)\b(?:other|others|else|another)\b.*\bsame\b.*\b(?:as|like|with)\b|\bsame\b.*\b(?:as|like|with) (?:the |any )?other\b`)

// Others leaves the one out with which others are to have something in common: Bruno is no other dog.
func (g Rules) Others(q *tree.Query) {
	s := q.Select
	if s == nil || !sameAsOne.MatchString(g.Text) {
		return
	}
	for _, c := range tree.Conjuncts(s.Where) {
		compared, inner, ok := sameAs(c)
		if !ok || len(inner.Select.From) != 1 {
			continue
		}
		for _, told := range tree.Conjuncts(inner.Select.Where) {
			one, isCompare := told.(tree.Compare)
			name, isColumn := one.Left.(tree.Column)
			_, isLiteral := one.Right.(tree.Literal)
			if !isCompare || !isColumn || !isLiteral || one.Op != tree.Equal {
				continue
			}
			for _, source := range s.From {
				own := tree.Column{Source: source.Ref(), Name: name.Name}
				if source.Dataset != inner.Select.From[0].Dataset || source.Ref() != compared.Source || ground.Tests(s.Where, own) {
					continue
				}
				s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.Compare{Op: tree.NotEqual, Left: own, Right: one.Right})...)
				return
			}
		}
	}
}

// sameAs returns the column that a condition holds to what another query finds of it.
func sameAs(c tree.Cond) (column tree.Column, inner *tree.Query, ok bool) {
	switch c := c.(type) {
	case tree.Compare:
		found, isQuery := c.Right.(tree.Subquery)
		column, ok = c.Left.(tree.Column)
		if !isQuery || c.Op != tree.Equal {
			return column, nil, false
		}
		inner = found.Query
	case tree.In:
		column, ok = c.Expr.(tree.Column)
		inner = c.Query
	}
	return column, inner, ok && inner != nil && inner.Select != nil
}
