// Package check owns the promise that no answer holds a number that nothing bears
// out: it finds the numbers, dates and names with digits in an answer, and says
// which of them have no source in the rows, the query or the question.
//
// It writes nothing and mends nothing: what to do with an answer that fails is
// its writer's. The failure it is built around is the number that a model made up
// and that reads like all the others.
package check

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/ask/prose"
	"quern/english"
	"quern/tree"
)

// Unsourced returns the numbers, dates and names with digits of an answer that
// have no source, in their order. A source is a value of the rows, or its
// rounding; a count of rows, columns or steps; the question; the query; or, in a
// sentence that says that it computes, a computation over the rows: a sum, a
// mean, a difference, a ratio or a share.
func Unsourced(answer string, steps []quern.Step, question string) []string {
	s := &sources{
		words: map[string]bool{}, days: map[string]bool{}, clocks: map[string]bool{}, exact: map[string]bool{}, more: map[string]bool{},
	}
	s.addText(question)
	s.addCount(int64(len(steps)))
	for _, step := range steps {
		s.addStep(step)
	}
	var missing []string
	text := readable(answer)
	for _, t := range tokenize(text) {
		t.value()
		if !s.has(t, text) {
			missing = append(missing, strings.TrimSpace(text[t.start:t.end]))
		}
	}
	return missing
}

// backslash is Markdown's way to write a mark as it is.
var backslash = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

// readable is an answer as people see it, without the marks of lists.
func readable(answer string) string {
	var lines []string
	for line := range strings.Lines(answer) {
		line = prose.WithoutMarker(line)
		lines = append(lines, backslash.ReplaceAllString(strings.TrimRight(line, "\n"), "$1"))
	}
	return strings.Join(lines, "\n")
}

// sources are what numbers may come from.
type sources struct {
	words, days, clocks map[string]bool
	exact               map[string]bool // numbers, as RatString writes them
	rounded             []*big.Rat      // numbers that may be written with fewer digits
	sorted              bool            // whether rounded is
	more                map[string]bool // what may stand before "more"
	most                int64           // the most rows of a step
	operands            []*big.Rat      // numbers that are few enough to compute with
	results             []*big.Rat      // computed from them; made when first asked for
}

func (s *sources) addCount(n int64) { s.exact[big.NewRat(n, 1).RatString()] = true }

func (s *sources) addNumber(n *big.Rat) {
	if key := n.RatString(); !s.exact[key] {
		s.exact[key] = true
		s.rounded = append(s.rounded, n)
	}
}

// addText takes every token of a text as a source.
func (s *sources) addText(text string) {
	for _, t := range tokenize(prose.Clean(text)) {
		bare := t.glued || t.unit == ""
		if s.words[t.text] && bare {
			continue
		}
		s.words[t.text] = true
		t.value()
		if t.number != nil {
			s.addNumber(t.plain)
			s.addNumber(t.number)
		}
		if t.day != "" {
			s.addDay(t.day)
		}
		if t.clock != "" {
			s.clocks[t.clock] = true
		}
	}
}

func (s *sources) addDay(day string) {
	s.days[day] = true
	if at, err := time.Parse(time.DateOnly, day); err == nil {
		s.addCount(int64(at.Year()))
	}
}

func (s *sources) addStep(step quern.Step) {
	t := prose.NewTable(step)
	for _, text := range []string{step.Instruction, step.Query, step.Reasoning} {
		s.addText(text)
	}
	if t.Query != nil {
		s.addText(tree.English(t.Query))
	}
	s.addCount(int64(len(t.Rows)))
	s.addCount(t.Total())
	s.addCount(int64(len(t.Columns)))
	s.most = max(s.most, int64(len(t.Rows)))
	for shown := 1; shown <= min(len(t.Rows), prose.ShownRows); shown++ {
		s.more[fmt.Sprint(t.Total()-int64(shown))] = true
	}
	for shown := 1; shown <= min(len(t.Columns), prose.ShownColumns); shown++ {
		s.more[fmt.Sprint(len(t.Columns)-shown)] = true
	}
	for i, c := range t.Columns {
		s.addText(c.Name)
		s.addColumn(t, i)
	}
}

// addColumn takes the values of a column, and what can be computed from it.
func (s *sources) addColumn(t *prose.Table, column int) {
	var numbers []*big.Rat
	for row := range t.Rows {
		raw := t.Rows[row][column]
		if n, ok := prose.Rational(raw); ok {
			numbers = append(numbers, n)
			s.addNumber(n)
			continue
		}
		text, isText := prose.TextOf(raw)
		if !isText {
			text = string(raw)
		}
		s.addText(text)
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
			at = at.UTC()
			s.addDay(at.Format(time.DateOnly))
			s.clocks[at.Format("15:04:05.999999999")] = true
		}
	}
	if len(numbers) == 0 {
		return
	}
	const few = 40
	s.operands = append(s.operands, numbers[:min(len(numbers), max(few-len(s.operands), 0))]...)
	sum := new(big.Rat)
	for _, n := range numbers {
		sum.Add(sum, n)
	}
	s.results = append(s.results, sum, new(big.Rat).Quo(sum, big.NewRat(int64(len(numbers)), 1)), median(numbers))
}

func median(numbers []*big.Rat) *big.Rat {
	sorted := slices.SortedFunc(slices.Values(numbers), (*big.Rat).Cmp)
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	sum := new(big.Rat).Add(sorted[middle-1], sorted[middle])
	return sum.Quo(sum, big.NewRat(2, 1))
}

// has reports whether a token of an answer has a source.
func (s *sources) has(t token, answer string) bool {
	switch {
	case s.words[t.text]:
		return true
	case strings.HasPrefix(answer[t.end:], "…"):
		return s.hasBeginning(t.text)
	case t.day != "":
		return s.days[t.day] && (t.clock == "" || s.clocks[t.clock])
	case t.clock != "":
		return s.clocks[t.clock]
	case t.number == nil:
		return false
	}
	return s.hasNumber(t, answer)
}

// hasBeginning reports whether a text was cut within one of the words.
func (s *sources) hasBeginning(text string) bool {
	for word := range s.words {
		if strings.HasPrefix(word, text) {
			return true
		}
	}
	return false
}

var (
	beforeMore = regexp.MustCompile(`^ (?:more|others?)\b`)
	afterPlace = regexp.MustCompile(`(?i)\b` + english.Places.Pattern() + `\s+$`)
	// saysComputed is how a sentence says that it computes.
	saysComputed = regexp.MustCompile(`(?i)\b` + english.Computed.Pattern() + `\b|%|=`)
)

func (s *sources) hasNumber(t token, answer string) bool {
	after, before := answer[t.end:], answer[:t.start]
	whole := t.number.IsInt()
	switch {
	case s.exact[t.number.RatString()], t.glued && s.exact[t.plain.RatString()]:
		return true
	case s.isRounded(s.values(), t.number, t.step):
		return true
	case t.percent && s.isRounded(s.values(), new(big.Rat).Quo(t.number, big.NewRat(100, 1)), new(big.Rat).Quo(t.step, big.NewRat(100, 1))):
		return true
	case whole && beforeMore.MatchString(after) && s.more[t.number.Num().String()]:
		return true
	case whole && afterPlace.MatchString(before) && t.number.Cmp(big.NewRat(s.most, 1)) <= 0 && t.number.Sign() > 0:
		return true
	case !saysComputed.MatchString(sentenceAround(answer, t.start, t.end)):
		return false
	}
	return s.isRounded(s.computed(), t.number, t.step)
}

// values returns the numbers of the rows, sorted.
func (s *sources) values() []*big.Rat {
	if !s.sorted {
		slices.SortFunc(s.rounded, (*big.Rat).Cmp)
		s.sorted = true
	}
	return s.rounded
}

// isRounded reports whether a number is one of others, which are sorted, written with
// fewer digits. A whole number may only lose digits to a scale such as "million".
func (s *sources) isRounded(others []*big.Rat, n, step *big.Rat) bool {
	half := new(big.Rat).Quo(step, big.NewRat(2, 1))
	least, most := new(big.Rat).Sub(n, half), new(big.Rat).Add(n, half)
	scaled := step.Cmp(big.NewRat(1, 1)) > 0
	from, _ := slices.BinarySearchFunc(others, least, (*big.Rat).Cmp)
	for _, other := range others[from:] {
		if other.Cmp(most) > 0 {
			return false
		}
		if !other.IsInt() || scaled || other.Cmp(n) == 0 {
			return true
		}
	}
	return false
}

// computed returns what can be computed from the rows: what columns add up to, and
// what two numbers are to each other.
func (s *sources) computed() []*big.Rat {
	if s.operands == nil {
		return s.results
	}
	hundred, pairs := big.NewRat(100, 1), s.operands
	s.operands = nil
	for i, a := range pairs {
		for j, b := range pairs {
			if i == j {
				continue
			}
			apart := new(big.Rat).Sub(a, b)
			s.results = append(s.results, apart.Abs(apart))
			if i < j {
				s.results = append(s.results, new(big.Rat).Add(a, b))
			}
			if b.Sign() == 0 {
				continue
			}
			ratio := new(big.Rat).Quo(a, b)
			change := new(big.Rat).Quo(apart, new(big.Rat).Abs(b))
			s.results = append(s.results, ratio, new(big.Rat).Mul(ratio, hundred), change.Mul(change, hundred))
		}
	}
	slices.SortFunc(s.results, (*big.Rat).Cmp)
	return s.results
}

// sentenceAround returns the sentence, or the table's row, that a place is in.
func sentenceAround(text string, start, end int) string {
	from := max(strings.LastIndex(text[:start], ". "), strings.LastIndex(text[:start], "\n"), 0)
	to := len(text)
	for _, mark := range []string{". ", "\n"} {
		if i := strings.Index(text[end:], mark); i >= 0 {
			to = min(to, end+i)
		}
	}
	return text[from:to]
}
