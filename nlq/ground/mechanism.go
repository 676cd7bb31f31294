package ground

import (
	"fmt"
	"slices"
	"strings"
)

// Mechanism is a part of how questions are read that can be left out, to measure what it
// is worth. Nobody who asks chooses one.
type Mechanism string

// The mechanisms.
const (
	CountedOnce Mechanism = "once"      // rows that a join repeats count once
	Doubted     Mechanism = "doubt"     // words are held against answers: declined, or told
	Meanings    Mechanism = "meanings"  // the pretrained encoder
	Named       Mechanism = "names"     // rows are called by their names
	Said        Mechanism = "shapes"    // groups without rows, rows left aside, factors, shares, periods, arithmetic that is asked for
	Reworded    Mechanism = "words"     // misspellings, phrases, and words exchanged for those of the data
	FollowedUp  Mechanism = "followups" // questions that change the one before
	Together    Mechanism = "together"  // questions that are read behind those before them
)

// Mechanisms are those that can be left out.
var Mechanisms = []Mechanism{CountedOnce, Doubted, Meanings, Named, Said, Reworded, FollowedUp, Together}

// ParseMechanisms reads the names of mechanisms.
func ParseMechanisms(names []string) ([]Mechanism, error) {
	var known []string
	var parsed []Mechanism
	for _, m := range Mechanisms {
		known = append(known, string(m))
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no mechanism %q; there are %s", name, strings.Join(known, ", "))
		}
		parsed = append(parsed, Mechanism(name))
	}
	return parsed, nil
}

// Uses reports whether a mechanism is not left out.
func (r *Asked) Uses(m Mechanism) bool { return !slices.Contains(r.Without, m) }
