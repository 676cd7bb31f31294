package query_test

import (
	"fmt"
	"io"
	"testing"

	"quern"
	"quern/housetest"
	"quern/query"
)

// BenchmarkExport writes a dataset of ten columns out in every form that is made
// row by row.
func BenchmarkExport(b *testing.B) {
	const rows = 100_000
	h := housetest.New(b, housetest.Options{})
	ada, at := h.User("ada"), housetest.Path("ada", "bench/rows")
	h.Fill(ada, at, rows, func(i int) string {
		return fmt.Sprintf(`{"id":%d,"name":"n%d","city":"%c","x":%g,"y":%d,"d":"2025-%02d-%02d","t":"some words here %d","b":%t,"z":%d,"w":%g}`,
			i, i%977, 'a'+rune(i%8), float64(i)*0.731, i%131, 1+i%12, 1+i%28, i%53, i%2 == 0, i*3, 1/float64(i+1))
	})
	for _, format := range []query.Format{query.CSV, query.JSON, query.NDJSON} {
		b.Run(string(format), func(b *testing.B) { benchExport(b, h, at, format) })
	}
}

func benchExport(b *testing.B, h *housetest.House, at quern.DatasetPath, format query.Format) {
	b.Helper()
	for b.Loop() {
		e, err := h.Query.Export(b.Context(), h.User("ada"), at, format)
		housetest.Must(b, err)
		e.EscapeFormulas = true
		housetest.Must(b, e.Write(b.Context(), io.Discard))
	}
}
