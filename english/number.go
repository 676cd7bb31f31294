package english

import (
	"fmt"
	"maps"
	"strconv"
)

// Numbers in words (numbers.txt). The networks have learnt from all of them.
var (
	// Cardinals say how many: two, twenty, dozen.
	Cardinals = values("cardinals")
	// NumberWords are the cardinals and what else stands for a number: twice.
	NumberWords = union(Cardinals, values("multiples"))
	// Ordinals say which place: first.
	Ordinals = values("ordinals")
	// Scales multiply what is before them: thousand, mn.
	Scales = values("scales")
	// AttachedScales may touch the digits: 3k.
	AttachedScales = values("attached")
	// Units are what a number may count and still be that number: percent, km.
	Units = marked("numbers.txt", "units")
	// Currencies are the signs of currencies.
	Currencies = marked("numbers.txt", "currencies")
)

// values returns the numbers of a section.
func values(section string) map[string]int64 {
	all := map[string]int64{}
	for _, e := range read("numbers.txt") {
		if e.section != section {
			continue
		}
		n, err := strconv.ParseInt(e.fields[0], 10, 64)
		if err != nil {
			panic(fmt.Sprintf("numbers.txt: %s: %v", e.word, err))
		}
		all[e.word] = n
	}
	return all
}

func union(a, b map[string]int64) map[string]int64 {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// ordinalWords are the ordinals by their numbers.
var ordinalWords = func() map[int64]string {
	words := map[int64]string{}
	for word, n := range Ordinals {
		words[n] = word
	}
	return words
}()

// Ordinal returns the word for a place: second; 21st where there is none.
func Ordinal(n int64) string {
	if word, ok := ordinalWords[n]; ok {
		return word
	}
	ending := "th"
	if n/10%10 != 1 {
		ending = map[int64]string{1: "st", 2: "nd", 3: "rd"}[n%10]
		if ending == "" {
			ending = "th"
		}
	}
	return strconv.FormatInt(n, 10) + ending
}
