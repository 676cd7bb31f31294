package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/nlq/lex"
	"quern/nlq/schema"
)

func indexed(values ...string) *schema.Values {
	v := schema.NewValues(0)
	for _, s := range values {
		v.Add(s)
	}
	v.Done()
	return v
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	v := indexed("yes", "Yes", "no", "maybe")
	if got := strings.Join(v.Spellings("YES"), " "); got != "yes Yes" {
		t.Errorf("Spellings(YES) = %s, want yes and Yes", got)
	}
	if got := v.Spellings("no"); len(got) > 0 {
		t.Errorf("Spellings(no) = %v, want none: it is written in one way", got)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	v := indexed("United States", "United Kingdom", "France", "Zürich", "Golden Retriever", "Dogs", "A-350", "New York City", "York")
	for _, c := range []struct {
		text, want  string
		least, most float64
	}{
		{"united states", "United States", 1, 1},
		{"zurich", "Zürich", 1, 1},
		{"A 350", "A-350", 1, 1},
		{"dog", "Dogs", 0.95, 0.95},
		{"golden retrievers", "Golden Retriever", 0.95, 0.95},
		{"new york", "New York City", 0.6, 0.9},
		{"Frnace", "France", 0.7, 0.9},
		{"Untied States", "United States", 0.7, 0.9},
		{"York", "York", 1, 1},
		{"American", "United States", 0.9, 0.9},
		{"Germany", "", 0, 0},
		{"", "", 0, 0},
		{strings.Repeat("x", 1000), "", 0, 0},
	} {
		all := v.Find(c.text)
		if c.want == "" {
			if len(all) != 0 {
				t.Errorf("Find(%q) = %v, want nothing", c.text, all)
			}
			continue
		}
		if len(all) == 0 || all[0].Value != c.want || all[0].Score < c.least || all[0].Score > c.most {
			t.Errorf("Find(%q) = %v, want %s with %g to %g first", c.text, all, c.want, c.least, c.most)
		}
	}
	if !v.Word("retrievers") || v.Word("Germany") {
		t.Error("Word(retrievers), Word(Germany) = false or true, want true and false")
	}
	if got, ok := v.Exact("new york city"); !ok || got != "New York City" {
		t.Errorf("Exact(new york city) = %q, %v", got, ok)
	}
	if got, ok := v.Alike(schema.KeyOf("dog")); !ok || got != "Dogs" {
		t.Errorf("Alike(dog) = %q, %v", got, ok)
	}
}

// A value of several words is found by one that no other has, and one with alternatives by
// each of them, in any number.
func TestValuesByTheirWords(t *testing.T) {
	t.Parallel()
	v := indexed("SK Slavia Praha", "AC Sparta Praha", "Cook / Baker", "Watchman")
	for text, want := range map[string]string{"slavia prague": "SK Slavia Praha", "bakers": "Cook / Baker"} {
		if found := v.Find(text); len(found) != 1 || found[0].Value != want || found[0].Score >= schema.ScoreStems {
			t.Errorf("Find(%q) = %v, want %s alone, below the score of the same words", text, found, want)
		}
	}
	if found := v.Find("slavia moscow"); len(found) != 0 {
		t.Errorf("Find(slavia moscow) = %v, want nothing", found)
	}
}

// The year of dates that are written out is one that all of them have.
func TestWrittenDates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []string
		year   string
		want   bool
	}{
		{[]string{"Jun 12 1998", "Mar 1 1999"}, "1999", true},
		{[]string{"Jun 12 1998", "Mar 1 1999"}, "2001", false},
		{[]string{"Jun 12 1998", "Mar 1 1999"}, "12", false},
		{[]string{"Jun 12 1998", "soon"}, "1998", false},
		{[]string{"1998", "1999"}, "1999", false},
	} {
		if got := indexed(c.values...).Dated(c.year); got != c.want {
			t.Errorf("Dated(%s) of %v = %v, want %v", c.year, c.values, got, c.want)
		}
	}
}

func TestAliasesOfValues(t *testing.T) {
	t.Parallel()
	few := indexed("F", "M")
	if found := few.Find("females"); len(found) != 1 || found[0].Value != "F" {
		t.Errorf("Find(females) in F, M = %v, want F", found)
	}
	many := indexed(strings.Split("ABCDEFGHIJKLM", "")...)
	if found := many.Find("females"); len(found) != 0 {
		t.Errorf("Find(females) in A to M = %v, want nothing", found)
	}
}

func TestNumbersOfAColumn(t *testing.T) {
	t.Parallel()
	v := indexed("1.50", "-3", "1e3", "20")
	if low, high, ok := v.Range(); !ok || low != -3 || high != 1000 || !v.Numeric() {
		t.Errorf("Range() = %g, %g, %v, want -3, 1000", low, high, ok)
	}
	for _, c := range []struct {
		text string
		want bool
	}{{"1.5", true}, {"1000", true}, {"one thousand", true}, {"twenty", true}, {"7", false}} {
		decimal, _ := lex.Number(c.text)
		if v.HasNumber(decimal) != c.want {
			t.Errorf("HasNumber(%s) = %v, want %v", decimal, !c.want, c.want)
		}
		if found := v.Find(c.text); (len(found) > 0 && found[0].Score == 1) != c.want {
			t.Errorf("Find(%s) = %v, want an exact one: %v", c.text, found, c.want)
		}
	}
	v = indexed("1", "2", "n/a")
	if v.Numeric() {
		t.Error("Numeric() of 1, 2, n/a = true, want false")
	}
}

func TestValuesAreBounded(t *testing.T) {
	t.Parallel()
	v := schema.NewValues(100)
	for i := range 1000 {
		v.Add(fmt.Sprint("value ", i))
		v.Add(fmt.Sprint(i))
	}
	v.Done()
	if _, high, _ := v.Range(); v.Len() != 100 || v.Complete() || high != 999 {
		t.Errorf("Len, Complete, Range = %d, %v, %g, want 100, false, 999", v.Len(), v.Complete(), high)
	}
	v = schema.NewValues(1 << 30)
	for i := range 100_000 {
		v.Add(fmt.Sprint(i, strings.Repeat(" lorem ipsum", 20)))
		v.Add(fmt.Sprint(i, " of a short kind"))
	}
	v.Done()
	if v.Bytes() > 8<<20 || v.Complete() || !v.Word("ipsum") {
		t.Errorf("Bytes, Complete = %d, %v, want at most 8 MiB, false", v.Bytes(), v.Complete())
	}
}
