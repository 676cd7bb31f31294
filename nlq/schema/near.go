package schema

import (
	"cmp"
	"slices"

	"quern/tree"
)

const (
	// leastLike is how much of its words a text must share with a wording to be near it.
	leastLike = 0.5
	// mostNear is how many wordings near a text are looked at.
	mostNear = 3
)

// neighbour is a wording near a text.
type neighbour struct {
	like  float64 // how much of their words both have, 0 to 1
	parts []part
}

// Near returns how much the verified questions whose wordings are near a text speak for
// a query: up to 1 for one that names the same as theirs, down to -1 for one that names
// nothing of it. Nil when none is near.
func (s *Schema) Near(text string) func(*tree.Query) float64 {
	words := contentOf(text)
	var near []neighbour
	for _, l := range s.lessons {
		if like := alike(words, l.all); like >= leastLike {
			near = append(near, neighbour{like, l.named})
		}
	}
	if len(near) == 0 {
		return nil
	}
	slices.SortStableFunc(near, func(a, b neighbour) int { return cmp.Compare(b.like, a.like) })
	near = near[:min(len(near), mostNear)]
	return func(q *tree.Query) float64 {
		own := partsOf(q, nil)
		sum, weight := 0.0, 0.0
		for _, n := range near {
			shared := 0
			for _, p := range n.parts {
				if slices.Contains(own, p) {
					shared++
				}
			}
			sum += n.like * (4*float64(shared)/float64(len(own)+len(n.parts)) - 1)
			weight += n.like
		}
		return sum / weight
	}
}

// alike returns how much of their words two texts share.
func alike(a, b []lessonWord) float64 {
	shared := 0
	for _, w := range a {
		if slices.ContainsFunc(b, func(o lessonWord) bool { return o.stem == w.stem }) {
			shared++
		}
	}
	if shared == 0 {
		return 0
	}
	return float64(shared) / float64(len(a)+len(b)-shared)
}
