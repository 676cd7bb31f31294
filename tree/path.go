package tree

import (
	"cmp"
	"slices"

	"quern"
)

// MaxPath is the most links between two datasets that belong together.
const MaxPath = 6

// Link says that the values of one column are found in another.
type Link struct {
	Origin, Destination End
	Score               float64 // how sure it is, 0 to 1
}

// End is a column of a dataset.
type End struct {
	Dataset quern.DatasetPath
	Column  string
}

// hop is a link walked in one of its directions.
type hop struct{ from, to End }

// graph is links by dataset.
type graph map[string][]edge

type edge struct {
	hop
	score float64
}

func pathKey(p quern.DatasetPath) string {
	return quern.NameKey(p.Owner + "/" + p.Namespace + "/" + p.Dataset)
}

func newGraph(links []Link) graph {
	g := graph{}
	for _, l := range links {
		from, to := pathKey(l.Origin.Dataset), pathKey(l.Destination.Dataset)
		if from == to {
			continue // leads nowhere else; follow takes it by its column
		}
		g[from] = append(g[from], edge{hop{l.Origin, l.Destination}, l.Score})
		g[to] = append(g[to], edge{hop{l.Destination, l.Origin}, l.Score})
	}
	for _, edges := range g {
		slices.SortStableFunc(edges, func(a, b edge) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(pathKey(a.to.Dataset), pathKey(b.to.Dataset)),
				cmp.Compare(a.from.Column, b.from.Column), cmp.Compare(a.to.Column, b.to.Column))
		})
	}
	return g
}

// route is a way to a dataset, from its start.
type route struct {
	hops  []hop
	score float64
}

// shortest returns the hops from one of several datasets to another: as few as
// possible, at most within, and among those the surest. ok is false when there
// is no way.
func (g graph) shortest(from []quern.DatasetPath, to quern.DatasetPath, within int) (hops []hop, ok bool) {
	goal := pathKey(to)
	reached, frontier := map[string]route{}, []string{}
	for _, p := range from {
		key := pathKey(p)
		if _, again := reached[key]; !again {
			reached[key] = route{score: 1}
			frontier = append(frontier, key)
		}
	}
	for range within {
		found := map[string]route{}
		for _, key := range frontier {
			g.extend(key, reached, found)
		}
		frontier = frontier[:0]
		for key, r := range found {
			reached[key] = r
			frontier = append(frontier, key)
		}
		slices.Sort(frontier)
		if r, ok := found[goal]; ok {
			return r.hops, true
		}
	}
	return nil, false
}

// extend adds what is one hop further than a dataset.
func (g graph) extend(key string, reached, found map[string]route) {
	r := reached[key]
	for _, e := range g[key] {
		next := pathKey(e.to.Dataset)
		if _, old := reached[next]; old {
			continue
		}
		if other, ok := found[next]; !ok || other.score < r.score*e.score {
			found[next] = route{append(slices.Clone(r.hops), e.hop), r.score * e.score}
		}
	}
}
