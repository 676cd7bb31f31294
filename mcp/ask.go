package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quern"
	"quern/door"
	"quern/run"
)

// signOfLife is how often somebody who waits for an answer hears that it is worked on.
const signOfLife = 15 * time.Second

type answer struct {
	RunID          string         `json:"runId"`
	ConversationID string         `json:"conversationId" jsonschema:"give it to ask again for a question that goes on from this one"`
	Answer         string         `json:"answer"`
	Doubt          bool           `json:"doubt" jsonschema:"the answer should be doubted: a word was guessed or the reading is not sure; notes say why"`
	Notes          []string       `json:"notes,omitempty" jsonschema:"what to know about how the answer was made"`
	Clarification  *clarification `json:"clarification,omitempty" jsonschema:"a question back: ask the user, then ask again with the choice"`
	Steps          []answerStep   `json:"steps" jsonschema:"the queries that were run, with their rows"`
}

type clarification struct {
	Question string   `json:"question"`
	Choices  []choice `json:"choices"`
}

type choice struct {
	Label    string `json:"label"`
	Question string `json:"question" jsonschema:"the question to ask for this choice"`
}

type answerStep struct {
	Instruction string   `json:"instruction"`
	Query       string   `json:"query,omitempty" jsonschema:"the SQL that ran"`
	Reading     string   `json:"reading,omitempty" jsonschema:"how the question was understood"`
	Doubt       bool     `json:"doubt"`
	Notes       []string `json:"notes,omitempty"`
	rowList
}

var askQuestion = define(tool{
	name: "ask", title: "Ask a question", gives: "The answer", seeks: "namespace, dataset or conversation",
	about: "Answers a question in plain language from the datasets of a namespace: with words, the queries that were run and their rows. " +
		"An answer with doubt should be checked: read its query and its notes. A clarification is a question back, for the user to answer.",
	input: object(
		required("namespace", namespaceText()),
		required("question", text(quern.MaxQuestion, "the question, as a person would ask it")),
		optional("dataset", text(64, "the name of the only dataset of the namespace to ask; for agent nl2ql")),
		optional("conversationId", text(64, "the conversation that the question goes on from")),
		optional("agent", oneOf("assistant plans several queries and answers in words; nl2ql makes one query of the question",
			string(quern.AgentAssistant), string(quern.AgentNL2QL))),
		optional("model", text(256, "the model that answers; the server's own choice where it is left out")),
	),
}, func(ctx context.Context, c call, in struct {
	Namespace, Question, Dataset, ConversationID, Agent, Model string
}) (answer, error) {
	at, err := namespaceAt(in.Namespace)
	if err != nil {
		return answer{}, err
	}
	asked := run.Ask{
		In: at, Agent: quern.AgentAssistant, Conversation: quern.ConversationID(in.ConversationID),
		Task: quern.Task{Question: in.Question, Dataset: in.Dataset, Model: in.Model},
	}
	if in.Agent != "" {
		asked.Agent = quern.AgentKind(in.Agent)
	}
	if in.Dataset != "" && asked.Agent != quern.AgentNL2QL {
		return answer{}, invalid(quern.Fault("excluded", "dataset", "goes with the agent nl2ql alone"))
	}
	begun, err := c.Runs.Start(ctx, c.principal, asked)
	if err != nil {
		return answer{}, quern.InField(err, "query", "question")
	}
	door.SetRun(ctx, string(begun.ID))
	done, err := c.follow(ctx, begun.ID)
	if err != nil {
		return answer{}, err
	}
	if done.Status != quern.RunCompleted {
		return answer{}, runFailure(done)
	}
	return shownAnswer(done), nil
})

// runFailure is the error that a run has ended with.
func runFailure(r quern.Run) error {
	if r.Failure == nil {
		return door.ErrInternal
	}
	return quern.E(r.Failure.Kind, r.Failure.Code, "%s", r.Failure.Message)
}

// follow tells of a run's events until it has ended, and returns it. The run goes on
// when its reader leaves.
func (c call) follow(ctx context.Context, id quern.RunID) (quern.Run, error) {
	living, cancel := door.UntilStopping(ctx)
	defer cancel()
	told, after := events{call: c}, int64(0)
	for last := false; !last; {
		waiting, enough := context.WithTimeout(living, signOfLife)
		some, ended, err := c.Runs.Next(waiting, c.principal, id, after)
		late := waiting.Err() != nil && living.Err() == nil
		enough()
		switch {
		case living.Err() != nil && ctx.Err() == nil:
			return quern.Run{}, quern.E(quern.Unavailable, quern.CodeUnavailable, "this server stops; the run %s goes on", id)
		case err != nil && late:
			told.stillThere()
			continue
		case err != nil:
			return quern.Run{}, err
		}
		for _, e := range some {
			after = e.Seq
			told.tell(e)
		}
		last = ended
	}
	return c.Runs.Run(ctx, c.principal, id)
}

// events turns the events of a run into progress.
type events struct {
	call
	done, total float64
	message     string
}

func (t *events) tell(e quern.RunEvent) {
	var about struct {
		Steps       []string `json:"steps"`
		Index       int      `json:"index"`
		Instruction string   `json:"instruction"`
		TotalCount  int64    `json:"totalCount"`
	}
	_ = json.Unmarshal(e.Data, &about) // an event without these tells of itself by its type
	switch e.Type {
	case quern.EventPlanningStarted:
		t.message = "planning"
	case quern.EventPlan:
		t.total = float64(6 + 3*len(about.Steps)) // the events that a run of so many steps has
		t.message = fmt.Sprintf("planned %d queries", len(about.Steps))
		if len(about.Steps) == 1 {
			t.message = "planned 1 query"
		}
	case quern.EventStepStarted:
		t.message = fmt.Sprintf("query %d: %s", about.Index+1, quern.Clip(about.Instruction, 200))
	case quern.EventQueryExecuting:
		t.message = fmt.Sprintf("query %d is running", about.Index+1)
	case quern.EventStep:
		t.message = fmt.Sprintf("query %d is done", about.Index+1)
	case quern.EventAnswerStarted:
		t.message = "writing the answer"
	case quern.EventAnswer, quern.EventError:
		return // the result tells
	default:
		t.message = "started"
	}
	t.done = float64(int(t.done)) + 1
	t.progress(t.done, t.total, t.message)
}

// stillThere repeats what is being done: progress has to grow with every message.
func (t *events) stillThere() {
	t.done += (float64(int(t.done)) + 1 - t.done) / 4
	t.progress(t.done, t.total, t.message)
}

// shownAnswer writes a completed run down, with as many rows as there is room for.
func shownAnswer(r quern.Run) answer {
	told := answer{RunID: string(r.ID), ConversationID: string(r.Conversation), Steps: []answerStep{}}
	if r.Result != nil {
		told.Answer, told.Doubt, told.Notes = quern.Clip(r.Result.Response, mostBytes/4), r.Result.Doubt, r.Result.Notes
		told.Clarification = shownClarification(r.Result.Clarification)
	}
	left := newBudget()
	for _, s := range r.Steps {
		told.Steps = append(told.Steps, shownStep(s, left))
	}
	return told
}

func shownClarification(c *quern.Clarification) *clarification {
	if c == nil {
		return nil
	}
	shown := &clarification{Question: c.Question, Choices: []choice{}}
	for _, one := range c.Choices {
		shown.Choices = append(shown.Choices, choice{one.Label, one.Question})
	}
	return shown
}

func shownStep(s quern.Step, left *budget) answerStep {
	shown := answerStep{Instruction: s.Instruction, Query: s.Query, Reading: s.Reasoning, Doubt: s.Doubt, Notes: s.Notes,
		rowList: rowList{Rows: []row{}}}
	for _, c := range s.Columns {
		shown.Columns = append(shown.Columns, column{c.Name, string(c.Type)})
	}
	for _, data := range s.Data {
		if shown.Count == mostRows {
			break
		}
		r, clipped, ok := left.take(data)
		if !ok {
			break
		}
		shown.Rows, shown.Clipped = append(shown.Rows, r), shown.Clipped || clipped
		shown.Count++
	}
	total := max(s.TotalCount, int64(len(s.Data)))
	shown.rowList = shown.of(total, 0, "Use run_query with the query of the step for others.")
	return shown
}
