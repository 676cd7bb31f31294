package structure

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// sameNumber reports whether a number is the one that words say: "1250" is $1,250.00.
func sameNumber(given, words string) bool {
	g, err := strconv.ParseFloat(given, 64)
	if err != nil {
		return false
	}
	for _, t := range tokens(words) {
		if n, ok := numberIn(words[t.start:t.end]); ok && n == g {
			return true
		}
	}
	return false
}

// sameDay reports whether a day, or an instant, is the one that words say: its year,
// month and day are all in them.
func sameDay(given, words string) bool {
	day, rest, _ := strings.Cut(strings.ReplaceAll(given, "T", " "), " ")
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return false
	}
	numbers := strings.FieldsFunc(words, func(r rune) bool { return r < '0' || r > '9' })
	for i, n := range numbers {
		numbers[i] = strings.TrimLeft(n, "0")
	}
	short := strconv.Itoa(t.Year() % 100)
	year := slices.Contains(numbers, strconv.Itoa(t.Year())) || slices.Contains(numbers, short)
	named := strings.Contains(strings.ToLower(words), strings.ToLower(t.Month().String()[:3]))
	month := named || slices.Contains(numbers, strconv.Itoa(int(t.Month())))
	clock := true
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r < '0' || r > '9' }) {
		part = strings.TrimLeft(part, "0")
		clock = clock && (part == "" || slices.Contains(numbers, part))
	}
	return year && month && clock && slices.Contains(numbers, strconv.Itoa(t.Day()))
}

// reconcile puts the rows of the pieces of one document together: what two pieces
// read where they overlap is one row, and no value of it is lost.
func reconcile(rows []modelRow) []modelRow {
	slices.SortStableFunc(rows, func(a, b modelRow) int { return a.at.start - b.at.start })
	var all []modelRow
	for _, r := range rows {
		merged := false
		for i := len(all) - 1; i >= 0 && i >= len(all)-mostPieces; i-- {
			if all[i].piece.start != r.piece.start && sameRecord(all[i], r) {
				all[i] = merge(all[i], r)
				merged = true
				break
			}
		}
		if !merged {
			all = append(all, r)
		}
	}
	return all
}

// sameRecord reports whether two rows are of the same record: they share a value at
// the same place, and disagree in none.
func sameRecord(a, b modelRow) bool {
	shared := 0
	for _, v := range a.values {
		for _, w := range b.values {
			switch {
			case v.name != w.name:
			case v.at == w.at:
				shared++
			case v.at.start >= w.at.end || w.at.start >= v.at.end:
				return false
			}
		}
	}
	return shared > 0
}

// merge adds to a row what another of the same record has beside it, and takes the
// longer of two words for the same value, for a seam may have cut the other.
func merge(a, b modelRow) modelRow {
	for _, w := range b.values {
		at := slices.IndexFunc(a.values, func(v value) bool { return v.name == w.name })
		switch {
		case at < 0:
			a.values = append(a.values, w)
		case len(w.text) > len(a.values[at].text):
			a.values[at] = w
		}
	}
	a.at = span{min(a.at.start, b.at.start), max(a.at.end, b.at.end)}
	return a
}
