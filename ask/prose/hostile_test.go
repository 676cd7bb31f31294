package prose_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"quern"
	"quern/ask/asktest"
	"quern/ask/check"
	"quern/ask/prose"
)

// live is a mark of Markdown that no backslash takes the meaning from. Those
// that answers write themselves are taken out before it is looked for.
var live = regexp.MustCompile("(?:^|[^\\\\])(?:\\\\\\\\)*([`*\\[\\]<>|~]|&(?:#|[a-z]+;))")

// parts returns the lines of an answer that are no table, and the number of cells
// of each that is one.
func parts(answer string) (lines []string, cells []int) {
	for line := range strings.Lines(answer) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "|") {
			lines = append(lines, line)
			continue
		}
		bare := strings.NewReplacer(`\\`, "", `\|`, "").Replace(line)
		cells = append(cells, strings.Count(bare, "|")-1)
		for cell := range strings.SplitSeq(strings.NewReplacer(`\\`, "", `\|`, "").Replace(line), "|") {
			if !regexp.MustCompile(`^ -+:? $`).MatchString(cell) {
				lines = append(lines, cell)
			}
		}
	}
	return lines, cells
}

func TestValuesCannotForgeStructure(t *testing.T) {
	t.Parallel()
	for _, value := range asktest.Hostile {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		for _, columns := range [][]quern.Column{
			{{Name: "a", Type: quern.Text}},
			{{Name: "a", Type: quern.Text}, {Name: "b", Type: quern.Text}},
			{{Name: "a", Type: quern.Text}, {Name: "x" + value, Type: quern.Text}, {Name: "c", Type: quern.JSON}, {Name: "d", Type: quern.Date}, {Name: "e", Type: quern.Timestamp}},
		} {
			row := "[" + strings.TrimSuffix(strings.Repeat(string(quoted)+",", len(columns)), ",") + "]"
			for _, rows := range []int{1, 3, 25} {
				for _, tree := range []string{"", `select ` + strings.Join(strings.Split("abcde", "")[:len(columns)], ", ") + ` from things where a = '` + strings.ReplaceAll(value, "'", "''") + `'`} {
					all := make([]string, rows)
					for i := range all {
						all[i] = row
					}
					s := asktest.Step(tree, columns, all...)
					s.Reasoning = "Lists things whose a is '" + value + "'"
					holdStructure(t, value, prose.Answer(s), len(columns), rows)
				}
			}
		}
	}
}

func holdStructure(t *testing.T, value, answer string, columns, rows int) {
	t.Helper()
	lines, cells := parts(answer)
	for _, line := range lines {
		if mark := live.FindString(line); mark != "" {
			t.Errorf("%q: %q is live in\n%s", value, mark, answer)
			return
		}
	}
	for _, n := range cells {
		if n != columns {
			t.Errorf("%q: a row has %d cells, want %d in\n%s", value, n, columns, answer)
			return
		}
	}
	if want := min(rows, 20) + 2; len(cells) > 0 && len(cells) != want {
		t.Errorf("%q: the table has %d lines, want %d in\n%s", value, len(cells), want, answer)
	}
	for _, r := range answer {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			t.Errorf("%q: %U is left in\n%s", value, r, answer)
			return
		}
	}
	for line := range strings.Lines(answer) {
		if len([]rune(line)) > 2_000 {
			t.Errorf("%q: a line of %d characters", value, len([]rune(line)))
		}
	}
	if len(value) > 100 && !strings.Contains(answer, "… (cut)") {
		t.Errorf("%.20q…: nothing says that it was cut in\n%s", value, answer)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, value := range asktest.Hostile {
		f.Add(value, value)
	}
	f.Fuzz(func(t *testing.T, value, column string) {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		s := asktest.Step("", []quern.Column{{Name: "n" + column}, {Name: "b"}}, "["+string(quoted)+",1]", "["+string(quoted)+",2]")
		answer := prose.Answer(s)
		if _, cells := parts(answer); len(cells) != 4 {
			t.Errorf("%q under %q gives a table of %d lines, want 4:\n%s", value, column, len(cells), answer)
		}
		for _, missing := range check.Unsourced(answer, []quern.Step{s}, "look") {
			t.Errorf("%q has no source in\n%s", missing, answer)
		}
	})
}
