// Package plain writes a question in plain words before the networks read it: in the calendar of
// the namespace, without what says how an answer is to look, and with what people say in
// roundabout ways ("is out of warranty", "since spring") as what it means of the data.
//
// It reads no query and no rows, only the text, names and indexed values. The failure it is built
// around is the phrase that means something else somewhere: a rule holds only where the data have
// what it writes, and what was written for what is told.
package plain

import (
	"quern/english"
	"quern/nlq/ground"
)

// Rules are the rules for one question.
type Rules struct{ *ground.Asked }

// Of returns the rules for a question.
func Of(asked *ground.Asked) Rules { return Rules{asked} }

// Text returns the question as it is read: in the calendar of the namespace, without
// what says how a share is written, phrased as the data are; and what was read as what.
func (r Rules) Text() (text string, read []ReadAs) {
	text = plainEdges(english.InList(r.withYears(r.inCalendar(r.withoutLifts()))))
	if r.Uses(ground.Said) {
		text = r.inScale(r.inPercent(r.inWholeDays(r.inMinutes(plainShare(r.spoken(text))))))
	}
	if !r.Uses(ground.Reworded) {
		return text, nil
	}
	text = upToNow(r.inSeasons(r.inNext(r.inTimes(text))))
	for _, find := range []func(string) []english.Change{
		r.inLimits, r.inRates, r.inPrices, r.inFree, r.inStocks, r.inMargins, r.inNeeds, r.inAnswers, r.inPlaces, r.inBirthdays, r.inRunning, r.inMonths, r.inDenials,
		r.inParents, r.inOwnPlaces, r.inNumberedKinds, r.inBareBounds, r.inWrittenMonths, r.inInitials, r.inTitles, r.inShort, r.inEvery, r.inDecades, r.inNet, r.inDiscounts, r.inDays,
	} {
		changes := find(text)
		for _, c := range changes {
			read = append(read, ReadAs{text[c.Start:c.End], c.By})
		}
		text = Changed(text, changes)
	}
	text, rephrased := r.rephrased(r.besideTheirs(r.withoutOwnPlaces(r.withoutPlaces(r.inOpposites(text)))))
	return text, append(read, rephrased...)
}
