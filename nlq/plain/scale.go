package plain

import (
	"regexp"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
)

// amountOf finds a word that may be a unit, and the number before it.
var amountOf = regexp.MustCompile(`(?i)\b(?:(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?) ?)?(\pL+)\b`)

// inScale returns a text in the units of the data, where they have none of those that it
// says and one of the same kind: over 2 kg is over 2000 g where weights are in grams.
func (r Rules) inScale(text string) string {
	var changes []english.Change
	for _, at := range amountOf.FindAllStringSubmatchIndex(text, -1) {
		unit := text[at[4]:at[5]]
		number, start := numberBefore(text, at[0])
		if at[2] >= 0 {
			number, start = strings.ReplaceAll(text[at[2]:at[3]], ",", ""), at[0]
		}
		if word, ok := r.ownWord(unit); ok {
			changes = append(changes, english.Change{Start: at[4], End: at[5], By: word})
			continue
		}
		own, ok := r.OwnScale(unit, number != "")
		if !ok {
			continue
		}
		if by, ok := own.Amount(number); ok {
			changes = append(changes, english.Change{Start: start, End: at[1], By: by})
		}
	}
	return Changed(text, changes)
}

// numberBefore returns the number that the words before a place say, and where they begin; no
// number and the place itself where they say none: two hundred kilos.
func numberBefore(text string, place int) (number string, start int) {
	before := strings.TrimRight(text[:place], " ")
	start = place
	for end := len(before); end > 0; {
		first := strings.LastIndexByte(before[:end], ' ') + 1
		decimal, ok := lex.Number(before[first:])
		if !ok && !strings.EqualFold(before[first:end], "and") {
			break
		}
		if ok {
			number, start = decimal, first
		}
		end = len(strings.TrimRight(before[:first], " "))
	}
	return number, start
}

// ownWord returns how the data write a unit that a text says in another way: kg for kilos. ok is
// false where they write it in several ways, in one letter, as the text does, or not at all.
func (r Rules) ownWord(unit string) (word string, ok bool) {
	said, isUnit := english.ScaleOf(unit)
	if !isUnit {
		return "", false
	}
	for _, c := range r.Whole.Columns {
		name, s, measures := ground.ScaleOf(c)
		switch {
		case !measures || s != said || name == word:
		case ok:
			return "", false
		default:
			word, ok = name, true
		}
	}
	isSame := english.Singular(strings.ToLower(unit)) == english.Singular(strings.ToLower(word))
	return word, ok && len(word) > 1 && !isSame
}
