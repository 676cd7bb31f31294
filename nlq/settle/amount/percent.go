package amount

import (
	"regexp"
	"slices"
	"strconv"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// hundred is a number of a query.
var hundred = tree.Literal{Kind: tree.Number, Text: "100"}

// Percent adds or takes off a part of money where a reading adds a column of percents
// to it, or takes it off: the gross of 400 at 20 percent is 480, not 420.
func (g Rules) Percent(q *tree.Query) {
	ground.ReplaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		a, ok := e.(tree.Arith)
		of, isColumn := a.Left.(tree.Column)
		part, isPart := a.Right.(tree.Column)
		if !ok || a.Op != '+' && a.Op != '-' || !isColumn || !isPart {
			return e
		}
		whole, known := g.View.ColumnOf(from, of)
		percent, knownPart := g.View.ColumnOf(from, part)
		if !known || !knownPart || !isPercent(g.View.Columns[percent], g.View.Columns[whole]) {
			return e
		}
		return tree.Arith{Op: a.Op, Left: of, Right: tree.Arith{Op: '/', Left: tree.Arith{Op: '*', Left: of, Right: part}, Right: hundred}}
	})
}

// saysPercent finds what speaks of percents themselves.
var saysPercent = regexp.MustCompile(`(?i)\b(?:per ?cent(?:s|ages?)?|pct)\b|%`)

// PartSum adds up what percents come to where a reading adds up the percents: VAT of 19 on
// 200 and on 100 is 57, not 38.
func (g Rules) PartSum(q *tree.Query) {
	if saysPercent.MatchString(g.Text) {
		return
	}
	ground.ReplaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		part, isColumn := a.Arg.(tree.Column)
		if !ok || a.Func != tree.Sum || !isColumn {
			return e
		}
		if id, known := g.View.ColumnOf(from, part); known && ground.IsPercentNamed(g.View.Columns[id]) {
			if of, one := g.onlyMoney(g.View.Columns[id].Table); one {
				whole := tree.Column{Source: part.Source, Name: g.View.Columns[of].Name}
				a.Arg = tree.Arith{Op: '/', Left: tree.Arith{Op: '*', Left: whole, Right: part}, Right: hundred}
			}
		}
		return a
	})
}

// isPercent reports whether the numbers of a column are percents of those of another: it is
// named so, or is a tax or a discount whose few numbers are whole and far below.
func isPercent(c, of schema.Column) bool {
	const mostKinds, most = 12, 100
	if !c.Type.Numeric() || ground.IsPercentNamed(of) {
		return false
	}
	if ground.IsPercentNamed(c) {
		return true
	}
	greatest, err := strconv.ParseFloat(c.Max, 64)
	largest, errOf := strconv.ParseFloat(of.Max, 64)
	isPart := slices.ContainsFunc(c.Words, english.Percents.Has)
	return isPart && c.Type == quern.Integer && c.Distinct <= mostKinds && err == nil && errOf == nil && greatest <= most && largest > 4*greatest
}

// doneOf says of what part of an amount something was done.
var doneOf = regexp.MustCompile(`(?i)\b(?:has|have|had|is|are|was|were)(?: already)?(?: been)? (?:paid|collected|received|raised|repaid|settled|used|sold|spent)\b`)

// PartDone takes the percentage of one amount that another beside it is, where the text asks how
// much of it was paid and the reading takes that of the rows with any: of 60 due, 45 paid are 75 percent.
func (g Rules) PartDone(q *tree.Query) {
	s := q.Select
	if s == nil || !doneOf.MatchString(g.Text) {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		share, ok := e.(tree.Share)
		whole, isSum := share.Of.(tree.Aggregate)
		of, isWhole := whole.Arg.(tree.Column)
		if !ok || !isSum || !isWhole || whole.Func != tree.Sum {
			return e
		}
		part, ok := g.partIn(s.From, share.Where)
		if !ok || part == of {
			return e
		}
		done := tree.Aggregate{Func: tree.Sum, Arg: part}
		return tree.Arith{Op: '/', Left: tree.Arith{Op: '*', Left: hundred, Right: done}, Right: whole}
	})
}

// partIn returns the amount that a condition says there is some of, or beside the time at which there was:
// paid, of paid_on.
func (g Rules) partIn(from []tree.Source, c tree.Cond) (part tree.Column, ok bool) {
	switch c := c.(type) {
	case tree.Compare:
		none, isLiteral := c.Right.(tree.Literal)
		part, ok = c.Left.(tree.Column)
		ok = ok && isLiteral && none.Text == "0"
	case tree.Not:
		is, isNull := c.Cond.(tree.IsNull)
		part, ok = is.Expr.(tree.Column)
		ok = ok && isNull
	}
	id, known := g.View.ColumnOf(from, part)
	if !ok || !known {
		return part, false
	}
	if own := g.View.Columns[id]; own.Type.Temporal() {
		id, known = g.OnlyIn(own.Table, func(other schema.Column) bool {
			return ground.IsAdditive(other) && len(other.Words) > 0 && slices.Contains(own.Words, other.Words[len(other.Words)-1])
		})
		part.Name = ""
		if known {
			part.Name = g.View.Columns[id].Name
		}
	}
	return part, known && ground.IsAdditive(g.View.Columns[id])
}
