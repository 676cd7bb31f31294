package embedded

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern/nlq"
	"quern/nlq/lex"
	"quern/tree"
)

// perPeriod is how one asks for a number of each stretch of time.
var perPeriod = regexp.MustCompile(`(?i),?\s*\b(per|(?:in |for |of )?(?:each|every)|by|monthly|yearly|annually|daily|quarterly)\b(?:\s+(?:calendar\s+)?(year|quarter|month|day|hour))?\b`)

// adverbs say the period without a noun.
var adverbs = map[string]string{"monthly": "month", "yearly": "year", "annually": "year", "daily": "day", "quarterly": "quarter"}

// finer gives the parts of a time that tell its periods apart.
var finer = map[string][]string{
	"year": {"year"}, "quarter": {"year", "quarter"}, "month": {"year", "month"},
	"day": {"year", "month", "day"}, "hour": {"year", "month", "day", "hour"},
}

// periodic reads a question for a number of each year, month or day: the same
// question without the period, its rows split by the time of theirs. ok is false
// when it is not such a question, or the data have no time.
func (r *reader) periodic(ctx context.Context) (t nlq.Translation, ok bool, err error) {
	at := perPeriod.FindStringSubmatchIndex(r.question.Text)
	if at == nil {
		return t, false, nil
	}
	unit := adverbs[strings.ToLower(r.question.Text[at[2]:at[3]])]
	if at[4] >= 0 {
		unit = strings.ToLower(r.question.Text[at[4]:at[5]])
	}
	if unit == "" || r.hasColumn(unit) {
		return t, false, nil
	}
	rest := *r
	rest.question.Text = strings.TrimSpace(r.question.Text[:at[0]] + r.question.Text[at[1]:])
	if strings.Trim(rest.question.Text, "?!. ") == "" {
		return t, false, nil
	}
	whole, err := rest.standing(ctx)
	if err != nil || whole.Query == nil {
		return t, false, err
	}
	c, ok := r.split(whole, unit)
	if !ok {
		return t, false, nil
	}
	return r.translation(c, whole.Confidence), true, nil
}

// hasColumn reports whether a column is named by a word.
func (r *reader) hasColumn(word string) bool {
	for _, c := range r.schema.Columns {
		if slices.Contains(c.Words, word) {
			return true
		}
	}
	return false
}

// split groups a query's numbers by the periods of its rows' time.
func (r *reader) split(whole nlq.Translation, unit string) (*candidate, bool) {
	q, ok := copied(whole.Query)
	if !ok || q.Select == nil || len(q.Select.Group) > 0 || q.Limit != nil {
		return nil, false
	}
	when, ok := r.time(q.Select.From)
	if !ok {
		return nil, false
	}
	splitBy(q, when, unit)
	return r.candidate(q, whole.Score)
}

// splitBy groups a query's numbers by the periods of a time.
func splitBy(q *tree.Query, when tree.Column, unit string) {
	s := q.Select
	s.Items = slices.DeleteFunc(s.Items, func(i tree.Item) bool { return !hasAggregates([]tree.Item{i}) })
	if len(s.Items) == 0 {
		s.Items, s.Distinct = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}, false
	}
	q.Order, s.Group = nil, nil
	var parts []tree.Item
	for _, part := range finer[unit] {
		e := tree.Call{Func: part, Args: []tree.Expr{when}}
		parts = append(parts, tree.Item{Expr: e, Alias: part})
		s.Group = append(s.Group, e)
		q.Order = append(q.Order, tree.Order{Expr: e})
	}
	s.Items = append(parts, s.Items...)
}

// time gives the column of times among sources: one that the question names, one
// that is named like a dataset, or the first.
func (r *reader) time(from []tree.Source) (tree.Column, bool) {
	var found []moment
	var words []string
	for _, source := range from {
		found = append(found, r.momentsOf(source)...)
		words = append(words, lex.Words(source.Dataset.Dataset, nil)...)
	}
	for _, m := range found {
		if slices.ContainsFunc(m.of.Words, func(w string) bool { return strings.Contains(strings.ToLower(r.question.Text), w) }) {
			return m.column, true
		}
	}
	if len(found) == 0 {
		return tree.Column{}, false
	}
	if named := fitting(found, words); len(named) == 1 {
		return named[0].column, true
	}
	return found[0].column, true
}
