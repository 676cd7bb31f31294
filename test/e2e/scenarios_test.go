package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"go.yaml.in/yaml/v3"

	"quern/client"
)

// scenario is one of clients/scenarios, where README.md says how it reads.
type scenario struct {
	Name  string         `json:"name"`
	Steps []scenarioStep `json:"steps"`
}

type scenarioStep struct {
	Do      string            `json:"do"`
	As      string            `json:"as,omitempty"`
	Through string            `json:"through,omitempty"`
	With    map[string]any    `json:"with,omitempty"`
	Gives   map[string]any    `json:"gives,omitempty"`
	Fails   map[string]any    `json:"fails,omitempty"`
	Keep    map[string]string `json:"keep,omitempty"`
}

func readScenarios(t *testing.T, namespace string) (all []scenario) {
	t.Helper()
	files, err := filepath.Glob("../../clients/scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("clients/scenarios/*.yaml = %v, %v, want files", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var some []scenario
		if err := yaml.Unmarshal(bytes.ReplaceAll(text, []byte("$ns"), []byte(namespace)), &some); err != nil {
			t.Fatalf("%s = %v", file, err)
		}
		all = append(all, some...)
	}
	return all
}

// The Go client does against the binary what every client does.
func TestTheClientInGo(t *testing.T) {
	t.Parallel()
	s := newScenarioServer(t)
	for _, scenario := range readScenarios(t, "go") {
		r := &scenarioRunner{scenarioServer: s, kept: map[string]any{}}
		for n, step := range scenario.Steps {
			if err := r.run(t.Context(), step); err != nil {
				t.Errorf("%s: step %d, %s: %v", scenario.Name, n+1, step.Do, err)
				break
			}
			t.Logf("ok %s: step %d, %s", scenario.Name, n+1, step.Do)
		}
	}
}

// scenarioRunner does the steps of one scenario.
type scenarioRunner struct {
	scenarioServer
	kept map[string]any
}

// as returns the client of who does a step.
func (r *scenarioRunner) as(who string, through string) (*client.Client, error) {
	token := map[string]string{"": r.ada, "bob": r.bob, "nobody": "no-token"}[who]
	if token == "" {
		token, _ = r.value(who).(string)
	}
	address := r.url
	if through == "cutting" {
		address = r.cutting
	}
	return client.New(client.Options{Server: address, Token: token, Patience: 30 * time.Second})
}

// value puts what was kept in the place of its name.
func (r *scenarioRunner) value(v any) any {
	name, _ := v.(string)
	if kept, ok := r.kept[strings.TrimPrefix(name, "$")]; ok && strings.HasPrefix(name, "$") {
		return kept
	}
	return v
}

// given are the words that a step's verb takes.
type given struct {
	Dataset, Namespace, SQL, Format, Question, Conversation, RevokeAtFirst string
	Run, Name, Session, Username, Role                                     string
	Lines                                                                  int
	Version                                                                int64
	ReadOnly                                                               bool
	Rows                                                                   []any
	Merge                                                                  map[string]any
}

func (r *scenarioRunner) run(ctx context.Context, step scenarioStep) error {
	do := verbs[step.Do]
	if do == nil {
		return errors.New("no such verb")
	}
	with := map[string]any{}
	for name, v := range step.With {
		with[name] = r.value(v)
	}
	var g given
	text, err := json.Marshal(with)
	if err != nil {
		return err
	}
	words := json.NewDecoder(bytes.NewReader(text))
	words.DisallowUnknownFields()
	if err := words.Decode(&g); err != nil {
		return err
	}
	c, err := r.as(step.As, step.Through)
	if err != nil {
		return err
	}
	got, err := do(ctx, r, c, g)
	if step.Fails != nil {
		return failsWith(err, step.Fails)
	}
	if err != nil {
		return err
	}
	for name, want := range step.Gives {
		if !holds(alike(want), alike(got[name])) {
			return fmt.Errorf("%s is %v, want %v", name, alike(got[name]), want)
		}
	}
	for name, member := range step.Keep {
		if got[member] == nil {
			return fmt.Errorf("there is no %s to keep", member)
		}
		r.kept[name] = got[member]
	}
	return nil
}

// failsWith wants the failure that a step names.
func failsWith(err error, want map[string]any) error {
	refused, ok := errors.AsType[*client.Error](err)
	if !ok {
		return fmt.Errorf("it gives %w, want the failure %v", err, want)
	}
	told := map[string]any{"status": refused.Status, "code": refused.Code, "field": refused.Field()}
	if !holds(alike(want), alike(told)) || refused.RequestID == "" || refused.Message == "" {
		return fmt.Errorf("it fails with %v, request %q, want %v and a request", told, refused.RequestID, want)
	}
	return nil
}

// alike writes values of every source in one form.
func alike(v any) (same any) {
	text, err := json.Marshal(v)
	if err != nil || json.Unmarshal(text, &same) != nil {
		return err
	}
	return same
}

// holds reports whether got is what is wanted: lists are equal, objects have the members
// that are named.
func holds(want, got any) bool {
	w, isObject := want.(map[string]any)
	g, isToo := got.(map[string]any)
	if !isObject || !isToo {
		return reflect.DeepEqual(want, got)
	}
	for name, v := range w {
		if !holds(v, g[name]) {
			return false
		}
	}
	return true
}

// plain is a result as the scenarios write it: values as text, null as itself.
func plain(r client.Result) map[string]any {
	rows := [][]any{}
	for _, row := range r.Rows {
		values := make([]any, len(row))
		for i, raw := range row {
			if json.Unmarshal(raw, &values[i]) == nil && values[i] != nil && raw[0] != '"' {
				values[i] = string(raw)
			}
		}
		rows = append(rows, values)
	}
	return map[string]any{"columns": r.Columns, "rows": rows, "total": r.Total, "truncated": r.Truncated, "count": len(rows)}
}

// countArrow reads an Arrow stream to its end and returns its rows.
func countArrow(content []byte) (rows int64, err error) {
	stream, err := ipc.NewReader(bytes.NewReader(content))
	if err != nil {
		return 0, err
	}
	defer stream.Release()
	for stream.Next() {
		rows += stream.RecordBatch().NumRows()
	}
	return rows, stream.Err()
}
