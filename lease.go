package quern

import "time"

// Lease is the right to work on something for a while. Whoever does not renew it
// in time has lost it, and with it the right to write what came of the work.
type Lease struct {
	Holder string
	Until  time.Time
}

// Claim is how a server asks for work that is due.
type Claim struct {
	Lease
	Now time.Time
	// Suspects says whether it may be work that a server died over.
	Suspects bool
	// Busy are users whose work is not taken now.
	Busy []UserID
}

// Suspicion says what is known of work that a server died over: it may have been
// the cause, as may whatever else the server worked on at the time.
type Suspicion int

// The suspicions, from one death to the next. Progress ends any of them.
const (
	Innocent  Suspicion = iota // no server died over it
	Suspected                  // it was in hand when a server died
	OnTrial                    // it is in hand, as the only suspect of its server
	Guilty                     // a server died during its trial: it is given up
)
