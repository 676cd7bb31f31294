package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/ingest"
)

// changes are cells that come late in a column, and may change what it is.
var changes = []string{
	"", "", "", "", "7", "-0", "007", "1.5", "123456789012", "9223372036854775807", "9223372036854775808", "12345678901234567.25", "1e3", "1,5", `"1,500"`,
	"5 kg", "5 lb", "12%", "$3", "true", "TRUE", "yes", "2024-02-30", "2024-02-29", "29.02.2024", "02/03/2024", "2024-01-01 10:00", "2024-01-01T10:00:00.1234567Z",
	"2024-01-01 00:00:00+15", "n/a", "NULL", `""`, `" "`, " 7 ", "word", `"quoted ""word"""`, `a"b`, "\"two\nlines\"", "\"a\rb\"", "x\ry", "é", "\xe9", "\x00", "1;2",
	strings.Repeat("long ", 200),
}

// changingCSV makes a text whose columns may change after its beginning.
func changingCSV(r *rand.Rand) []byte {
	end := []string{"\n", "\n", "\r\n"}[r.IntN(3)]
	some := r.Perm(len(kinds))[:2+r.IntN(5)]
	rows := 60 + r.IntN(60)
	change, at, from := changes[r.IntN(len(changes))], r.IntN(len(some)), 20+r.IntN(rows)
	nulls, empty := r.IntN(len(some)+3), r.IntN(len(some)+3) // a column that begins with nulls, and one without values
	plain := r.IntN(4) > 0                                   // without what is never read once
	var b strings.Builder
	if r.IntN(16) == 0 {
		b.WriteString("\uFEFF")
	}
	for c := range some {
		if c > 0 {
			b.WriteByte(',')
		}
		if c != empty || r.IntN(2) == 0 {
			fmt.Fprintf(&b, "column %d", c)
		}
	}
	b.WriteString(end)
	for row := range rows {
		for c, kind := range some {
			if c > 0 {
				b.WriteByte(',')
			}
			if plain && (kind == 5 || kind == 6 || kind == 8) {
				kind = 0
			}
			switch {
			case c == empty, c == nulls && row < from, r.IntN(12) == 0:
			case c == at && row >= from && r.IntN(3) == 0:
				b.WriteString(change)
			default:
				b.WriteString(kinds[kind](r))
			}
		}
		b.WriteString(lineEnd(r, end))
	}
	if r.IntN(16) == 0 {
		b.WriteString("Total" + strings.Repeat(",", len(some)-1) + end)
	}
	return []byte(b.String())
}

// lineEnd is mostly end. Rarely a row has a cell too many, or something else stands behind it.
func lineEnd(r *rand.Rand, end string) string {
	switch r.IntN(2000) {
	case 0:
		return ",more" + end
	case 1:
		return end + end
	case 2:
		return end + ",," + end
	case 3:
		return "\r\n"
	case 4:
		return end + "short" + end
	}
	return end
}

// outcome is all that an ingestion of files into a dataset tells, now and later.
func (m *fileHouse) outcome(name string, o quern.IngestionOptions, files ...file) string {
	m.t.Helper()
	i := m.ingestFiles(name, o, files...)
	told := []any{i.Status, i.Message, i.ProcessedRows, i.ProcessedBytes, i.Report}
	rejected, err := m.ingest.Rejected(m.t.Context(), m.ada, i.ID, 0, 1000)
	must(m.t, err)
	told = append(told, rejected)
	if d, err := m.Catalog.Dataset(m.t.Context(), m.ada, dataset(name), catalog.Read); err == nil {
		told = append(told, d.Rows, d.NextRow, d.Columns, m.table(name), m.segmentRows(name))
	}
	text, err := json.MarshalIndent(told, "", " ")
	must(m.t, err)
	return string(text)
}

// segmentRows is how many rows the segments of a dataset have.
func (m *fileHouse) segmentRows(name string) (rows []int64) {
	m.t.Helper()
	snap, err := m.Catalog.Snapshot(m.t.Context(), m.ada, dataset(name))
	must(m.t, err)
	for _, s := range snap.Segments {
		rows = append(rows, s.Rows)
	}
	return rows
}

// objects counts what is stored of all datasets.
func (m *fileHouse) objects() (n int) {
	m.t.Helper()
	for _, err := range m.Objects.List(m.t.Context(), "tables/") {
		must(m.t, err)
		n++
	}
	return n
}

// What is learned and written in one reading is what two readings make of it, into a new
// dataset and into one that has rows.
func TestReadingOnceMakesTheSame(t *testing.T) {
	t.Parallel()
	once, twice := newFileHouse(t), newFileHouse(t)
	done, givenUp, several := 0, 0, 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 11))
		block, cut := 500+r.IntN(1000), seed%3 > 0
		once.ingest.ReadOnce(block, func(ok bool) {
			switch {
			case !ok:
				givenUp++
			case cut:
				several++
			default:
				done++
			}
		})
		twice.ingest.ReadTwice(block)
		if cut { // several segments
			rows := int64(10 + r.IntN(60))
			once.ingest.CutInto(rows)
			twice.ingest.CutInto(rows)
		}
		name := fmt.Sprint("d", seed/2) // every other text comes behind one
		text, o := changingCSV(r), quern.IngestionOptions{}
		if seed%8 == 0 {
			o.NullValues = []string{"7", "false", "2024-02-29", "-0"}
		}
		if got, want := once.outcome(name, o, file{"a.csv", text}), twice.outcome(name, o, file{"a.csv", text}); got != want {
			t.Fatalf("ingest(%q), seed %d, read once =\n%s\nwant\n%s", text, seed, got, want)
		}
		if got, want := once.objects(), twice.objects(); got != want {
			t.Fatalf("%d objects are stored after seed %d, want %d: what was given up is gone", got, seed, want)
		}
	}
	if done < 10 || several < 10 || givenUp < 20 {
		t.Errorf("of 150 texts %d and %d, cut, were read once, and %d tried in vain, want many of all", done, several, givenUp)
	}
	t.Logf("read once: %d, cut: %d, in vain: %d", done, several, givenUp)
}

// fullStore is a store that has room for so many more objects.
type fullStore struct {
	blob.Store
	room int
}

func (f *fullStore) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if f.room--; f.room < 0 {
		return errors.New("the store is full")
	}
	return f.Store.Put(ctx, key, r, size)
}

// A segment that cannot be stored ends the reading, wherever it is, and nothing is left of those
// before it.
func TestReadingOnceEndsWhenASegmentIsNotStored(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("id,name\n")
	for i := range 3000 {
		fmt.Fprintf(&text, "%d,name %d\n", i, i)
	}
	for room := range 4 {
		m := newFileHouse(t)
		m.ingest = m.NewIngest(func(o *ingest.Options) {
			o.Uploads, o.NullValues, o.Tables, o.Objects = m.uploads, usualNulls(t), tables, &fullStore{m.Objects, room}
		})
		once := false
		m.ingest.ReadOnce(1000, func(ok bool) { once = ok })
		m.ingest.CutInto(500)
		if i := m.ingestFiles("d", quern.IngestionOptions{}, file{"a.csv", []byte(text.String())}); i.Status == quern.IngestionCompleted || !once {
			t.Errorf("ingest(room for %d of 6 segments) = %s, read once = %v, want it failed", room, i.Status, once)
		}
		if n := m.objects(); n != 0 {
			t.Errorf("%d objects are left, want none", n)
		}
	}
}
