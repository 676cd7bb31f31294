package english

import (
	"strconv"
	"strings"
)

// Scale is a unit among those of its kind: kg among weights.
type Scale struct {
	Kind string // what it measures
	Size int64  // how many of the smallest unit of its kind it is
}

var scaleList = read("scales.txt")

var scales = func() map[string]Scale {
	all := map[string]Scale{}
	for _, e := range scaleList {
		size, err := strconv.ParseInt(e.fields[0], 10, 64)
		if err != nil {
			panic(err) // the files are part of the program
		}
		all[e.word] = Scale{e.section, size}
	}
	return all
}()

// UnitTimes returns the unit that is so many times another, as it is written behind a number:
// km is 1000 times m; ok is false when there is none.
func UnitTimes(unit string, times float64) (other string, ok bool) {
	of, ok := ScaleOf(unit)
	if !ok {
		return "", false
	}
	for _, e := range scaleList { // short ones stand first
		if s := scales[e.word]; s.Kind == of.Kind && float64(s.Size) == times*float64(of.Size) {
			return e.word, true
		}
	}
	return "", false
}

// ScaleOf returns the unit that a word is the name of, for one or for many.
func ScaleOf(word string) (s Scale, ok bool) {
	lower := strings.ToLower(word)
	if s, ok = scales[lower]; !ok && len(lower) > 2 {
		s, ok = scales[strings.TrimSuffix(lower, "s")]
	}
	return s, ok
}
