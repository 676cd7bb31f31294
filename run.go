package quern

import (
	"encoding/json"
	"time"
)

type (
	// RunID identifies a run; it is the trace's id too.
	RunID string
	// RunStatus is where a run has got to.
	RunStatus string
	// AgentKind names the agent that answers a run.
	AgentKind string
)

// The statuses. All but the first are final.
const (
	RunRunning   RunStatus = "running"
	RunCompleted RunStatus = "completed"
	RunFailed    RunStatus = "failed"
	RunCancelled RunStatus = "cancelled"
	RunExpired   RunStatus = "expired"
)

// The agents: one query for one question, or a plan, its steps and an answer.
const (
	AgentNL2QL     AgentKind = "nl2ql"
	AgentAssistant AgentKind = "assistant"
)

// Run is one question on its way to an answer: one turn of a conversation.
type Run struct {
	ID           RunID
	Conversation ConversationID
	// Actor asked, with Token, the API token or the session that was used, if any,
	// and the token's Scopes: every step is done under these rights, as they are
	// when it is done.
	Actor  UserID
	Token  TokenID
	Scopes []Scope
	Agent  AgentKind
	In     NamespacePath
	Task   Task
	// After is the run whose question back this one answers, and Thread the first
	// of the runs that follow each other in this way; both empty where it answers
	// none.
	After, Thread RunID
	// Message is what the asker calls the question.
	Message string
	Status  RunStatus
	// Last is the number of the last event.
	Last int64
	// Attempt is how often work on it was begun.
	Attempt int
	// Plan and Steps are what is stored so far; a run that is taken up again
	// does none of it twice.
	Plan   *Plan
	Steps  []Step
	Result *Result // of a completed run
	// Failure says why a run failed, as callers may see it.
	Failure   *Failure
	CreatedAt time.Time
	UpdatedAt time.Time
	EndedAt   time.Time // zero until the status is final
}

// AskedBack reports whether the run ended with a question of its own.
func (r Run) AskedBack() bool { return r.Result != nil && r.Result.Clarification != nil }

// First is the id of the first run of the run's thread, which may be its own.
func (r Run) First() RunID {
	if r.Thread != "" {
		return r.Thread
	}
	return r.ID
}

// Final reports whether a status is one that nothing follows.
func (s RunStatus) Final() bool { return s != RunRunning }

// Task is what a run was asked, in the asker's words and wishes.
type Task struct {
	Question string `json:"question"`
	// HelperPrompt is advice of the caller's to a model; data, never orders.
	HelperPrompt string `json:"helperPrompt,omitempty"`
	Model        string `json:"model,omitempty"`
	Provider     string `json:"provider,omitempty"`
	// Stages are the models of single stages; the others are done by Model.
	Stages StageModels `json:"stages,omitzero"`
	// Namespace is where it was asked, as the asker wrote it; empty where it was
	// not written. Run.In is what it means.
	Namespace string `json:"namespace,omitempty"`
	// Dataset is the only one that is asked of; empty: any of the namespace.
	Dataset string `json:"dataset,omitempty"`
}

// StageModels names the models of the stages that have one of their own.
type StageModels struct {
	Plan   ModelName `json:"plan,omitzero"`
	Query  ModelName `json:"query,omitzero"`
	Answer ModelName `json:"answer,omitzero"`
}

// ModelName says which model is meant; either part may be empty, both are when
// none is.
type ModelName struct {
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
}

// Plan is the steps that should answer a question.
type Plan struct {
	Steps     []string `json:"steps"` // an instruction each
	Reasoning string   `json:"reasoning"`
}

// Step is one query of a run, done.
type Step struct {
	Index       int    `json:"index"`
	Instruction string `json:"instruction"`
	Query       string `json:"query"` // as it ran; empty when it asked back
	Reasoning   string `json:"reasoning"`
	// Data are the rows, with their internal members; at most as many as a step keeps.
	Data       []json.RawMessage `json:"data"`
	Columns    []Column          `json:"columns,omitempty"`
	Truncated  bool              `json:"truncated,omitempty"`
	TotalCount int64             `json:"totalCount,omitempty"`
	// Tree is the query in the form that a follow-up changes.
	Tree string `json:"tree,omitempty"`
	// Units are what the numbers of the tree's columns are in, by source and column.
	Units map[string]string `json:"units,omitempty"`
	// Confidence is how likely the query is what was meant, and Score how well the
	// question's values match those of the data, both 0 to 1.
	Confidence float64 `json:"confidence,omitempty"`
	Score      float64 `json:"score,omitempty"`
	// Notes are what the reader should know about how the step was done.
	Notes []string `json:"notes,omitempty"`
	// Words are the words of content of the instruction and what each was taken for.
	Words []Word `json:"words,omitempty"`
	// Doubt says that the reader should doubt the rows; Notes say why.
	Doubt bool `json:"doubt,omitempty"`
	// Chart says how the rows are best drawn.
	Chart Chart `json:"chart,omitzero"`
	// Reads are the datasets that the query read, however they are called by now.
	Reads []DatasetID `json:"reads,omitempty"`
	// Clarification is set when the step could not be read.
	Clarification *Clarification `json:"clarification,omitempty"`
}

// Result is what a completed run ends with.
type Result struct {
	Response      string         `json:"response"`
	Clarification *Clarification `json:"clarification,omitempty"`
	// Notes are what the reader should know about how the answer was made: that
	// rows were cut, that a model was away and the embedded translator answered.
	Notes []string `json:"notes,omitempty"`
	// Doubt says that the reader should doubt one of the steps.
	Doubt bool `json:"doubt,omitempty"`
	// Words are those of the step that asked back, where one did.
	Words []Word `json:"words,omitempty"`
}

// Clarification asks the asker which of several readings was meant. Choices is
// empty when the question cannot be answered from the data at all.
type Clarification struct {
	Question string   `json:"question"`
	Choices  []Choice `json:"choices"`
}

// Choice is one reading of an unclear question.
type Choice struct {
	Label    string `json:"label"`    // the reading in a sentence
	Question string `json:"question"` // the question to ask for it
	// Query is the reading as tree.Print writes it, so that a label that comes
	// back as the next question needs no second guess; not shown to callers.
	Query string `json:"query,omitempty"`
}

// Shown returns a clarification as callers see it.
func (c *Clarification) Shown() *Clarification {
	if c == nil {
		return nil
	}
	shown := &Clarification{Question: c.Question, Choices: make([]Choice, len(c.Choices))}
	for i, choice := range c.Choices {
		shown.Choices[i] = Choice{Label: choice.Label, Question: choice.Question}
	}
	return shown
}

// Failure is why a run failed.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// RunEvent is one thing that happened in a run, stored before it is sent.
type RunEvent struct {
	Seq  int64 // from 1, without gaps, within its run
	Type RunEventType
	Data json.RawMessage // as callers see it: an object, empty where there is nothing to say
	At   time.Time
}

// Final reports whether the event is one that nothing follows.
func (e RunEvent) Final() bool { return e.Type == EventAnswer || e.Type == EventError }

// RunEventType names what happened.
type RunEventType string

// The events, in the order in which a run has them. Either of the last two ends it.
const (
	EventRunStarted      RunEventType = "run-started"
	EventPlanningStarted RunEventType = "planningStarted"
	EventPlan            RunEventType = "plan"
	EventStepStarted     RunEventType = "stepStarted"
	EventQueryExecuting  RunEventType = "queryExecuting"
	EventStep            RunEventType = "step"
	EventAnswerStarted   RunEventType = "answerStarted"
	EventAnswer          RunEventType = "answer"
	EventError           RunEventType = "error"
)

// RunShare is a link to the answer of a run.
type RunShare struct {
	Run RunID
	// ID is what the link ends in: not to be guessed, and yet no proof of any right.
	ID        string
	CreatedAt time.Time
}
