package blob

import (
	"cmp"
	"slices"
)

// Span is bytes of an object: those from an offset up to, but not including, another.
type Span struct{ From, To int64 }

const (
	// nearby is how far apart two spans may be that are fetched with one request: that much
	// is there before another request is answered.
	nearby = 64 << 10
	// longSpan is the most that one request fetches, so that long spans come side by side.
	longSpan = 8 << 20
	// smallObject is the size up to which an object is fetched whole whatever is wanted of it.
	smallObject = 1 << 20
	// largeShare is the share of an object, in percent, from which on it is fetched whole.
	largeShare = 60
)

// wanted returns what to fetch of an object of a size so that it has spans: them, and what
// lies between near ones; all of an object that is small, or wanted for the most part.
func wanted(spans []Span, size int64) []Span {
	near := union(spans, size, nearby)
	if total := length(near); total > 0 && (size <= smallObject || total*100 > size*largeShare) {
		return []Span{{0, size}}
	}
	return near
}

// union returns spans in order, within an object of a size, those as one that overlap or are
// at most gap apart.
func union(spans []Span, size, gap int64) []Span {
	sorted := make([]Span, 0, len(spans))
	for _, s := range spans {
		if s = (Span{max(s.From, 0), min(s.To, size)}); s.From < s.To {
			sorted = append(sorted, s)
		}
	}
	slices.SortFunc(sorted, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	all := sorted[:0]
	for _, s := range sorted {
		if last := len(all) - 1; last >= 0 && s.From <= all[last].To+gap {
			all[last].To = max(all[last].To, s.To)
			continue
		}
		all = append(all, s)
	}
	return all
}

// without returns what of spans is in none of others; both are in order.
func without(spans, others []Span) []Span {
	var rest []Span
	for _, s := range spans {
		for _, o := range others {
			if o.To <= s.From || o.From >= s.To {
				continue
			}
			if o.From > s.From {
				rest = append(rest, Span{s.From, o.From})
			}
			s.From = o.To
		}
		if s.From < s.To {
			rest = append(rest, s)
		}
	}
	return rest
}

// pieces cuts spans so that none is long.
func pieces(spans []Span) []Span {
	var all []Span
	for _, s := range spans {
		for s.To-s.From > longSpan {
			all = append(all, Span{s.From, s.From + longSpan})
			s.From += longSpan
		}
		all = append(all, s)
	}
	return all
}

// length is how many bytes spans have.
func length(spans []Span) (total int64) {
	for _, s := range spans {
		total += s.To - s.From
	}
	return total
}
