package ingest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quern"
)

// kinds make cells of columns, each of one kind with some odd ones among them.
var kinds = []func(*rand.Rand) string{
	func(r *rand.Rand) string { return fmt.Sprint(r.IntN(1000) - 500) },
	func(r *rand.Rand) string { return fmt.Sprintf("%d.%02d", r.IntN(1000), r.IntN(100)) },
	func(r *rand.Rand) string { return fmt.Sprintf("2024-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28)) },
	func(r *rand.Rand) string {
		return fmt.Sprintf("2024-%02d-%02d %02d:%02d:%02d+02", 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60))
	},
	func(r *rand.Rand) string { return fmt.Sprint(r.IntN(2) == 0) },
	func(r *rand.Rand) string { return fmt.Sprintf("%02d.%02d.2024", 1+r.IntN(28), 1+r.IntN(12)) },
	func(r *rand.Rand) string { return fmt.Sprintf("%03d", r.IntN(100)) },
	func(r *rand.Rand) string { return "word " + fmt.Sprint(r.IntN(50)) },
	func(r *rand.Rand) string {
		all := []string{"", `""`, `"a, b"`, `"x ""y"" z"`, "plain", " spaced ", "é"}
		return all[r.IntN(len(all))]
	},
	func(r *rand.Rand) string { return fmt.Sprintf("0.%d", 1+r.IntN(9999)) },
}

// randomCSV makes a text that may be even or not: line ends, null spellings and
// lines inside of quotes differ from text to text, not from row to row.
func randomCSV(r *rand.Rand) string {
	end, odd := []string{"\n", "\r\n"}[r.IntN(2)], []string{"", "", "n/a", `"1"`, " 7 ", "1e3", "\"two\nlines\""}[r.IntN(7)]
	var b strings.Builder
	some := r.Perm(len(kinds))[:3+r.IntN(4)]
	for c := range some {
		if c > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "column %d", c)
	}
	b.WriteString(end)
	at := r.IntN(len(some))
	for row := range 20 + r.IntN(60) {
		for c, kind := range some {
			if c > 0 {
				b.WriteByte(',')
			}
			switch {
			case c == at && row%13 == 5:
				b.WriteString(odd)
			case r.IntN(12) > 0:
				b.WriteString(kinds[kind](r))
			}
		}
		b.WriteString(end)
	}
	return b.String()
}

// What is read by blocks, or by the engine itself, is what reading row by row
// returns.
func TestParallelReadingMakesTheSame(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	for seed := range uint64(24) {
		text := randomCSV(rand.New(rand.NewPCG(seed, 7)))
		parallel, slow := fmt.Sprint("parallel", seed), fmt.Sprint("slow", seed)
		a := m.ingestFiles(parallel, quern.IngestionOptions{}, file{"a.csv", []byte(text)})
		b := m.ingestFiles(slow, quern.IngestionOptions{OnError: quern.Quarantine}, file{"a.csv", []byte(text)})
		if a.Status != quern.IngestionCompleted || b.Status != quern.IngestionCompleted || b.Report.Rejected > 0 {
			t.Fatalf("ingest(seed %d) = %s %s and %s %s, %d rejected, want both completed", seed, a.Status, a.Message, b.Status, b.Message,
				b.Report.Rejected)
		}
		if got, want := m.table(parallel), m.table(slow); got != want {
			t.Errorf("ingest(%q) =\n%s\nwant\n%s", text, got, want)
		}
		if got, want := fmt.Sprint(a.Report.Tables[0].Notes, a.ProcessedRows),
			fmt.Sprint(b.Report.Tables[0].Notes, b.ProcessedRows); got != want {
			t.Errorf("ingest(seed %d) reports %s, want %s", seed, got, want)
		}
	}
}
