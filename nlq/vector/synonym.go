package vector

import (
	"encoding/binary"
	"errors"
	"slices"
)

const (
	synonymMagic   = "QSYN"
	synonymVersion = 1
	synonymHeader  = len(synonymMagic) + 3*4
	// mostListed bounds the ids that synonyms may take memory for.
	mostListed = 1 << 24
)

var errSynonyms = errors.New("vector: the data holds no synonyms of a known version")

// lists holds a list of ids for every word, one behind the other.
type lists struct {
	ends []int32
	ids  []int32
}

func (l *lists) of(id int32) []int32 {
	i := int(id - first)
	if i < 0 || i >= len(l.ends) {
		return nil
	}
	from := int32(0)
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.ids[from:l.ends[i]:l.ends[i]]
}

// Relate reads synonyms as learned/train/synonyms.py writes them. They belong to the
// table's words; others are refused.
func (t *Table) Relate(data []byte) error {
	isSynonyms := len(data) >= synonymHeader && string(data[:len(synonymMagic)]) == synonymMagic
	if !isSynonyms || binary.LittleEndian.Uint32(data[4:]) != synonymVersion {
		return errSynonyms
	}
	if binary.LittleEndian.Uint32(data[8:]) != t.sum || int(binary.LittleEndian.Uint32(data[12:])) != len(t.scales) {
		return errors.New("vector: the synonyms belong to other word vectors")
	}
	r := listReader{data: data[synonymHeader:], words: len(t.scales)}
	bases := r.lists(func(int32) int32 { return 0 })
	greater := r.lists(func(id int32) int32 { return id })
	if r.bad || len(r.data) != 0 {
		return errSynonyms
	}
	t.bases, t.related = bases, bothWays(greater)
	return nil
}

// Bases returns the other words that a word is a form of: heavy for heaviest. They
// may be of more than one.
func (t *Table) Bases(id int32) []int32 { return t.bases.of(id) }

// Related returns the words that mean the same as a base word or are of one origin
// with it. Whatever a word is related with is related with it.
func (t *Table) Related(id int32) []int32 { return t.related.of(id) }

// Synonyms reports whether two words, in any of their forms, mean the same or are
// of one origin.
func (t *Table) Synonyms(a, b int32) bool {
	if t.synonym(a, b) {
		return true
	}
	for _, base := range t.Bases(a) {
		if t.synonym(base, b) {
			return true
		}
	}
	return false
}

// synonym is Synonyms for a base word and a word in any of its forms.
func (t *Table) synonym(base, b int32) bool {
	if base == b {
		return true
	}
	related := t.Related(base)
	return slices.Contains(related, b) || slices.ContainsFunc(t.Bases(b), func(other int32) bool {
		return other == base || slices.Contains(related, other)
	})
}

// listReader reads lists, and remembers what could not be read.
type listReader struct {
	data  []byte
	words int
	bad   bool
}

func (r *listReader) number() int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > mostListed {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// lists reads a list for every word; start is what its first id differs from.
func (r *listReader) lists(start func(id int32) int32) lists {
	all := lists{ends: make([]int32, r.words)}
	for i := range all.ends {
		last := int(start(first + int32(i)))
		for n := r.number(); n > 0 && !r.bad; n-- {
			last += r.number()
			if last < int(first) || last >= int(first)+r.words {
				r.bad = true
				break
			}
			all.ids = append(all.ids, int32(last))
		}
		all.ends[i] = int32(len(all.ids))
	}
	return all
}

// bothWays adds to the list of each word those that list it.
func bothWays(greater lists) lists {
	all := lists{ends: make([]int32, len(greater.ends)), ids: make([]int32, 2*len(greater.ids))}
	each := func(do func(a, b int32)) {
		for i := range greater.ends {
			for _, other := range greater.of(first + int32(i)) {
				do(int32(i), other-first)
			}
		}
	}
	each(func(a, b int32) { all.ends[a]++; all.ends[b]++ })
	next := make([]int32, len(all.ends))
	total := int32(0)
	for i, n := range all.ends {
		next[i] = total
		total += n
		all.ends[i] = total
	}
	each(func(a, b int32) {
		all.ids[next[a]], all.ids[next[b]] = first+b, first+a
		next[a]++
		next[b]++
	})
	return all
}
