package net

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"quern/nlq/grammar"
	"quern/nlq/kernel"
)

// MaxBeam is the most hypotheses that a search keeps.
const MaxBeam = 64

// leastProb is how unlikely a token can be at most.
const leastProb = 1e-12

// Ensemble is networks that vote: the probability of a token is the mean of
// theirs. They share the word vectors.
type Ensemble []*Net

// MeaningWidth is how many numbers the networks read of the meaning of each item; 0:
// none does.
func (e Ensemble) MeaningWidth() int {
	width := 0
	for _, n := range e {
		width = max(width, n.meaning)
	}
	return width
}

// Parse finds the likeliest derivations for a question, at most beam of them,
// best first. It ends early with the context's error when that is done.
func (n *Net) Parse(ctx context.Context, in Input, beam int) ([]Hypothesis, error) {
	return Ensemble{n}.Parse(ctx, in, beam)
}

// Parse is that of Net, by all networks together.
func (e Ensemble) Parse(ctx context.Context, in Input, beam int) ([]Hypothesis, error) {
	read, err := e.Read(ctx, in, beam, 0)
	return read.Hypotheses, err
}

// Likely is Parse without the derivations whose probability is less than a share
// of the likeliest one's, which need not be written to their ends.
func (e Ensemble) Likely(ctx context.Context, in Input, beam int, share float64) ([]Hypothesis, error) {
	read, err := e.Read(ctx, in, beam, share)
	return read.Hypotheses, err
}

// Reading is what networks make of a question.
type Reading struct {
	Hypotheses []Hypothesis
	// Doubts has for each word the logarithm of the odds that nothing in the data
	// answers to it; nil when no network tells.
	Doubts []float64
}

// Read is Likely with what is in doubt, of which it need not think twice.
func (e Ensemble) Read(ctx context.Context, in Input, beam int, share float64) (read Reading, err error) {
	if err := in.check(e); err != nil {
		return read, err
	}
	if beam < 1 || beam > MaxBeam || len(e) == 0 {
		return read, errors.New("net: a beam of no hypotheses, or of too many")
	}
	w := kernel.TakeWorkers()
	defer w.Release()
	s := &search{in: &in, nets: e, linked: in.linked(), beam: beam, least: math.Log(share), symbols: e[0].symbol.rows}
	relation := in.relate()
	for _, n := range e {
		s.memories = append(s.memories, n.memory(&in, relation))
	}
	read.Hypotheses, err = s.run(ctx, w)
	if _, panicked := errors.AsType[*kernel.PanicError](err); panicked {
		return read, err // what the memories hold is not known
	}
	for i, n := range e {
		if n.missing != nil && read.Doubts == nil && err == nil {
			read.Doubts = n.doubts(s.memories[i], len(in.Words))
		}
		n.memories.Put(s.memories[i])
	}
	return read, err
}

// search is a beam search for one question.
type search struct {
	in       *Input
	nets     Ensemble
	memories []*memory
	linked   []bool // of columns: is at a link
	beam     int
	least    float64 // how far below the best a hypothesis may be
	symbols  int

	live, next []hypothesis
	done       []hypothesis // best first
	found      []candidate  // best first
	queries    []query
	ids        []int
	probs      []float64
	own        []float64 // one network's, before they are shares
}

// hypothesis is a derivation so far. Its tokens are numbered as scores are:
// symbols, then items.
type hypothesis struct {
	score  float64
	stack  grammar.Stack
	count  int
	tokens [maxSteps]int16
	path   [maxSteps]int32
}

// candidate is a hypothesis with one token more.
type candidate struct {
	score float64
	row   int
	token int
}

// run encodes the question and searches for its derivations.
func (s *search) run(ctx context.Context, w kernel.Workers) ([]Hypothesis, error) {
	if err := s.encode(ctx, w); err != nil {
		return nil, err
	}
	s.live = append(s.live, hypothesis{stack: grammar.Start()})
	for range maxSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.makeQueries()
		first, err := s.decode(w)
		if err != nil {
			return nil, err
		}
		s.found = s.found[:0]
		for row := range s.live {
			s.expand(row)
		}
		s.advance(first)
		if s.isOver() {
			break
		}
	}
	return s.result(), nil
}

// isOver reports whether no hypothesis is left that could be among the best.
func (s *search) isOver() bool {
	if len(s.live) == 0 {
		return true
	}
	return len(s.done) == s.beam && s.live[0].score <= s.done[s.beam-1].score
}

// decode computes the next step in every network, and returns its number.
func (s *search) decode(w kernel.Workers) (first int, err error) {
	rows := len(s.queries)
	for i, n := range s.nets {
		first = n.addSteps(s.memories[i], rows)
	}
	tiles := kernel.RoundUp(rows, kernel.TileRows) / kernel.TileRows
	err = w.Each(len(s.nets)*tiles, func(_, i int) {
		from := i % tiles * kernel.TileRows
		s.nets[i/tiles].decode(s.memories[i/tiles], s.queries, first, kernel.Block{From: from, To: min(rows, from+kernel.TileRows)})
	})
	return first, err
}

// makeQueries makes the queries of the next step.
func (s *search) makeQueries() {
	s.queries = s.queries[:0]
	for i := range s.live {
		h := &s.live[i]
		q := query{last: -1, state: int(h.stack.Top()), depth: h.stack.Depth(), path: h.path[:h.count]}
		if h.count > 0 {
			q.last = int(h.tokens[h.count-1])
		}
		s.queries = append(s.queries, q)
	}
}

// expand finds the likeliest next tokens of a hypothesis.
func (s *search) expand(row int) {
	h := &s.live[row]
	s.allow(h)
	s.probs = append(s.probs[:0], make([]float64, len(s.ids))...)
	for i, n := range s.nets {
		symbols, items := n.scores(s.memories[i], row)
		s.vote(symbols, items)
	}
	for i, id := range s.ids {
		p := max(s.probs[i]/float64(len(s.nets)), leastProb)
		s.offer(candidate{h.score + math.Log(p), row, id})
	}
}

// vote adds to each allowed token its share of one network's probability.
func (s *search) vote(symbols, items []float32) {
	score := func(id int) float64 {
		if id < s.symbols {
			return float64(symbols[id])
		}
		return float64(items[id-s.symbols])
	}
	most := math.Inf(-1)
	for _, id := range s.ids {
		most = max(most, score(id))
	}
	total := 0.0
	s.own = s.own[:0]
	for _, id := range s.ids {
		p := math.Exp(score(id) - most)
		s.own = append(s.own, p)
		total += p
	}
	for i, p := range s.own {
		s.probs[i] += p / total
	}
}

// allow lists the tokens that may follow a hypothesis.
func (s *search) allow(h *hypothesis) {
	choice := grammar.Allowed(h.stack.Top())
	s.ids = s.ids[:0]
	for _, id := range choice.Symbols {
		if id < s.symbols {
			s.ids = append(s.ids, id)
		}
	}
	q, c := len(s.in.Words), len(s.in.Columns)
	if choice.Word {
		first, last := 0, q
		if choice.Last {
			first = int(h.tokens[h.count-1]) - s.symbols
			last = min(q, first+grammar.MaxSpan)
		}
		for i := first; i < last; i++ {
			s.ids = append(s.ids, s.symbols+i)
		}
	}
	for i := range c {
		links := s.linked[i] || !choice.Linking
		if choice.Column && links {
			s.ids = append(s.ids, s.symbols+q+i)
		}
	}
	for i := range s.in.Tables {
		if choice.Table {
			s.ids = append(s.ids, s.symbols+q+c+i)
		}
	}
}

// offer keeps a candidate when it is among the best: twice as many as the beam,
// for all of the beam can end at once.
func (s *search) offer(c candidate) {
	if len(s.found) == 2*s.beam {
		if c.score <= s.found[len(s.found)-1].score {
			return
		}
		s.found = s.found[:len(s.found)-1]
	}
	at, _ := slices.BinarySearchFunc(s.found, c, func(a, b candidate) int {
		if a.score >= b.score {
			return -1
		}
		return 1
	})
	s.found = slices.Insert(s.found, at, c)
}

// advance makes hypotheses of the candidates: those that end are set aside.
func (s *search) advance(first int) {
	s.next = s.next[:0]
	for _, c := range s.found {
		parent := &s.live[c.row]
		stack, ok := parent.stack.Next(s.token(c.token))
		full := !stack.Done() && len(s.next) == s.beam
		if !ok || full || !s.knows(stack) {
			continue
		}
		h := *parent
		h.score, h.stack = c.score, stack
		h.tokens[h.count], h.path[h.count] = int16(c.token), int32(first+c.row)
		h.count++
		if stack.Done() {
			s.done = append(s.done, h)
		} else {
			s.next = append(s.next, h)
		}
	}
	s.live, s.next = s.next, s.live
	slices.SortStableFunc(s.done, func(a, b hypothesis) int { return cmp.Compare(b.score, a.score) })
	s.done = s.done[:min(len(s.done), s.beam)]
	if len(s.done) > 0 {
		unlikely := func(h hypothesis) bool { return h.score < s.done[0].score+s.least }
		s.live, s.done = slices.DeleteFunc(s.live, unlikely), slices.DeleteFunc(s.done, unlikely)
	}
}

// knows reports whether the networks were trained with all states of a stack.
func (s *search) knows(stack grammar.Stack) bool {
	return !slices.ContainsFunc(stack, func(state grammar.State) bool { return int(state) >= s.nets[0].state.rows })
}

func (s *search) token(id int) grammar.Token {
	q, c := len(s.in.Words), len(s.in.Columns)
	switch item := id - s.symbols; {
	case item < 0:
		return grammar.Token{Kind: grammar.Symbol, ID: id}
	case item < q:
		return grammar.Token{Kind: grammar.Word, ID: item}
	case item < q+c:
		return grammar.Token{Kind: grammar.Column, ID: item - q}
	default:
		return grammar.Token{Kind: grammar.Table, ID: item - q - c}
	}
}

func (s *search) result() []Hypothesis {
	all := make([]Hypothesis, len(s.done))
	for i := range s.done {
		h := &s.done[i]
		all[i].LogProb = h.score
		for _, id := range h.tokens[:h.count] {
			all[i].Tokens = append(all[i].Tokens, s.token(int(id)))
		}
	}
	return all
}
