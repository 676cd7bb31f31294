package run_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quern"
	"quern/ask"
)

func rows(n int) []json.RawMessage {
	all := make([]json.RawMessage, n)
	for i := range all {
		all[i] = json.RawMessage(`{"text":"` + strings.Repeat("x", 1000) + `"}`)
	}
	return all
}

func TestReadersHoldLittleAtATime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		h.script.plan.Steps = make([]string, 40)
		h.script.step = func(ask.Work, int) (quern.Step, error) { return quern.Step{Data: rows(20)}, nil }
		s, _ := h.working()
		r := h.ask(s, "why?")
		h.finished(s, r.ID, quern.RunCompleted)
		after := int64(0)
		for last := false; !last; {
			events, end, err := s.Next(t.Context(), h.ada, r.ID, after)
			h.must(err)
			size := 0
			for _, e := range events {
				size += len(e.Data)
				after = e.Seq
			}
			if size > 64<<10 || len(events) > 16 {
				t.Errorf("Next() gives %d events with %d bytes at once", len(events), size)
			}
			last = end
		}
		if want := int64(3 + 40*3 + 2); after != want {
			t.Errorf("the last event is %d, want %d", after, want)
		}
	})
}
