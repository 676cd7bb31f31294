package apart

import (
	"context"
	"regexp"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/settle/amount"
	"quern/tree"
)

// timesAverage is how one compares with a number of times the average: more than twice
// the average, at least three times the usual.
var timesAverage = regexp.MustCompile(`(?i)\b(?P<factor>` + english.Factors.Pattern() + `|[\w.]+ times) (?:as \w+ as )?` +
	`(?:the|their|its|our)\b(?: \w+){0,2}? ` + english.Averages.Pattern() + `\b`)

// readFactor reads a text that compares with a number of times an average: as the text
// that compares with the average itself. ok is false when it is no such text, or is read
// without such a comparison.
func (r Reader) readFactor(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(timesAverage, w.Text)
	if !ok {
		return t, false, nil
	}
	factor, ok := factorOf(strings.ToLower(m.Text("factor")))
	if !ok {
		return t, false, nil
	}
	start, end := m.Span("factor")
	rest := w.Text[:start] + w.Text[end+1:]
	return r.reread(ctx, w, rest, func(q *tree.Query) bool {
		return multiplyAverages(q, tree.Literal{Kind: tree.Number, Text: factor}) == 1
	})
}

// reread reads a text as another that says less, whose query change then makes say the rest. ok
// is false when that is not read, or change cannot.
func (r Reader) reread(ctx context.Context, w ground.Wording, as string, change func(*tree.Query) bool) (t nlq.Translation, ok bool, err error) {
	whole, err := r.ReadWhole(ctx, ground.Wording{Text: as, Rows: w.Rows})
	if err != nil || whole.Query == nil {
		return t, false, err
	}
	q := tree.Clone(whole.Query)
	if !change(q) {
		return t, false, nil
	}
	t, ok = r.Translate(q, whole.Score, whole.Confidence)
	if !ok {
		return t, false, nil
	}
	t.Notes, t.Doubt, t.Words = whole.Notes, whole.Doubt, ground.Place(whole.Words, as, w.Text)
	return t, true, nil
}

// factorWords are words that multiply, and by how much.
var factorWords = map[string]string{
	"twice": "2", "double": "2", "thrice": "3", "triple": "3", "quadruple": "4", "half": "0.5", "tenfold": "10",
}

// factorOf returns the number that a phrase multiplies by: twice, three times.
func factorOf(phrase string) (decimal string, ok bool) {
	if decimal, ok = factorWords[phrase]; ok {
		return decimal, true
	}
	number, ok := strings.CutSuffix(phrase, " times")
	if !ok {
		return "", false
	}
	return lex.Number(number)
}

// multiplyAverages multiplies what a query compares with where that is an average that
// another query finds, and returns how many such comparisons there are.
func multiplyAverages(q *tree.Query, factor tree.Literal) (found int) {
	if q.Select == nil {
		return 0
	}
	multiply := func(conds []tree.Cond) tree.Cond {
		var all []tree.Cond
		for _, c := range conds {
			if compare, ok := c.(tree.Compare); ok && amount.IsAverageFound(compare.Right) {
				compare.Right = tree.Arith{Op: '*', Left: factor, Right: compare.Right}
				c = compare
				found++
			}
			all = append(all, c)
		}
		return tree.All(all...)
	}
	q.Select.Where = multiply(tree.Conjuncts(q.Select.Where))
	q.Select.Having = multiply(tree.Conjuncts(q.Select.Having))
	return found
}
