package asktest

import (
	"encoding/json"
	"testing"

	"quern"
	"quern/ask"
	"quern/housetest"
)

// Run does what a run does: the plan, its steps up to one that asks back, the
// answer. Between calls the work travels as JSON, as it does between servers.
func Run(t testing.TB, a ask.Agent, w ask.Work) (ask.Work, quern.Result) {
	t.Helper()
	var err error
	w.Plan, err = a.Plan(t.Context(), w)
	housetest.Must(t, err)
	for i := range w.Plan.Steps {
		step, err := a.Step(t.Context(), w, i)
		if err != nil {
			t.Fatalf("Step(%q) = %v, want rows", w.Plan.Steps[i], err)
		}
		stored, err := json.Marshal(step)
		housetest.Must(t, err)
		var again quern.Step
		housetest.Must(t, json.Unmarshal(stored, &again))
		w.Steps = append(w.Steps, again)
		if step.Clarification != nil {
			break
		}
	}
	result, err := a.Answer(t.Context(), w)
	housetest.Must(t, err)
	return w, result
}
