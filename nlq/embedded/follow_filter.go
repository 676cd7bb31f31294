package embedded

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// cue is how a follow-up that narrows or moves the previous rows begins.
	cue = regexp.MustCompile(`^(and |but |now |then |ok |okay |so )*(only|just|what about|how about|and|instead|except|without|not|excluding|those|these|the ones|which of (them|those|these)|of (them|those|these)|in|for|from|with|since|before|after|during|over|under|above|below|more than|less than|at least|at most)\b(.*)$`)
	// negative is how one says what is left out.
	negative = regexp.MustCompile(`\b(except|without|not|excluding|but not|other than)\b`)
	// comparative is how one bounds a number.
	comparative = regexp.MustCompile(`\b(over|above|more than|greater than|higher than|at least|under|below|less than|fewer than|lower than|at most|up to)\s+(.+)$`)
)

var comparatives = map[string]tree.CompareOp{
	"over": tree.Greater, "above": tree.Greater, "more than": tree.Greater, "greater than": tree.Greater, "higher than": tree.Greater,
	"at least": tree.GreaterEq, "under": tree.Less, "below": tree.Less, "less than": tree.Less, "fewer than": tree.Less,
	"lower than": tree.Less, "at most": tree.LessEq, "up to": tree.LessEq,
}

// filtered narrows the previous rows or asks the same of others: "only the open
// ones", "and in 2021?", "what about Lyon?", "without the cancelled ones".
func filtered(f *follower) bool {
	m := cue.FindStringSubmatch(f.text)
	if m == nil {
		return false
	}
	c, ok := f.condition()
	if !ok {
		return false
	}
	if negative.MatchString(f.text) {
		f.query.Select.Where = tree.All(f.query.Select.Where, tree.Not{Cond: c})
		return true
	}
	f.query.Select.Where = f.replaced(c)
	return true
}

// condition gives what a follow-up says of the rows.
func (f *follower) condition() (tree.Cond, bool) {
	if c, ok := f.compared(); ok {
		return c, true
	}
	if c, ok := f.valued(); ok {
		return c, true
	}
	return f.timed()
}

// compared reads a bound of a number: "over 100", "price under 20".
func (f *follower) compared() (tree.Cond, bool) {
	m := comparative.FindStringSubmatchIndex(f.text)
	if m == nil {
		return nil, false
	}
	before, word, after := f.text[:m[0]], f.text[m[2]:m[3]], f.text[m[4]:m[5]]
	number, ok := lex.Number(after)
	rest := ""
	for fields := strings.Fields(after); !ok && len(fields) > 1; {
		fields, rest = fields[:len(fields)-1], fields[len(fields)-1]+" "+rest
		number, ok = lex.Number(strings.Join(fields, " "))
	}
	if !ok {
		return nil, false
	}
	column, ok := f.column(rest)
	if !ok {
		column, ok = f.column(cue.ReplaceAllString(before, "$4"))
	}
	if !ok {
		column, ok = f.onlyNumber()
	}
	return tree.Compare{Op: comparatives[word], Left: column, Right: tree.Literal{Kind: tree.Number, Text: number}}, ok
}

// onlyNumber gives the one column of numbers among the previous items.
func (f *follower) onlyNumber() (tree.Column, bool) {
	var found []tree.Column
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			c := tree.Column{Source: source.Ref(), Name: f.schema.Columns[i].Name}
			if isNumber(f.schema.Columns[i].Type) && slices.ContainsFunc(f.query.Select.Items, func(item tree.Item) bool { return reflect.DeepEqual(item.Expr, tree.Expr(c)) }) {
				found = append(found, c)
			}
		}
	}
	if len(found) != 1 {
		return tree.Column{}, false
	}
	return found[0], true
}

func isNumber(t quern.Type) bool {
	_, _, decimal := t.DecimalSize()
	return decimal || t == quern.Integer || t == quern.Double
}

// valued reads a value of a text column of the previous datasets, the longest
// that the follow-up holds.
func (f *follower) valued() (tree.Cond, bool) {
	const longest = 6
	for length := min(longest, len(f.tokens)); length > 0; length-- {
		for i := 0; i+length <= len(f.tokens); i++ {
			text := f.reader.question.Text[f.tokens[i].Start:f.tokens[i+length-1].End]
			if length == 1 && lex.Function(strings.ToLower(text)) {
				continue
			}
			if c, ok := f.holds(text); ok {
				return c, true
			}
		}
	}
	return nil, false
}

// holds gives the condition that a text column has a value.
func (f *follower) holds(text string) (tree.Cond, bool) {
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			c := f.schema.Columns[i]
			if c.Type != quern.Text || c.Values == nil {
				continue
			}
			value, ok := c.Values.Exact(lex.Fold(text))
			if !ok {
				value, ok = c.Values.Alike(schema.KeyOf(text))
			}
			if ok {
				return tree.Compare{Op: tree.Equal, Left: tree.Column{Source: source.Ref(), Name: c.Name}, Right: tree.Literal{Kind: tree.Text, Text: value}}, true
			}
		}
	}
	return nil, false
}

// timed reads a period for the one column of times, or the one of years.
func (f *follower) timed() (tree.Cond, bool) {
	periods := lex.Periods(f.tokens, f.reader.question.Now)
	if len(periods) != 1 {
		return nil, false
	}
	p := periods[0]
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			c := f.schema.Columns[i]
			column := tree.Column{Source: source.Ref(), Name: c.Name}
			switch {
			case c.Type == quern.Date || c.Type == quern.Timestamp:
				return during(column, c, p), true
			case p.Year && isNumber(c.Type) && slices.Contains(c.Words, "year"):
				return tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Number, Text: f.tokens[p.First].Text}}, true
			}
		}
	}
	return nil, false
}

// during gives the condition that a time is in a period, open sides included.
func during(column tree.Column, c schema.Column, p lex.Period) tree.Cond {
	literal := func(t interface{ Format(string) string }) tree.Literal {
		if c.Type == quern.Timestamp {
			return tree.Literal{Kind: tree.Timestamp, Text: t.Format("2006-01-02T15:04:05Z")}
		}
		return tree.Literal{Kind: tree.Date, Text: t.Format("2006-01-02")}
	}
	switch {
	case p.Until.IsZero():
		return tree.Compare{Op: tree.GreaterEq, Left: column, Right: literal(p.From.UTC())}
	case p.From.IsZero():
		return tree.Compare{Op: tree.Less, Left: column, Right: literal(p.Until.UTC())}
	}
	return tree.Period{Expr: column, From: literal(p.From.UTC()), Until: literal(p.Until.UTC())}
}

// replaced gives the previous conditions with a new one in the place of those
// of the same column, or behind them.
func (f *follower) replaced(c tree.Cond) tree.Cond {
	about := func(c tree.Cond) tree.Expr {
		switch c := c.(type) {
		case tree.Compare:
			return c.Left
		case tree.Period:
			return c.Expr
		}
		return nil
	}
	old := []tree.Cond{f.query.Select.Where}
	if and, ok := f.query.Select.Where.(tree.And); ok {
		old = and.Conds
	}
	var kept []tree.Cond
	for _, o := range old {
		if o != nil && (about(o) == nil || !reflect.DeepEqual(about(o), about(c))) {
			kept = append(kept, o)
		}
	}
	return tree.All(append(kept, c)...)
}
