package trace_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sink is one that keeps spans in memory, or does what its test wants.
type sink struct {
	mu    sync.Mutex
	spans []quern.Span
	calls int
	fail  func(ctx context.Context) error
}

func (s *sink) Record(ctx context.Context, spans []quern.Span) error {
	s.mu.Lock()
	s.calls++
	fail := s.fail
	s.mu.Unlock()
	if fail != nil {
		if err := fail(ctx); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spans = append(s.spans, spans...)
	return nil
}

func (s *sink) set(fail func(context.Context) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

func (s *sink) called() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

func (s *sink) kept() []quern.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]quern.Span(nil), s.spans...)
}

var errAway = quern.E(quern.Unreachable, quern.CodeUnreachable, "away")

func recorder(queue int, content bool, sinks ...*sink) *trace.Recorder {
	o := trace.Options{Queue: queue, Content: content}
	for i, s := range sinks {
		o.Destinations = append(o.Destinations, trace.Destination{Name: string(rune('a' + i)), Sink: s})
	}
	return trace.New(o)
}

func aRun() quern.Run {
	now := time.Now()
	return quern.Run{
		ID: quern.NewID[quern.RunID](), Conversation: "c", Agent: quern.AgentAssistant, Status: quern.RunCompleted, CreatedAt: now, EndedAt: now.Add(time.Second),
		In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, Task: quern.Task{Question: "How many?"}, Result: &quern.Result{Response: "40"},
	}
}

var ada = quern.User{ID: "u", Username: "ada"}

func work(ctx context.Context, rec *trace.Recorder, run quern.Run) context.Context {
	return rec.In(ctx, trace.Run{ID: run.ID, Agent: run.Agent, Conversation: run.Conversation, User: ada})
}

func TestSpansOfARunAreItsTrace(t *testing.T) {
	t.Parallel()
	s := &sink{}
	rec := recorder(0, true, s)
	run := aRun()
	ctx, step := trace.Start(work(t.Context(), rec, run), quern.SpanStep, "step 0", trace.A(trace.StepIndex, 0))
	inner, model := trace.StartModel(ctx, "openai", "mill")
	model.Usage(10, 5, 0.5)
	model.Content("prompt", "tree")
	model.End(errors.New("secret words"))
	model.End(nil)
	_, query := trace.Start(inner, quern.SpanQuery, "query")
	query.End(quern.E(quern.Timeout, quern.CodeTimeout, "too late"))
	step.End(nil)
	rec.Ended(run, ada)
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	tree := trace.Tree(run, s.kept())
	if got := shape(tree); got != "invoke_agent assistant(step 0(chat mill(query)))" {
		t.Errorf("the tree is %s", got)
	}
	if !tree.End.Equal(run.EndedAt) || tree.Input != "How many?" || tree.Output != "40" || tree.Attributes[trace.Status] != "completed" {
		t.Errorf("the run's span is %+v", tree.Span)
	}
	m := tree.Children[0].Children[0]
	if m.Failure != quern.CodeInternal || m.Attributes[trace.InputTokens] != int64(10) || m.Attributes[trace.Cost] != 0.5 || m.Input != "prompt" {
		t.Errorf("the model's span is %+v", m.Span)
	}
	if m.Attributes[trace.Session] != "c" || m.Attributes[trace.UserName] != "ada" || m.Children[0].Failure != quern.CodeTimeout {
		t.Errorf("the spans are %+v", m)
	}
}

func shape(n trace.Node) string {
	if len(n.Children) == 0 {
		return n.Name
	}
	var inner []string
	for _, c := range n.Children {
		inner = append(inner, shape(c))
	}
	return n.Name + "(" + strings.Join(inner, ", ") + ")"
}

func TestContentIsKeptOut(t *testing.T) {
	t.Parallel()
	s := &sink{}
	rec := recorder(0, false, s)
	run := aRun()
	_, span := trace.Start(work(t.Context(), rec, run), quern.SpanQuery, "query")
	span.Content("select secret", "")
	span.End(nil)
	rec.Ended(run, ada)
	_ = rec.Close() // it never fails
	if len(s.kept()) != 2 {
		t.Fatalf("%d spans are kept, want 2", len(s.kept()))
	}
	for _, got := range s.kept() {
		if got.Input != "" || got.Output != "" {
			t.Errorf("%s has content: %q, %q", got.Name, got.Input, got.Output)
		}
	}
}

func TestWorkOutsideOfARunIsNotRecorded(t *testing.T) {
	t.Parallel()
	ctx, span := trace.Start(t.Context(), quern.SpanQuery, "query")
	span.Set(trace.A("a", 1))
	span.Content("a", "b")
	span.Usage(1, 2, 3)
	span.End(nil)
	if span != nil || ctx != t.Context() {
		t.Errorf("Start() outside of a run = %v, want nothing", span)
	}
	var none *trace.Recorder
	none.Ended(aRun(), ada)
	if none.In(ctx, trace.Run{}) != ctx || none.Flush(ctx) != nil || none.Close() != nil || len(none.Counts()) != 0 {
		t.Error("a nil Recorder does something")
	}
}

func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	s := &sink{}
	rec := recorder(0, true, s)
	_, span := trace.Start(work(t.Context(), rec, aRun()), quern.SpanQuery, "query", trace.A("long", strings.Repeat("é", 40_000)))
	span.Content(strings.Repeat("界", 40_000), "a\x00b\xff")
	span.End(nil)
	_ = rec.Close() // it never fails
	got := s.kept()[0]
	if long := got.Attributes["long"].(string); len(long) > 33<<10 || !strings.HasSuffix(long, "…") || strings.ToValidUTF8(long, "") != long {
		t.Errorf("a long attribute has %d bytes", len(long))
	}
	if len(got.Input) > 33<<10 || got.Output != "a�b�" {
		t.Errorf("the input has %d bytes, the output is %q", len(got.Input), got.Output)
	}
}

func TestAStalledSinkHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stalled, fine := &sink{}, &sink{}
		stalled.set(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		rec := recorder(100, true, stalled, fine)
		ctx, before := work(t.Context(), rec, aRun()), time.Now()
		for i := range 1000 {
			_, span := trace.Start(ctx, quern.SpanQuery, "query")
			span.End(nil)
			if i%50 == 0 {
				synctest.Wait() // the sink that is fine is quick enough
			}
		}
		if took := time.Since(before); took > 0 {
			t.Errorf("recording waited for %v", took)
		}
		time.Sleep(time.Minute)
		counts := rec.Counts()
		if counts["a"].Recorded != 0 || counts["a"].Dropped < 300 {
			t.Errorf("of the stalled sink's spans, %+v", counts["a"])
		}
		if counts["b"].Recorded != 1000 || len(fine.kept()) != 1000 {
			t.Errorf("of the other sink's spans, %+v", counts["b"])
		}
		begin := time.Now()
		_ = rec.Close() // it never fails
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("Close() took %v", took)
		}
		if c := rec.Counts()["a"]; c.Recorded+c.Dropped != 1000 {
			t.Errorf("after Close, %+v of 1000 spans are accounted for", c)
		}
	})
}

func TestASinkThatComesBackGetsWhatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &sink{}
		s.set(func(context.Context) error { return errAway })
		rec := recorder(1000, true, s)
		ctx := work(t.Context(), rec, aRun())
		for range 700 {
			_, span := trace.Start(ctx, quern.SpanQuery, "query")
			span.End(nil)
		}
		time.Sleep(5 * time.Minute)
		if n := s.called(); n > 20 {
			t.Errorf("a sink that is away was tried %d times in five minutes", n)
		}
		s.set(nil)
		time.Sleep(time.Minute)
		if c := rec.Counts()["a"]; c != (trace.Counts{Recorded: 700}) {
			t.Errorf("of 700 spans, %+v; want all recorded", c)
		}
		_ = rec.Close() // it never fails
	})
}

func TestWhatASinkRefusesIsDroppedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &sink{}
		s.set(func(context.Context) error { return quern.E(quern.Invalid, quern.CodeInvalid, "no") })
		rec := recorder(0, true, s)
		ctx := work(t.Context(), rec, aRun())
		_, span := trace.Start(ctx, quern.SpanQuery, "query")
		span.End(nil)
		if err := rec.Flush(ctx); !quern.Is(err, quern.Invalid) {
			t.Errorf("Flush() = %v, want what the sink said", err)
		}
		if c := rec.Counts()["a"]; c != (trace.Counts{Dropped: 1}) || s.called() != 1 {
			t.Errorf("%+v after %d calls, want 1 dropped after 1", c, s.called())
		}
		_ = rec.Close() // it never fails
		if err := rec.Flush(ctx); err != nil {
			t.Errorf("Flush() after Close = %v, want nil", err)
		}
	})
}

// A flush that comes before the first try, and one that comes between two, hear at once
// that the sink is away.
func TestAFlushOfASinkThatIsAwayDoesNotWait(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := &sink{}
			s.set(func(context.Context) error { return errAway })
			rec := recorder(0, true, s)
			_, span := trace.Start(work(t.Context(), rec, aRun()), quern.SpanQuery, "query")
			span.End(nil)
			time.Sleep(after)
			begun := time.Now()
			if err := rec.Flush(t.Context()); !errors.Is(err, error(errAway)) || time.Since(begun) != 0 {
				t.Errorf("Flush() after %v = %v in %v, want at once that the sink is away", after, err, time.Since(begun))
			}
			_ = rec.Close() // it never fails
		})
	}
}

func TestATreeOfWhatThereIs(t *testing.T) {
	t.Parallel()
	run := aRun()
	at := func(id, parent quern.SpanID, second int) quern.Span {
		return quern.Span{Run: run.ID, ID: id, Parent: parent, Name: string(id), Start: run.CreatedAt.Add(time.Duration(second) * time.Second)}
	}
	root := run.ID.SpanID()
	for name, c := range map[string]struct {
		spans []quern.Span
		want  string
	}{
		"none":              {nil, "invoke_agent assistant"},
		"in order":          {[]quern.Span{at("b", root, 2), at("a", root, 1), at("c", "a", 3)}, "invoke_agent assistant(a(c), b)"},
		"a lost parent":     {[]quern.Span{at("a", "lost", 1)}, "invoke_agent assistant(a)"},
		"its own parent":    {[]quern.Span{at("a", "a", 1)}, "invoke_agent assistant(a)"},
		"the run's is last": {[]quern.Span{at("a", root, 1), {ID: root, Name: "r"}}, "r(a)"},
	} {
		if got := shape(trace.Tree(run, c.spans)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := trace.Tree(run, nil); !reflect.DeepEqual(got.Start, run.CreatedAt) || !got.End.IsZero() {
		t.Errorf("the span that stands for a run that goes on is %+v", got.Span)
	}
}
