package quern

import "time"

// UsageID identifies one usage event; later events have greater ids.
type UsageID string

// UsageEvent is one request that was made in a user's name.
type UsageEvent struct {
	ID        UsageID
	At        time.Time
	Operation string // the operation's id in the contract
	Units     int64  // how much work it was; 1 where that is not measured
}

// UsageDay counts the requests for one operation on one day.
type UsageDay struct {
	Day       string // in UTC, as 2006-01-02
	Operation string
	Requests  int64
}

// ModelUsage is what a user's questions took of one model on one day. Cost is in
// millionths of the currency that the operator's prices are in.
type ModelUsage struct {
	Day             string // in UTC, as 2006-01-02
	Provider, Model string
	Requests        int64
	InputTokens     int64
	OutputTokens    int64
	Cost            int64
}
