package apart

import (
	"context"
	"regexp"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/follow"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// topPeriod is how one asks which stretch of time has the most of something.
var topPeriod = regexp.MustCompile(`(?i)^(?:(?:and|so|now) )?(?:in |during |on )?` +
	`(?:which|what) (?:calendar )?(?P<unit>` + english.PeriodUnits.Pattern() + `)s?` +
	` (?P<between>(?:\S+ ){0,3}?)(?:the )?(?P<end>` + english.ManyEnds.With(english.FewEnds).Pattern() + `) (?P<what>[^?.!]+)[?.!]*$`)

// yearOf finds a year: which month of 2025.
var yearOf = regexp.MustCompile(`\b(?:19|20)\d\d\b`)

// readTopPeriod reads a text that asks which year, month or day has the most of
// something: as the text that asks for that number, of which each such stretch of time
// has one. ok is false when it is no such text, or the data have no time.
func (r Reader) readTopPeriod(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(topPeriod, w.Text)
	if !ok || r.Whole.ColumnNamed(strings.ToLower(m.Text("unit"))) {
		return t, false, nil
	}
	end, what := strings.ToLower(m.Text("end")), m.Text("what")
	if year := yearOf.FindString(m.Text("between")); year != "" {
		what += " in " + year
	}
	whole, err := r.ReadWhole(ctx, ground.Wording{Text: r.numberAsked(end, what), Rows: w.Rows})
	if err != nil || whole.Query == nil {
		return t, false, err
	}
	q := tree.Clone(whole.Query)
	plain := q.Select != nil && len(q.Select.Group) == 0 && q.Limit == nil && len(q.Select.Items) == 1
	if !plain || !isAggregate(q.Select.Items[0].Expr) {
		return t, false, nil
	}
	when, ok := r.timeOf(q.Select, w.Text)
	if !ok {
		return t, false, nil
	}
	number := q.Select.Items[0].Expr
	follow.GroupByPeriod(q, when, strings.ToLower(m.Text("unit")))
	one := int64(1)
	q.Select.Items, q.Limit = q.Select.Items[:1], &one
	q.Order = []tree.Order{{Expr: number, Desc: english.ManyEnds.Has(end)}}
	t, ok = r.Translate(q, whole.Score, whole.Confidence)
	if !ok {
		return t, false, nil
	}
	t.Notes, t.Doubt, t.Words = whole.Notes, whole.Doubt, ground.Place(whole.Words, "", w.Text)
	return t, true, nil
}

// numberAsked returns the question for the number of which a stretch of time has the
// most: of rows where a dataset is named, or else of what is named.
func (r Reader) numberAsked(end, what string) string {
	measured := end != "most" && end != "fewest" && end != "least"
	switch {
	case english.Functions.Has(strings.ToLower(strings.Fields(what)[0])):
		return "What is the " + what + "?"
	case measured:
		return "What is the " + end + " " + what + "?"
	case r.Whole.MentionsTable(what):
		return "How many " + what + "?"
	}
	if rows, ok := r.rowsThatHappen(what); ok {
		return "How many " + rows + "?"
	}
	return "What is the total " + what + "?"
}

// rowsThatHappen returns a phrase that begins with what happens at a time of one dataset
// as one about its rows: the arrivals in May are the bookings in May.
func (r Reader) rowsThatHappen(what string) (phrase string, ok bool) {
	noun, rest, _ := strings.Cut(strings.TrimSpace(what), " ")
	if r.Whole.ColumnNamed(strings.ToLower(noun)) {
		return "", false
	}
	var found []string
	for _, t := range r.Whole.Tables {
		source := tree.Source{Dataset: t.Path}
		if len(schema.NamedTimes(r.Whole.TimesOf(source), []string{strings.ToLower(noun)})) > 0 {
			found = append(found, strings.Join(t.Words, " "))
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return strings.TrimSpace(found[0] + " are there " + rest), true
}

func isAggregate(e tree.Expr) bool {
	_, ok := e.(tree.Aggregate)
	return ok
}
