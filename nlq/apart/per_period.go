package apart

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/follow"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/nlq/settle/period"
	"quern/tree"
)

// perPeriod is how one asks for a number of each stretch of time.
var perPeriod = regexp.MustCompile(`(?i),?\s*\b(?P<each>per|(?:in |for |of )?(?:each|every)|by|` + english.PeriodAdverbs.Pattern() + `)\b` +
	`(?:\s+(?:calendar\s+)?(?P<unit>` + english.PeriodUnits.Pattern() + `))?\b`)

// perOnAverage is how one asks how many there are in such a stretch on average, which
// is one number.
var perOnAverage = regexp.MustCompile(`(?i)\b(?:how many|how much)\b.*\bon average\b|\bon average\b.*\b(?:how many|how much)\b|\baverage number of\b`)

// inEveryPeriod is how one asks for those of whom something is so in all stretches of
// time.
var inEveryPeriod = regexp.MustCompile(`(?i)^(?:which|who)\b.*\bevery\b`)

// readPerPeriod reads a text that asks for a number of each year, month or day: as
// the same text without the period, with its rows grouped by their time. ok is
// false when it is no such text, or the data have no time.
func (r Reader) readPerPeriod(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	unit, word, rest := cutPeriod(w.Text)
	// The hourly rate, cleaned weekly.
	named := r.Whole.ColumnNamed(word) || r.Whole.HasValue(word) || word == "per" && r.isNamedPer(unit)
	if unit == "" || named || strings.Trim(rest, "?!. ") == "" || perOnAverage.MatchString(w.Text) || inEveryPeriod.MatchString(w.Text) {
		return t, false, nil
	}
	whole, err := r.ReadWhole(ctx, ground.Wording{Text: rest, Rows: w.Rows})
	if err != nil || whole.Query == nil {
		return t, false, err
	}
	q := tree.Clone(whole.Query)
	if q.Select == nil || len(q.Select.Group) > 0 || q.Limit != nil || r.hasColumn(q.Select.From, unit) {
		return t, false, nil
	}
	when, ok := r.timeOf(q.Select, w.Text)
	if !ok || !r.hasUnit(q.Select, when, unit) {
		return t, false, nil
	}
	follow.GroupByPeriod(q, when, unit)
	period.WithinPeriods(q)
	t, ok = r.Translate(q, whole.Score, whole.Confidence)
	if !ok {
		return t, false, nil
	}
	t.Notes, t.Doubt, t.Words = whole.Notes, whole.Doubt, ground.Place(whole.Words, rest, w.Text)
	return t, true, nil
}

// hasUnit reports whether the times of a column can be told by a unit: days have no hours.
// What is earned per hour is then divided by hours.
func (r Reader) hasUnit(s *tree.Select, when tree.Column, unit string) bool {
	id, known := r.Whole.ColumnOf(s.From, when)
	return unit != "hour" || !known || r.Whole.Columns[id].Type != quern.Date
}

// hasColumn reports whether a dataset that is read has a column of a name: what is told
// by year where the rows have one is grouped by that.
func (r Reader) hasColumn(from []tree.Source, name string) bool {
	return slices.ContainsFunc(from, func(source tree.Source) bool {
		return slices.ContainsFunc(r.Whole.ColumnsOf(source), func(id int) bool {
			return slices.Contains(english.Stems(r.Whole.Columns[id].Words), english.Stem(name))
		})
	})
}

// isNamedPer reports whether a column is named by an adverb for a unit of time: what is
// paid per month is the monthly fee.
func (r Reader) isNamedPer(unit string) bool {
	return slices.ContainsFunc(english.PeriodAdverbs.Words(), func(adverb string) bool {
		return english.PeriodOf(adverb) == unit && r.Whole.ColumnNamed(adverb)
	})
}

// cutPeriod returns the unit of time that a text asks for each of, the word that says
// each, and the text without both; the unit is empty when there is none.
func cutPeriod(text string) (unit, word, rest string) {
	m, ok := english.Groups(perPeriod, text)
	if !ok {
		return "", "", text
	}
	word = strings.ToLower(m.Text("each"))
	if unit = strings.ToLower(m.Text("unit")); unit == "" {
		unit = english.PeriodOf(word)
	}
	start, end := m.Span("")
	return unit, word, strings.TrimSpace(fallsOn.ReplaceAllString(text[:start], "") + text[end:])
}

// fallsOn says before a stretch of time no more than that something is of it.
var fallsOn = regexp.MustCompile(`(?i)\s+(?:falls?|fell|happen(?:s|ed)?|takes? place|took place)?\s*\b(?:on|in)$`)

// timeOf returns the column of times among the sources of a query: the one that its
// conditions are on already, one that the text names, one that is named like a dataset, or
// the first.
func (r Reader) timeOf(s *tree.Select, text string) (tree.Column, bool) {
	for _, c := range tree.Conjuncts(s.Where) {
		if column, ok := ground.TimeCompared(c); ok {
			return column, true
		}
	}
	var found []schema.TimeColumn
	var words []string
	for _, source := range s.From {
		found = append(found, r.Whole.TimesOf(source)...)
		words = append(words, lex.Words(source.Dataset.Dataset, nil)...)
	}
	isAgreed := func(t schema.TimeColumn) bool { return ground.IsAgreed(t.Of) }
	if all := slices.DeleteFunc(slices.Clone(found), isAgreed); len(all) > 0 && !period.SpeaksOfAgreeing(text) {
		found = all
	}
	said := english.Stems(slices.DeleteFunc(lex.Lower(lex.Tokens(text)), lex.Function))
	for _, t := range found {
		if slices.ContainsFunc(english.Stems(t.Of.Words), func(w string) bool { return slices.Contains(said, w) }) {
			return t.Column, true
		}
	}
	if len(found) == 0 {
		return tree.Column{}, false
	}
	if named := schema.NamedTimes(found, words); len(named) == 1 {
		return named[0].Column, true
	}
	return found[0].Column, true
}
