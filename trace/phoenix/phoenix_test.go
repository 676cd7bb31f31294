package phoenix_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/trace"
	"quern/trace/phoenix"
	"quern/trace/phoenix/phoenixtest"
	"quern/trace/tracetest"
)

func keeper(t *testing.T, s *phoenixtest.Server, change func(*phoenix.Options)) *phoenix.Keeper {
	t.Helper()
	o := phoenix.Options{URL: s.URL, APIKey: phoenixtest.APIKey, Resource: map[string]string{"service.name": "quern"}}
	if change != nil {
		change(&o)
	}
	k := phoenix.New(o)
	t.Cleanup(func() { _ = k.Close() }) // it lets go of idle connections only
	return k
}

// spanOf is the span of a whole run.
func spanOf(run quern.RunID) quern.Span {
	now := time.Now()
	return quern.Span{Run: run, ID: run.SpanID(), Kind: quern.SpanRun, Name: "invoke_agent nl2ql", Start: now, End: now}
}

// archived has the span of every run.
func archived(_ context.Context, run quern.RunID) ([]quern.Span, error) {
	return []quern.Span{spanOf(run)}, nil
}

func TestKeeper(t *testing.T) {
	t.Parallel()
	tracetest.Run(t, func(t *testing.T) tracetest.Fixture {
		s := phoenixtest.New(t)
		return tracetest.Fixture{
			Keeper: keeper(t, s, func(o *phoenix.Options) { o.Trace = archived }), Run: quern.NewID[quern.RunID],
			Span: func(run quern.RunID, id quern.SpanID) (tracetest.Kept, bool) {
				got, ok := s.Span(run.TraceID(), string(id))
				return got.Kept(), ok
			},
			Spans: func(run quern.RunID, _ int) int { return len(s.Spans(run.TraceID())) },
			Score: func(run quern.RunID) (quern.Feedback, bool) {
				got, ok := s.Annotation(run.ScoreID())
				if ok && (got.SpanID != string(run.SpanID()) || got.Kind != "HUMAN" || got.Name != phoenix.AnnotationName) {
					t.Errorf("the rating is kept as %+v", got)
				}
				if up := got.Label == "thumbs-up"; ok && up != (got.Score == 1) {
					t.Errorf("the rating is kept as %+v: label and score say different things", got)
				}
				return quern.Feedback{Run: run, ThumbsUp: got.Score == 1, Comment: got.Explanation}, ok
			},
		}
	})
}

// A rating waits for the span of its run, which is still queued, or taken but not yet
// stored, or only kept elsewhere.
func TestARatingBringsItsSpan(t *testing.T) {
	t.Parallel()
	run := quern.NewID[quern.RunID]()
	var k *phoenix.Keeper
	send := func(ctx context.Context) error { return k.Record(ctx, []quern.Span{spanOf(run)}) }
	for name, c := range map[string]struct {
		late   bool
		change func(*phoenix.Options)
	}{
		"queued":            {false, func(o *phoenix.Options) { o.Flush = send }},
		"taken, not stored": {true, func(o *phoenix.Options) { o.Flush = send }},
		"kept elsewhere":    {false, func(o *phoenix.Options) { o.Trace = archived }},
		"dropped by a queue": {false, func(o *phoenix.Options) {
			o.Trace, o.Flush = archived, func(context.Context) error { return errors.New("lost") }
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := phoenixtest.New(t)
			if c.late {
				s.StoreLate()
			}
			k = keeper(t, s, c.change)
			if err := k.Score(t.Context(), quern.Feedback{Run: run, ThumbsUp: true}); err != nil {
				t.Fatalf("Score() = %v, want nil", err)
			}
			if _, ok := s.Annotation(run.ScoreID()); !ok || len(s.Spans(run.TraceID())) != 1 {
				t.Errorf("Phoenix has %v, want the span and its rating", s.Log())
			}
		})
	}
}

// moods are the ways in which Phoenix can fail.
var moods = map[string]func(*phoenixtest.Server){
	"unplugged":            func(s *phoenixtest.Server) { s.Unplug() },
	"cut":                  func(s *phoenixtest.Server) { s.Cut() },
	"stalled":              func(s *phoenixtest.Server) { s.Stall() },
	"broken off":           func(s *phoenixtest.Server) { s.Break() },
	"500":                  func(s *phoenixtest.Server) { s.Answer(500, `Internal Server Error`) },
	"503":                  func(s *phoenixtest.Server) { s.Answer(503, ``) },
	"401":                  func(s *phoenixtest.Server) { s.Answer(401, `Invalid token`) },
	"422":                  func(s *phoenixtest.Server) { s.Answer(422, `{"detail":"no"}`) },
	"429":                  func(s *phoenixtest.Server) { s.Answer(429, ``) },
	"no such span":         func(s *phoenixtest.Server) { s.Answer(404, `{"detail":"no"}`) },
	"a login page":         func(s *phoenixtest.Server) { s.Answer(200, `<html>please sign in</html>`) },
	"nothing made":         func(s *phoenixtest.Server) { s.Answer(200, `{"data":[]}`) },
	"a redirect elsewhere": func(s *phoenixtest.Server) { s.Answer(302, ``) },
}

func TestARatingThatIsNotTakenIsAnError(t *testing.T) {
	t.Parallel()
	for name, mood := range moods {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := phoenixtest.New(t)
			k := keeper(t, s, func(o *phoenix.Options) { o.Trace = archived })
			mood(s)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			err := k.Score(ctx, quern.Feedback{Run: quern.NewID[quern.RunID](), ThumbsUp: true})
			if !quern.Is(err, quern.Unreachable) {
				t.Errorf("Score() = %v, want Unreachable", err)
			}
			if s.Annotations() != 0 {
				t.Errorf("%d ratings are kept, want none", s.Annotations())
			}
			if err := k.Unscore(ctx, quern.NewID[quern.RunID]()); err == nil && name != "no such span" && !strings.Contains("a login page nothing made", name) {
				t.Error("Unscore() = nil, want an error")
			}
		})
	}
}

func TestWhatItsPagesRead(t *testing.T) {
	t.Parallel()
	s := phoenixtest.New(t)
	k := keeper(t, s, nil)
	run := quern.NewID[quern.RunID]()
	model := map[string]any{
		trace.RequestModel: "mill", trace.ResponseModel: "mill-2", trace.Provider: "openai", trace.InputTokens: int64(10),
		trace.OutputTokens: int64(5), trace.Cost: 0.002, trace.Session: "a conversation",
	}
	root := spanOf(run)
	root.Input, root.Output, root.Attributes = "How many ships?", "40", map[string]any{trace.Session: "a conversation"}
	now := time.Now()
	if err := k.Record(t.Context(), []quern.Span{
		root,
		{Run: run, ID: "00000000000000aa", Parent: run.SpanID(), Kind: quern.SpanModel, Name: "chat mill", Start: now, End: now, Attributes: model},
		{Run: run, ID: "00000000000000ab", Parent: run.SpanID(), Kind: quern.SpanQuery, Name: "query", Start: now, End: now, Input: "select 1"},
	}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]map[string]any{
		string(run.SpanID()): {"openinference.span.kind": "AGENT", "input.value": "How many ships?", "output.value": "40", "session.id": "a conversation"},
		"00000000000000aa": {
			"openinference.span.kind": "LLM", "llm.model_name": "mill-2", "llm.provider": "openai", "llm.token_count.prompt": int64(10),
			"llm.token_count.completion": int64(5), "llm.token_count.total": int64(15), "llm.cost.total": 0.002,
		},
		"00000000000000ab": {"openinference.span.kind": "TOOL", "tool.name": "query", "input.value": "select 1", "db.query.text": "select 1"},
	} {
		got, ok := s.Span(run.TraceID(), id)
		for key, value := range want {
			if !ok || got.Attributes[key] != value {
				t.Errorf("%s: %s = %v, want %v", got.Name, key, got.Attributes[key], value)
			}
		}
	}
}
