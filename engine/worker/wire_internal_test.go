package worker

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"quern"
	"quern/engine"
)

// oneRow is rows that cannot walk, at one of them.
type oneRow struct {
	engine.Rows
	row []any
}

func (r oneRow) Row() []any { return r.row }

func TestRowsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	all := [][]any{
		{nil, true, false, int64(0), int64(math.MinInt64), int64(math.MaxInt64), 1.5, math.Copysign(0, -1)},
		{"", "text", strings.Repeat("é", 40_000), json.Number("123456789012345678901234567890.5"), json.RawMessage(`{"a":[1,null]}`), nil, nil, nil},
	}
	var wire bytes.Buffer
	s := &sender{to: &wire}
	for _, row := range all {
		if err := s.row(oneRow{row: row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.end(ending{Total: 2, Problem: newProblem(quern.E(quern.Invalid, quern.CodeInvalidQuery, "no"))}); err != nil {
		t.Fatal(err)
	}
	in := newFrames(&wire)
	for n := 0; n < len(all); {
		k, body, err := in.next()
		if err != nil || k != rowFrame {
			t.Fatalf("next() = %c, %v, want rows", k, err)
		}
		b, err := newBatch(body)
		if err != nil || b.rows == 0 {
			t.Fatalf("newBatch() = %d rows, %v, want some", b.rows, err)
		}
		for ; b.rows > 0; n++ {
			got := make([]any, len(all[n]))
			if err := b.row(got); err != nil || !reflect.DeepEqual(got, all[n]) {
				t.Fatalf("row %d = %v, %v, want %v", n, got, err, all[n])
			}
		}
		if len(b.left) > 0 {
			t.Errorf("%d bytes are left of a frame whose rows were read", len(b.left))
		}
	}
	k, body, err := in.next()
	var e ending
	if err != nil || k != endFrame || json.Unmarshal(body, &e) != nil || e.Total != 2 || !quern.Is(e.Problem.err(), quern.Invalid) {
		t.Errorf("the end = %c %s, %v, want two rows and the problem", k, body, err)
	}
}

func TestARowThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	s := &sender{to: &bytes.Buffer{}}
	if err := s.row(oneRow{row: []any{strings.Repeat("x", maxFrame)}}); !quern.Is(err, quern.Invalid) {
		t.Errorf("row(64 MiB) = %v, want it refused", err)
	}
	if err := s.row(oneRow{row: []any{"small"}}); err != nil {
		t.Errorf("row(small) afterwards = %v, want no error", err)
	}
}

// FuzzFrames reads what a worker that was taken over could send.
func FuzzFrames(f *testing.F) {
	var row wire
	for _, v := range []any{int64(1), "two", 3.5} {
		row.Other(v)
	}
	f.Add(append(appendHeader(nil, rowFrame, len(row.out)+countSize), append([]byte{0, 0, 0, 1}, row.out...)...), 3)
	f.Add([]byte{'r', 0xff, 0xff, 0xff, 0xff}, 1)
	f.Add([]byte{'r', 0, 0, 0, 9, 0, 0, 0, 1, 's', 0xff, 0xff, 0xff, 0xff}, 1)
	f.Fuzz(func(t *testing.T, text []byte, columns int) {
		in := newFrames(bytes.NewReader(text))
		for {
			k, body, err := in.next()
			if err != nil {
				return
			}
			if len(body) > len(text) {
				t.Fatalf("a body of %d bytes out of %d", len(body), len(text))
			}
			b, err := newBatch(body)
			if k != rowFrame || err != nil || columns < 1 || columns > 100 {
				continue
			}
			row := make([]any, columns)
			for b.rows > 0 && b.row(row) == nil {
			}
		}
	})
}
