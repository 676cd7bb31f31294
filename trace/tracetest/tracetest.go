// Package tracetest holds every keeper of trace.Keeper's promise to the same
// behaviour.
package tracetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/trace"
)

// Fixture is a fresh keeper and what a test may ask of it past its interface.
type Fixture struct {
	Keeper trace.Keeper
	// Run makes a run that can be traced and scored.
	Run func() quern.RunID
	// Span and Score give what is kept; ok is false when nothing is.
	Span  func(quern.RunID, quern.SpanID) (s Kept, ok bool)
	Score func(quern.RunID) (f quern.Feedback, ok bool)
	// Spans counts those of a run. A keeper that stores later than it takes is waited
	// for until it has want of them.
	Spans func(run quern.RunID, want int) int
	// KeepsFirst says that a span which is recorded again stays as it was.
	KeepsFirst bool
}

// Kept is what can be said of a span that is kept, by any keeper.
type Kept struct {
	Parent     quern.SpanID
	Name       string
	Start, End time.Time // to the microsecond
	Failed     bool
	Attributes map[string]any
}

// Run runs the suite, each test on a fixture of its own.
func Run(t *testing.T, fresh func(*testing.T) Fixture) {
	t.Helper()
	for _, test := range []struct {
		name string
		fn   func(*testing.T, Fixture)
	}{
		{"SpansAreKept", spansAreKept},
		{"TheSameSpanIsKeptOnce", theSameSpanIsKeptOnce},
		{"ManySpansAtOnce", manySpansAtOnce},
		{"AScoreIsKept", aScoreIsKept},
		{"AScoreIsOverwritten", aScoreIsOverwritten},
		{"ACommentIsCleared", aCommentIsCleared},
		{"AScoreIsRemoved", aScoreIsRemoved},
		{"RunsAreScoredApart", runsAreScoredApart},
		{"StrangeComments", strangeComments},
		{"ScoresAtOnce", scoresAtOnce},
		{"AnEndedContext", anEndedContext},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.fn(t, fresh(t))
		})
	}
}

var noon = time.Date(2030, 12, 1, 12, 0, 0, 123456000, time.UTC)

func span(run quern.RunID, id, parent quern.SpanID, kind quern.SpanKind) quern.Span {
	return quern.Span{
		Run: run, ID: id, Parent: parent, Kind: kind, Name: string(kind), Start: noon, End: noon.Add(1500 * time.Microsecond),
		Attributes: map[string]any{
			trace.Agent: "nl2ql", trace.Session: "c", trace.Conversation: "c", trace.UserID: "u", trace.UserName: "ada",
		},
	}
}

// part is the id of the nth span below a run's. No other run has it: there are keepers
// that know spans by their ids alone.
func part(run quern.RunID, n int) quern.SpanID {
	return quern.SpanID(fmt.Sprintf("%.12s%04x", run.SpanID(), n))
}

func record(t *testing.T, f Fixture, spans ...quern.Span) {
	t.Helper()
	if err := f.Keeper.Record(t.Context(), spans); err != nil {
		t.Fatalf("Record(%d spans) = %v, want nil", len(spans), err)
	}
}

func score(t *testing.T, f Fixture, run quern.RunID, up bool, comment string) {
	t.Helper()
	if err := f.Keeper.Score(t.Context(), quern.Feedback{Run: run, ThumbsUp: up, Comment: comment, GivenAt: noon}); err != nil {
		t.Fatalf("Score(%t, %.40q) = %v, want nil", up, comment, err)
	}
}

func wantScore(t *testing.T, f Fixture, run quern.RunID, up bool, comment string) {
	t.Helper()
	got, ok := f.Score(run)
	if !ok || got.ThumbsUp != up || got.Comment != comment {
		t.Errorf("the score kept is %t %.60q (%t), want %t %.60q", got.ThumbsUp, got.Comment, ok, up, comment)
	}
}

func spansAreKept(t *testing.T, f Fixture) {
	run := f.Run()
	root := span(run, run.SpanID(), "", quern.SpanRun)
	root.Input, root.Output = "How many ships?", "40"
	model := span(run, part(run, 1), root.ID, quern.SpanModel)
	model.Failure = quern.CodeTimeout
	model.Attributes[trace.RequestModel] = "mill"
	model.Attributes[trace.InputTokens] = int64(12)
	model.Attributes[trace.Cost] = 0.25
	record(t, f, model, root)
	got, ok := f.Span(run, root.ID)
	if !ok || got.Parent != "" || got.Name != "run" || got.Failed || !got.Start.Equal(noon) || got.End.Sub(got.Start) != 1500*time.Microsecond {
		t.Errorf("the run's span is kept as %+v (%t)", got, ok)
	}
	got, ok = f.Span(run, model.ID)
	if !ok || got.Parent != root.ID || !got.Failed {
		t.Errorf("the model's span is kept as %+v (%t), want one that failed under %s", got, ok, root.ID)
	}
	for key, want := range map[string]string{trace.RequestModel: `"mill"`, trace.InputTokens: "12", trace.Cost: "0.25"} {
		if text, err := json.Marshal(got.Attributes[key]); err != nil || string(text) != want {
			t.Errorf("%s is kept as %s, want %s", key, text, want)
		}
	}
}

func theSameSpanIsKeptOnce(t *testing.T, f Fixture) {
	run := f.Run()
	first := span(run, run.SpanID(), "", quern.SpanRun)
	record(t, f, first)
	second := span(run, run.SpanID(), "", quern.SpanRun)
	second.Name, second.End = "again", noon.Add(time.Second)
	record(t, f, second)
	want := second
	if f.KeepsFirst {
		want = first
	}
	got, _ := f.Span(run, run.SpanID())
	if n := f.Spans(run, 1); got.Name != want.Name || !got.End.Equal(want.End) || n != 1 {
		t.Errorf("the span is kept %d times, as %+v; want once, as %+v", n, got, want)
	}
}

func manySpansAtOnce(t *testing.T, f Fixture) {
	run := f.Run()
	var all []quern.Span
	for i := range 300 {
		all = append(all, span(run, part(run, i+1), run.SpanID(), quern.SpanQuery))
	}
	record(t, f, all...)
	if n := f.Spans(run, len(all)); n != len(all) {
		t.Errorf("%d spans are kept, want %d", n, len(all))
	}
}

func aScoreIsKept(t *testing.T, f Fixture) {
	up, down := f.Run(), f.Run()
	score(t, f, up, true, "")
	score(t, f, down, false, "the total is wrong")
	wantScore(t, f, up, true, "")
	wantScore(t, f, down, false, "the total is wrong")
}

func aScoreIsOverwritten(t *testing.T, f Fixture) {
	run := f.Run()
	score(t, f, run, false, "no")
	score(t, f, run, true, "on second thoughts")
	wantScore(t, f, run, true, "on second thoughts")
}

func aCommentIsCleared(t *testing.T, f Fixture) {
	run := f.Run()
	score(t, f, run, true, "said in haste")
	score(t, f, run, true, "")
	wantScore(t, f, run, true, "")
}

func aScoreIsRemoved(t *testing.T, f Fixture) {
	run := f.Run()
	score(t, f, run, true, "x")
	for range 2 { // the second finds none, which is no error
		if err := f.Keeper.Unscore(t.Context(), run); err != nil {
			t.Fatalf("Unscore() = %v, want nil", err)
		}
	}
	if got, ok := f.Score(run); ok {
		t.Errorf("after Unscore, %+v is kept", got)
	}
	score(t, f, run, false, "y")
	wantScore(t, f, run, false, "y")
}

func runsAreScoredApart(t *testing.T, f Fixture) {
	one, other := f.Run(), f.Run()
	score(t, f, one, true, "one")
	score(t, f, other, false, "other")
	if err := f.Keeper.Unscore(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	wantScore(t, f, one, true, "one")
}

func strangeComments(t *testing.T, f Fixture) {
	run := f.Run()
	long := make([]rune, 10_000)
	for i := range long {
		long[i] = '界'
	}
	for _, comment := range []string{"'; drop table scores; --", "tab\tline\nquote\"", "🌾\u202e", `\u0041`, string(long)} {
		score(t, f, run, true, comment)
		wantScore(t, f, run, true, comment)
	}
}

func scoresAtOnce(t *testing.T, f Fixture) {
	run := f.Run()
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if err := f.Keeper.Score(t.Context(), quern.Feedback{Run: run, ThumbsUp: i%2 == 0, Comment: fmt.Sprint(i % 2), GivenAt: noon}); err != nil {
				t.Errorf("Score() beside others = %v, want nil", err)
			}
		})
	}
	all.Wait()
	if got, ok := f.Score(run); !ok || got.Comment == "0" != got.ThumbsUp {
		t.Errorf("the score kept is %+v (%t), a mixture of two", got, ok)
	}
}

func anEndedContext(t *testing.T, f Fixture) {
	run := f.Run()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := f.Keeper.Score(ctx, quern.Feedback{Run: run, ThumbsUp: true, GivenAt: noon})
	if err == nil {
		t.Error("Score() with an ended context = nil, want an error")
	}
	if !errors.Is(err, context.Canceled) && !quern.Is(err, quern.Unreachable) {
		t.Errorf("Score() with an ended context = %v, want what ended it", err)
	}
}
