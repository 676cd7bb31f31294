//go:build growth

package bench_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The figures of docs/growth.md are between these lines.
const (
	figuresBegin = "<!-- what make growth found -->\n"
	figuresEnd   = "<!-- end of what make growth found -->\n"
)

// writeGrowth puts figures and their plot into the docs. Those of a scale that was not
// measured stay.
func writeGrowth(docs string, scales []*scale) error {
	page := filepath.Join(docs, "growth.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(text), figuresBegin)
	last, after, ended := strings.Cut(rest, figuresEnd)
	if !begun || !ended {
		return errors.New("docs/growth.md has no place for the figures")
	}
	figures := "\n![what grows](growth.svg)\n"
	for _, s := range scales {
		if len(s.Lines) == 0 {
			if err := s.readBack(last); err != nil {
				return err
			}
		}
		figures += "\n" + s.Measured + "\n\n" + s.table()
	}
	fmt.Print(figures)
	if err := os.WriteFile(filepath.Join(docs, "growth.svg"), []byte(plot(scales)), 0o644); err != nil { //nolint:gosec // part of the docs
		return err
	}
	return os.WriteFile(page, []byte(before+figuresBegin+figures+"\n"+figuresEnd+after), 0o644) //nolint:gosec // part of the docs
}

// measured says when, where and how much of a scale was measured.
func measured() string {
	return fmt.Sprintf("Measured on %s, %d cores, load %s at the end, sizes divided by %d:",
		time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), load(), *shrink)
}

// table shows a scale, a size to a column.
func (s *scale) table() string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s |", s.What)
	for _, n := range s.Sizes {
		fmt.Fprintf(&out, " %s |", short(n))
	}
	out.WriteString(" grows as |\n|---|" + strings.Repeat("---|", len(s.Sizes)+1) + "\n")
	for _, l := range s.Lines {
		fmt.Fprintf(&out, "| %s, %s |", l.Name, l.Unit)
		for _, v := range l.Values {
			fmt.Fprintf(&out, " %s |", figure(v))
		}
		fmt.Fprintf(&out, " %s |\n", s.growth(l))
	}
	return out.String()
}

// growth says which power of the size a figure grows with over the last step, where most
// of it is work and not what every request costs.
func (s *scale) growth(l *line) string {
	n := len(l.Values)
	if n < 2 {
		return ""
	}
	power := math.Log(l.Values[n-1]/l.Values[n-2]) / math.Log(float64(s.Sizes[n-1])/float64(s.Sizes[n-2]))
	verdict := "linear or better"
	if power > 1.1 { // what measuring is off by
		verdict = "**worse than linear**"
	}
	return fmt.Sprintf("n^%.2f, %s", power, verdict)
}

func figure(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// short writes a size with its thousands as letters.
func short(n int) string {
	for _, unit := range []struct {
		size int
		name string
	}{{1_000_000, " M"}, {1000, " k"}} {
		if n >= unit.size && n%(unit.size/10) == 0 {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(unit.size)), ".0") + unit.name
		}
	}
	return fmt.Sprint(n)
}
