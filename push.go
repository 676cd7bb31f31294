package quern

import "time"

// PushConfig is where somebody wants to be told of what happens in a run and in
// those that answer what it asks back.
type PushConfig struct {
	Run RunID  // the first of the thread
	ID  string // unique within the thread
	// Owner asked for it, with ActorToken, the API token or the session that was used, if any.
	Owner      UserID
	ActorToken TokenID
	URL        string
	// Token is what the receiver knows its sender by; empty: none.
	Token string
	// Scheme and Credentials are how the sender proves who it is; empty: not at all.
	Scheme, Credentials string
	CreatedAt           time.Time
}
