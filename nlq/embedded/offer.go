package embedded

import (
	"strings"
	"sync"

	"quern/tree"
)

// mostOffers is how many readings are kept that were offered.
const mostOffers = 2_000

// offers are the readings that were offered of late, so that whoever asks for one
// gets it. Another server, or this one after a restart, reads the words anew.
type offers struct {
	mu    sync.Mutex
	kept  map[offerKey]*candidate
	order []offerKey // oldest first
}

// offerKey is a reading in words, and whom it was offered to of what.
type offerKey struct{ user, in, label string }

func (r *reader) offerKey(label string) offerKey {
	q := r.Question
	return offerKey{string(r.principal.User.ID), strings.ToLower(q.In.Owner + "/" + q.In.Namespace + "/" + q.Dataset), strings.ToLower(label)}
}

// offer keeps a reading for the asker.
func (r *reader) offer(label string, c *candidate) {
	o, key := &r.offers, r.offerKey(label)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil {
		o.kept = map[offerKey]*candidate{}
	}
	if _, known := o.kept[key]; !known {
		o.order = append(o.order, key)
	}
	o.kept[key] = &candidate{query: c.query, score: c.score}
	if len(o.order) > mostOffers {
		delete(o.kept, o.order[0])
		o.order = o.order[1:]
	}
}

// offered returns the reading that the question names, if it was offered to the
// asker and still fits what they see.
func (r *reader) offered() (*candidate, bool) {
	o := &r.offers
	o.mu.Lock()
	c := o.kept[r.offerKey(r.Question.Text)]
	o.mu.Unlock()
	if c == nil {
		return nil, false
	}
	return r.candidate(tree.Clone(c.query), c.score)
}
