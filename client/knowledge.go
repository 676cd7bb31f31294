package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Knowledge is what is taught about a namespace.
type Knowledge struct {
	Version  int64              `json:"version"`
	Document json.RawMessage    `json:"knowledge"`
	Problems []KnowledgeProblem `json:"problems"`
}

// KnowledgeProblem is what is wrong with an entry.
type KnowledgeProblem struct {
	Entry   string `json:"entry"`
	Message string `json:"message"`
}

func knowledgePath(owner, namespace string) string {
	if owner == "" {
		owner = "self"
	}
	return "/knowledge/" + url.PathEscape(owner) + "/" + url.PathEscape(namespace)
}

// Knowledge reads what is taught about a namespace; an empty owner is the caller.
func (c *Client) Knowledge(ctx context.Context, owner, namespace string) (Knowledge, error) {
	var k Knowledge
	err := c.call(ctx, http.MethodGet, knowledgePath(owner, namespace), nil, &k)
	return k, err
}

// ReplaceKnowledge saves a document in place of a version.
func (c *Client) ReplaceKnowledge(ctx context.Context, owner, namespace string, version int64, document any) (Knowledge, error) {
	var k Knowledge
	err := c.callWith(ctx, http.MethodPut, knowledgePath(owner, namespace), ifVersion(version), document, &k)
	return k, err
}

// ChangeKnowledge adds entries to what is taught about a namespace, in place of those
// of the same name, and takes others away. Both are documents as Knowledge has them;
// either may be nil. The version is the one that the change was made from: when
// another is current, the change is refused with 409.
func (c *Client) ChangeKnowledge(ctx context.Context, owner, namespace string, version int64, merge, remove any) (Knowledge, error) {
	in := map[string]any{}
	for name, document := range map[string]any{"merge": merge, "remove": remove} {
		if document != nil {
			in[name] = document
		}
	}
	var k Knowledge
	err := c.callWith(ctx, http.MethodPatch, knowledgePath(owner, namespace), ifVersion(version), in, &k)
	return k, err
}

// ifVersion makes a change conditional on the version that it was made from.
func ifVersion(version int64) header {
	return header{"If-Match", `"` + strconv.FormatInt(version, 10) + `"`}
}

// Evaluation is how the questions of a namespace went whose answers are known.
type Evaluation struct {
	ID        string    `json:"id"`
	Status    string    `json:"status"` // pending, processing, completed or failed
	By        string    `json:"by"`
	CreatedAt time.Time `json:"createdAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	Message   string    `json:"message,omitempty"`
	Total     int       `json:"total"`
	Done      int       `json:"done"`
	Good      int       `json:"good"`
	Bad       int       `json:"bad"`
	Review    int       `json:"review"`
	Knowledge int64     `json:"knowledgeVersion"`
	Release   string    `json:"release"`
	Model     string    `json:"model"`
}

// EvaluatedQuestion is how one of them went.
type EvaluatedQuestion struct {
	Kind     string `json:"kind"`
	Entry    string `json:"entry"`
	Question string `json:"question"`
	Mark     string `json:"mark"` // good, bad or review
	Reason   string `json:"reason,omitempty"`
	Query    string `json:"query,omitempty"`
}

// EvaluationReport is an evaluation with how every question went.
type EvaluationReport struct {
	Evaluation Evaluation          `json:"evaluation"`
	Since      *EvaluationSince    `json:"since,omitempty"` // nil: there is none before it
	Questions  []EvaluatedQuestion `json:"questions"`
}

// EvaluationSince is what became other since the completed evaluation before.
type EvaluationSince struct {
	ID      string              `json:"id"`
	Changed []string            `json:"changed"`
	Broke   []EvaluatedQuestion `json:"broke"`
	Mended  []EvaluatedQuestion `json:"mended"`
}

// Evaluate queues an evaluation of a namespace and returns its id.
func (c *Client) Evaluate(ctx context.Context, owner, namespace string) (string, error) {
	var made struct{ ID string }
	err := c.call(ctx, http.MethodPost, knowledgePath(owner, namespace)+"/evaluate", nil, &made)
	return made.ID, err
}

// Evaluation reads how an evaluation went.
func (c *Client) Evaluation(ctx context.Context, owner, namespace, id string) (EvaluationReport, error) {
	var r EvaluationReport
	err := c.call(ctx, http.MethodGet, knowledgePath(owner, namespace)+"/evaluations/"+url.PathEscape(id), nil, &r)
	return r, err
}

// Evaluations lists evaluations, newest first.
func (c *Client) Evaluations(ctx context.Context, owner, namespace string) ([]Evaluation, error) {
	var all []Evaluation
	err := c.call(ctx, http.MethodGet, knowledgePath(owner, namespace)+"/evaluations", nil, &all)
	return all, err
}
