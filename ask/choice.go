package ask

import (
	"regexp"
	"strconv"
	"strings"

	"quern"
)

var (
	// ordinal is a choice by its place, with the words people put around it.
	ordinal = regexp.MustCompile(`^(?:i (?:mean|meant|want|choose|pick) )?(?:the )?(?:option |choice |number |no\.? ?|#)?([a-z]+|[0-9]+)(?:st|nd|rd|th)?(?: (?:one|option|choice|reading))?$`)
	places  = map[string]int{"one": 1, "first": 1, "two": 2, "second": 2, "three": 3, "third": 3, "four": 4, "fourth": 4,
		"five": 5, "fifth": 5, "six": 6, "sixth": 6, "seven": 7, "seventh": 7, "eight": 8, "eighth": 8}
)

// chosen finds the reading that an answer to a question back names: by its
// label, by its question or by its place.
func chosen(choices []quern.Choice, answer string) (quern.Choice, bool) {
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

// placeOf gives the place that an answer names, from 1; 0 when it names none.
func placeOf(said string, choices int) int {
	if said == "last" || said == "the last" || said == "the last one" {
		return choices
	}
	if _, named := places[said]; !named {
		if match := ordinal.FindStringSubmatch(said); match != nil {
			said = match[1]
		}
	}
	if n, err := strconv.Atoi(said); err == nil {
		return n
	}
	return places[said]
}

// plain is a text as it is compared: small letters, single spaces, no marks at
// its ends.
func plain(text string) string {
	return strings.Trim(strings.Join(strings.Fields(strings.ToLower(text)), " "), " .?!:;,()\"'“”‘’`")
}
