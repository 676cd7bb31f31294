package net_test

import (
	"testing"

	"quern/nlq/net"
)

// The sizes that the product ships.
var shipped = sizes{Size: 128, Heads: 8, Encoders: 4, Decoders: 2}

func BenchmarkParse(b *testing.B) {
	n := randomNet(b, shipped)
	for _, bench := range []struct {
		name                   string
		words, tables, columns int
		nets                   net.Ensemble
	}{
		{"one table", 14, 1, 8, net.Ensemble{n}},
		{"a small schema", 16, 5, 6, net.Ensemble{n}},
		{"a schema", 20, 10, 10, net.Ensemble{n}},
		{"a schema, three nets", 20, 10, 10, net.Ensemble{n, n, n}},
		{"a wide schema", 20, 20, 20, net.Ensemble{n}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			in := randomInput(bench.words, bench.tables, bench.columns)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.nets.Parse(b.Context(), in, 8); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
