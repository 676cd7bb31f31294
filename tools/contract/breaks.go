package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// everyOperation stands for all of them in an entry.
const everyOperation = "*"

// entry is one bullet of the list of breaks.
type entry struct {
	line       int
	operations []string
	check      string   // empty: a change of behaviour, which the gate cannot see
	names      []string // when there are any, a break must mention one of them
}

var (
	bullet = regexp.MustCompile("^- (?P<head>`[^`]+`(?:[ ,]+`[^`]+`)*): (?P<text>.*)$")
	quoted = regexp.MustCompile("`([^`]+)`")
	reason = regexp.MustCompile(`\bWhy: (?P<why>\S.{9,})`)
)

// parse reads the bullets that stand after the list's first "## " heading. What is
// above it explains the form; a bullet goes on in lines that are indented.
func parse(list string) (entries []entry, complaints []string) {
	lines := strings.Split(list, "\n")
	begun := false
	for i := 0; i < len(lines); i++ {
		begun = begun || strings.HasPrefix(lines[i], "## ")
		if !begun || !strings.HasPrefix(lines[i], "- ") {
			continue
		}
		number, whole := i+1, lines[i]
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  ") {
			i++
			whole += " " + strings.TrimSpace(lines[i])
		}
		m := bullet.FindStringSubmatch(whole)
		switch {
		case m == nil:
			complaints = append(complaints, fmt.Sprintf("breaks, line %d: want \"- `operation` `check`: what changed. Why: the reason.\"", number))
		case !reason.MatchString(m[bullet.SubexpIndex("text")]):
			complaints = append(complaints, fmt.Sprintf("breaks, line %d: no reason; want \"Why: …\"", number))
		default:
			entries = append(entries, newEntry(number, m[bullet.SubexpIndex("head")]))
		}
	}
	return entries, complaints
}

func newEntry(line int, head string) entry {
	var words []string
	for _, m := range quoted.FindAllStringSubmatch(head, -1) {
		words = append(words, m[1])
	}
	e := entry{line: line, operations: strings.FieldsFunc(words[0], func(r rune) bool { return r == ',' })}
	for i := range e.operations {
		e.operations[i] = strings.TrimSpace(e.operations[i])
	}
	if len(words) > 1 {
		e.check, e.names = words[1], words[2:]
	}
	return e
}

func (e entry) covers(b broken) bool {
	if e.check != b.Check {
		return false
	}
	if e.operations[0] != everyOperation && !slices.Contains(e.operations, b.Operation) {
		return false
	}
	mentioned := func(name string) bool { return strings.Contains(b.Text, "`"+name+"`") }
	return len(e.names) == 0 || slices.ContainsFunc(e.names, mentioned)
}

// match returns a complaint for every break that no entry covers, as a bullet to
// be completed, and for every entry that covers none; entries for every operation
// are standing permissions.
func match(entries []entry, found []broken) []string {
	var complaints []string
	used := make([]bool, len(entries))
	for _, b := range found {
		named := false
		for i, e := range entries {
			if e.covers(b) {
				used[i], named = true, true
			}
		}
		if !named {
			complaints = append(complaints, fmt.Sprintf("not named:\n- `%s` `%s`: %s. Why: ", b.Operation, b.Check, b.Text))
		}
	}
	for i, e := range entries {
		if used[i] || e.check == "" || e.operations[0] == everyOperation {
			continue
		}
		complaints = append(complaints, fmt.Sprintf("breaks, line %d: nothing breaks `%s` by `%s`; take the entry out, or name the check that reports it",
			e.line, strings.Join(e.operations, ", "), e.check))
	}
	return slices.Compact(complaints)
}
