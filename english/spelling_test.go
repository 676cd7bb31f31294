package english_test

import (
	"testing"

	"quern/english"
)

func TestRespell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"avrage": "average", "avergae": "average", "averrage": "average", "hightest": "highest", "numbr": "number",
		"average": "", "rage": "", "cat": "", "members": "", "": "",
	} {
		if got, ok := english.Respell(word); got != want || ok != (want != "") {
			t.Errorf("Respell(%q) = %q, %t, want %q", word, got, ok, want)
		}
	}
}

func TestTyped(t *testing.T) {
	t.Parallel()
	known := func(word string) bool { return word == "tot" }
	for text, want := range map[string]string{
		"Hw mny unpaid b4 2016":    "how many unpaid before 2016",
		"plots w/o shed, ttl rent": "plots without shed, total rent",
		"tot of hwork":             "tot of hwork",
		"kg pr xmas ord, unpayed":  "kg per christmas ord, unpaid",
		"":                         "",
	} {
		if got := english.Typed(text, known); got != want {
			t.Errorf("Typed(%q) = %q, want %q", text, got, want)
		}
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
