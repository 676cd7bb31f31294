package prompt

import (
	"slices"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/lex"
)

const (
	mostValue    = 60 // characters
	mostExamples = 3
	// leastMatch is how like a value must be to what the question says to be shown;
	// the same likeness makes follow-ups take it for what is meant.
	leastMatch = 0.6
)

// addValues adds the bounds and examples of a column: first those values that the
// question may mean, as they are spelled in the data, then the most frequent ones.
func (b *Brief) addValues(to *column, id int) {
	c := b.told.Columns[id]
	if c.Type != quern.Text && c.Type != quern.JSON {
		to.Min, to.Max = quern.Clip(c.Min, mostValue), quern.Clip(c.Max, mostValue)
	}
	if c.Values == nil {
		return
	}
	for _, value := range append(b.valuesMeant(id), c.Values.Sample(mostExamples)...) {
		if value = quern.Clip(value, mostValue); len(to.Examples) < mostExamples && !slices.Contains(to.Examples, value) {
			to.Examples = append(to.Examples, value)
		}
	}
}

// valuesMeant returns the values of a text column that words of the question may
// mean, in the order of the question.
func (b *Brief) valuesMeant(id int) []string {
	c, tokens := b.told.Columns[id], b.features.Tokens
	if c.Type != quern.Text {
		return nil
	}
	var all []string
	for i := 0; i < len(tokens); i++ {
		last := i
		for last < len(tokens) && b.isOfValue(last, id) {
			last++
		}
		if last == i {
			continue
		}
		for _, m := range c.Values.Find(b.text[tokens[i].Start:tokens[last-1].End]) {
			if m.Score >= leastMatch && len(all) < mostExamples {
				all = append(all, m.Value)
			}
		}
		i = last
	}
	return all
}

// isOfValue reports whether a word of the question is one of a value of a column,
// and not one that holds a sentence together.
func (b *Brief) isOfValue(word, id int) bool {
	relation := b.features.Columns[word][id]
	if relation >= feature.ColumnSimilar || lex.Function(lex.Fold(b.features.Tokens[word].Text)) {
		return false
	}
	value := relation % feature.ValueRelations
	return value == feature.ValueWord || value == feature.ValueExact
}
