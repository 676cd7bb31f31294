package link

import (
	"slices"

	"quern/english"
)

// Numbers that say who did something, or got it, are seldom named like the key of those people:
// taken_by, lent_to, soloist and reviewer_id refer to rows of staff, singers and translators.
const (
	// roleLikeness is what a name that stands for somebody speaks for the key of people.
	roleLikeness = 0.6
	// leastApart is how far from zero, as a share of its greatest number, a key begins
	// whose numbers other columns hardly have by accident.
	leastApart = 0.5
)

// isRole reports whether a column of whole numbers is named after somebody who had a part
// in its rows, and the key is that of people who may.
func isRole(origin, key *column, to *table) bool {
	isIdentity := key.identifies || key.Position == 0
	if origin.Class != numbers || !isIdentity || !to.isOfPeople() {
		return false
	}
	words := origin.name.special
	return len(words) > 0 && (mayBeRole(words[len(words)-1]) || english.IsHandedTo(english.NameWords(origin.Name)))
}

// mayBeRole reports whether a word says who had a part in something, or is short for one that
// does: spkr.
func mayBeRole(word string) bool {
	return english.Roles.Has(word) || slices.ContainsFunc(english.Clippings[word], english.Roles.Has)
}

// isOfPeople reports whether the rows of a table are people of the house, who do things:
// their names have two parts, or the table is named after a part that people have.
func (t *table) isOfPeople() bool {
	words := t.name.words
	if len(words) > 0 && english.Patrons.Has(words[len(words)-1]) {
		return false
	}
	hasRole := len(words) > 0 && english.Roles.Has(words[len(words)-1])
	return hasRole || slices.ContainsFunc(t.columns, func(c column) bool { return english.NamePart(english.NameWords(c.Name)) == english.LastName })
}

// isApart reports whether the numbers of a key begin far from zero, so that a column which
// has no others, and is not named like a measure, refers to it: members 200 to 223.
func (c *candidate) isApart() bool {
	key, words := c.key, c.origin.name.words
	isFar := key.Least > 0 && key.Span > 0 && key.Least >= leastApart*(key.Least+key.Span)
	isIdentity := key.identifies || key.Position == 0
	if !isFar || !isIdentity || !c.origin.Wholes || len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	isMeasure := english.Money.Has(last) || english.Unsummed.Has(last) || english.HighOrLow.Has(last) || english.Quantities.Has(last)
	_, unit := english.WithoutUnit(english.Spaced(c.origin.Name))
	return !isMeasure && unit == ""
}

// dropAmbiguous leaves out what may refer to people of several tables and is named like
// neither.
func dropAmbiguous(all []candidate) []candidate {
	homes := map[*column]map[*table]bool{}
	for _, c := range all {
		if c.role {
			if homes[c.origin] == nil {
				homes[c.origin] = map[*table]bool{}
			}
			homes[c.origin][c.to] = true
		}
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return c.role && len(homes[c.origin]) > 1 })
}
