package embedded

import (
	"fmt"
	"slices"
	"strings"

	"quern/english"
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

// uses reports whether a mechanism is not left out.
func (t *Translator) uses(m Mechanism) bool { return !slices.Contains(t.Without, m) }

// plainText returns the question as it is read: in the calendar of the namespace, without
// what says how a share is written, phrased as the data are; and what was read as what.
func (r *reader) plainText() (text string, read []readAs) {
	text = plainEdges(english.InList(r.withYears(r.inCalendar(r.withoutLifts()))))
	if r.uses(Said) {
		text = r.inScale(r.inPercent(r.inMinutes(plainShare(r.spoken(text)))))
	}
	if !r.uses(Reworded) {
		return text, nil
	}
	text = upToNow(r.inSeasons(r.inNext(r.inTimes(text))))
	for _, find := range []func(string) []english.Change{
		r.inLimits, r.inRates, r.inPrices, r.inFree, r.inStocks, r.inMargins, r.inNeeds, r.inAnswers, r.inPlaces, r.inBirthdays, r.inRunning, r.inMonths, r.inDenials,
		r.inParents, r.inOwnPlaces, r.inNumberedKinds, r.inBareBounds, r.inWrittenMonths, r.inInitials, r.inShort,
	} {
		changes := find(text)
		for _, c := range changes {
			read = append(read, readAs{text[c.Start:c.End], c.By})
		}
		text = changed(text, changes)
	}
	text, rephrased := r.rephrased(r.besideTheirs(r.withoutOwnPlaces(r.withoutPlaces(r.inOpposites(text)))))
	return text, append(read, rephrased...)
}

// withoutMeanings forgets what the encoder says of words, where it is left out.
func (g *grounding) withoutMeanings() {
	if !g.uses(Meanings) {
		clear(g.meanings[:min(len(g.features.Tokens), maxWords)*g.Nets.MeaningWidth()])
	}
}
