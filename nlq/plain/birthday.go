package plain

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
)

var (
	// soonBirthday says of birthdays that they are near.
	soonBirthday = regexp.MustCompile(`(?i)\b(?:coming up|come up)(?: (?:soon|next))?\b`)
	// nearBirthdays stands before them.
	nearBirthdays = regexp.MustCompile(`(?i)\bupcoming (?P<days>(?:birth|b-?)days?)\b`)
)

// inBirthdays returns the words of a text by which birthdays are near as what they are read as: in
// the next 30 days, where one column says when somebody was born.
func (r Rules) inBirthdays(text string) []english.Change {
	const soon = "in the next 30 days"
	isBirth := func(c schema.Column) bool {
		return c.Type.Temporal() && slices.ContainsFunc(c.Words, english.Births.Has)
	}
	if !ground.AsksBirthday.MatchString(text) || ground.PartyOf.MatchString(text) || !slices.ContainsFunc(r.Whole.Columns, isBirth) || r.SpeaksOfTimes(text) {
		return nil
	}
	if m, ok := english.Groups(nearBirthdays, text); ok {
		start, end := m.Span("")
		return []english.Change{{Start: start, End: end, By: m.Text("days") + " " + soon}}
	}
	if at := soonBirthday.FindStringIndex(text); at != nil {
		return []english.Change{{Start: at[0], End: at[1], By: soon}}
	}
	return nil
}
