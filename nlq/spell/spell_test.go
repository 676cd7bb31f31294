package spell_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quern/english"
	"quern/nlq/model"
	"quern/nlq/spell"
)

func words(t *testing.T) *spell.Words {
	t.Helper()
	v, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	return spell.New(english.Asked(), v.Words())
}

func TestRight(t *testing.T) {
	t.Parallel()
	all := words(t)
	names, values := []string{"mouldings", "customers", "insurance"}, []string{"leominster", "chutney"}
	for typed, want := range map[string]string{
		"watr": "water", "custmers": "customers", "emial": "email", "depht": "depth", "comitte": "committee", "wihtout": "without",
		"avearage": "average", "sepparatly": "separately", "ctgry": "category", "nvr": "never", "highst": "highest", "bougt": "bought",
		"mouldngs": "mouldings", "insurnce": "insurance", "leominstr": "leominster", "chutny": "chutney", // of the data
		"insur": "insurance", "sect": "", // section or sector
		"xqzt": "", "ab": "", "": "", "schornsteinfeger": "", "tram9": "", "naïve": "",
		"brn": "", // born, barn or burn
	} {
		if got, ok := all.Right(typed, names, values); ok != (want != "") || ok && got != want {
			t.Errorf("Right(%q) = %q, %t, want %q", typed, got, ok, want)
		}
	}
}

// The words of the data are likelier than others.
func TestTheDataComeFirst(t *testing.T) {
	t.Parallel()
	all := words(t)
	without, _ := all.Right("crry", nil, nil)
	with, ok := all.Right("crry", []string{"curry"}, nil)
	if without != "carry" || with != "curry" || !ok {
		t.Errorf("crry = %q, and %q where a column is called curry; want carry, then curry", without, with)
	}
}

func TestOneOf(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"manny": "many", "mcuh": "much", "oftn": "often", "tall": "", "": ""} {
		if got, ok := spell.OneOf(typed, "many", "much", "often"); got != want || ok != (want != "") {
			t.Errorf("OneOf(%q) = %q, %t, want %q", typed, got, ok, want)
		}
	}
}

// Of words that were misspelt at random most are found, and hardly any becomes another.
func TestMisspellingsAtRandom(t *testing.T) {
	t.Parallel()
	all, r := words(t), rand.New(rand.NewPCG(1, 2))
	v, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	tried, right, wrong := 0, 0, 0
	for _, word := range english.Asked()[:1500] {
		typed := misspelt(r, word)
		if len(word) < 5 || v.Known(typed) {
			continue
		}
		tried++
		got, ok := all.Right(typed, nil, nil)
		switch {
		case ok && english.Stem(got) == english.Stem(word):
			right++
		case ok:
			wrong++
		}
	}
	if tried < 500 || right < tried*85/100 || wrong > tried*5/100 {
		t.Errorf("of %d misspelt words %d were put right and %d wrong, want 85 and at most 5 in 100", tried, right, wrong)
	}
}

// misspelt makes a mistake in a word, behind its first letter.
func misspelt(r *rand.Rand, word string) string {
	i := 1 + r.IntN(len(word)-2)
	switch r.IntN(4) {
	case 0:
		return word[:i] + word[i+1:]
	case 1:
		return word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:]
	case 2:
		return word[:i] + word[i:i+1] + word[i:]
	}
	return word[:1] + strings.NewReplacer("a", "", "e", "", "i", "", "o", "", "u", "").Replace(word[1:])
}

func FuzzRight(f *testing.F) {
	v, err := model.Vectors()
	if err != nil {
		f.Fatal(err)
	}
	all := spell.New(english.Asked(), v.Words())
	f.Add("custmer", "customer")
	f.Fuzz(func(t *testing.T, typed, name string) {
		if got, ok := all.Right(typed, []string{name}, []string{name}); ok && got == "" {
			t.Errorf("Right(%q) is nothing", typed)
		}
	})
}
