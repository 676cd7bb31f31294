package english

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
