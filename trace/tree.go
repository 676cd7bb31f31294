package trace

import (
	"cmp"
	"slices"

	"quern"
)

// Node is a span with those under it, in the order in which they began.
type Node struct {
	quern.Span
	Children []Node
}

// Tree puts a run's spans in order under the run's own. While that one is not
// yet recorded, because the run goes on, one that has no end stands for it, and
// so it does for a span under one that is lost.
func Tree(run quern.Run, spans []quern.Span) Node {
	root := quern.Span{Run: run.ID, ID: run.ID.SpanID(), Kind: quern.SpanRun, Name: runName(run), Start: run.CreatedAt}
	under, known := map[quern.SpanID][]quern.Span{}, map[quern.SpanID]bool{}
	for _, s := range spans {
		known[s.ID] = true
	}
	for _, s := range spans {
		switch {
		case s.ID == root.ID:
			root = s
		case known[s.Parent] && s.Parent != s.ID:
			under[s.Parent] = append(under[s.Parent], s)
		default:
			under[root.ID] = append(under[root.ID], s)
		}
	}
	return node(root, under)
}

func node(s quern.Span, under map[quern.SpanID][]quern.Span) Node {
	n := Node{Span: s, Children: []Node{}}
	children := under[s.ID]
	delete(under, s.ID) // a span is shown once, whatever the parents say
	slices.SortFunc(children, func(a, b quern.Span) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	for _, c := range children {
		n.Children = append(n.Children, node(c, under))
	}
	return n
}
