package apart

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// percent is how people write a number of percent.
const percent = `(?P<number>[\w.]+(?:[ -]\w+)?) ?(?:%|percent|per cent)`

var (
	// partCompared is how one compares with a part or several times of a number that the data
	// have: more than a quarter of the quote, at least 80 % of its budget.
	partCompared = regexp.MustCompile(`(?i)\b(?:than|over|under|above|below|at least|at most|exceeds?|exceeded) (?P<part>(?:(?:a|one) )?(?:half|third|quarter|fifth|tenth)|two thirds|three quarters|` +
		percent + `|twice|double|three times|four times|five times|ten times)(?: of)? (?:the|its|their|his|her|our|what)\b`)
	// partOf asks for a number of percent of an amount: what is 10 % of the takings in May.
	partOf = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:what(?:'s|s| is| are| was| were| would be)?|how much (?:is|are|was|were|would be)) ` + percent + ` of (?P<of>(?:all |the |our |every |each |last |this |total )?[^?.!,]+?)[\s?.!]*$`)
	// changedBy asks what an amount would be if it were higher or lower by some percent.
	changedBy = regexp.MustCompile(`(?i)^\W*(?:if|suppose|supposing|say|assuming|imagine)(?: that)? (?P<what>[^,?]+?) (?:(?P<up>went up|goes up|rose|rises|increased|were raised|was raised|grew|were up|was up)|went down|goes down|fell|falls|dropped|drops|decreased|were cut|was cut|were down|was down) by ` +
		percent + `,? (?:then )?what would (?:it|that|they|he|she|those|(?:the|his|her|their) new (?:one|price|rate|fee|rent|total|amount|figure))(?: all)? (?:be|be on|come to|cost|amount to|pay|earn|get|make)\b[^,?]*[\s?.!]*$`)
)

// parts divide a whole.
var parts = map[string]string{"third": "3", "quarter": "4", "fifth": "5", "tenth": "10"}

// readPart reads a text that speaks of a part of an amount, or of an amount that is higher or lower
// by some percent: as the text of the amount, which is then multiplied. ok is false when it is no
// such text.
func (r Reader) readPart(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	if m, ok := english.Groups(partCompared, w.Text); ok {
		factor, known := partSaid(m)
		if !known {
			return t, false, nil
		}
		_, start := m.Span("")
		at := start
		start, _ = m.Span("part")
		rest := w.Text[start:at]
		last := rest[strings.LastIndex(rest, " ")+1:]
		return r.reread(ctx, w, w.Text[:start]+last+w.Text[at:], func(q *tree.Query) bool { return multiplyCompared(q, factor) == 1 })
	}
	m, ok := english.Groups(partOf, w.Text)
	of := "of"
	if !ok {
		if m, ok = english.Groups(changedBy, w.Text); !ok {
			return t, false, nil
		}
		of = "what"
	}
	n, known := percentSaid(m.Text("number"))
	if !known {
		return t, false, nil
	}
	factor := n / 100
	switch {
	case of == "what" && m.Has("up"):
		factor = 1 + factor
	case of == "what":
		factor = 1 - factor
	}
	return r.reread(ctx, w, "What is "+m.Text(of)+"?", func(q *tree.Query) bool { return multiplyShown(q, number(factor)) })
}

// partSaid returns the number that a part of something multiplies it by.
func partSaid(m english.Match) (tree.Expr, bool) {
	if m.Has("number") && m.Text("number") != "" {
		n, ok := percentSaid(m.Text("number"))
		return number(n / 100), ok
	}
	said := strings.ToLower(m.Text("part"))
	for _, article := range []string{"a ", "one "} {
		said = strings.TrimPrefix(said, article)
	}
	if decimal, ok := factorOf(said); ok {
		return tree.Literal{Kind: tree.Number, Text: decimal}, true
	}
	times := 1.0
	for several, n := range map[string]float64{"two ": 2, "three ": 3} {
		if rest, ok := strings.CutPrefix(said, several); ok {
			said, times = strings.TrimSuffix(rest, "s"), n
		}
	}
	by, ok := parts[said]
	return tree.Arith{Op: '/', Left: number(times), Right: tree.Literal{Kind: tree.Number, Text: by + ".0"}}, ok
}

// percentSaid reads a number of percent: 10, ten, twelve and a half is none.
func percentSaid(said string) (float64, bool) {
	decimal, ok := lex.Number(strings.ToLower(said))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(decimal, 64)
	return n, err == nil && n > 0
}

// number returns a number of a query.
func number(n float64) tree.Expr {
	return tree.Literal{Kind: tree.Number, Text: strconv.FormatFloat(n, 'f', -1, 64)}
}

// multiplyCompared multiplies what a query compares with where that is in the data, and returns
// how many such comparisons there are.
func multiplyCompared(q *tree.Query, factor tree.Expr) (found int) {
	if q.Select == nil {
		return 0
	}
	multiply := func(c tree.Cond) tree.Cond {
		compare, ok := c.(tree.Compare)
		_, constant := compare.Right.(tree.Literal)
		if !ok || constant || compare.Op == tree.Equal || compare.Op == tree.NotEqual {
			return c
		}
		found++
		compare.Right = tree.Arith{Op: '*', Left: factor, Right: compare.Right}
		return compare
	}
	if q.Select.Where != nil {
		q.Select.Where = tree.MapConds(q.Select.Where, multiply)
	}
	if q.Select.Having != nil {
		q.Select.Having = tree.MapConds(q.Select.Having, multiply)
	}
	return found
}

// multiplyShown multiplies the one number that a query shows.
func multiplyShown(q *tree.Query, factor tree.Expr) bool {
	s := q.Select
	if s == nil || len(s.Items) == 0 || len(s.Group) > 0 || s.Distinct || q.Limit != nil {
		return false
	}
	last := &s.Items[len(s.Items)-1]
	if _, aggregate := last.Expr.(tree.Aggregate); !aggregate && len(s.Items) > 1 {
		return false
	}
	switch last.Expr.(type) {
	case tree.Aggregate, tree.Column, tree.Arith:
		last.Expr, last.Alias = tree.Arith{Op: '*', Left: last.Expr, Right: factor}, "product"
		return true
	}
	return false
}
