// Package bench_test measures the binary against what it stands on, in one run
// and on one machine: ratios say something where seconds do not. It owns no
// behaviour and is part of no test: `make bench` runs it.
package bench_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shrink divides the sizes, for trying the benchmarks out.
var shrink = flag.Int("shrink", 1, "divide all sizes by this")

// result is one row of the table.
type result struct {
	What    string  `json:"what"`
	Quern   string  `json:"quern"`
	Other   string  `json:"other"` // what it is held against
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Aim     float64 `json:"aim"`               // Value should not exceed it
	AtLeast bool    `json:"atLeast,omitempty"` // or should reach it
	// Processor is the ratio of processor times, which a busy machine stretches
	// less; 0 when it was not taken.
	Processor float64 `json:"processor,omitempty"`
	// Stolen is the share of the processors that the host gave to other machines meanwhile.
	Stolen float64 `json:"stolen,omitempty"`
}

// results is what this run has found. Benchmarks run one after the other.
var results []result

// record adds a row, which is a benchmark of its own: so each can be chosen, and be
// compared between revisions.
func record(b *testing.B, r result) {
	b.Helper()
	r.Stolen = stolen.sinceLast()
	b.Run(r.What, func(b *testing.B) {
		b.ReportMetric(r.Value, strings.ReplaceAll(r.Unit, " ", "_"))
		b.ReportMetric(0, "ns/op") // it took no time by itself
		results = append(results, r)
	})
}

func TestMain(m *testing.M) {
	stolen.sinceLast()
	code := m.Run()
	cleanUp()
	if len(results) > 0 {
		if err := report(); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// report prints the table and writes it as JSON.
func report() error {
	rows := middle(results)
	fmt.Printf("\n%s, %d cores, load %s, shrink %d\n\n", runtime.GOARCH, runtime.NumCPU(), load(), *shrink)
	fmt.Print("| what | measured | baseline | ratio | aim | | processor time | taken by the host |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Println(r.row())
	}
	text, err := json.MarshalIndent(map[string]any{
		"cores": runtime.NumCPU(), "load": load(), "shrink": *shrink, "at": time.Now().UTC(), "results": rows,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile("results.json", append(text, '\n'), 0o600)
}

// middle returns, of the results that are about the same (-count), the one in the middle.
func middle(all []result) (rows []result) {
	same := map[string][]result{}
	for _, r := range all {
		same[r.What] = append(same[r.What], r)
	}
	for _, r := range all {
		if found := same[r.What]; found != nil {
			slices.SortFunc(found, func(a, b result) int { return cmp.Compare(a.Value, b.Value) })
			rows = append(rows, found[len(found)/2])
			delete(same, r.What)
		}
	}
	return rows
}

// met reports whether the aim was reached.
func (r result) met() bool {
	if r.AtLeast {
		return r.Value >= r.Aim
	}
	return r.Value <= r.Aim
}

// row writes the result as a row of the table.
func (r result) row() string {
	sign, verdict, processor := "≤", "met", ""
	if r.AtLeast {
		sign = "≥"
	}
	if !r.met() {
		verdict = "**missed**"
	}
	if r.Processor > 0 {
		processor = fmt.Sprintf("%.2f ×", r.Processor)
	}
	return fmt.Sprintf("| %s | %s | %s | %.2f %s | %s %g | %s | %s | %.0f %% |",
		r.What, r.Quern, r.Other, r.Value, r.Unit, sign, r.Aim, verdict, processor, 100*r.Stolen)
}

// load is how busy the machine was in the last minute, which is what to doubt
// the figures by.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}

// theft tells how much of the processors of a virtual machine its host gave to others, as
// the kernel counts it: a machine with nothing else to do may still not have them.
type theft struct {
	stolen, all int     // ticks until the last answer
	last        float64 // the last answer
}

var stolen theft

// sinceLast returns the share since the last call; the last answer again when nothing was
// done in between.
func (t *theft) sinceLast() float64 {
	const steal, least = 7, 20 // its place among the kinds of time; ticks
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	kinds := strings.Fields(line)[1:]
	gone, all := 0, 0
	for i, kind := range kinds[:min(len(kinds), steal+1)] {
		ticks, _ := strconv.Atoi(kind)
		all += ticks
		if i == steal {
			gone = ticks
		}
	}
	if all-t.all >= least {
		t.last = float64(gone-t.stolen) / float64(all-t.all)
		t.stolen, t.all = gone, all
	}
	return t.last
}

// median returns the middle of what was measured.
func median[T cmp.Ordered](all []T) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// alternate runs two things in turn, so that the machine's moods hit both, and
// returns the medians of their times. What is to be done after each turn is not timed.
func alternate(rounds int, one, other func(), after ...func()) (time.Duration, time.Duration) {
	timed := func(fn func()) time.Duration {
		start := time.Now()
		fn()
		took := time.Since(start)
		for _, done := range after {
			done()
		}
		return took
	}
	timed(one)
	timed(other)
	var ones, others []time.Duration
	for range rounds {
		ones, others = append(ones, timed(one)), append(others, timed(other))
	}
	return median(ones), median(others)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
