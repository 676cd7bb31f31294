package knowledge

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"quern"
	"quern/english"
	"quern/store"
)

// Used is the knowledge of a namespace as questions are read with it: whole, for
// whoever reads it to leave out what an asker does not see.
type Used struct {
	Document
	Version int64
	visible atomic.Pointer[Taught] // the last one
}

// mostCached is how many namespaces' documents are kept in memory.
const mostCached = 256

// cache keeps the current documents of namespaces that were asked about.
type cache struct {
	mu  sync.Mutex
	all map[quern.NamespaceID]*Used
}

// Of returns the current knowledge of a namespace, for the server's own reading of
// questions: it asks for nobody's rights, so no door may offer it. The same value
// is returned until there is another version.
func (s *Service) Of(ctx context.Context, id quern.NamespaceID) (*Used, error) {
	known := s.cache.get(id)
	made := known
	err := s.store.View(ctx, func(tx *store.Tx) error {
		version, err := tx.KnowledgeVersion(ctx, id)
		if err != nil || version == known.Version {
			made = known
			return err
		}
		kept, err := tx.KnowledgeVersions(ctx, id, version, 1)
		if err != nil || len(kept) == 0 {
			return err
		}
		made = &Used{Version: kept[0].Version}
		return json.Unmarshal([]byte(kept[0].Document), &made.Document)
	})
	if err != nil {
		return nil, err
	}
	s.cache.put(id, made)
	return made, nil
}

// Kept is how many namespaces' documents are in memory.
func (s *Service) Kept() quern.Room {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return quern.Room{Taken: int64(len(s.cache.all)), Limit: mostCached}
}

func (c *cache) get(id quern.NamespaceID) *Used {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.all[id]; known != nil {
		return known
	}
	return &Used{}
}

func (c *cache) put(id quern.NamespaceID, used *Used) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil || len(c.all) >= mostCached {
		c.all = map[quern.NamespaceID]*Used{} // the next questions fill it again
	}
	c.all[id] = used
}

// Taught is what is taught about datasets that somebody all sees, as questions look
// it up.
type Taught struct {
	Document
	// Unclear are the words that mean several things, and what.
	Unclear map[string][]string
	// words are the places of words by the stem of their first word.
	words map[string][]int
	seen  string // the datasets, as a text
}

// WordsIn returns the words of which a text of some stems has the first, in the
// order of the text.
func (t *Taught) WordsIn(stems []string) []Word {
	var all []Word
	for _, stem := range stems {
		for _, i := range t.words[stem] {
			all = append(all, t.Words[i])
		}
	}
	return all
}

// Without returns what is taught but for a verified question.
func (t *Taught) Without(name string) *Taught {
	made := *t
	made.Verified = slices.DeleteFunc(slices.Clone(t.Verified), func(v Verified) bool { return keyOf(v.Name) == keyOf(name) })
	return &made
}

// Visible returns the entries whose datasets are all seen. Datasets are named by
// the keys of their names. What was made last is kept for those who see the same.
func (u *Used) Visible(datasets []string) *Taught {
	seen := strings.Join(slices.Sorted(slices.Values(datasets)), "/")
	if last := u.visible.Load(); last != nil && last.seen == seen {
		return last
	}
	made := &Taught{seen: seen, words: map[string][]int{}}
	made.Document = u.filter(func(e entry) bool {
		return !slices.ContainsFunc(e.datasets(), func(name string) bool { return !slices.Contains(datasets, quern.NameKey(name)) })
	})
	made.Unclear = made.Ambiguous()
	for i, w := range made.Words {
		if first, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(w.Word)), " "); first != "" {
			stem := english.Stem(first)
			made.words[stem] = append(made.words[stem], i)
		}
	}
	u.visible.Store(made)
	return made
}

// Names reports whether an entry of the document gives one of some names to something:
// as a word, or as a measure or condition of a dataset.
func (d *Document) Names(dataset string, names []string) bool {
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return keyOf(n) == keyOf(w) })
		})
	}
	return slices.ContainsFunc(d.Words, func(w Word) bool { return is(w.Word) }) ||
		slices.ContainsFunc(d.Measures, func(m Measure) bool { return keyOf(m.Dataset) == keyOf(dataset) && (is(m.Name) || is(m.Words...)) }) ||
		slices.ContainsFunc(d.Conditions, func(c Condition) bool { return keyOf(c.Dataset) == keyOf(dataset) && (is(c.Name) || is(c.Words...)) })
}
