package plain

import (
	"strings"

	"quern/english"
	"quern/nlq/ground"
)

// inDenials returns the words of a text that are the name of a column which denies something
// and is written in one word, as that name: no-shows are noshow.
func (r Rules) inDenials(text string) (changes []english.Change) {
	for i := range r.Whole.Columns {
		c := r.Whole.Columns[i]
		what, ok := r.DenialIn(c)
		if !ok || c.IsDenial() {
			continue
		}
		if _, _, truth := c.Truth(); !truth {
			continue
		}
		for _, at := range ground.FinderOf(what).FindAllStringIndex(text, -1) {
			changes = append(changes, english.Change{Start: at[0], End: at[1], By: strings.ToLower(c.Name)})
		}
		return changes
	}
	return nil
}
