package english

import (
	"regexp"
	"strings"
)

// Part is a part of a person's name.
type Part uint8

// The parts.
const (
	NoName Part = iota
	FirstName
	LastName
)

var (
	firstNames = marked("columns.txt", "firstname")
	lastNames  = marked("columns.txt", "lastname")
)

// NamePart returns which part of a person's name a column with a name of some words
// holds: first name, surname, last. NoName when it holds none.
func NamePart(words []string) Part {
	if len(words) == 2 && words[1] == "name" {
		words = words[:1]
	}
	switch {
	case len(words) != 1:
		return NoName
	case firstNames.Has(words[0]):
		return FirstName
	case lastNames.Has(words[0]):
		return LastName
	}
	return NoName
}

// IsWholeName reports whether a text is the name of one as people have them: two parts or
// more, each with a capital letter, and no number.
func IsWholeName(text string) bool { return wholeName.MatchString(text) }

var wholeName = regexp.MustCompile(`^\p{Lu}[\pL\pM.'’-]*(?: (?:(?:van|von|der|den|de|di|da|del|la|le|bin|al) )*\p{Lu}[\pL\pM.'’-]*){1,3}$`)

// IsHandedTo reports whether a column with a name of some words says who got what its rows
// are: lent to.
func IsHandedTo(words []string) bool {
	n := len(words)
	if n < 2 || words[n-1] != "to" {
		return false
	}
	done := words[n-2]
	return participles[done] || strings.HasSuffix(done, "ed") && len(done) > 4
}
