package structure

import (
	"strings"
)

const (
	// mostLearnt is how many lines a template is learnt from, and mostTokens how
	// many tokens of one.
	mostLearnt, mostTokens = 300, 80
	// enoughLines is the share of the lines that a template has to fit.
	enoughLines = 0.7
)

// anchor is what all records of a template have: a shape, or a word or sign.
type anchor struct {
	shape   shape
	literal string // of a word, a code or a mark; empty: any text of the shape
}

// agrees reports whether a token is what the anchor wants.
func (a anchor) agrees(line string, t token) bool {
	if a.shape != t.shape {
		return false
	}
	return a.literal == "" || a.literal == line[t.start:t.end]
}

func anchorOf(line string, t token) anchor {
	if t.shape.fixed() && t.shape != mark {
		return anchor{shape: t.shape}
	}
	return anchor{t.shape, line[t.start:t.end]}
}

// template is what lines have in common: anchors in order, with gaps between them
// that differ. gaps[i] is the one before anchor i; the last is behind all.
type template struct {
	anchors []anchor
	gaps    []gap
}

// gap is what stands between two anchors.
type gap struct {
	filled bool // some line has something there
	words  int  // how many words, when they are as many in nearly all lines; else 0
}

// learnTemplate finds what lines have in common; ok is false when that is too
// little to tell records by.
func learnTemplate(lines []string) (t template, ok bool) {
	sample := spread(lines, mostLearnt)
	all := make([][]token, len(sample))
	for i, line := range sample {
		all[i] = tokens(line)
		all[i] = all[i][:min(len(all[i]), mostTokens)]
	}
	best := 0
	const seeds = 4
	for s := range min(seeds, len(sample)) {
		at := s * len(sample) / min(seeds, len(sample))
		candidate := template{anchors: beforeMessage(commonAnchors(sample, all, at))}
		fits := candidate.measure(sample, all)
		if message := candidate.message(); message > 0 {
			candidate.anchors = candidate.anchors[:message]
			fits = candidate.measure(sample, all)
		}
		if fits*candidate.strength() > best && candidate.tells() &&
			float64(fits) >= enoughLines*float64(len(sample)) {
			best, t, ok = fits*candidate.strength(), candidate, true
		}
	}
	return t, ok
}

// spread returns at most n of all, evenly, the first among them.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	some := make([]T, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}

// commonAnchors returns what nearly all lines have in the same order, beginning with
// one of them. Lines that have hardly anything of it are left out.
func commonAnchors(lines []string, all [][]token, first int) []anchor {
	var anchors []anchor
	for _, t := range all[first] {
		anchors = append(anchors, anchorOf(lines[first], t))
	}
	odd := 0
	const oddest = 0.25
	for i := range lines {
		if i == first {
			continue
		}
		common := intersect(anchors, lines[i], all[i])
		fewer := len(common)*2 < len(anchors) && len(anchors) > 2
		if weak(common) || fewer && weakerThan(common, anchors) {
			if odd++; float64(odd) > oddest*float64(len(lines)) {
				return nil
			}
			continue
		}
		anchors = common
	}
	return anchors
}

// beforeMessage returns the anchors of a log up to where its messages begin: they are
// kept whole, however alike they are. Words that name a value stay.
func beforeMessage(anchors []anchor) []anchor {
	logged := isLog(anchors)
	for i, a := range anchors {
		naming := i+1 < len(anchors) && anchors[i+1].literal == "="
		if logged && a.shape == word && !naming {
			return anchors[:i]
		}
	}
	return anchors
}

// message returns the anchor of a log before which its messages begin, because what
// stands there is of any length; 0 when there is none.
func (t template) message() int {
	if !isLog(t.anchors) {
		return 0
	}
	for i := 2; i < len(t.anchors); i++ {
		if t.gaps[i].filled && t.gaps[i].words == 0 {
			return i
		}
	}
	return 0
}

// isLog reports whether anchors are those of a log: it begins with a time.
func isLog(anchors []anchor) bool {
	return len(anchors) > 1 && (anchors[0].shape == instant || anchors[1].shape == instant)
}

// weak reports whether anchors are too few to be what records have in common.
func weak(anchors []anchor) bool { return (template{anchors: anchors}).strength() < 2 }

// weakerThan reports whether anchors lost a shape of their own.
func weakerThan(fewer, anchors []anchor) bool { return shaped(fewer) < shaped(anchors) }

// shaped counts anchors that are known by their shape.
func shaped(anchors []anchor) (n int) {
	for _, a := range anchors {
		if a.literal == "" {
			n++
		}
	}
	return n
}

// intersect returns the longest sequence of anchors that the tokens of a line agree
// with in order.
func intersect(anchors []anchor, line string, all []token) []anchor {
	n, m := len(anchors), len(all)
	longest := make([][]int16, n+1)
	for i := range longest {
		longest[i] = make([]int16, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if anchors[i].agrees(line, all[j]) {
				longest[i][j] = max(longest[i][j], longest[i+1][j+1]+1)
			}
		}
	}
	var common []anchor
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case anchors[i].agrees(line, all[j]) && longest[i][j] == longest[i+1][j+1]+1:
			common = append(common, anchors[i])
			i++
			j++
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}

// strength says how much a template tells: shapes count more than words.
func (t template) strength() int {
	n := 0
	for _, a := range t.anchors {
		switch {
		case a.literal == "":
			n += 3
		case a.shape == mark:
		default:
			n++
		}
	}
	return n
}

// tells reports whether the template finds at least two values, one of them by its
// shape. What begins with any number of words is prose.
func (t template) tells() bool {
	if len(t.gaps) > 0 && t.gaps[0].filled && t.gaps[0].words == 0 {
		return false
	}
	fields := shaped(t.anchors)
	for _, g := range t.gaps {
		if g.filled {
			fields++
		}
	}
	return fields >= 2 && shaped(t.anchors) >= 1
}

// measure learns the gaps from lines and returns how many the template fits.
func (t *template) measure(lines []string, all [][]token) (fits int) {
	t.gaps = nil // they are what is learnt here
	counts := make([]map[int]int, len(t.anchors)+1)
	for i := range counts {
		counts[i] = map[int]int{}
	}
	for i, line := range lines {
		places, ok := t.match(line, all[i])
		if !ok {
			continue
		}
		fits++
		from := 0
		for g, at := range append(places, len(all[i])) {
			counts[g][at-from]++
			from = at + 1
		}
	}
	const nearly = 0.95
	t.gaps = make([]gap, len(t.anchors)+1)
	for g := range t.gaps {
		for words, n := range counts[g] {
			t.gaps[g].filled = t.gaps[g].filled || words > 0
			if float64(n) >= nearly*float64(fits) {
				t.gaps[g].words = words
			}
		}
	}
	return fits
}

// match returns which tokens of a line are the anchors; ok is false when one is
// missing. A template that begins with an anchor wants it first.
func (t template) match(line string, all []token) (places []int, ok bool) {
	from := 0
	for i, a := range t.anchors {
		at := from
		for at < len(all) && !a.agrees(line, all[at]) {
			at++
		}
		fixedStart := i == 0 && len(t.gaps) > 0 && !t.gaps[0].filled && t.gaps[0].words == 0
		if at == len(all) || fixedStart && at > 0 && a.literal == "" {
			return nil, false
		}
		places = append(places, at)
		from = at + 1
	}
	return places, true
}

// values returns what a line says at the anchors and in the gaps of the template.
func (t template) values(line string, all []token, places []int) []value {
	var found []value
	from := 0
	for g, at := range append(places, len(all)) {
		found = t.gapValues(found, line, all[from:at], g)
		if g < len(t.anchors) {
			if a := t.anchors[g]; a.literal == "" {
				tok := all[at]
				found = append(found, value{slot: slot{g, anchorSlot}, text: line[tok.start:tok.end], at: span{tok.start, tok.end}, shape: tok.shape})
			}
		}
		from = at + 1
	}
	return found
}

// anchorSlot is the part of a slot that is an anchor and no word of a gap.
const anchorSlot = -1

// slot is where in a template a value stands: before an anchor, in one of the words,
// or at the anchor itself.
type slot struct{ anchor, part int }

// gapValues adds what stands in a gap: its words one by one where all lines have as
// many, else all of it.
func (t template) gapValues(found []value, line string, some []token, g int) []value {
	if !t.gaps[g].filled || len(some) == 0 {
		return found
	}
	last := g == len(t.anchors)
	const mostWords = 4
	words := t.gaps[g].words
	apart := words == len(some) && words > 0 && words <= mostWords && (!last || words == 1)
	if !apart {
		at := span{some[0].from, some[len(some)-1].till}
		if last {
			at.end = len(strings.TrimRight(line, " \t\r"))
		}
		if text := line[at.start:at.end]; strings.HasSuffix(text, ")") && !strings.Contains(text, "(") {
			at.end-- // of a bracket that began before
		}
		return append(found, value{slot: slot{g, 0}, text: line[at.start:at.end], at: at, shape: word})
	}
	for i, tok := range some {
		if tok.shape == mark {
			continue
		}
		if text := line[tok.start:tok.end]; len(text) > 1 && strings.HasSuffix(text, ")") && !strings.Contains(text, "(") {
			tok.end--
		}
		found = append(found, value{slot: slot{g, i}, text: line[tok.start:tok.end], at: span{tok.start, tok.end}, shape: tok.shape})
	}
	return found
}
