package knowledge

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quern"
)

// The most that a document holds.
const (
	MaxWords     = 10_000
	MaxEntries   = 1_000 // of every other list
	MaxWordings  = 20    // of a verified question, and other words of any entry
	MaxText      = 500   // characters of a name or a word
	MaxQuery     = 10_000
	MaxDocument  = 4 << 20 // bytes, as JSON
	mostProblems = 50      // that one answer names
)

// aggregates are what several rows of a measure may be made into.
var aggregates = []string{"sum", "avg", "min", "max", "count", "median"}

// failures collects what is wrong with a document.
type failures struct{ sub []quern.SubError }

func (f *failures) add(kind string, e entry, format string, args ...any) {
	if len(f.sub) == mostProblems {
		return
	}
	f.sub = append(f.sub, quern.SubError{
		Code: "knowledge", Message: fmt.Sprintf("%s %s: %s", kind, quern.Clip(e.key(), 100), fmt.Sprintf(format, args...)),
	})
}

// err returns what was collected; nil when nothing was.
func (f *failures) err() error {
	if len(f.sub) == 0 {
		return nil
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "the knowledge does not hold what it must").With(f.sub...)
}

// checkForm fails when a document is larger than the limits allow, or an entry of
// it lacks something whatever the data are.
func checkForm(d *Document) error {
	if err := checkSizes(d); err != nil {
		return err
	}
	var f failures
	seen := map[string]bool{}
	d.each(func(kind string, e entry) {
		if id := kind + "\x00" + e.key(); seen[id] {
			f.add(kind, e, "stands twice")
		} else {
			seen[id] = true
		}
		for _, t := range texts(e) {
			switch {
			case t.required && strings.TrimSpace(t.value) == "":
				f.add(kind, e, "%s is empty", t.name)
			case utf8.RuneCountInString(t.value) > t.most:
				f.add(kind, e, "%s is longer than %d characters", t.name, t.most)
			case !utf8.ValidString(t.value) || strings.ContainsFunc(t.value, isHidden):
				f.add(kind, e, "%s has characters that cannot be seen", t.name)
			}
		}
		checkChoices(&f, kind, e)
	})
	return f.err()
}

// isHidden reports whether a character hides text or turns its direction.
func isHidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
}

func checkSizes(d *Document) error {
	tooMany := func(what string, n, most int) error {
		return quern.E(quern.Invalid, quern.CodeInvalid, "there are %d %s; a namespace has at most %d", n, what, most)
	}
	counts := map[string]int{}
	d.each(func(kind string, _ entry) { counts[kind]++ })
	for _, kind := range kinds {
		most := MaxEntries
		if kind == "words" {
			most = MaxWords
		}
		if counts[kind] > most {
			return tooMany(kind, counts[kind], most)
		}
	}
	return nil
}

// text is a member of an entry, and what it must be.
type text struct {
	name, value string
	most        int
	required    bool
}

// texts returns the texts of an entry.
func texts(e entry) []text {
	word := func(name, value string, required bool) text { return text{name, value, MaxText, required} }
	several := func(name string, values []string) []text {
		all := make([]text, len(values))
		for i, v := range values {
			all[i] = word(name, v, true)
		}
		return all
	}
	switch e := e.(type) {
	case Word:
		all := []text{word("word", e.Word, true), word("means", e.Means, true)}
		if e.Value != nil {
			all = append(all, word("value", *e.Value, false))
		}
		return all
	case Adjective:
		return []text{word("word", e.Word, true), word("opposite", e.Opposite, false), word("column", e.Column, true)}
	case Measure:
		return append(several("words", e.Words), word("name", e.Name, true), word("dataset", e.Dataset, true),
			text{"expression", e.Expression, MaxQuery, true}, word("unit", e.Unit, false))
	case Condition:
		return append(several("words", append(slices.Clone(e.Words), e.Lift...)), word("name", e.Name, true), word("dataset", e.Dataset, true),
			text{"where", e.Where, MaxQuery, true})
	case Dataset:
		return append(several("unused", e.Unused), word("dataset", e.Dataset, true), word("time", e.Time, false), word("label", e.Label, false),
			word("key", e.Key, false))
	case Link:
		return append(several("words", e.Words), word("from", e.From, true), word("to", e.To, true))
	case Topic:
		return append(several("words", e.Words), word("topic", e.Topic, true), text{"answer", e.Answer, MaxQuery, false})
	case Verified:
		return append(several("questions", e.Questions), word("name", e.Name, true), text{"query", e.Query, MaxQuery, true})
	case Test:
		all := []text{word("question", e.Question, true)}
		if e.Query != nil {
			all = append(all, text{"query", *e.Query, MaxQuery, true})
		}
		return all
	}
	return nil
}

// checkChoices holds members that take a few values, and lists of words, to them.
func checkChoices(f *failures, kind string, e entry) {
	short := func(name string, list []string) {
		if len(list) > MaxWordings {
			f.add(kind, e, "%s has %d texts, and may have %d", name, len(list), MaxWordings)
		}
	}
	switch e := e.(type) {
	case Word:
		if _, column := Column(e.Means); column == "" && e.Value != nil {
			f.add(kind, e, "a value is one of a column: means is dataset.column")
		}
	case Adjective:
		if e.End != Highest && e.End != Lowest {
			f.add(kind, e, "end is %q, and must be %s or %s", e.End, Highest, Lowest)
		}
	case Dataset:
		checkCalendar(f, kind, e)
	case Measure:
		short("words", e.Words)
		for _, a := range append(slices.Clone(e.Never), e.Aggregate) {
			if a != "" && !slices.Contains(aggregates, a) {
				f.add(kind, e, "%q is no aggregate; there are %s", a, strings.Join(aggregates, ", "))
			}
		}
	case Condition:
		short("words", e.Words)
		short("lift", e.Lift)
	case Link:
		short("words", e.Words)
	case Topic:
		short("words", e.Words)
	case Verified:
		short("questions", e.Questions)
		if len(e.Questions) == 0 {
			f.add(kind, e, "it has no wording")
		}
	}
}

// weekdays are the days that a week may begin on.
var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// checkCalendar holds the beginnings of years and weeks to days that there are.
func checkCalendar(f *failures, kind string, d Dataset) {
	if _, err := time.Parse("01-02", d.FiscalYear); d.FiscalYear != "" && err != nil {
		f.add(kind, d, "fiscalYear is %q, and must be month and day, as 10-01", d.FiscalYear)
	}
	if d.FiscalYearNamed != "" && d.FiscalYearNamed != YearOfStart && d.FiscalYearNamed != YearOfEnd {
		f.add(kind, d, "fiscalYearNamed is %q, and must be %s or %s", d.FiscalYearNamed, YearOfStart, YearOfEnd)
	}
	if d.Week != "" && !slices.Contains(weekdays, d.Week) {
		f.add(kind, d, "week is %q, and must be one of %s", d.Week, strings.Join(weekdays, ", "))
	}
}
