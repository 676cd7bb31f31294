package embedded

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/follow"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/tree"
)

// separator stands between the questions of a conversation that are read together; as
// in learned/train/corpus.py.
const separator = " // "

// together returns the question behind those before it, as many as the networks can
// read; ok is false when there are none.
func (r *reader) together() (w wording, ok bool) {
	previous := r.question.Previous
	if previous == nil {
		return w, false
	}
	for said := previous.Said; len(said) > 0; said = said[1:] {
		before := strings.Join(said, separator) + separator
		if text := before + r.question.Text; len(lex.Tokens(text)) <= maxWords {
			return wording{text: text, own: len(before)}, true
		}
	}
	return w, false
}

// readTogether reads a question that goes on from those before it, behind them; ok is
// false when it stands on its own.
func (r *reader) readTogether(ctx context.Context) (t nlq.Translation, ok bool, err error) {
	made, err := r.tryTogether(ctx)
	if made == nil || err != nil {
		return t, false, err
	}
	t = made.weigh(made.trial, made.all)
	t.Words = made.backToOwn(t.Words)
	return t, true, nil
}

// joint is the answer to a question that goes on from those before it.
type joint struct {
	*grounding
	trial *trial
	all   []*candidate
}

// shown returns the answer as the fitting of doubt sees it; nil of nil.
func (j *joint) shown() *Trial {
	if j == nil {
		return nil
	}
	return j.show(j.trial)
}

// tryTogether returns the answer to a question that goes on from those before it, before
// anything is held against it; nil when it stands on its own.
func (r *reader) tryTogether(ctx context.Context) (*joint, error) {
	w, ok := r.together()
	if !ok || !r.uses(Together) {
		return nil, nil
	}
	g := r.ground(w)
	if err := g.encode(ctx); err != nil {
		return nil, err
	}
	all, err := g.candidates(ctx)
	all = slices.DeleteFunc(all, r.isAsBefore)
	if err != nil || len(all) == 0 || !g.goesOn(all[0]) {
		return nil, err
	}
	if err := g.execute(ctx, all); err != nil {
		return nil, err
	}
	best, confidence := likeliest(all)
	if best == nil {
		return nil, nil
	}
	made, err := g.try(ctx, best, all, confidence)
	return &joint{g, made, all}, err
}

// isAsBefore reports whether a reading is that of the question before: who asks again
// wants something else.
func (r *reader) isAsBefore(c *candidate) bool {
	before := r.question.Previous.Query
	if before == nil {
		return false
	}
	text, err := grammar.SQL(r.whole.Schema, tree.Clone(before))
	return err == nil && text == c.sql
}

// likeliest returns the reading whose rows the networks find likeliest, and how likely
// they do; nil when none ran.
func likeliest(all []*candidate) (best *candidate, mass float64) {
	shares := probabilities(all)
	for _, c := range all {
		if !c.ran() {
			continue
		}
		if m := odds(c, all, shares).Mass; m > mass {
			best, mass = c, m
		}
	}
	return best, mass
}

// goesOn reports whether a reading has more to do with the questions before than with
// the question's own words: a constant that they said, or something that no own word is
// about.
func (g *grounding) goesOn(c *candidate) bool {
	if follow.Hangs(g.whole, g.question.Text) {
		return true
	}
	for i, t := range c.tokens {
		if t.Kind == grammar.Word && i > 0 && c.tokens[i-1].Kind != grammar.Word && g.features.Tokens[t.ID].Start < g.own {
			return true
		}
	}
	touched := false
	for _, t := range c.tokens {
		switch t.Kind {
		case grammar.Column:
			isTouched := g.ownWord(func(word int) bool { return g.features.Columns[word][t.ID] != 0 })
			touched = touched || isTouched
			if column := g.view.Columns[t.ID]; !isTouched && !column.Key() && !slices.Contains(g.view.LabelsOf(column.Table), t.ID) {
				return true
			}
		case grammar.Table:
			touched = touched || g.ownWord(func(word int) bool { return g.features.Tables[word][t.ID] != 0 })
		}
	}
	return !touched
}

// ownWord reports whether something holds of one of the question's own words.
func (g *grounding) ownWord(holds func(word int) bool) bool {
	for i, t := range g.features.Tokens[:min(len(g.features.Tokens), maxWords)] {
		if t.Start >= g.own && holds(i) {
			return true
		}
	}
	return false
}

// ownWords returns the words that are the question's own.
func (g *grounding) ownWords(all []account.Word) []account.Word {
	return slices.DeleteFunc(all, func(w account.Word) bool { return g.features.Tokens[w.First].Start < g.own })
}

// backToOwn returns words at their places in the question. What else they could mean is
// left out, for it stands in a question that nobody asked.
func (g *grounding) backToOwn(words []quern.Word) []quern.Word {
	before := utf8.RuneCountInString(g.text[:g.own])
	for i := range words {
		words[i].Start -= before
		words[i].End -= before
		words[i].Instead = nil
	}
	return words
}
