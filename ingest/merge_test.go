package ingest_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ingest"
)

// Steady small ingests must not make many segments, nor rewrite rows more often
// than their number has levels.
func TestMergingCostsLittleAndLeavesLittle(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct {
		name    string
		ingests int
		size    func() int64
	}{
		{"one row each", 20_000, func() int64 { return 1 }},
		{"up to 100 rows", 10_000, func() int64 { return 1 + random.Int64N(100) }},
		{"mostly small, some large", 10_000, func() int64 { return int64(1) << random.IntN(18) }},
		{"all nearly full", 50, func() int64 { return ingest.FullSegment - 1 }},
	} {
		var segments []quern.Segment
		var rows, rewritten int64
		most := 0
		for range tt.ingests {
			added := quern.Segment{FirstRow: rows, Rows: tt.size()}
			rows += added.Rows
			segments = append(segments, added)
			segments, rewritten = mergeAll(t, segments, rewritten, false)
			small := slices.DeleteFunc(slices.Clone(segments), func(s quern.Segment) bool { return s.Rows >= ingest.FullSegment })
			most = max(most, len(small))
		}
		// A rewritten row ends up in a segment four times as large at least.
		levels := int64(bits.Len64(uint64(rows))/2 + 1)
		t.Logf("%s: rows were rewritten %.1f times, small segments at once %d", tt.name, float64(rewritten)/float64(rows), most)
		if rewritten > rows*levels {
			t.Errorf("%s: merging rewrote %d rows of %d, want at most %d times each", tt.name, rewritten, rows, levels)
		}
		if full := int(rows / ingest.FullSegment); most > 8*int(levels)+2*full {
			t.Errorf("%s: there were %d small segments at once, want at most %d", tt.name, most, 8*int(levels)+2*full)
		}
		segments, _ = mergeAll(t, segments, 0, true)
		if want := 2 + int(2*rows/ingest.FullSegment); len(segments) > want {
			t.Errorf("%s: %d segments of %d rows are left when idle, want at most %d", tt.name, len(segments), rows, want)
		}
	}
}

// mergeAll does what a server does after an ingest, on paper.
func mergeAll(t *testing.T, segments []quern.Segment, rewritten int64, idle bool) ([]quern.Segment, int64) {
	t.Helper()
	for {
		run := ingest.WorthMerging(segments, idle)
		if len(run) < 2 {
			return segments, rewritten
		}
		at := slices.IndexFunc(segments, func(s quern.Segment) bool { return s.FirstRow == run[0].FirstRow })
		whole := quern.Segment{FirstRow: run[0].FirstRow}
		for i, s := range run {
			if segments[at+i].FirstRow != s.FirstRow {
				t.Fatalf("a run of segments is not adjacent: %v", run)
			}
			whole.Rows += s.Rows
		}
		if whole.Rows > 2*ingest.FullSegment {
			t.Fatalf("a merge makes a segment of %d rows, want at most %d", whole.Rows, 2*ingest.FullSegment)
		}
		rewritten += whole.Rows
		segments = slices.Replace(segments, at, at+len(run), whole)
	}
}

func TestMergeSmallKeepsEveryRowInOrder(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	d := h.create("merged")
	var want []string
	for i := range 20 {
		value := fmt.Sprint(i)
		if i >= 15 {
			value = fmt.Sprintf(`"text %d"`, i)
		}
		h.ingest(d, `{"data":[{"v":`+value+`}]}`, "")
		want = append(want, strings.Trim(value, `"`))
	}
	if n := len(h.segments(d)); n != 20 {
		t.Fatalf("there are %d segments, want 20", n)
	}
	for _, step := range []struct {
		idleSince time.Time
		most      int
	}{{time.Now().Add(-time.Hour), 12}, {time.Now().Add(time.Hour), 1}} {
		if err := h.service.MergeSmall(t.Context(), step.idleSince); err != nil {
			t.Fatalf("MergeSmall(%v) = %v, want nil", step.idleSince, err)
		}
		if n := len(h.segments(d)); n > step.most {
			t.Errorf("MergeSmall(%v) left %d segments, want at most %d", step.idleSince, n, step.most)
		}
		var got []string
		for _, row := range h.rows(d) {
			got = append(got, fmt.Sprint(row["v"]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("rows after MergeSmall(%v) = %v, want %v", step.idleSince, got, want)
		}
	}
}

func TestABrokenDatasetStopsNoOther(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	broken, whole := h.create("broken"), h.create("whole")
	for i, d := range []quern.DatasetPath{broken, broken, broken, whole, whole} {
		h.ingest(d, fmt.Sprintf(`{"data":[{"v":%d}]}`, i), "")
	}
	if err := h.Objects.Delete(t.Context(), h.segments(broken)[1].Key); err != nil {
		t.Fatal(err)
	}
	if err := h.service.MergeSmall(t.Context(), time.Now().Add(time.Hour)); err == nil {
		t.Error("MergeSmall() = nil, want an error for the dataset whose object is gone")
	}
	if b, w := len(h.segments(broken)), len(h.segments(whole)); b != 3 || w != 1 {
		t.Errorf("MergeSmall() left %d and %d segments, want 3 of the broken dataset and 1 of the other", b, w)
	}
}
