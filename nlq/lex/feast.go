package lex

import (
	"slices"
	"strings"
	"time"
)

// feast is a day that has a name, the longer names first.
type feast struct {
	name  []string // its words, as tokens
	month time.Month
	day   int
}

var feasts = []feast{
	{strings.Fields("christmas eve"), time.December, 24},
	{strings.Fields("christmas day"), time.December, 25},
	{strings.Fields("christmas"), time.December, 25},
	{strings.Fields("boxing day"), time.December, 26},
	{strings.Fields("new year 's eve"), time.December, 31},
	{strings.Fields("new years eve"), time.December, 31},
	{strings.Fields("new year 's day"), time.January, 1},
	{strings.Fields("new years day"), time.January, 1},
	{strings.Fields("new year"), time.January, 1},
	{strings.Fields("valentine 's day"), time.February, 14},
	{strings.Fields("valentines day"), time.February, 14},
	{strings.Fields("halloween"), time.October, 31},
}

// feast reads a day by its name. Christmas puddings are no day: it has its year behind it, or is
// surely one.
func (r reader) feast(i int) (Period, int, bool) {
	for _, f := range feasts {
		last := i + len(f.name)
		if last > len(r.words) || !slices.Equal(r.words[i:last], f.name) {
			continue
		}
		y, end := r.yearAfter(last)
		isYearless := end == last
		if isYearless && !r.sure {
			return Period{}, i, false
		}
		p, ok := r.day(y, int(f.month), f.day)
		p.Yearless = isYearless
		return p, end, ok
	}
	return Period{}, i, false
}
