package bench_test

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// binaryAim is how large the program may be, in MB: what it was, 21 more for what the translator
// learned and 6 for PDFium.
const binaryAim = 136 + 21 + 6

// BenchmarkStart starts the server again and again, and looks at what it takes before
// anybody asks it anything.
func BenchmarkStart(b *testing.B) {
	h := newHome(b)
	seed(b, h, "orders", 1000)
	var took, first []time.Duration
	var started, pages, asked []float64
	for range 7 {
		begun := time.Now()
		s := h.serve()
		took = append(took, time.Since(begun))
		<-time.After(time.Second) // what starts in the background is there by then
		now, _ := s.memory()
		started, pages = append(started, now), append(pages, s.programPages())
		s.query("SELECT count(*) AS n FROM orders")
		begun = time.Now()
		s.ask("How many orders are there?")
		first = append(first, time.Since(begun))
		now, _ = s.memory()
		asked = append(asked, now)
		s.stop()
	}
	record(b, result{What: "start until it serves", Quern: seconds(median(took)), Value: median(took).Seconds(), Unit: "s", Aim: 0.3})
	record(b, result{What: "memory of the server, started", Quern: fmt.Sprintf("%.0f MiB", median(started)),
		Other: fmt.Sprintf("%.0f MiB of it pages of the program; %.0f MiB after a query and a question", median(pages), median(asked)), Value: median(started), Unit: "MiB", Aim: 90})
	record(b, result{What: "the first question after a start", Quern: seconds(median(first)), Value: median(first).Seconds(), Unit: "s", Aim: 1})
	path, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	megabytes := float64(info.Size()) / 1e6
	record(b, result{What: "the binary", Quern: fmt.Sprintf("%.0f MB", megabytes), Value: megabytes, Unit: "MB", Aim: binaryAim})
}
