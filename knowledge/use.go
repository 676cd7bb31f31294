package knowledge

import (
	"context"
	"encoding/json"
	"sync"

	"quern"
	"quern/store"
)

// Used is the knowledge of a namespace as questions are read with it: whole, for
// whoever reads it to leave out what an asker does not see.
type Used struct {
	Document
	Version int64
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

// Visible returns the entries whose datasets are all seen; datasets are looked up
// by the keys of their names.
func (u *Used) Visible(seen map[string]bool) Document {
	return u.filter(func(e entry) bool {
		for _, name := range e.datasets() {
			if !seen[quern.NameKey(name)] {
				return false
			}
		}
		return true
	})
}
