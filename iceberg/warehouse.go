package iceberg

import (
	"strings"

	"quern"
	"quern/door"
)

// byIDWarehouse is the warehouse in which datasets are tables by their ids.
const byIDWarehouse = "by-id"

// byIDNamespace is its one namespace.
const byIDNamespace = "tables"

// noEndpoint behind an owner's name leaves the address of the objects out of what a
// load answers, for clients that fail on it and have it in their own settings.
const noEndpoint = ":no-endpoint"

// warehouse is whose tables are meant, and how they are shown.
type warehouse struct {
	owner      string // a username; empty when tables go by id
	noEndpoint bool
}

func (w warehouse) byID() bool { return w.owner == "" }

// readWarehouse reads the name that a client has in its settings; empty means the
// caller's own.
func readWarehouse(name, caller string) (warehouse, error) {
	owner, plain := strings.CutSuffix(name, noEndpoint)
	w := warehouse{owner: owner, noEndpoint: plain}
	switch owner {
	case byIDWarehouse:
		w.owner = ""
		return w, nil
	case "", quern.Self:
		w.owner = caller
		return w, nil
	}
	canonical, ok := quern.Username(owner)
	if !ok {
		return w, quern.E(quern.Malformed, quern.CodeMalformedParameter,
			"warehouse: must be a username, by-id, or either followed by %s", noEndpoint)
	}
	w.owner = canonical
	return w, nil
}

// prefix is how a warehouse is written in addresses.
func (w warehouse) prefix() string {
	name := w.owner
	if w.byID() {
		name = byIDWarehouse
	}
	if w.noEndpoint {
		name += noEndpoint
	}
	return name
}

// readPrefix reads what prefix wrote.
func readPrefix(prefix string) (warehouse, error) {
	w, err := readWarehouse(prefix, "")
	if err != nil || !w.byID() && w.owner == "" {
		return w, door.ErrNoRoute
	}
	return w, nil
}
