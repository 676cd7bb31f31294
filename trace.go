package quern

import (
	"strings"
	"time"
)

type (
	// SpanID identifies a span within its trace: 16 hexadecimal digits.
	SpanID string
	// SpanKind says what a span's time went into.
	SpanKind string
)

// The kinds. A run has one span of the first; the others are under it.
const (
	SpanRun         SpanKind = "run"
	SpanPlan        SpanKind = "plan"
	SpanStep        SpanKind = "step"
	SpanTranslation SpanKind = "translation"
	SpanQuery       SpanKind = "query"
	SpanModel       SpanKind = "model"
	SpanAnswer      SpanKind = "answer"
)

// Span is one timed piece of the work on a run. The spans of a run are its trace.
type Span struct {
	Run    RunID
	ID     SpanID
	Parent SpanID // empty for the run's own span
	Kind   SpanKind
	Name   string
	Start  time.Time
	End    time.Time
	// Failure says what sort of error ended it; empty when none did.
	Failure Code
	// Input and Output are content: a question, a query, an answer. They are
	// empty where content is not recorded. Rows are never content.
	Input, Output string
	// Attributes are texts, integers, floats and truths.
	Attributes map[string]any
}

// TraceID is the id of the run's trace: the run's own, written as traces are.
func (id RunID) TraceID() string { return strings.ReplaceAll(string(id), "-", "") }

// SpanID is the id of the run's own span. It follows from the run's id, so that
// a run which is taken up by another server goes on in the same trace.
func (id RunID) SpanID() SpanID {
	trace := id.TraceID()
	return SpanID(trace[len(trace)/2:])
}

// Feedback is what the asker thought of a run.
type Feedback struct {
	Run      RunID
	ThumbsUp bool
	Comment  string
	GivenAt  time.Time
}

// ScoreID is the id of a run's score in the tracing store. There is one for each
// run, so that rating again overwrites.
func (id RunID) ScoreID() string { return string(id) + "-feedback" }
