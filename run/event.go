package run

import (
	"encoding/json"
	"time"

	"quern"
	"quern/door"
	"quern/store"
)

// What callers see of each event.
type (
	shownStart struct {
		Run          quern.RunID          `json:"runId"`
		Conversation quern.ConversationID `json:"conversationId"`
	}
	shownIndex struct {
		Index int `json:"index"`
	}
	shownStepStart struct {
		Index       int    `json:"index"`
		Instruction string `json:"instruction"`
	}
	shownFailure struct {
		Message string     `json:"message"`
		Code    quern.Code `json:"error_code"`
	}
	nothing struct{}
)

type shownStep struct {
	Index         int                  `json:"index"`
	Instruction   string               `json:"instruction"`
	Query         string               `json:"query"`
	Reasoning     string               `json:"reasoning"`
	Data          []json.RawMessage    `json:"data"`
	Truncated     bool                 `json:"truncated,omitempty"`
	TotalCount    int64                `json:"totalCount,omitempty"`
	Notes         []string             `json:"notes,omitempty"`
	Words         []quern.Word         `json:"words,omitempty"`
	Doubt         bool                 `json:"doubt,omitempty"`
	Chart         quern.Chart          `json:"chart,omitzero"`
	Clarification *quern.Clarification `json:"clarification,omitempty"`
}

// What only the server needs, laid over what callers see when a run is read back.
type (
	keptStep struct {
		Columns       []quern.Column       `json:"columns,omitempty"`
		Confidence    float64              `json:"confidence,omitempty"`
		Score         float64              `json:"score,omitempty"`
		Tree          string               `json:"tree,omitempty"`
		Units         map[string]string    `json:"units,omitempty"`
		Reads         []quern.DatasetID    `json:"reads,omitempty"`
		Clarification *quern.Clarification `json:"clarification,omitempty"`
	}
	keptResult struct {
		Clarification *quern.Clarification `json:"clarification,omitempty"`
	}
)

// newEvent is an event that is not stored yet.
type newEvent struct {
	kind        quern.RunEventType
	shown, kept any
}

// number makes store events of new events, behind the run's last.
func number(r quern.Run, at time.Time, all []newEvent) ([]store.RunEvent, error) {
	events := make([]store.RunEvent, len(all))
	for i, h := range all {
		data, err := door.Marshal(h.shown)
		if err != nil {
			return nil, err
		}
		events[i].RunEvent = quern.RunEvent{Seq: r.Last + int64(i) + 1, Type: h.kind, Data: data, At: at}
		if h.kept == nil {
			continue
		}
		if events[i].Kept, err = door.Marshal(h.kept); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// firstEvents is the events that a run begins with, whatever was stored of it before:
// the transaction that stores them may be run again.
func firstEvents(r quern.Run, planning bool) []store.RunEvent {
	r.Last = 0
	all := []newEvent{{kind: quern.EventRunStarted, shown: shownStart{r.ID, r.Conversation}}}
	if planning {
		all = append(all, newEvent{kind: quern.EventPlanningStarted, shown: nothing{}})
	}
	events, err := number(r, r.CreatedAt, all)
	if err != nil {
		panic(err) // two ids always have a JSON form
	}
	return events
}

// nextEvents is how the call after the present state begins.
func nextEvents(r quern.Run) []newEvent {
	if i := len(r.Steps); i < len(r.Plan.Steps) && !askedBack(r) {
		return []newEvent{
			{kind: quern.EventStepStarted, shown: shownStepStart{i, r.Plan.Steps[i]}},
			{kind: quern.EventQueryExecuting, shown: shownIndex{i}},
		}
	}
	return []newEvent{{kind: quern.EventAnswerStarted, shown: nothing{}}}
}

// askedBack reports whether the last step could not be read, after which none
// follows.
func askedBack(r quern.Run) bool {
	return len(r.Steps) > 0 && r.Steps[len(r.Steps)-1].Clarification != nil
}

func shown(s quern.Step) shownStep {
	data := s.Data
	if data == nil {
		data = []json.RawMessage{}
	}
	return shownStep{
		Index: s.Index, Instruction: s.Instruction, Query: s.Query, Reasoning: s.Reasoning, Data: data,
		Truncated: s.Truncated, TotalCount: s.TotalCount, Notes: s.Notes, Words: s.Words, Doubt: s.Doubt,
		Chart: s.Chart, Clarification: s.Clarification.Shown(),
	}
}

func planEvent(p quern.Plan) newEvent {
	if p.Steps == nil {
		p.Steps = []string{}
	}
	return newEvent{kind: quern.EventPlan, shown: p}
}

func stepEvent(s quern.Step) newEvent {
	kept := keptStep{s.Columns, s.Confidence, s.Score, s.Tree, s.Units, s.Reads, s.Clarification}
	return newEvent{kind: quern.EventStep, shown: shown(s), kept: kept}
}

func answerEvent(r quern.Result) newEvent {
	kept := keptResult{r.Clarification}
	r.Clarification = r.Clarification.Shown()
	return newEvent{kind: quern.EventAnswer, shown: r, kept: kept}
}

func errorEvent(f quern.Failure) newEvent {
	return newEvent{kind: quern.EventError, shown: shownFailure{f.Message, f.Code}}
}
