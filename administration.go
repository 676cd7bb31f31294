package quern

import "time"

// Quota is what a user may use; nil members are no limits.
type Quota struct {
	Bytes     *int64 // of the tables and the uploaded files that the user owns
	Rows      *int64 // of the user's datasets
	Questions *int64 // a day, in UTC
}

// Or returns the quota with the members of other where it has none.
func (q Quota) Or(other Quota) Quota {
	if q.Bytes == nil {
		q.Bytes = other.Bytes
	}
	if q.Rows == nil {
		q.Rows = other.Rows
	}
	if q.Questions == nil {
		q.Questions = other.Questions
	}
	return q
}

// Stored is what a user's datasets and uploaded files take.
type Stored struct{ Bytes, Rows int64 }

// Check fails with TooLarge when more is stored than the quota has room for.
func (q Quota) Check(s Stored) error {
	switch {
	case q.Bytes != nil && s.Bytes > *q.Bytes:
		return E(TooLarge, CodeQuotaExceeded, "this would take %d bytes, and the owner of the data may have %d", s.Bytes, *q.Bytes)
	case q.Rows != nil && s.Rows > *q.Rows:
		return E(TooLarge, CodeQuotaExceeded, "this would make %d rows, and the owner of the data may have %d", s.Rows, *q.Rows)
	}
	return nil
}

// Day is the day, in UTC, that questions are counted by.
func Day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// CheckQuestions fails with Throttled when so many questions were asked on the day of
// now that the quota has room for no other; the error says when there is room again.
func (q Quota) CheckQuestions(asked int64, now time.Time) error {
	if q.Questions == nil || asked < *q.Questions {
		return nil
	}
	return E(Throttled, CodeQuotaExceeded, "you may ask %d questions a day, and have: the next day begins at 00:00 UTC", *q.Questions).
		Because(untilTomorrow(now))
}

// untilTomorrow says when the next day begins.
type untilTomorrow time.Time

func (untilTomorrow) Error() string { return "the questions of the day are used up" }

// RetryAfter is how long it takes until then.
func (u untilTomorrow) RetryAfter() time.Duration {
	now := time.Time(u).UTC()
	return now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
}

// ManagedUser is a user as an administrator sees one: what it uses and may use, and
// nothing of what it stored or asked.
type ManagedUser struct {
	User
	Stored
	Questions int64 // asked today
	Quota     Quota // the user's own
}

// WorkKind is a sort of work that goes on without a request.
type WorkKind string

// The kinds of work.
const (
	WorkRun       WorkKind = "run"
	WorkIngestion WorkKind = "ingestion"
)

// Work is a piece of running work, without what it is about.
type Work struct {
	Kind      WorkKind
	ID        string
	User      UserID
	Username  string
	Held      bool // a server works on it; otherwise it waits for one
	Attempt   int
	CreatedAt time.Time
	// Bytes and Rows are how far an ingestion is, and Expected the bytes that it has.
	Bytes, Rows, Expected int64
}

// RetentionKind is something that is kept for a while.
type RetentionKind string

// What is kept for a while.
const (
	RetainOriginals RetentionKind = "originals" // uploaded files
	RetainRuns      RetentionKind = "runs"      // questions and answers
	RetainTraces    RetentionKind = "traces"
	RetainAudit     RetentionKind = "audit"
)

// RetentionKinds lists them.
func RetentionKinds() []RetentionKind {
	return []RetentionKind{RetainOriginals, RetainRuns, RetainTraces, RetainAudit}
}
