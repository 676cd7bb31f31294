//go:build growth

package bench_test

import (
	"fmt"
	"strconv"
	"strings"
)

// readBack fills a scale that was not measured this time with the figures that the page
// has of it, so that the parts can be measured one by one.
func (s *scale) readBack(figures string) error {
	before, table, found := strings.Cut(figures, fmt.Sprintf("\n\n| %s |", s.What))
	if !found {
		return fmt.Errorf("docs/growth.md has no figures for the %s, which were not measured", s.What)
	}
	s.Measured = before[strings.LastIndex(before, "\n")+1:]
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	s.Sizes = nil
	for _, cell := range cells(lines[0]) {
		n, err := long(cell)
		if err != nil {
			return err
		}
		s.Sizes = append(s.Sizes, n)
	}
	for _, text := range lines[2:] {
		name, values, _ := strings.Cut(strings.TrimPrefix(text, "| "), " |")
		at := strings.LastIndex(name, ", ")
		l := &line{Name: name[:at], Unit: name[at+2:]}
		for _, cell := range cells(values) {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return err
			}
			l.Values = append(l.Values, v)
		}
		s.Lines = append(s.Lines, l)
	}
	return nil
}

// cells returns the cells of a row but for the last, which says how a figure grows.
func cells(row string) []string {
	all := strings.Split(strings.Trim(row, "| "), "|")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all[:len(all)-1]
}

// long reads a size that short wrote.
func long(text string) (int, error) {
	digits, unit, _ := strings.Cut(text, " ")
	v, err := strconv.ParseFloat(digits, 64)
	return int(v * map[string]float64{"": 1, "k": 1000, "M": 1_000_000}[unit]), err
}
