package worker

import (
	"slices"
	"sync"

	"quern/engine"
)

const (
	// maxRemembered is of how many queries the names are remembered, and maxRememberedSQL
	// how long their text may be.
	maxRemembered    = 1024
	maxRememberedSQL = 4096
	// maxRememberedNames is how many names one may have.
	maxRememberedNames = 16
)

// names remembers which tables the queries of users named, so that the next of the same text
// goes to its worker together with its tables. They are resolved anew every time, as its user.
type names struct {
	mu   sync.Mutex
	kept map[asked][]engine.Ref
}

// asked is a query of a user.
type asked struct{ user, sql string }

func (n *names) of(q engine.Query) []engine.Ref {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kept[asked{q.User, q.SQL}]
}

// remember notes which tables a query named.
func (n *names) remember(q engine.Query, refs []engine.Ref) {
	if q.User == "" || len(refs) == 0 || len(refs) > maxRememberedNames || len(q.SQL) > maxRememberedSQL {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.kept) >= maxRemembered {
		clear(n.kept)
	}
	if n.kept == nil {
		n.kept = map[asked][]engine.Ref{}
	}
	n.kept[asked{q.User, q.SQL}] = slices.Clone(refs)
}
