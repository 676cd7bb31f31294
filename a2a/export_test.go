package a2a

import (
	"maps"
	"slices"

	"quern"
)

// FaultOf returns how a kind is told to clients.
func FaultOf(k quern.Kind) (code int, reason string) {
	if int(k) >= len(kinds) || kinds[k].fault == nil {
		return 0, ""
	}
	return kinds[k].fault.code, kinds[k].fault.reason
}

// MethodNames lists the methods of the protocol.
func MethodNames() []string { return slices.Sorted(maps.Keys(methods)) }
