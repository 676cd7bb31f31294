package ask

import (
	"regexp"
	"strconv"
	"strings"

	"quern"
	"quern/english"
)

// ordinal is a choice by its place, with the words people put around it.
var ordinal = regexp.MustCompile(`^(?:i (?:mean|meant|want|choose|pick) )?(?:the )?(?:option |choice |number |no\.? ?|#)?` +
	`(?P<place>[a-z]+|[0-9]+)(?:st|nd|rd|th)?(?: (?:one|option|choice|reading))?$`)

// Chosen finds the reading that an answer to a question back names: by its
// label, by its question or by its place.
func Chosen(choices []quern.Choice, answer string) (quern.Choice, bool) {
	said := plain(answer)
	if said == "" {
		return quern.Choice{}, false
	}
	for _, c := range choices {
		if plain(c.Label) == said || plain(c.Question) == said {
			return c, true
		}
	}
	if place := placeOf(said, len(choices)); place > 0 && place <= len(choices) {
		return choices[place-1], true
	}
	return quern.Choice{}, false
}

// placeOf returns the place that an answer names, from 1; 0 when it names none.
func placeOf(said string, choices int) int {
	if said == "last" || said == "the last" || said == "the last one" {
		return choices
	}
	if n := placeIn(said); n > 0 {
		return n
	}
	m, ok := english.Groups(ordinal, said)
	if !ok {
		return 0
	}
	if n, err := strconv.Atoi(m.Text("place")); err == nil {
		return n
	}
	return placeIn(m.Text("place"))
}

// placeIn returns the place that a word names; 0 when it names none.
func placeIn(word string) int { return int(max(english.Cardinals[word], english.Ordinals[word])) }

// plain is a text as it is compared: small letters, single spaces, no marks at
// its ends.
func plain(text string) string {
	return strings.Trim(strings.Join(strings.Fields(strings.ToLower(text)), " "), " .?!:;,()\"'“”‘’`")
}
