package lex

import "time"

// seasons are the first months of those that lie within one year. Winter is of two: which of
// them a year says, people do not agree on.
var seasons = map[string]time.Month{"spring": time.March, "summer": time.June, "autumn": time.September, "fall": time.September}

// season reads a season of a year: spring 2025, the summer that was last over.
func (r reader) season(i int) (Period, int, bool) {
	if first := seasons[r.at(i+1)]; first > 0 && r.at(i+1) != "fall" {
		switch y := r.now.Year(); {
		case r.at(i) == "this":
			return r.seasonOf(y, first), i + 2, yearOf(r.at(i+2)) == 0
		case r.at(i) == "last" && r.seasonOf(y, first).Until.After(r.now):
			return r.seasonOf(y-1, first), i + 2, yearOf(r.at(i+2)) == 0
		case r.at(i) == "last":
			return r.seasonOf(y, first), i + 2, yearOf(r.at(i+2)) == 0
		}
	}
	first, at := seasons[r.at(i)], r.skipFillers(i+1)
	y := yearOf(r.at(at))
	return r.seasonOf(y, first), at + 1, first > 0 && y > 0
}

func (r reader) seasonOf(year int, first time.Month) Period {
	return Period{From: r.date(year, first, 1), Until: r.date(year, first+3, 1)}
}
