package plain

import (
	"regexp"

	"quern/english"
)

const (
	// all stands before the rows of which all are meant.
	all = `(?:all|every|each)(?: one)?(?: of)?(?: (?:the|our|my|these|those))?`
	// such says how the rows are: paid, done, back.
	such = `(?:\w+ed|\w+wn|done|paid|sent|sold|made|held|given|taken|written|met|back|ready|open|closed|full|free|empty|active|present|up to date)`
)

// every are how one asks whether all rows are such.
var every = []struct {
	asks *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`(?i)^\W*(?P<verb>have|has) ` + all + ` (?P<rows>[^?,]+?) been (?P<such>[^?,]+?)[\s?.!]*$`), "which ${rows} ${verb} not been ${such}"},
	{regexp.MustCompile(`(?i)^\W*(?P<verb>have|has) ` + all + ` (?P<rows>[^?,]+?) (?P<such>` + such + `)[\s?.!]*$`), "which ${rows} ${verb} not ${such}"},
	{regexp.MustCompile(`(?i)^\W*(?P<verb>have|has) ` + all + ` (?P<rows>[^?,]+?) (?P<such>` + such + ` (?:the|a|an|their|his|her|its|our|in|for|to|by|back|on|off|up) ?[^?,]*?)[\s?.!]*$`), "which ${rows} ${verb} not ${such}"},
	{regexp.MustCompile(`(?i)^\W*(?P<verb>are|is|were|was) ` + all + ` (?P<rows>[^?,]+?) (?P<such>` + such + `)[\s?.!]*$`), "which ${rows} ${verb} not ${such}"},
	{regexp.MustCompile(`(?i)^\W*(?P<verb>do|does) ` + all + ` (?P<rows>[^?,]+?) have (?:an? |any )?(?P<such>[^?,]+?)[\s?.!]*$`), "which ${rows} have no ${such}"},
	{regexp.MustCompile(`(?i)^\W*(?P<verb>did|has|have) (?:everyone|everybody|they all|all of them)(?P<rows>) (?P<such>[^?,]+?)[\s?.!]*$`), "who ${verb} not ${such}"},
}

var (
	// severalThings are two ways in which rows are to be.
	severalThings = regexp.MustCompile(`(?i)\b(?:or|and|but)\b`)
	// saysMore tells more of the rows before it says how they are to be, or denies that.
	saysMore = regexp.MustCompile(`(?i)^\s*(?:who|that|which|in|from|with|of)\b|\b(?:not|never)\b`)
)

// inEvery returns a text that asks whether all rows are such as one that asks which are not: whoever
// asks whether everybody has paid wants to know who has not.
func (r Rules) inEvery(text string) []english.Change {
	for _, e := range every {
		m, ok := english.Groups(e.asks, text)
		if !ok || severalThings.MatchString(m.Text("such")) || saysMore.MatchString(m.Text("rows")+" "+m.Text("such")) {
			continue
		}
		start, _ := m.Span("verb")
		_, end := m.Span("such")
		return []english.Change{{Start: start, End: end, By: m.Expand(e.as)}}
	}
	return nil
}
