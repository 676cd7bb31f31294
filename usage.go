package quern

import "time"

// UsageID identifies one usage event; later events have greater ids.
type UsageID string

// ModelCall is the operation of a usage event that is the call of a language model.
const ModelCall = "modelCall"

// UsageEvent is one request that was made in a user's name, or one call of a
// language model. Cost is in millionths of the currency of the operator's prices.
type UsageEvent struct {
	ID              UsageID
	At              time.Time
	Operation       string // the operation's id in the contract, or ModelCall
	Units           int64  // how much work it was; 1 where that is not measured
	Provider, Model string // of a model call
	Tokens, Cost    int64  // of a model call
}

// UsagePage says which of a user's usage events are listed, newest first.
type UsagePage struct {
	Span   UsageSpan
	Behind UsageID // the event before the first one listed; empty for the newest
	Limit  int
}

// UsageSpan is a time that usage is told of. A zero bound is none.
type UsageSpan struct {
	OnOrAfter, Before time.Time
}

// UsageSum is what language models were asked for on one day, all together.
type UsageSum struct {
	Day          string // as 2006-01-02
	Tokens, Cost int64
}

// UsageDay counts the requests for one operation on one day.
type UsageDay struct {
	Day       string // in UTC, as 2006-01-02
	Operation string
	Requests  int64
}

// ModelUsage is what a user's questions took of one model, in one call or on one
// day. Cost is in millionths of the currency that the operator's prices are in.
type ModelUsage struct {
	At              time.Time // of one call; zero in a day's sum
	Day             string    // in UTC, as 2006-01-02
	Provider, Model string
	Requests        int64
	InputTokens     int64
	OutputTokens    int64
	Cost            int64
}
