// Package langfuse keeps traces and scores in a Langfuse project: traces by its
// OTLP endpoint, scores by its public API.
//
// It owns the words of Langfuse: paths, fields and the attributes that its pages
// read. It never keeps anything here. The failure it is built around is the
// store that only seems to have taken a score: nothing but its own answer with
// the score's id counts.
package langfuse

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"quern"
	"quern/trace/otlp"
)

const (
	scoresPath = "/api/public/scores"
	tracesPath = "/api/public/otel/v1/traces"
	// ingestionVersion asks for spans to be shown at once.
	ingestionVersion = "4"
	// ScoreName is what Langfuse shows a run's feedback under.
	ScoreName = "user-feedback"
	maxAnswer = 64 << 10
)

// Options says which project to use.
type Options struct {
	URL                  string // of the installation, without a slash at its end
	PublicKey, SecretKey string
	// Resource describes this program, by attribute.
	Resource map[string]string
	Client   *http.Client // nil means one of its own
}

// Keeper is a trace.Keeper.
type Keeper struct {
	*otlp.Exporter

	o Options
}

// New makes a Keeper.
func New(o Options) *Keeper {
	if o.Client == nil {
		o.Client = otlp.NewClient()
	}
	k := &Keeper{o: o}
	header := http.Header{"X-Langfuse-Ingestion-Version": {ingestionVersion}}
	k.authorize(header)
	k.Exporter = otlp.New(otlp.Options{
		URL: o.URL + tracesPath, Header: header, Resource: o.Resource, Dress: attributes, Client: o.Client,
	})
	return k
}

func (k *Keeper) authorize(h http.Header) {
	r := http.Request{Header: h}
	r.SetBasicAuth(k.o.PublicKey, k.o.SecretKey)
}

// score is the body of a request to create or overwrite a score. The comment is
// sent even when empty: Langfuse leaves a field that is not sent as it was.
type score struct {
	ID       string `json:"id"`
	TraceID  string `json:"traceId"`
	Name     string `json:"name"`
	Value    int    `json:"value"`
	DataType string `json:"dataType"`
	Comment  string `json:"comment"`
}

// Score stores what was thought of a run.
func (k *Keeper) Score(ctx context.Context, f quern.Feedback) error {
	s := score{ID: f.Run.ScoreID(), TraceID: f.Run.TraceID(), Name: ScoreName, DataType: "BOOLEAN", Comment: f.Comment}
	if f.ThumbsUp {
		s.Value = 1
	}
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	data, err := k.call(ctx, http.MethodPost, scoresPath, body, http.StatusOK, http.StatusCreated)
	if err != nil {
		return err
	}
	var made struct{ ID string }
	if err := json.Unmarshal(data, &made); err != nil || made.ID != s.ID {
		return unreachable("Langfuse did not say that it took the score").Because(err)
	}
	return nil
}

// Unscore removes a run's score.
func (k *Keeper) Unscore(ctx context.Context, run quern.RunID) error {
	_, err := k.call(ctx, http.MethodDelete, scoresPath+"/"+url.PathEscape(run.ScoreID()), nil,
		http.StatusOK, http.StatusAccepted, http.StatusNoContent, http.StatusNotFound)
	return err
}

// call makes a request and returns its answer when that has one of the statuses.
func (k *Keeper) call(ctx context.Context, method, path string, body []byte, statuses ...int) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, k.o.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	k.authorize(r.Header)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := k.o.Client.Do(r)
	if err != nil {
		return nil, unreachable("Langfuse did not answer").Because(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return nil, unreachable("Langfuse did not answer whole").Because(err)
	}
	for _, status := range statuses {
		if answer.StatusCode == status {
			return data, nil
		}
	}
	return nil, unreachable("Langfuse answered %s", answer.Status)
}

func unreachable(format string, args ...any) *quern.Error {
	return quern.E(quern.Unreachable, quern.CodeUnreachable, format, args...)
}
