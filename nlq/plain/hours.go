package plain

import (
	"regexp"
	"slices"
	"strconv"

	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

var (
	// hoursWritten finds lengths of time in hours, where a bound or what lasts is before
	// "an hour": over an hour, half an hour, 2 hours, an hour and a half.
	hoursWritten = regexp.MustCompile(`(?i)\b(?P<half>half an? hour)\b` +
		`|\b(?:(?P<bound>than|over|under|above|below|exceeding|least|most|exactly|takes?|took|taking|lasts?|lasted|lasting) )(?:an|one|a full|a whole) hour(?P<more> and a half)?\b` +
		`|\b(?P<long>hour-long|one-hour|1-hour)\b` +
		`|\b(?P<number>\d+(?:\.\d+)?|two|three|four|five|six|seven|eight)[ -](?:whole |full )?(?:hours?|hrs?)\b`)
	// aroundNow finds hours that are counted from now.
	aroundNow = regexp.MustCompile(`(?i)\b(?:last|past|next|coming) \S+ (?:hours?|hrs?)\b|\b(?:hours?|hrs?) (?:a|per|each|every) (?:week|day|month)\b`)
)

// inMinutes returns a text whose hours are written in minutes where the data count minutes
// and no hours: longer than an hour is longer than 60 minutes.
func (r Rules) inMinutes(text string) string {
	countsHours := func(c schema.Column) bool {
		return c.Type.Numeric() && (c.Unit == "h" || slices.ContainsFunc(c.Words, func(w string) bool { return w == "hour" || w == "hours" || w == "hrs" }))
	}
	if !slices.ContainsFunc(r.Whole.Columns, ground.CountsMinutes) || slices.ContainsFunc(r.Whole.Columns, countsHours) || aroundNow.MatchString(text) {
		return text
	}
	names := hoursWritten.SubexpNames()
	return hoursWritten.ReplaceAllStringFunc(text, func(said string) string {
		m := hoursWritten.FindStringSubmatch(said)
		part := func(name string) string { return m[slices.Index(names, name)] }
		switch {
		case part("half") != "":
			return "30 minutes"
		case part("bound") != "" && part("more") != "":
			return part("bound") + " 90 minutes"
		case part("bound") != "":
			return part("bound") + " 60 minutes"
		case part("long") != "":
			return "60 minutes"
		}
		decimal, _ := lex.Number(part("number"))
		n, err := strconv.ParseFloat(decimal, 64)
		if err != nil {
			return said
		}
		return strconv.FormatFloat(60*n, 'f', -1, 64) + " minutes"
	})
}
