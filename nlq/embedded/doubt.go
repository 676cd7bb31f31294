package embedded

import (
	"fmt"
	"strings"

	"quern"
	"quern/nlq"
	"quern/tree"
)

const (
	// doubtful is the confidence below which an answer says what else the
	// question may mean.
	doubtful = 0.5
	// unseen is how well a constant matches that no value is like.
	unseen = 0.3
	// mostDoubts is how many other readings it names.
	mostDoubts = 2
)

// doubting gives a reading that was chosen, with what else the question may mean
// when the choice was close. Who asks one of those in its words gets it.
func (r *reader) doubting(best *candidate, all []*candidate, confidence float64) nlq.Translation {
	t := r.translation(best, confidence)
	if confidence >= doubtful {
		return t
	}
	var others []string
	for _, c := range r.choices(all, best, mostDoubts) {
		others = append(others, fmt.Sprintf("%q", c.Label))
	}
	note := fmt.Sprintf("I am not sure that this is what you mean (%.0f %%).", 100*confidence)
	if len(others) > 0 {
		note += " It may also be: " + strings.Join(others, " or ") + "."
	}
	t.Notes = append(t.Notes, note)
	return t
}

// choices offers the likeliest readings that give other things than one that is
// known already, if any, and than each other. Readings about values that the data
// do not have are not offered.
func (r *reader) choices(all []*candidate, known *candidate, most int) []quern.Choice {
	var seen []*candidate
	if known != nil {
		seen = append(seen, known)
	}
	var offered []quern.Choice
	for _, c := range all {
		if len(offered) == most {
			break
		}
		text, err := tree.Print(c.query)
		if err != nil || c.score <= unseen || c.found != nil && c.found.failed != nil || isAmong(c, seen) {
			continue
		}
		seen = append(seen, c)
		label := tree.English(c.query)
		offered = append(offered, quern.Choice{Label: label, Question: label, Query: text})
		r.offer(label, c)
	}
	return offered
}

// isAmong reports whether a reading gives or says what one of some does.
func isAmong(c *candidate, some []*candidate) bool {
	for _, other := range some {
		if same(other, c) || tree.English(other.query) == tree.English(c.query) {
			return true
		}
	}
	return false
}
