package structure

import (
	"slices"
	"strings"

	"quern/english"
)

// fill finds the values of fields in a text that names nothing: by the words beside
// them and by their shapes. What could be several things is left out.
func fill(r *record, fields []field) {
	lacks := func(f field) bool { _, has := r.get(f.name); return !has }
	if !slices.ContainsFunc(fields, lacks) {
		return
	}
	toks := tokens(r.text)
	used := r.said(toks)
	for pass := range 2 {
		for _, f := range fields {
			if !lacks(f) {
				continue
			}
			at, sure := besideWords(r.text, toks, f, used)
			if pass > 0 {
				at, sure = alone(toks, f, fields, used)
			}
			if at < 0 {
				continue
			}
			used[at] = true
			t := toks[at]
			r.values = append(r.values, value{
				name: f.name, text: r.text[t.start:t.end], at: span{t.start, t.end}, shape: t.shape, by: "shape", sure: sure,
			})
		}
	}
}

// said returns which tokens of a record are values of it already, but for those in long
// texts, which may hold more than one.
func (r *record) said(toks []token) map[int]bool {
	const long = 3 // words
	used := map[int]bool{}
	for _, v := range r.values {
		if v.shape == word && len(strings.Fields(v.text)) > long {
			continue
		}
		for i, t := range toks {
			if v.at.start <= t.start && t.end <= v.at.end {
				used[i] = true
			}
		}
	}
	return used
}

// besideWords returns the token of a field's shape that stands nearest to a word of
// the field, with how sure that is; -1 when none does.
func besideWords(text string, toks []token, f field, used map[int]bool) (best int, sure float64) {
	const near = 5
	best = -1
	if len(f.shapes) == 0 {
		return best, 0
	}
	nearest, tied := near+1, false
	for i, t := range toks {
		if t.shape == word || t.shape == mark || !f.takes(t.shape) || used[i] {
			continue
		}
		if d := distance(text, toks, i, f); d < nearest {
			best, nearest, tied = i, d, false
		} else if d == nearest && d <= near {
			tied = true
		}
	}
	if tied || nearest > near {
		return -1, 0
	}
	const most, step = 0.9, 0.05
	return best, most - step*float64(nearest)
}

// distance is how many tokens lie between a value and the nearest word of the field
// in the same sentence; words before it count as nearer.
func distance(text string, toks []token, at int, f field) int {
	const far = 100
	best := far
	for step := 1; at-step >= 0 && step < best; step++ {
		t := toks[at-step]
		if text[t.start:t.end] == "." || strings.HasSuffix(text[t.start:t.end], ".") && step > 1 && t.shape == word {
			break
		}
		if t.shape == word && f.says(text[t.start:t.end]) {
			best = step
		}
	}
	for step := 1; at+step < len(toks) && step+1 < best; step++ {
		t := toks[at+step]
		if t.shape == mark {
			break
		}
		if t.shape == word && f.says(strings.Trim(text[t.start:t.end], ".,")) {
			best = step + 1
		}
	}
	return best
}

// says reports whether a word is one of the field's own.
func (f field) says(text string) bool {
	if text = strings.ToLower(strings.Trim(text, ".,()")); len(text) < 2 || english.FunctionWords.Has(text) {
		return false
	}
	s := english.Stem(text)
	return slices.Contains(f.named, s) || slices.Contains(f.described, s)
}

// alone returns the only token of a field's shape, where no other field could be
// meant; -1 when there is none.
func alone(toks []token, f field, fields []field, used map[int]bool) (at int, sure float64) {
	const only = 0.6
	at = -1
	if len(f.shapes) == 0 {
		return at, 0
	}
	for i, t := range toks {
		if t.shape == word || t.shape == mark || !f.takes(t.shape) {
			continue
		}
		if at >= 0 || used[i] {
			return -1, 0
		}
		at = i
	}
	if at < 0 {
		return at, 0
	}
	for _, other := range fields {
		if other.name != f.name && len(other.shapes) > 0 && other.takes(toks[at].shape) {
			return -1, 0
		}
	}
	return at, only
}
