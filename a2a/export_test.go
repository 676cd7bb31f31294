package a2a

import "quern"

// FaultOf gives how a kind is told to clients.
func FaultOf(k quern.Kind) (code int, reason string) {
	if int(k) >= len(kinds) || kinds[k].fault == nil {
		return 0, ""
	}
	return kinds[k].fault.code, kinds[k].fault.reason
}
