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

var scales = func() map[string]Scale {
	all := map[string]Scale{}
	for _, e := range read("scales.txt") {
		size, err := strconv.ParseInt(e.fields[0], 10, 64)
		if err != nil {
			panic(err) // the files are part of the program
		}
		all[e.word] = Scale{e.section, size}
	}
	return all
}()

// ScaleOf returns the unit that a word is the name of, for one or for many.
func ScaleOf(word string) (s Scale, ok bool) {
	lower := strings.ToLower(word)
	if s, ok = scales[lower]; !ok && len(lower) > 2 {
		s, ok = scales[strings.TrimSuffix(lower, "s")]
	}
	return s, ok
}
