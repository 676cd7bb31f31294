package ingest_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"quern"
)

// BenchmarkCSV ingests a million rows of seven columns, from the stored file to
// the commit.
func BenchmarkCSV(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("id,name,price,quantity,day,at,ok\n")
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1_000_000 {
		fmt.Fprintf(&text, "%d,name %d,%.2f,%d,2024-%02d-%02d,2024-01-02 %02d:%02d:00,%t\n", i, random.IntN(5000), random.Float64()*1000,
			random.IntN(100), 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60), i%2 == 0)
	}
	m := newFileHouse(b)
	b.SetBytes(int64(text.Len()))
	for n := 0; b.Loop(); n++ {
		if i := m.ingestFiles(fmt.Sprintf("it%d", n), quern.IngestionOptions{}, file{"a.csv", text.Bytes()}); i.ProcessedRows != 1_000_000 {
			b.Fatalf("ingest() = %s %s", i.Status, i.Message)
		}
	}
}
