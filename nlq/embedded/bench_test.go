package embedded_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"quern/knowledge"
	"quern/nlq/nlqtest"
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
			h := nlqtest.NewHouse(b)
			wide(b, h, size.datasets, size.columns)
			for _, q := range asked {
				h.Read(q, nil)
			}
			for b.Loop() {
				for _, q := range asked {
					h.Read(q, nil)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N*len(asked)), "ms/question")
		})
	}
}

// BenchmarkTaught asks of a namespace about which nothing is taught, and of one with
// 2,000 words and 200 verified questions of three wordings.
func BenchmarkTaught(b *testing.B) {
	var d knowledge.Document
	for i := range 2_000 {
		d.Words = append(d.Words, knowledge.Word{Word: fmt.Sprintf("word%d", i), Means: "orders.city"})
	}
	cities := []string{"Paris", "Lyon", "Marseille"}
	for i := range 200 {
		city := cities[i%len(cities)]
		d.Verified = append(d.Verified, knowledge.Verified{
			Name: fmt.Sprint("v", i), Query: fmt.Sprintf("SELECT sum(price) FROM orders WHERE city = '%s' AND price > %d", city, i),
			Questions: []string{fmt.Sprintf("takings number%d of %s", i, city), fmt.Sprintf("income number%d from %s", i, city),
				fmt.Sprintf("what did %s bring in case%d?", city, i)}})
	}
	for name, lesson := range map[string]knowledge.Document{"nothing": {}, "much": d} {
		b.Run(name, func(b *testing.B) {
			h := nlqtest.NewHouse(b).Trade()
			teach(b, h, lesson)
			questions := []string{"how many orders are there in Lyon?", "what is the average price per city?", "which shops are in Paris?"}
			for _, q := range questions {
				h.Read(q, nil)
			}
			began := processorTime(b)
			for b.Loop() {
				for _, q := range questions {
					h.Read(q, nil)
				}
			}
			n := float64(b.N * len(questions))
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/n, "ms/question")
			b.ReportMetric(float64((processorTime(b)-began).Microseconds())/1000/n, "cpu-ms/question")
		})
	}
}

// processorTime is what this process has used of the processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
