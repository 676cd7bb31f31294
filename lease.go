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

// The suspicions, from one death to the next. Progress ends any of them. A server may
// die during a trial of something else, by a kill from outside for one: only what that
// happens to Trials times in a row is the cause.
const (
	Innocent  Suspicion = 0                // no server died over it
	Suspected Suspicion = 1                // it was in hand when a server died
	OnTrial   Suspicion = 2                // it is in hand, as the only suspect of its server, for the first time
	Guilty    Suspicion = OnTrial + Trials // a server died during each of its trials: it is given up
)

// Trials is how many servers have to die during trials of the same work, one after the
// other, until it is given up.
const Trials = 3

// OnTrial reports whether the work is in hand as the only suspect of its server.
func (s Suspicion) OnTrial() bool { return s >= OnTrial && s < Guilty }
