package net

import (
	"context"

	"quern/nlq/grammar"
	"quern/nlq/kernel"
)

// SetPortable makes the kernels those in plain Go, or not.
func SetPortable(on bool) { kernel.SetPortable(on) }

// Scores returns the scores of symbols and items at every step of a derivation.
func (n *Net) Scores(ctx context.Context, in Input, tokens []grammar.Token) ([][]float32, error) {
	if err := in.check(Ensemble{n}); err != nil {
		return nil, err
	}
	m := n.memory(&in, in.relate())
	defer n.memories.Put(m)
	s := &search{in: &in, nets: Ensemble{n}, memories: []*memory{m}}
	if err := s.encode(ctx, 1); err != nil {
		return nil, err
	}
	var all [][]float32
	q := query{last: -1}
	stack := grammar.Start()
	for _, t := range tokens {
		q.state, q.depth = int(stack.Top()), stack.Depth()
		step := n.addSteps(m, 1)
		n.decode(m, []query{q}, step, kernel.Block{From: 0, To: 1})
		symbols, items := n.scores(m, 0)
		all = append(all, append(append([]float32(nil), symbols...), items...))
		q.path = append(q.path, int32(step))
		q.last = t.ID
		switch t.Kind {
		case grammar.Word:
			q.last += n.symbol.rows
		case grammar.Column:
			q.last += n.symbol.rows + len(in.Words)
		case grammar.Table:
			q.last += n.symbol.rows + len(in.Words) + len(in.Columns)
		}
		stack, _ = stack.Next(t)
	}
	return all, nil
}

// Break takes the network a matrix that its workers need.
func (n *Net) Break() { n.encoders[0].qkv = nil }
