package main

import (
	"strings"
	"testing"
)

func TestTablesFitTheirTerminal(t *testing.T) {
	t.Parallel()
	rows := [][]string{
		{"ID", "NAME", "ABOUT"},
		{"0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a22", "arrivals", "Every ship that came in,\x1b[2J one row each\u202e"},
		{"0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a23", "日本語の名前", "short"},
	}
	whole := tableText(rows, 0)
	if strings.ContainsAny(whole, "\x1b\u202e…") || !strings.Contains(whole, "one row each") {
		t.Errorf("tableText(any width) = %q, want all of it, without control characters", whole)
	}
	for _, wide := range []int{120, 80, 60, 57} {
		for line := range strings.Lines(tableText(rows, wide)) {
			line = strings.TrimSuffix(line, "\n")
			if got := textWidth(line); got > wide {
				t.Errorf("tableText(%d) has a line of %d columns: %q", wide, got, line)
			}
			if isRow := strings.HasPrefix(line, "0192"); isRow && !strings.Contains(line, "-0b8f7e0c6a2") {
				t.Errorf("tableText(%d) cuts an id: %q", wide, line)
			}
		}
	}
	if got := tableText(rows, 60); !strings.Contains(got, "…") || !strings.HasPrefix(got, "ID ") {
		t.Errorf("tableText(60) = %q, want a table with cells that are cut", got)
	}
	records := tableText(rows, 48)
	if !strings.HasPrefix(records, "ID     0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a22\nNAME   arrivals\n") || !strings.Contains(records, "\n\nID     ") {
		t.Errorf("tableText(48) = %q, want each row over several lines", records)
	}
	if got := tableText([][]string{{"USER", "ROLE"}}, 3); got != "" {
		t.Errorf("tableText(a heading alone, 3) = %q, want nothing", got)
	}
	if got := tableText(nil, 80); got != "" {
		t.Errorf("tableText(nothing) = %q, want nothing", got)
	}
}
