package embedded

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/feature"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

const (
	// mostMeanings is how many meanings of a word are tried to which nothing answers.
	mostMeanings = 2
	// clearMeaning is how much nearer a word must be to a name than to all others, in
	// deviations of its likeness to all names, to mean it.
	clearMeaning = 1.45
	// leastMeaning is how near it must be at all.
	leastMeaning = 2.0
)

// meaning is what a word to which nothing answers may mean: a column, a dataset or a
// value of a column.
type meaning struct {
	words string // that stand for it in the text
	tells string // what it is
	clear bool   // it means this rather than anything else
}

// valueOf is the meaning that a word stands for a value of a column.
func valueOf(c schema.Column, value string) meaning {
	return meaning{words: value, tells: "the value " + value + " of the column " + c.Name}
}

// reworded is a text with one of its words exchanged, as it was read.
type reworded struct {
	meaning
	read nlq.Translation
}

// reword reads a text again to one word of which nothing answers, with names and values
// of the data in its place that it may mean. Where it clearly means one of them the
// answer is given, and says so; otherwise those that are answered are offered.
func (g *grounding) reword(ctx context.Context, back nlq.Translation) (nlq.Translation, error) {
	w := *g.unknown
	var all []reworded
	for _, m := range g.meaningsOf(w) {
		text := g.Accounts().Exchanged(w, m.words)
		other := g.ground(ground.Wording{Text: text, Rows: g.Rows})
		t, err := other.readOnce(ctx)
		if err != nil {
			return back, err
		}
		if t.Query == nil {
			continue
		}
		if m.clear {
			return g.tellReworded(w, reworded{m, t}, text), nil
		}
		all = append(all, reworded{m, t})
	}
	g.offerReworded(&back, all)
	return back, nil
}

// tellReworded returns the answer to a text with a word exchanged as one to the text.
func (g *grounding) tellReworded(w account.Word, r reworded, text string) nlq.Translation {
	said := g.Accounts().Said(w)
	t := r.read
	t.Doubt, t.Notes = true, append([]string{fmt.Sprintf("I read %q as %s.", said, r.tells)}, t.Notes...)
	told := g.Accounts().Tell([]account.Word{w}, []quern.WordState{quern.WordGuessed})
	for i := range told {
		told[i].Means = r.tells
	}
	t.Words = ground.Join(told, ground.Place(t.Words, text, g.Text))
	return t
}

// offerReworded puts readings with a word exchanged before the other choices.
func (g *grounding) offerReworded(back *nlq.Translation, all []reworded) {
	var choices []quern.Choice
	add := func(c quern.Choice) {
		same := func(o quern.Choice) bool { return o.Label == c.Label }
		if len(choices) < mostChoices && !slices.ContainsFunc(choices, same) {
			choices = append(choices, c)
		}
	}
	for _, r := range all {
		text, err := tree.Print(r.read.Query)
		if err != nil {
			continue
		}
		label := tree.English(r.read.Query)
		add(quern.Choice{Label: label, Question: label, Query: text})
		g.offer(label, &candidate{query: r.read.Query, score: r.read.Score})
	}
	for _, c := range back.Clarification.Choices {
		add(c)
	}
	back.Clarification.Choices = choices
}

// meaningsOf returns what a word may mean, likeliest first: values that mean the same,
// names that the encoder finds nearest, then values whose sense is nearest.
func (g *grounding) meaningsOf(w account.Word) []meaning {
	_, _, isSibling := english.Sibling(g.Accounts().Said(w)) // a phone is no e-mail address
	if english.Praise.Has(strings.ToLower(g.Accounts().Said(w))) {
		return nil // nobody wrote down what is nice
	}
	if g.Features.Kinds[w.First] != feature.Plain || g.wordEvidence(w.First) == strongEvidence || isSibling {
		return nil // it has a meaning of its own, which the reading has no use for
	}
	all := append(g.valuesMeant(w), g.namesMeant(w)...)
	all = all[:min(len(all), mostMeanings)]
	if m, ok := g.valueSensed(w); ok && len(all) < mostMeanings {
		all = append(all, m)
	}
	return all
}

// leastSense is how near a word's sense must be to that of a value to be offered as it.
const leastSense = 0.3

// valueSensed returns the value of a kind of rows whose sense is nearest to a word's. It
// is offered, never taken: fiddles may be violins, as saxophones are not.
func (g *grounding) valueSensed(w account.Word) (m meaning, ok bool) {
	said, best := g.Vectors.Sense(g.Accounts().Said(w)), float32(leastSense)
	for _, c := range g.View.Columns {
		if c.Type != quern.Text || !c.Category() || c.Values.Numeric() {
			continue
		}
		if value, near, _, known := c.Values.Nearest(said, g.Vectors.Sense); known && near >= best && !english.Opposed(g.Accounts().Said(w), value) {
			best, ok = near, true
			m = valueOf(c, value)
		}
	}
	return m, ok
}

// valuesMeant returns the values of kinds of rows that mean the same as a word.
func (g *grounding) valuesMeant(w account.Word) []meaning {
	id := g.Features.WordIDs[w.First]
	said := strings.ToLower(g.Accounts().Said(w))
	known := w.First == w.Last && g.Vectors.Known(said)
	var all []meaning
	for i, c := range g.View.Columns {
		if c.Values == nil || !c.Category() || c.Type != quern.Text {
			continue
		}
		for _, v := range c.Values.All() {
			lower := strings.ToLower(v)
			isAdverb := said == lower+"ly"
			if english.Opposed(said, lower) {
				continue
			}
			if isAdverb || known && g.Vectors.Known(lower) && g.Vectors.Synonyms(id, g.Vectors.ID(lower)) {
				all = append(all, valueOf(g.View.Columns[i], v))
			}
		}
	}
	if len(all) == 1 {
		all[0].clear = true
	}
	return all
}

// namesMeant returns the columns and datasets that the encoder finds nearest to a word.
func (g *grounding) namesMeant(w account.Word) []meaning {
	near := g.nearness(w.First)
	if near == nil {
		return nil
	}
	order := make([]int, len(near))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	var all []meaning
	for rank, i := range order[:min(len(order), mostMeanings)] {
		if near[i] < leastMeaning {
			break
		}
		m := meaning{clear: rank == 0 && len(order) > 1 && near[i]-near[order[1]] >= clearMeaning}
		if n := len(g.View.Columns); i < n {
			_, _, isYesNo := g.View.Columns[i].Truth()
			m.clear = m.clear && !isYesNo // what rows are or are not takes no noun that is merely far from all else
			m.words, m.tells = strings.Join(g.View.Columns[i].Words, " "), "the column "+g.View.Columns[i].Name
		} else {
			m.words, m.tells = strings.Join(g.View.Tables[i-n].Words, " "), "the dataset "+g.View.Tables[i-n].Path.Dataset
		}
		all = append(all, m)
	}
	return all
}

// nearness returns how like a word the columns and then the datasets are by the encoder,
// in deviations from their mean; nil when nothing was encoded.
func (g *grounding) nearness(word int) []float64 {
	words := min(len(g.Features.Tokens), maxWords)
	names := len(g.View.Columns) + len(g.View.Tables)
	if g.meanings == nil || word >= words || names < 2 {
		return nil
	}
	width := len(g.meanings) / (words + names)
	row := func(i int) []float32 { return g.meanings[i*width : (i+1)*width] }
	near := make([]float64, names)
	sum, squares := 0.0, 0.0
	for i := range near {
		near[i] = cosine(row(word), row(words+i))
		sum += near[i]
		squares += near[i] * near[i]
	}
	mean := sum / float64(names)
	deviation := math.Sqrt(max(squares/float64(names)-mean*mean, 1e-9))
	for i := range near {
		near[i] = (near[i] - mean) / deviation
	}
	return near
}

// cosine returns how alike two vectors are.
func cosine(a, b []float32) float64 {
	dot, x, y := 0.0, 0.0, 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(max(x*y, 1e-12))
}
