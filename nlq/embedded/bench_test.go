package embedded_test

import (
	"fmt"
	"testing"
)

// asked are questions of several kinds; those of trade have an answer.
var asked = []string{
	"How many orders are open?",
	"list the name of shops that have cancelled orders",
	"What is the average price of orders for each city?",
	"Which shop was founded first?",
}

// BenchmarkNamespace asks in turn, in a namespace of two datasets and in one
// where they are among many: how much slower is that?
func BenchmarkNamespace(b *testing.B) {
	for _, size := range []struct{ datasets, columns int }{{0, 0}, {200, 50}} {
		b.Run(fmt.Sprintf("%d more datasets", size.datasets), func(b *testing.B) {
			h := newHouse(b)
			h.wide(size.datasets, size.columns)
			for _, q := range asked {
				h.read(q, nil)
			}
			for b.Loop() {
				for _, q := range asked {
					h.read(q, nil)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N*len(asked)), "ms/question")
		})
	}
}
