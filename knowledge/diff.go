package knowledge

import (
	"fmt"
	"reflect"
)

// mostChanges is how many changes of a version are told one by one.
const mostChanges = 50

// Diff says what one document has that another before it had not, in lines such as
// "added measures orders.revenue".
func Diff(before, after *Document) []string {
	var all []string
	add := func(what, kind string, e entry) {
		all = append(all, fmt.Sprintf("%s %s %s", what, kind, e.key()))
	}
	before.change(after, func(kind string) func(own, other entry) entry {
		return func(own, other entry) entry {
			switch {
			case own == nil:
				add("added", kind, other)
			case other == nil:
				add("removed", kind, own)
			case !same(own, other):
				add("changed", kind, own)
			}
			return nil
		}
	})
	return all
}

// shortened returns the changes as a version tells them.
func shortened(changes []string) []string {
	if len(changes) <= mostChanges {
		return changes
	}
	return append(changes[:mostChanges:mostChanges], fmt.Sprintf("and %d more", len(changes)-mostChanges))
}

// same reports whether two entries say the same. Who vouches for a verified question
// is no part of what it says: the server sets it.
func same(a, b entry) bool { return reflect.DeepEqual(unsigned(a), unsigned(b)) }

func unsigned(e entry) entry {
	if v, ok := e.(Verified); ok {
		v.By = ""
		return v
	}
	return e
}
