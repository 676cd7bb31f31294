package query_test

import (
	"fmt"
	"testing"

	"quern/housetest"
	"quern/query"
)

func TestHistogramsOfHardColumns(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada, at := h.User("ada"), housetest.Path("ada", "bench/hard")
	h.Fill(ada, at, 1000, func(i int) string {
		return fmt.Sprintf(`{"same":4.5,"huge":%g,"tiny":%g,"when":"2030-01-01T00:%02d:%02dZ","ages":"%04d-06-01","nulls":null,"big":%d}`,
			[]float64{-1e308, 1e308}[i%2], float64(i)*1e-12, i/60, i%60, 1000+i, int64(i)<<53)
	})
	for column, want := range map[string]struct {
		kind       query.HistogramKind
		most       int
		from, upto string
	}{
		"same":  {query.NumberHistogram, 1, "4.5", "4.5"},
		"huge":  {query.NumberHistogram, 1, "-1e+308", "1e+308"},
		"tiny":  {query.NumberHistogram, 21, "0", "1e-09"},
		"when":  {query.TimeHistogram, 20, "2030-01-01T00:00:00Z", "2030-01-01T00:17:00Z"},
		"ages":  {query.TimeHistogram, 20, "1000-01-01", "2000-01-01"},
		"nulls": {query.CategoryHistogram, 0, "", ""},
		"big":   {query.NumberHistogram, 21, "0", "9e+18"},
	} {
		got, err := h.Query.Histogram(t.Context(), ada, at, column, "", 20)
		housetest.Must(t, err)
		var counted int64
		for _, b := range got.Bins {
			counted += b.Count
		}
		if got.Kind != want.kind || len(got.Bins) > want.most || counted != got.Rows-got.Nulls || got.Rows != 1000 {
			t.Errorf("Histogram(%s) = %+v, want all of %d rows in at most %d bins of kind %s", column, got, got.Rows, want.most, want.kind)
		}
		if n := len(got.Bins); n > 0 && (fmt.Sprint(got.Bins[0].From) != want.from || fmt.Sprint(got.Bins[n-1].To) != want.upto) {
			t.Errorf("Histogram(%s) goes from %v to %v, want %s to %s", column, got.Bins[0].From, got.Bins[n-1].To, want.from, want.upto)
		}
	}
}

// BenchmarkLook reads what a screen shows of a million rows.
func BenchmarkLook(b *testing.B) {
	h := housetest.New(b, housetest.Options{})
	ada, at := h.User("ada"), housetest.Path("ada", "bench/million")
	for part := range 10 {
		h.Fill(ada, at, 100_000, func(i int) string {
			i += part * 100_000
			return fmt.Sprintf(`{"id":%d,"name":"n%d","city":"%c","x":%g,"y":%d,"d":"2025-%02d-%02d","t":"some words here %d","b":%t,"z":%d,"w":%g}`,
				i, i%977, 'a'+rune(i%8), float64(i)*0.731, i%131, 1+i%12, 1+i%28, i%53, i%2 == 0, i*3, 1/float64(i+1))
		})
	}
	for name, w := range map[string]query.Window{
		"offset": {Offset: 900_000, Limit: 100}, "sorted": {Limit: 100, Sort: []query.Sort{{Column: "x", Descending: true}}},
		"sorted-deep": {Offset: 500_000, Limit: 100, Sort: []query.Sort{{Column: "t"}}}, "filtered": {Limit: 100, Filter: `city == "c" && y > 100`},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				page, err := h.Query.Window(b.Context(), ada, at, w)
				housetest.Must(b, err)
				for page.Rows.Next() {
				}
				housetest.Must(b, page.Rows.Close())
			}
		})
	}
	for _, column := range []string{"x", "d", "name", "t"} {
		b.Run("histogram-"+column, func(b *testing.B) {
			for b.Loop() {
				_, err := h.Query.Histogram(b.Context(), ada, at, column, "", 20)
				housetest.Must(b, err)
			}
		})
	}
}
