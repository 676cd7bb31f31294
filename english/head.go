package english

import (
	"slices"
	"strings"
)

// Words in sentences about rows (states.txt).
var (
	states  = marked("states.txt", "state")
	adverbs = marked("states.txt", "adverb")
	singles = marked("states.txt", "single")
)

// behindHead are words behind the noun of a name: number of guests, price per night.
var behindHead = []string{"of", "in", "per", "for", "to", "from", "at", "on", "by", "with", "until", "since"}

// IsState reports whether a name says what rows are, so that people say that they are paid
// or that they are active: of a column such as "fully paid", not of "newsletter".
func IsState(name string) bool {
	words := strings.Fields(strings.ToLower(name))
	for len(words) > 1 && (adverbs.Has(words[0]) || strings.HasSuffix(words[0], "ly")) {
		words = words[1:]
	}
	return len(words) == 1 && (states.Has(words[0]) || Happening(words[0]) != "")
}

// head returns the words of a name and which of them is its noun: days of "days of hire",
// tickets of "tickets sold", id of "rental id"; -1 where none is.
func head(name string) (words []string, noun int) {
	words = strings.Fields(name)
	noun = len(words) - 1
	if i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(behindHead, strings.ToLower(w)) }); i > 0 {
		noun = i - 1
	}
	isNoun := func(w string) bool {
		w = strings.ToLower(w)
		return !NotNouns.Has(w) && Happening(w) == ""
	}
	for noun >= 0 && !isNoun(words[noun]) {
		noun--
	}
	return words, noun
}

// Head returns the noun of a name in small letters, as id of "rental id"; empty where it has
// none.
func Head(name string) string {
	words, noun := head(name)
	if noun < 0 {
		return ""
	}
	return strings.ToLower(words[noun])
}

// IsMany reports whether the noun of a name is one for many: "days", "tickets sold".
func IsMany(name string) bool {
	noun := Head(name)
	isRegular := len(noun) > 3 && Singular(noun) != noun
	return isRegular && !singles.Has(noun) && !Uncountable.Has(noun)
}

// NameOfMany returns a name with its noun in the form for many: "rental ids" of "rental id".
// ok is false where its noun has none.
func NameOfMany(name string) (many string, ok bool) {
	return inForm(name, func(one string) string { return Plural(one) })
}

// NameOfOne returns a name with its noun in the form for one.
func NameOfOne(name string) (one string, ok bool) {
	return inForm(name, func(one string) string { return one })
}

func inForm(name string, form func(one string) string) (formed string, ok bool) {
	words, noun := head(name)
	if noun < 0 {
		return name, false
	}
	word := strings.ToLower(words[noun])
	for _, r := range word {
		if r < 'a' || r > 'z' {
			return name, false
		}
	}
	if Uncountable.Has(word) || singles.Has(word) || len(word) < 3 && word != "id" || noun < len(words)-1 && Happening(words[len(words)-1]) != "" {
		return name, false
	}
	if many := form(Singular(word)); !strings.EqualFold(words[noun], many) {
		words[noun] = many
	}
	return strings.Join(words, " "), true
}

// IsMoneyName reports whether the noun of a name says that its numbers are amounts of money:
// "unit price", "fee per night".
func IsMoneyName(name string) bool {
	noun := Head(name)
	return Money.Has(noun) || Money.Has(Singular(noun))
}

// TimeNoun names a column of times within a sentence: "joined date", "due date", "value of at".
func TimeNoun(name string) string {
	words := strings.Fields(strings.ToLower(name))
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch verb := Happening(name); {
	case verb != "":
		return verb + " date"
	case NotNouns.Has(last):
		return "value of " + name
	}
	return name
}
