package llm

import (
	"context"
	"errors"
	"time"

	"quern"
)

// Reason is why a model could not be used.
type Reason uint8

// The reasons.
const (
	Away     Reason = iota + 1 // the service cannot be reached, or broke
	Slow                       // it did not answer in time
	Busy                       // it wants fewer requests
	Denied                     // it does not take our key, or does not have the model
	Rejected                   // it does not take this request
	Garbled                    // what it sent is no answer
	Cut                        // the answer stops at the limit of tokens
	Declined                   // the model will not answer
	Resting                    // it failed too often, and is left alone for a while
	Spent                      // the user's budget is used up
	Unusable                   // it answered, but not with what was asked for
	reasonCount
)

// faults says what each reason means to callers.
var faults = [reasonCount]struct {
	kind   quern.Kind
	code   quern.Code
	detail string // for the caller
	note   string // for the reader of an answer that was made without the model
	again  bool   // the same request may succeed at once
	down   bool   // a sign that the service is not well
}{
	Away:     {quern.Unreachable, quern.CodeUnreachable, "the model cannot be reached", "the model was unreachable", true, true},
	Slow:     {quern.Timeout, quern.CodeTimeout, "the model did not answer in time", "the model took too long", false, true},
	Busy:     {quern.Throttled, quern.CodeThrottled, "the model wants fewer requests; try again later", "the model was too busy", true, true},
	Denied:   {quern.Unreachable, quern.CodeUnreachable, "the model does not accept this server", "the model was unreachable", false, true},
	Rejected: {quern.Unreachable, quern.CodeUnreachable, "the model does not accept the request", "the model did not accept the question", false, false},
	Garbled:  {quern.Unreachable, quern.CodeUnreachable, "the model's service sent no answer that can be read", "the model was unreachable", true, true},
	Cut:      {quern.Unreachable, quern.CodeUnreachable, "the model's answer was cut at its limit of tokens", "the model's answer was too long", false, false},
	Declined: {quern.Unreachable, quern.CodeUnreachable, "the model declined to answer", "the model declined to answer", false, false},
	Resting:  {quern.Unreachable, quern.CodeUnreachable, "the model has not answered lately and is not asked for a while", "the model was unreachable", false, false},
	Spent:    {quern.Throttled, quern.CodeBudgetSpent, "the budget for models is spent for today", "the budget for models is spent for today", false, false},
	Unusable: {quern.Unreachable, quern.CodeUnreachable, "the model gave no answer that can be used", "the model gave no answer that can be used", false, false},
}

// Note says in a clause why an answer was made without the model.
func (r Reason) Note() string {
	if r == 0 || r >= reasonCount {
		return faults[Away].note
	}
	return faults[r].note
}

// Fault is how a model failed. It is the cause inside the error that a Model
// returns, for the decorators and for the log.
type Fault struct {
	Reason Reason
	// After is how long the service asks to be left alone; zero when it does not say.
	After time.Duration
	Err   error // may be nil
}

func (f *Fault) Error() string {
	if f.Err == nil {
		return faults[f.Reason].detail
	}
	return f.Err.Error()
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// RetryAfter is how long callers should wait before they ask again.
func (f *Fault) RetryAfter() time.Duration { return f.After }

// Failed makes the error of a model that failed.
func Failed(f Fault) *quern.Error {
	about := faults[f.Reason]
	return quern.E(about.kind, about.code, "%s", about.detail).Because(&f)
}

// FaultOf returns the fault inside an error, and whether there is one. An error
// without a fault is not the model's.
func FaultOf(err error) (Fault, bool) {
	if f, ok := errors.AsType[*Fault](err); ok {
		return *f, true
	}
	return Fault{}, false
}

// Broken makes the error of a call that failed on its way. A context that ended
// because the caller went away is passed on as it is.
func Broken(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return Failed(Fault{Reason: Slow, Err: err})
	case errors.Is(err, errTooLong):
		return Failed(Fault{Reason: Garbled, Err: err})
	}
	return Failed(Fault{Reason: Away, Err: err})
}
