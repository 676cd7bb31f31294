package lex

import (
	"strings"
	"time"
)

// feast is a day that has a name, the longer names first.
type feast struct {
	name  string // words with spaces between
	month time.Month
	day   int
}

var feasts = []feast{
	{"christmas eve", time.December, 24},
	{"christmas day", time.December, 25},
	{"christmas", time.December, 25},
	{"boxing day", time.December, 26},
	{"new year's eve", time.December, 31},
	{"new years eve", time.December, 31},
	{"new year's day", time.January, 1},
	{"new years day", time.January, 1},
	{"valentine's day", time.February, 14},
	{"valentines day", time.February, 14},
	{"halloween", time.October, 31},
}

// feast reads a day by its name. Christmas puddings are no day: it has its year behind it, or is
// surely one.
func (r reader) feast(i int) (Period, int, bool) {
	for _, f := range feasts {
		name := Lower(Tokens(f.name))
		if i+len(name) > len(r.words) || strings.Join(r.words[i:i+len(name)], " ") != strings.Join(name, " ") {
			continue
		}
		y, end := r.yearAfter(i + len(name))
		isYearless := end == i+len(name)
		if isYearless && !r.sure {
			return Period{}, i, false
		}
		p, ok := r.day(y, int(f.month), f.day)
		p.Yearless = isYearless
		return p, end, ok
	}
	return Period{}, i, false
}
