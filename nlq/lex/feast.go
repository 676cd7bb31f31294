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
	alone bool // it has no year behind it: new year 2025 is a year
}

var feasts = []feast{
	{name: strings.Fields("christmas eve"), month: time.December, day: 24},
	{name: strings.Fields("christmas day"), month: time.December, day: 25},
	{name: strings.Fields("christmas"), month: time.December, day: 25},
	{name: strings.Fields("boxing day"), month: time.December, day: 26},
	{name: strings.Fields("new year 's eve"), month: time.December, day: 31},
	{name: strings.Fields("new years eve"), month: time.December, day: 31},
	{name: strings.Fields("new year 's day"), month: time.January, day: 1},
	{name: strings.Fields("new years day"), month: time.January, day: 1},
	{name: strings.Fields("new year"), month: time.January, day: 1, alone: true},
	{name: strings.Fields("valentine 's day"), month: time.February, day: 14},
	{name: strings.Fields("valentines day"), month: time.February, day: 14},
	{name: strings.Fields("halloween"), month: time.October, day: 31},
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
		if isYearless && !r.sure || !isYearless && f.alone {
			return Period{}, i, false
		}
		p, ok := r.day(y, int(f.month), f.day)
		p.Yearless = isYearless
		return p, end, ok
	}
	return Period{}, i, false
}
