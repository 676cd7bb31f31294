package encoder

import (
	"context"
	"runtime"

	"quern/nlq/kernel"
)

// Names computes what the lower layers make of texts. It ends early with the
// context's error when that is done.
func (e *Encoder) Names(ctx context.Context, texts []Text) ([]Name, error) {
	names := make([]Name, len(texts))
	w := kernel.TakeWorkers()
	defer w.Release()
	failed := make([]error, len(texts))
	err := w.Each(len(texts), func(_, i int) {
		if ctx.Err() == nil {
			names[i], failed[i] = e.name(texts[i])
			// Nobody may wait for names, and somebody for the processor.
			runtime.Gosched()
		}
	})
	if err != nil {
		return nil, err
	}
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return names, ctx.Err()
}

// name computes what the lower layers make of one text, on one core.
func (e *Encoder) name(t Text) (Name, error) {
	ids, kept := e.pieces.read(t)
	m := e.memory(len(ids))
	e.embed(m, ids)
	if err := e.apply(1, m, e.layers[:e.Apart]); err != nil {
		return nil, err // what the memory holds is not known
	}
	defer e.memories.Put(m)
	rows := make([]float32, 0, len(kept)*e.Size)
	for _, place := range kept {
		rows = append(rows, m.x[place*e.Size:(place+1)*e.Size]...)
	}
	return nameOf(rows, e.Size), nil
}

// Encode returns a vector of Width numbers for each word of a question and behind
// them for each name: what they mean beside each other. Words beyond the bound of a
// question and empty names have zeros. It ends early with the context's error when
// that is done.
func (e *Encoder) Encode(ctx context.Context, words []string, names []Name) ([]float32, error) {
	ids, owners := e.question(words)
	pieces := len(ids)
	for _, n := range names {
		pieces += n.count(e.Size)
	}
	w := kernel.TakeWorkers()
	defer w.Release()
	alone := e.memory(len(ids))
	e.embed(alone, ids)
	if err := e.apply(w, alone, e.layers[:e.Apart]); err != nil {
		return nil, err
	}
	defer e.memories.Put(alone)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m := e.memory(pieces)
	copy(m.x, alone.x[:len(ids)*e.Size])
	at := len(ids)
	for i, n := range names {
		n.write(m.x[at*e.Size:], e.Size)
		for range n.count(e.Size) {
			owners = append(owners, len(words)+i)
		}
		at += n.count(e.Size)
	}
	if err := e.apply(w, m, e.layers[e.Apart:]); err != nil {
		return nil, err
	}
	defer e.memories.Put(m)
	return e.pool(m, owners, len(words)+len(names)), ctx.Err()
}

// question returns the pieces of a question, and the word of each; -1: of none.
func (e *Encoder) question(words []string) (ids []int32, owners []int) {
	ids, owners = append(ids, e.pieces.begin), append(owners, -1)
	for i, w := range words {
		for _, id := range e.pieces.Word(w) {
			if len(ids) < mostQuestion-1 {
				ids, owners = append(ids, id), append(owners, i)
			}
		}
	}
	return append(ids, e.pieces.end), append(owners, -1)
}

// pool returns the means of the pieces that belong to each of so many items.
func (e *Encoder) pool(m *memory, owners []int, items int) []float32 {
	means, counts := make([]float32, items*e.Size), make([]int, items)
	for i, owner := range owners {
		if owner >= 0 {
			kernel.Add(means[owner*e.Size:(owner+1)*e.Size], m.x[i*e.Size:])
			counts[owner]++
		}
	}
	for i, n := range counts {
		if n > 1 {
			mean := means[i*e.Size : (i+1)*e.Size]
			for j := range mean {
				mean[j] /= float32(n)
			}
		}
	}
	return means
}
