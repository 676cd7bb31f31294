package embedded

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// hundred is a number of a query.
var hundred = tree.Literal{Kind: tree.Number, Text: "100"}

// replaceValues replaces the values of a query and of those inside it; from is what the select reads
// whose value it is.
func replaceValues(q *tree.Query, fn func(from []tree.Source, e tree.Expr) tree.Expr) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil {
			tree.ReplaceValues(q, func(e tree.Expr) tree.Expr { return fn(q.Select.From, e) })
		}
	})
}

// replaceConds replaces the conditions on the rows of a query's own select, and on those that its
// aggregates and shares are of.
func replaceConds(q *tree.Query, fn func(tree.Cond) tree.Cond) {
	replace := func(where tree.Cond) tree.Cond {
		if where == nil {
			return nil
		}
		return tree.MapConds(where, fn)
	}
	q.Select.Where = replace(q.Select.Where)
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		switch e := e.(type) {
		case tree.Share:
			e.Where = replace(e.Where)
			return e
		case tree.Aggregate:
			e.Where = replace(e.Where)
			return e
		}
		return e
	})
}

// settlePercent adds or takes off a part of money where a reading adds a column of percents
// to it, or takes it off: the gross of 400 at 20 percent is 480, not 420.
func (g *grounding) settlePercent(q *tree.Query) {
	replaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		a, ok := e.(tree.Arith)
		of, isColumn := a.Left.(tree.Column)
		part, isPart := a.Right.(tree.Column)
		if !ok || a.Op != '+' && a.Op != '-' || !isColumn || !isPart {
			return e
		}
		whole, known := g.view.ColumnOf(from, of)
		percent, knownPart := g.view.ColumnOf(from, part)
		if !known || !knownPart || !isPercent(g.view.Columns[percent], g.view.Columns[whole]) {
			return e
		}
		return tree.Arith{Op: a.Op, Left: of, Right: tree.Arith{Op: '/', Left: tree.Arith{Op: '*', Left: of, Right: part}, Right: hundred}}
	})
}

// saysPercent finds what speaks of percents themselves.
var saysPercent = regexp.MustCompile(`(?i)\b(?:per ?cent(?:s|ages?)?|pct)\b|%`)

// settlePartSum adds up what percents come to where a reading adds up the percents: VAT of 19 on
// 200 and on 100 is 57, not 38.
func (g *grounding) settlePartSum(q *tree.Query) {
	if saysPercent.MatchString(g.text) {
		return
	}
	replaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		part, isColumn := a.Arg.(tree.Column)
		if !ok || a.Func != tree.Sum || !isColumn {
			return e
		}
		if id, known := g.view.ColumnOf(from, part); known && isPercentNamed(g.view.Columns[id]) {
			if of, one := g.onlyMoney(g.view.Columns[id].Table); one {
				whole := tree.Column{Source: part.Source, Name: g.view.Columns[of].Name}
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
	if !c.Type.Numeric() || isPercentNamed(of) {
		return false
	}
	if isPercentNamed(c) {
		return true
	}
	greatest, err := strconv.ParseFloat(c.Max, 64)
	largest, errOf := strconv.ParseFloat(of.Max, 64)
	isPart := slices.ContainsFunc(c.Words, english.Percents.Has)
	return isPart && c.Type == quern.Integer && c.Distinct <= mostKinds && err == nil && errOf == nil && greatest <= most && largest > 4*greatest
}

// isPercentNamed reports whether a column's name or unit says percent.
func isPercentNamed(c schema.Column) bool {
	isWord := func(w string) bool { return w == "percent" || w == "pct" || w == "percentage" }
	return c.Unit == "%" || slices.ContainsFunc(c.Words, isWord)
}

// partOff is how one names a discount by a part: a fifth off.
var partOff = regexp.MustCompile(`(?i)\b(?:an?|one) (?P<part>half|third|quarter|fifth|tenth) (?P<off>off|discount|rebate)\b`)

// partsInPercent are parts of a whole in percent.
var partsInPercent = map[string]string{"half": "50", "third": "33", "quarter": "25", "fifth": "20", "tenth": "10"}

// inPercent returns a text whose discounts are written in percent where the data have a
// column of percents: a fifth off is 20 percent off.
func (r *reader) inPercent(text string) string {
	if !slices.ContainsFunc(r.whole.Columns, isPercentNamed) {
		return text
	}
	m, ok := english.Groups(partOff, text)
	if !ok {
		return text
	}
	start, end := m.Span("")
	return text[:start] + partsInPercent[strings.ToLower(m.Text("part"))] + " percent " + m.Text("off") + text[end:]
}

// doneOf says of what part of an amount something was done.
var doneOf = regexp.MustCompile(`(?i)\b(?:has|have|had|is|are|was|were)(?: already)?(?: been)? (?:paid|collected|received|raised|repaid|settled|used|sold|spent)\b`)

// settlePartDone takes the percentage of one amount that another beside it is, where the text asks how
// much of it was paid and the reading takes that of the rows with any: of 60 due, 45 paid are 75 percent.
func (g *grounding) settlePartDone(q *tree.Query) {
	s := q.Select
	if s == nil || !doneOf.MatchString(g.text) {
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
func (g *grounding) partIn(from []tree.Source, c tree.Cond) (part tree.Column, ok bool) {
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
	id, known := g.view.ColumnOf(from, part)
	if !ok || !known {
		return part, false
	}
	if own := g.view.Columns[id]; own.Type.Temporal() {
		id, known = g.onlyIn(own.Table, func(other schema.Column) bool {
			return isAdditive(other) && len(other.Words) > 0 && slices.Contains(own.Words, other.Words[len(other.Words)-1])
		})
		part.Name = ""
		if known {
			part.Name = g.view.Columns[id].Name
		}
	}
	return part, known && isAdditive(g.view.Columns[id])
}
