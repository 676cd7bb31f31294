package english

import (
	"regexp"
	"strings"
	"sync"
)

var (
	typed = func() map[string]string {
		all := map[string]string{}
		for _, e := range read("typed.txt") {
			all[e.word] = e.fields[0]
		}
		return all
	}()
	typedPattern = marked("typed.txt").Finder()
)

// unitBehind finds where a unit stands right behind its number: 7m, 45mins.
var unitBehind = regexp.MustCompile(`(?i)\b\d+(?:\.\d+)?((?:kg|g|mg|m|km|cm|mm|ml|cl|l|min|mins|hrs?|h|eur|euros?|pcs|yrs?)\b)`)

// Change is a part of a text and what stands in its place.
type Change struct {
	Start, End int
	By         string
}

// toDo is a number that stands for "to": 2 see.
var toDo = regexp.MustCompile(`(?i)\b(2)\s+(?:see|get|know|be|have|do|go|show|make|find|check|look|buy|ask)\b`)

// Typed returns the words of a text that people type in a hurry, written out, but for
// those that the caller knows: b4 is before.
func Typed(text string, known func(word string) bool) []Change {
	var all []Change
	for _, at := range unitBehind.FindAllStringSubmatchIndex(text, -1) {
		if !known(strings.ToLower(text[at[0]:at[1]])) {
			all = append(all, Change{at[2], at[2], " "})
		}
	}
	for _, at := range toDo.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, Change{at[2], at[3], "to"})
	}
	for _, at := range typedPattern.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		if lower := strings.ToLower(word); !known(lower) && word != strings.ToUpper(word) {
			all = append(all, Change{at[0], at[1], typed[lower]})
		}
	}
	return all
}

// Asked returns the words that people ask with, the most frequent first.
var Asked = sync.OnceValue(func() []string {
	var all []string
	for _, e := range parse("asked.txt") {
		all = append(all, e.word)
	}
	return all
})
