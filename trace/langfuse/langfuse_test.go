package langfuse_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/trace"
	"quern/trace/langfuse"
	"quern/trace/langfuse/langfusetest"
	"quern/trace/tracetest"
)

func keeper(t *testing.T, s *langfusetest.Server) *langfuse.Keeper {
	t.Helper()
	k := langfuse.New(langfuse.Options{
		URL: s.URL, PublicKey: langfusetest.PublicKey, SecretKey: langfusetest.SecretKey, Resource: map[string]string{"service.name": "quern"},
	})
	t.Cleanup(func() { _ = k.Close() }) // it returns back idle connections only
	return k
}

func TestKeeper(t *testing.T) {
	t.Parallel()
	tracetest.Run(t, func(t *testing.T) tracetest.Fixture {
		s := langfusetest.New(t)
		return tracetest.Fixture{
			Keeper: keeper(t, s), Run: quern.NewID[quern.RunID],
			Span: func(run quern.RunID, id quern.SpanID) (tracetest.Kept, bool) {
				got, ok := s.Span(run.TraceID(), string(id))
				return got.Kept(), ok
			},
			Spans: func(run quern.RunID, _ int) int { return len(s.Spans(run.TraceID())) },
			Score: func(run quern.RunID) (quern.Feedback, bool) {
				got, ok := s.Score(run.ScoreID())
				if ok && (got.TraceID != run.TraceID() || got.DataType != "BOOLEAN" || got.Name != langfuse.ScoreName) {
					t.Errorf("the score is kept as %+v", got)
				}
				return quern.Feedback{Run: run, ThumbsUp: got.Value == 1, Comment: got.Comment}, ok
			},
		}
	})
}

// moods are the ways in which Langfuse can fail.
var moods = map[string]func(*langfusetest.Server){
	"unplugged":            func(s *langfusetest.Server) { s.Unplug() },
	"cut":                  func(s *langfusetest.Server) { s.Cut() },
	"stalled":              func(s *langfusetest.Server) { s.Stall() },
	"broken off":           func(s *langfusetest.Server) { s.Break() },
	"500":                  func(s *langfusetest.Server) { s.Answer(500, `{"message":"Internal Server Error"}`) },
	"503":                  func(s *langfusetest.Server) { s.Answer(503, ``) },
	"401":                  func(s *langfusetest.Server) { s.Answer(401, `{"message":"Invalid credentials"}`) },
	"400":                  func(s *langfusetest.Server) { s.Answer(400, `{"message":"Invalid request data"}`) },
	"429":                  func(s *langfusetest.Server) { s.Answer(429, `{"message":"Rate limit exceeded"}`) },
	"a login page":         func(s *langfusetest.Server) { s.Answer(200, `<html>please sign in</html>`) },
	"another score's id":   func(s *langfusetest.Server) { s.Answer(200, `{"id":"x"}`) },
	"a redirect elsewhere": func(s *langfusetest.Server) { s.Answer(302, ``) },
}

func TestAScoreThatIsNotTakenIsAnError(t *testing.T) {
	t.Parallel()
	for name, mood := range moods {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := langfusetest.New(t)
			k := keeper(t, s)
			mood(s)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			err := k.Score(ctx, quern.Feedback{Run: quern.NewID[quern.RunID](), ThumbsUp: true})
			if !quern.Is(err, quern.Unreachable) {
				t.Errorf("Score() = %v, want Unreachable", err)
			}
			if s.Scores() != 0 {
				t.Errorf("%d scores are kept, want none", s.Scores())
			}
		})
	}
}

func TestSpansThatAreNotTakenAreAnError(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]quern.Kind{
		"unplugged": quern.Unreachable, "cut": quern.Unreachable, "stalled": quern.Unreachable, "broken off": quern.Unreachable,
		"503": quern.Unreachable, "429": quern.Unreachable, // to be tried again
		"500": quern.Invalid, "400": quern.Invalid, "401": quern.Invalid, "a redirect elsewhere": quern.Invalid, // not
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := langfusetest.New(t)
			k := keeper(t, s)
			moods[name](s)
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			run := quern.NewID[quern.RunID]()
			err := k.Record(ctx, []quern.Span{{Run: run, ID: run.SpanID(), Name: "x", Start: time.Now(), End: time.Now()}})
			if quern.KindOf(err) != want {
				t.Errorf("Record() = %v, want %v", err, want)
			}
		})
	}
}

func TestWhatItsPagesRead(t *testing.T) {
	t.Parallel()
	s := langfusetest.New(t)
	k := keeper(t, s)
	run := quern.NewID[quern.RunID]()
	common := map[string]any{trace.Agent: "assistant", trace.Session: "a conversation", trace.UserName: "ada"}
	model := map[string]any{trace.RequestModel: "mill", trace.ResponseModel: "mill-2", trace.InputTokens: int64(10), trace.OutputTokens: int64(5), trace.Cost: 0.002}
	for key, value := range common {
		model[key] = value
	}
	now := time.Now()
	if err := k.Record(t.Context(), []quern.Span{
		{Run: run, ID: run.SpanID(), Kind: quern.SpanRun, Name: "invoke_agent assistant", Start: now, End: now, Input: "How many ships?", Output: "40", Attributes: common},
		{Run: run, ID: "00000000000000aa", Parent: run.SpanID(), Kind: quern.SpanModel, Name: "chat mill", Start: now, End: now, Failure: quern.CodeTimeout, Attributes: model},
		{Run: run, ID: "00000000000000ab", Parent: run.SpanID(), Kind: quern.SpanQuery, Name: "query", Start: now, End: now, Input: "select 1", Attributes: common},
	}); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]any{
		string(run.SpanID()): {
			"langfuse.trace.input": "How many ships?", "langfuse.trace.output": "40", "langfuse.observation.type": "agent",
			"langfuse.user.id": "ada", "langfuse.session.id": "a conversation", "langfuse.trace.name": "assistant",
			"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "assistant",
			"gen_ai.input.messages": `[{"role":"user","parts":[{"type":"text","content":"How many ships?"}]}]`,
		},
		"00000000000000aa": {
			"langfuse.observation.type": "generation", "langfuse.observation.model.name": "mill-2", "langfuse.observation.level": "ERROR",
			"langfuse.observation.usage_details": `{"input":10,"output":5,"total":15}`, "langfuse.observation.cost_details": `{"total":0.002}`,
			"langfuse.user.id": "ada", "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": int64(10), "error.type": "TIMEOUT",
		},
		"00000000000000ab": {"langfuse.observation.type": "retriever", "langfuse.observation.input": "select 1", "db.query.text": "select 1", "gen_ai.operation.name": "execute_tool"},
	}
	for _, got := range s.Spans(run.TraceID()) {
		for key, value := range want[got.ID] {
			if got.Attributes[key] != value {
				t.Errorf("%s: %s = %v, want %v", got.Name, key, got.Attributes[key], value)
			}
		}
		delete(want, got.ID)
	}
	if len(want) > 0 {
		t.Errorf("these spans did not arrive: %v", want)
	}
}

func TestTheLogTellsWhatWasAsked(t *testing.T) {
	t.Parallel()
	s := langfusetest.New(t)
	k := keeper(t, s)
	run := quern.RunID("019a86b1-0000-7000-8000-0123456789ab")
	for _, up := range []bool{true, false} {
		if err := k.Score(t.Context(), quern.Feedback{Run: run, ThumbsUp: up, Comment: "c"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Unscore(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range s.Log() {
		lines = append(lines, r.String())
	}
	want := `POST /api/public/scores 200 {"id":"019a86b1-0000-7000-8000-0123456789ab-feedback","traceId":"019a86b10000700080000123456789ab","name":"user-feedback","value":1,"dataType":"BOOLEAN","comment":"c"}
POST /api/public/scores 200 {"id":"019a86b1-0000-7000-8000-0123456789ab-feedback","traceId":"019a86b10000700080000123456789ab","name":"user-feedback","value":0,"dataType":"BOOLEAN","comment":"c"}
DELETE /api/public/scores/019a86b1-0000-7000-8000-0123456789ab-feedback 202`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
}
