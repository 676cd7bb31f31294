package ingest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
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
		told = append(told, d.Rows, d.NextRow, d.Columns, m.table(name))
	}
	text, err := json.MarshalIndent(told, "", " ")
	must(m.t, err)
	return string(text)
}

// What is learned and written in one reading is what two readings make of it, into a new
// dataset and into one that has rows.
func TestReadingOnceMakesTheSame(t *testing.T) {
	t.Parallel()
	once, twice := newFileHouse(t), newFileHouse(t)
	done, givenUp := 0, 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 11))
		block := 500 + r.IntN(1000)
		once.ingest.ReadOnce(block, func(ok bool) {
			if ok {
				done++
			} else {
				givenUp++
			}
		})
		twice.ingest.ReadTwice(block)
		name := fmt.Sprint("d", seed/2) // every other text comes behind one
		text, o := changingCSV(r), quern.IngestionOptions{}
		if seed%8 == 0 {
			o.NullValues = []string{"7", "false", "2024-02-29", "-0"}
		}
		if got, want := once.outcome(name, o, file{"a.csv", text}), twice.outcome(name, o, file{"a.csv", text}); got != want {
			t.Fatalf("ingest(%q), seed %d, read once =\n%s\nwant\n%s", text, seed, got, want)
		}
	}
	if done < 20 || givenUp < 20 {
		t.Errorf("of 150 texts %d were read once and %d tried in vain, want many of both", done, givenUp)
	}
	t.Logf("read once: %d, in vain: %d", done, givenUp)
}
