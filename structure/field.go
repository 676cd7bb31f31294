package structure

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"quern"
	"quern/english"
)

// field is a wanted column and what its name and description tell of its values.
type field struct {
	name, description string
	shapes            []shape  // that values have; empty: any
	named             []string // stems of the words of its name
	described         []string // stems of the words of its description that say something
}

// fieldsOf are the fields of a definition, by name.
func fieldsOf(schema map[string]string) []field {
	var all []field
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		all = append(all, newField(name, schema[name]))
	}
	return all
}

func newField(name, description string) field {
	f := field{name: name, description: description, named: stems(english.NameWords(name))}
	f.described = stems(english.NameWords(description))
	if words := english.NameWords(name); len(words) > 1 && (words[len(words)-1] == "on" || words[len(words)-1] == "at") {
		f.shapes = shapeWords[english.Stem("date")] // paid_on, seen_at
	}
	// What something is stands before what it is of, and is said last of it: "date of
	// the invoice", "day price". It counts before a name such as "paid".
	head := stems(english.NameWords(english.Define(description).Head))
	if f.shapes == nil && len(head) > 0 {
		f.shapes = shapeWords[head[len(head)-1]]
	}
	if f.shapes == nil {
		f.shapes = shapesMeant(f.named)
	}
	if words := english.NameWords(description); f.shapes == nil && len(words) > 0 && words[0] == "when" {
		f.shapes = shapeWords[english.Stem("time")]
	}
	if f.shapes == nil {
		f.shapes = shapesMeant(head)
	}
	if f.shapes == nil {
		f.shapes = shapesMeant(f.described)
	}
	return f
}

// stems returns what can be compared of words, without those that say nothing, and with
// abbreviations written out.
func stems(words []string) []string {
	var all []string
	for _, w := range words {
		w = strings.ToLower(w)
		if long := english.Abbreviations[w]; len(long) > 0 {
			all = append(all, stems(long)...)
			continue
		}
		if !english.FunctionWords.Has(w) && len(w) > 1 {
			all = append(all, english.Stem(w))
		}
	}
	return all
}

// shapeWords are words, as stems, that say which shapes a value has.
var shapeWords = func() map[string][]shape {
	all := map[string][]shape{}
	for words, shapes := range map[string][]shape{
		"date day birthday born deadline issued due":  {day, instant},
		"time timestamp when datetime instant moment": {instant, clock, day},
		"clock": {clock},
		"amount price cost total fee revenue salary charge paid balance payment": {money, number},
		"sum subtotal tax vat value worth budget turnover income expense":        {money, number},
		"percent percentage rate share ratio":                                    {percent, number},
		"count quantity qty age size bytes duration weight height length score":  {number, percent},
		"status oscars year temperature depth width speed":                       {number, word, code},
		"email mail":                          {email},
		"phone telephone mobile fax tel cell": {phone, number},
		"url website web link homepage uri":   {url},
		"ip":                                  {ip},
		"level severity loglevel":             {level, word},
		"uuid guid":                           {uuid},
	} {
		for w := range strings.FieldsSeq(words) {
			all[english.Stem(w)] = shapes
		}
	}
	return all
}()

// shapesMeant returns the shapes that the first of the words to say so means.
func shapesMeant(stems []string) []shape {
	for _, s := range stems {
		if shapes := shapeWords[s]; shapes != nil {
			return shapes
		}
	}
	return nil
}

// takes reports whether a value of a shape can be the field's.
func (f field) takes(s shape) bool {
	return len(f.shapes) == 0 || slices.Contains(f.shapes, s)
}

// source is a column that there is, which may be a wanted one.
type source struct {
	name  string
	shape shape
	cues  []string // words beside its values
	also  []string // what else such a column is called
}

// Likeness tells how alike two texts are in what they mean, from 0 to 1.
type Likeness func(a, b string) float64

const (
	// likely is the score from which a column is taken for a field.
	likely = 3.0
	// unlike is what a shape that a field does not have counts.
	unlike = -8.0
)

// score says how well a column fits a field.
func (f field) score(c source, alike Likeness) float64 {
	const same, name, inDescription, fitting, beside, meaning = 12.0, 7.0, 4.0, 2.5, 2.5, 6.0
	if loose(c.name) == loose(f.name) {
		return same
	}
	total := 0.0
	for _, also := range c.also {
		if loose(also) == loose(f.name) || slices.Contains(f.described, english.Stem(also)) {
			total = name
		}
	}
	own := stems(english.NameWords(c.name))
	total += name * overlap(own, f.named)
	total += inDescription * within(own, f.described)
	total += beside * within(stems(c.cues), append(slices.Clone(f.described), f.named...))
	switch {
	case len(f.shapes) == 0:
	case f.takes(c.shape):
		if c.shape != word {
			total += fitting
		}
	case c.shape != word || !slices.Contains(f.shapes, word):
		total += unlike
	}
	if alike != nil {
		const least = 0.45
		if m := max(alike(c.name, f.name), alike(c.name, f.description)); m > least {
			total += meaning * (m - least)
		}
	}
	return total
}

// loose is a name without what spellings differ in.
func loose(name string) string {
	return strings.Map(func(r rune) rune {
		if english.IsWordRune(r) {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// overlap is the share of the words of two names that both have.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// within is the share of words that are among others.
func within(words, others []string) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	for _, w := range words {
		if slices.Contains(others, w) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// assign returns the field that each column is taken for, by the column's name. The
// best fits are taken first; where two columns fit a field alike, neither is.
func assign(columns []source, fields []field, alike Likeness) map[string]string {
	type fit struct {
		column, field int
		score         float64
	}
	var fits []fit
	for i, c := range columns {
		for j, f := range fields {
			if s := f.score(c, alike); s >= likely {
				fits = append(fits, fit{i, j, s})
			}
		}
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return cmp.Compare(b.score, a.score) })
	chosen, taken := map[string]string{}, map[int]bool{}
	for _, one := range fits {
		c, f := columns[one.column].name, fields[one.field].name
		if chosen[c] != "" || taken[one.field] {
			continue
		}
		rival := slices.ContainsFunc(fits, func(o fit) bool {
			return o.field == one.field && o.column != one.column && o.score == one.score && chosen[columns[o.column].name] == ""
		})
		if rival {
			continue
		}
		chosen[c], taken[one.field] = f, true
	}
	onlyOne(columns, fields, chosen, taken)
	lastOne(columns, fields, chosen, taken)
	return chosen
}

// lastOne takes the one column that is left for the one field that is left, where there
// were several of both and nothing speaks against it.
func lastOne(columns []source, fields []field, chosen map[string]string, taken map[int]bool) {
	if len(fields) < 2 || len(columns)-len(chosen) != 1 || len(fields)-len(taken) != 1 {
		return
	}
	c := slices.IndexFunc(columns, func(c source) bool { return chosen[c.name] == "" })
	f := slices.IndexFunc(fields, func(f field) bool {
		return !slices.ContainsFunc(columns, func(c source) bool { return chosen[c.name] == f.name })
	})
	if c < 0 || f < 0 || taken[f] || len(fields[f].shapes) > 0 && !fields[f].takes(columns[c].shape) {
		return
	}
	if len(fields[f].shapes) == 0 && columns[c].shape != word {
		return
	}
	chosen[columns[c].name], taken[f] = fields[f].name, true
}

// onlyOne takes the one column of a shape for the one field that wants it, when
// neither has found another.
func onlyOne(columns []source, fields []field, chosen map[string]string, taken map[int]bool) {
	for j, f := range fields {
		if taken[j] || len(f.shapes) == 0 {
			continue
		}
		// What it most likely looks like counts before what it may look like.
		var free []string
		for _, wanted := range [][]shape{f.shapes[:1], f.shapes} {
			for _, c := range columns {
				if len(free) < 2 && chosen[c.name] == "" && c.shape != word && slices.Contains(wanted, c.shape) && !slices.Contains(free, c.name) {
					free = append(free, c.name)
				}
			}
			if len(free) > 0 {
				break
			}
		}
		rivals := 0
		for k, other := range fields {
			if k != j && !taken[k] && slices.ContainsFunc(other.shapes, func(s shape) bool { return slices.Contains(f.shapes, s) }) {
				rivals++
			}
		}
		if len(free) == 1 && rivals == 0 {
			chosen[free[0]], taken[j] = f.name, true
		}
	}
}

// missing is the error of a step that names a column that no row has.
func missing(at, column string, rows []Row) error {
	known := columnsOf(rows)
	const most = 20
	if len(known) > most {
		known = append(known[:most:most], "…")
	}
	reason := "no row has a column " + quern.Clip(column, 80)
	if len(known) > 0 {
		reason += "; there are " + strings.Join(known, ", ")
	}
	return invalid(quern.Fault("column", at, reason))
}
