// Package phoenix keeps traces and ratings in an Arize Phoenix installation: traces by
// OTLP, ratings as annotations of the span of their run.
//
// It owns the words of Phoenix: paths, fields, and the attributes of OpenInference that
// its pages read. It never keeps anything here. The failure it is built around is the
// rating of a run that Phoenix does not know yet: spans travel in batches, and Phoenix
// stores them some time after it has taken them. So a rating brings its run's spans
// along, and counts only when Phoenix names the annotation that it made.
package phoenix

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"

	"quern"
	"quern/trace/otlp"
)

const (
	// Project is where traces are shown.
	Project = "quern"
	// AnnotationName is what a run's rating is shown under.
	AnnotationName = "user-feedback"

	tracesPath      = "/v1/traces"
	annotationsPath = "/v1/span_annotations"
	deletePath      = "/v1/projects/" + Project + "/span_annotations"
	projectKey      = "openinference.project.name"
	maxAnswer       = 64 << 10

	// A span that Phoenix does not have yet is looked for again after a pause that
	// doubles; after this many looks, the run's spans are sent once more.
	firstPause = 50 * time.Millisecond
	mostPause  = 500 * time.Millisecond
	looks      = 3
)

// Options says which installation to use.
type Options struct {
	URL    string // of the installation, without a slash at its end
	APIKey string // empty where it asks for none
	// Resource describes this program, by attribute.
	Resource map[string]string
	// Flush sends the spans that wait for Phoenix. Nil when none ever wait.
	Flush func(context.Context) error
	// Trace returns the spans of a run that are kept elsewhere, for a run that Phoenix
	// never heard of. Nil when none are.
	Trace  func(context.Context, quern.RunID) ([]quern.Span, error)
	Client *http.Client // nil means one of its own
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
	header := http.Header{}
	k.authorize(header)
	about := map[string]string{projectKey: Project}
	maps.Copy(about, o.Resource)
	k.Exporter = otlp.New(otlp.Options{
		URL: o.URL + tracesPath, Header: header, Resource: about, Dress: attributes, Client: o.Client,
	})
	return k
}

func (k *Keeper) authorize(h http.Header) {
	if k.o.APIKey != "" {
		h.Set("Authorization", "Bearer "+k.o.APIKey)
	}
}

// annotation is a rating as Phoenix takes it. It replaces the one with the same span,
// name and identifier whole: what is left out is gone.
type annotation struct {
	SpanID     string `json:"span_id"`
	Name       string `json:"name"`
	Kind       string `json:"annotator_kind"`
	Identifier string `json:"identifier"`
	Result     result `json:"result"`
}

type result struct {
	Label       string `json:"label"`
	Score       int    `json:"score"`
	Explanation string `json:"explanation,omitempty"`
}

func rate(f quern.Feedback) annotation {
	a := annotation{
		SpanID: string(f.Run.SpanID()), Name: AnnotationName, Kind: "HUMAN", Identifier: f.Run.ScoreID(),
		Result: result{Label: "thumbs-down", Explanation: f.Comment},
	}
	if f.ThumbsUp {
		a.Result.Label, a.Result.Score = "thumbs-up", 1
	}
	return a
}

// Score stores what was thought of a run. It looks for the run's span until ctx ends.
func (k *Keeper) Score(ctx context.Context, f quern.Feedback) error {
	body, err := json.Marshal(map[string]any{"data": []annotation{rate(f)}})
	if err != nil {
		return err
	}
	pause := firstPause
	for look := 1; ; look++ {
		// What it fails with shows in what follows: the span is not there.
		if k.o.Flush != nil {
			_ = k.o.Flush(ctx)
		}
		known, err := k.annotate(ctx, body)
		if known || err != nil {
			return err
		}
		if look == looks {
			k.sendAgain(ctx, f.Run)
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, mostPause)
		case <-ctx.Done():
			return unreachable("Phoenix has no span of the run").Because(ctx.Err())
		}
	}
}

// annotate makes an annotation; known is false when Phoenix has no such span.
func (k *Keeper) annotate(ctx context.Context, body []byte) (known bool, err error) {
	// With sync it answers once the annotation is stored, and 404 for a span that is not.
	status, data, err := k.call(ctx, http.MethodPost, annotationsPath+"?sync=true", body)
	switch {
	case err != nil:
		return false, err
	case status == http.StatusNotFound:
		return false, nil
	case status != http.StatusOK:
		return false, unreachable("Phoenix answered %d", status)
	}
	var made struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(data, &made); err != nil || len(made.Data) != 1 || made.Data[0].ID == "" {
		return false, unreachable("Phoenix did not say that it took the annotation").Because(err)
	}
	return true, nil
}

// sendAgain sends the spans of a run from where else they are kept. It is the
// annotation that succeeds or fails.
func (k *Keeper) sendAgain(ctx context.Context, run quern.RunID) {
	if k.o.Trace == nil {
		return
	}
	if spans, err := k.o.Trace(ctx, run); err == nil && len(spans) > 0 {
		_ = k.Record(ctx, spans) // Phoenix keeps a span that it has as it is
	}
}

// Unscore removes a run's rating.
func (k *Keeper) Unscore(ctx context.Context, run quern.RunID) error {
	which := url.Values{"name": {AnnotationName}, "identifier": {run.ScoreID()}, "delete_all": {"true"}}
	status, _, err := k.call(ctx, http.MethodDelete, deletePath+"?"+which.Encode(), nil)
	if err != nil {
		return err
	}
	switch status {
	case http.StatusOK, http.StatusNoContent, http.StatusNotFound:
		return nil
	}
	return unreachable("Phoenix answered %d", status)
}

// call makes a request and returns its answer.
func (k *Keeper) call(ctx context.Context, method, path string, body []byte) (status int, data []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, method, k.o.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	k.authorize(r.Header)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := k.o.Client.Do(r)
	if err != nil {
		return 0, nil, unreachable("Phoenix did not answer").Because(err)
	}
	defer answer.Body.Close()
	if data, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer)); err != nil {
		return 0, nil, unreachable("Phoenix did not answer whole").Because(err)
	}
	return answer.StatusCode, data, nil
}

func unreachable(format string, args ...any) *quern.Error {
	return quern.E(quern.Unreachable, quern.CodeUnreachable, format, args...)
}
