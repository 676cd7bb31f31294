package judge_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/judge"
)

// Training reads what serving computes, synonyms among it.
func TestFeaturesAreThoseOfServing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database(t, dir, "library", library...)
	h := houseWith(t, [][]byte{})
	const text = "Which writers have the dearest volumes, and at what cost?"
	var out bytes.Buffer
	_, err := h.Features(t.Context(), dir, []judge.Question{{DB: "library", Question: text, SQL: "SELECT 1"}}, judge.FeatureFile{Out: &out, Tell: quiet})
	must(t, err)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	var q struct{ Columns, Tables [][3]int }
	must(t, json.Unmarshal([]byte(lines[len(lines)-1]), &q))
	s, err := h.Schemas.Schema(t.Context(), h.Principal, quern.NamespacePath{Owner: h.Principal.User.Username, Namespace: "library"}, "", nil)
	must(t, err)
	f := feature.Extract(s, text, h.Vectors, time.Now())
	if want := listed(f.Columns); !slices.Equal(q.Columns, want) {
		t.Errorf("columns of the export are %v, served %v", q.Columns, want)
	}
	if want := listed(f.Tables); !slices.Equal(q.Tables, want) {
		t.Errorf("tables of the export are %v, served %v", q.Tables, want)
	}
	writers, cost := [3]int{1, 0, feature.TableSynonym}, [3]int{10, 7, feature.ColumnSynonym}
	if !slices.Contains(q.Tables, writers) || !slices.Contains(q.Columns, cost) {
		t.Errorf("the export has columns %v and tables %v, want the synonyms %v and %v", q.Columns, q.Tables, cost, writers)
	}
}

// listed returns the relations that are not 0.
func listed(relations [][]uint8) [][3]int {
	all := [][3]int{}
	for i, row := range relations {
		for j, r := range row {
			if r != 0 {
				all = append(all, [3]int{i, j, int(r)})
			}
		}
	}
	return all
}
