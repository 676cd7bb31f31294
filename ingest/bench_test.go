package ingest_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quern"
	"quern/housetest"
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

// benchRow is a row of ten columns as JSON.
func benchRow(i int) string {
	return fmt.Sprintf(`{"id":%d,"category":"category %d","amount":%d.25,"quantity":%d,"active":true,"day":"2024-01-%02d",`+
		`"at":"2024-01-01T00:00:%02dZ","name":"customer %d","note":"a note of some length about order %d","score":0.%d1}`,
		i, i%50, i, i%1000, i%28+1, i%60, i*7919%100000, i, i)
}

// BenchmarkJSON ingests 100,000 rows of ten columns, without HTTP.
func BenchmarkJSON(b *testing.B) {
	var body bytes.Buffer
	for i := range 100_000 {
		body.WriteByte(",["[min(1, 1-min(i, 1))])
		body.WriteString(benchRow(i))
	}
	text := `{"data":` + body.String() + `]}`
	h := housetest.New(b, housetest.Options{})
	ada := h.User("ada")
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for n := 0; b.Loop(); n++ {
		set := h.Dataset(ada, fmt.Sprintf("ns/d%d", n), "[]")
		if _, err := h.Ingest.JSON(b.Context(), ada, set, strings.NewReader(text), ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNDJSON ingests a file of 100,000 rows of ten columns, from the stored file to the
// commit.
func BenchmarkNDJSON(b *testing.B) {
	var text bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintln(&text, benchRow(i))
	}
	m := newFileHouse(b)
	b.SetBytes(int64(text.Len()))
	for n := 0; b.Loop(); n++ {
		if i := m.ingestFiles(fmt.Sprintf("it%d", n), quern.IngestionOptions{}, file{"a.ndjson", text.Bytes()}); i.ProcessedRows != 100_000 {
			b.Fatalf("ingest() = %s %s", i.Status, i.Message)
		}
	}
}

// BenchmarkSmall has 16 writers send rows one by one, without HTTP, into one dataset and
// into 16.
func BenchmarkSmall(b *testing.B) {
	for _, datasets := range []int{1, 16} {
		b.Run(fmt.Sprint(datasets), func(b *testing.B) {
			h := housetest.New(b, housetest.Options{Journal: true})
			ada := h.User("ada")
			var sets []quern.DatasetPath
			for i := range datasets {
				sets = append(sets, h.Dataset(ada, fmt.Sprintf("ns/d%d", i), "["+benchRow(1)+"]"))
			}
			ctx, stop := context.WithCancel(b.Context())
			defer stop()
			go h.Ingest.FoldFull(ctx)
			var next atomic.Int64
			b.ResetTimer()
			var writing sync.WaitGroup
			for w := range 16 {
				writing.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						body := strings.NewReader(`{"data":[` + benchRow(int(i)) + `]}`)
						if _, err := h.Ingest.JSON(ctx, ada, sets[w%datasets], body, ""); err != nil {
							b.Error(err)
						}
					}
				})
			}
			writing.Wait()
		})
	}
}
