package english_test

import (
	"slices"
	"testing"

	"quern/english"
)

func TestTyped(t *testing.T) {
	t.Parallel()
	known := func(word string) bool { return word == "tot" }
	for text, want := range map[string][]english.Change{
		"Hw mny unpaid b4 2016":    {{0, 2, "how"}, {3, 6, "many"}, {14, 16, "before"}},
		"plots w/o shed, ttl rent": {{6, 9, "without"}, {16, 19, "total"}},
		"under 7m, 45mins at 5 m":  {{7, 7, " "}, {12, 12, " "}},
		"tot of hwork, PR":         nil,
		"nice 2 see the 2 boats":   {{5, 6, "to"}},
		"":                         nil,
	} {
		if got := english.Typed(text, known); !slices.Equal(got, want) {
			t.Errorf("Typed(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestBases(t *testing.T) {
	t.Parallel()
	for form, base := range map[string]string{
		"dearer": "dear", "bigger": "big", "priciest": "pricy", "stories": "story", "watches": "watch", "rated": "rate", "dived": "dive", "easily": "easy",
	} {
		if got := english.Bases(form); !slices.Contains(got, base) {
			t.Errorf("Bases(%q) = %q, want %q among them", form, got, base)
		}
	}
	for _, word := range []string{"", "s", "is", "red", "customr"} {
		if got := english.Bases(word); len(got) != 0 {
			t.Errorf("Bases(%q) = %q, want none", word, got)
		}
	}
}

// Every word that people ask with is there once, and is a word.
func TestAsked(t *testing.T) {
	t.Parallel()
	all := english.Asked()
	sorted := slices.Sorted(slices.Values(all))
	if len(all) < 3000 || all[0] != "the" || len(slices.Compact(sorted)) != len(all) || !slices.ContainsFunc(all, english.IsPlain) {
		t.Errorf("Asked has %d words from %q on, want thousands, each once", len(all), all[0])
	}
}

func TestNamePart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  english.Part
	}{
		{[]string{"first", "name"}, english.FirstName}, {[]string{"forename"}, english.FirstName}, {[]string{"last"}, english.LastName},
		{[]string{"surname"}, english.LastName}, {[]string{"last", "visit"}, english.NoName}, {[]string{"name"}, english.NoName}, {nil, english.NoName},
	} {
		if got := english.NamePart(c.words); got != c.want {
			t.Errorf("NamePart(%q) = %d, want %d", c.words, got, c.want)
		}
	}
}
