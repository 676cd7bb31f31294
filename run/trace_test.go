package run_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/run"
	"quern/trace"
)

// traced makes a service record what it does in the metadata, by a recorder of
// its own, as a server does.
func (h *house) traced() (recorder *trace.Recorder, ended <-chan struct{}, change func(*run.Options)) {
	over := make(chan struct{}, 1)
	recorder = trace.New(trace.Options{Content: true, Destinations: []trace.Destination{
		{Name: trace.EmbeddedName, Sink: trace.NewEmbedded(h.store, time.Now)},
	}})
	h.t.Cleanup(func() { h.must(recorder.Close()) })
	return recorder, over, func(o *run.Options) {
		o.Agents = map[quern.AgentKind]ask.Agent{quern.AgentAssistant: ask.Traced(quern.AgentAssistant, h.script, recorder)}
		o.Ended = func(_ context.Context, r quern.Run) {
			recorder.Ended(r, h.ada.User)
			over <- struct{}{}
		}
	}
}

// told writes a trace as names and failures.
func told(n trace.Node) string {
	text := n.Name
	if n.Failure != "" {
		text += "!" + string(n.Failure)
	}
	var inner []string
	for _, c := range n.Children {
		inner = append(inner, told(c))
	}
	if inner != nil {
		text += "(" + strings.Join(inner, ", ") + ")"
	}
	return text
}

func TestARunThatIsTakenUpGoesOnInTheSameTrace(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		open := h.script.gate("step-1")
		first, _, change := h.traced()
		one, stop := h.working(change)
		r := h.ask(one, "How many ships?")
		<-h.script.came
		// While it goes on, what is done can be seen.
		archive := trace.Archive{Kept: trace.NewEmbedded(h.store, time.Now), Recorder: first}
		tree, err := archive.Trace(t.Context(), r)
		h.must(err)
		if got := told(tree); got != "invoke_agent assistant(plan, step 0)" || !tree.End.IsZero() {
			t.Errorf("the trace of a run that goes on is %s, ended %v", got, tree.End)
		}
		stop()
		h.must(first.Close())
		open()
		second, ended, change := h.traced()
		two, _ := h.working(change)
		done := h.finished(two, r.ID, quern.RunCompleted)
		<-ended
		archive.Recorder = second
		tree, err = archive.Trace(t.Context(), done)
		h.must(err)
		if got := told(tree); got != "invoke_agent assistant(plan, step 0, step 1!CANCELLED, step 1, answer)" {
			t.Errorf("the trace is %s", got)
		}
		if !tree.Start.Equal(r.CreatedAt) || !tree.End.Equal(done.EndedAt) || tree.Input != "How many ships?" || tree.Output != "42 ships" {
			t.Errorf("the span of the run is %+v, want it to reach over both servers", tree.Span)
		}
		step := tree.Children[1]
		if step.Input != "count ships" && step.Output != "SELECT 0" || strings.Contains(told(tree), `"n"`) {
			t.Errorf("the span of a step is %+v", step.Span)
		}
	})
}

func TestRunsThatEndOtherwiseAreTraced(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		open := h.script.gate("step-0")
		defer open()
		recorder, ended, change := h.traced()
		s, _ := h.working(change)
		r := h.ask(s, "How many ships?")
		<-h.script.came
		cancelled, err := s.Cancel(t.Context(), h.ada, r.ID)
		h.must(err)
		<-h.script.left
		<-ended
		tree, err := (trace.Archive{Kept: trace.NewEmbedded(h.store, time.Now), Recorder: recorder}).Trace(t.Context(), cancelled)
		h.must(err)
		if !strings.HasPrefix(told(tree), "invoke_agent assistant!CANCELLED(plan") || tree.Attributes[trace.Status] != "cancelled" || tree.Output != "" {
			t.Errorf("the trace of a cancelled run is %s, %+v", told(tree), tree.Span)
		}
	})
}

func TestAServerThatKeepsNoTracesSaysSo(t *testing.T) {
	t.Parallel()
	_, err := (trace.Archive{}).Trace(t.Context(), quern.Run{ID: "019a86b1-0000-7000-8000-0123456789ab"})
	if !quern.Is(err, quern.Conflict) || !strings.Contains(err.Error(), "019a86b10000700080000123456789ab") {
		t.Errorf("Trace() = %v, want Conflict that names the trace", err)
	}
}
