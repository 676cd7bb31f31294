package embedded

import (
	"quern/nlq/feature"
	"quern/nlq/lex"
)

// evidence is how a question, or a word of it, shows that it is about the data.
type evidence int

const (
	none   evidence = iota
	slight          // a likeness in meaning
	named           // the name of a dataset, of a column, or a value
)

// evidence gives the best that a word of the question shows.
func (r *reader) evidence() evidence {
	best := none
	for i := range r.features.Tokens {
		best = max(best, r.shown(i))
	}
	return best
}

// shown gives what a word shows. Numbers and dates show nothing: they are in the
// data of many.
func (r *reader) shown(word int) evidence {
	switch r.features.Kinds[word] {
	case feature.Plain, feature.Capitalised, feature.Quoted:
	default:
		return none
	}
	best := none
	for _, relation := range r.features.Columns[word] {
		value := relation % feature.ValueRelations
		switch {
		case relation == 0:
		case relation >= feature.ColumnSimilar:
			best = slight
		case relation >= feature.ValueRelations || value <= feature.ValueExact:
			return named
		}
	}
	for _, relation := range r.features.Tables[word] {
		switch {
		case relation == 0:
		case relation >= feature.TableSimilar:
			best = slight
		default:
			return named
		}
	}
	return best
}

// foreign reports whether most words of the question show nothing.
func (r *reader) foreign() bool {
	const least, share = 3, 0.6
	words, unknown := 0, 0
	for i, t := range r.features.Tokens {
		kind := r.features.Kinds[i]
		if kind == feature.Punctuation || kind == feature.QuoteMark || kind == feature.NumberKind || kind == feature.DateKind || lex.Thin(t.Text) {
			continue
		}
		words++
		if r.shown(i) == none {
			unknown++
		}
	}
	return unknown >= least && float64(unknown) > share*float64(words)
}
