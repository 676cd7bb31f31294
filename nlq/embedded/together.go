package embedded

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/follow"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/settle/label"
	"quern/tree"
)

// separator stands between the questions of a conversation that are read together; as
// in learned/train/corpus.py.
const separator = " // "

// together returns the question behind those before it, as many as the networks can
// read; ok is false when there are none.
func (r *reader) together() (w ground.Wording, ok bool) {
	previous := r.Question.Previous
	if previous == nil {
		return w, false
	}
	for said := previous.Said; len(said) > 0; said = said[1:] {
		before := strings.Join(said, separator) + separator
		if text := before + r.Question.Text; len(lex.Tokens(text)) <= maxWords {
			return ground.Wording{Text: text, Own: len(before)}, true
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
	label.NoteNamesakes(r.Asked, &t)
	r.noteBefore(&t, true)
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
	if !ok || !r.Uses(ground.Together) {
		return nil, nil
	}
	g := r.ground(w)
	if err := g.encode(ctx); err != nil {
		return nil, err
	}
	all, err := g.candidates(ctx)
	if err != nil || len(all) == 0 || r.isAsBefore(all[0]) || !g.goesOn(all[0]) {
		return nil, err
	}
	if err := g.execute(ctx, all); err != nil {
		return nil, err
	}
	best, confidence := likeliest(all)
	if best == nil || !g.goesOn(best) || r.losesRows(best) {
		return nil, nil
	}
	made, err := g.try(ctx, best, all, confidence)
	if err != nil {
		return nil, err
	}
	made.unsafe = g.strays(best)
	return &joint{g, made, all}, nil
}

var (
	// ofThem finds what asks about some of the rows before.
	ofThem = regexp.MustCompile(`(?i)\b(?:of|among|from) (?:them|those|these)\b`)
	// they finds what asks about the rows before.
	they = regexp.MustCompile(`(?i)\b(?:they|them|their|he|him|his|she|her)\b`)
)

// losesRows reports whether a reading of a text that asks about some of the rows before says
// nothing of what those rows were: any of them with a shed, behind the plots that are free;
// what have they spent, behind who came most often.
func (r *reader) losesRows(c *candidate) bool {
	before := r.Question.Previous.Query
	if before == nil || before.Select == nil || c.query.Select == nil {
		return false
	}
	if before.Limit != nil && they.MatchString(r.Question.Text) {
		ref, _ := follow.Refer(r.Whole, *r.Question.Previous, r.Question.Text)
		return ref != nil
	}
	if !ofThem.MatchString(r.Question.Text) {
		return false
	}
	said, lost := map[string]bool{}, false
	eachCondition(c.query, func(column tree.Column) { said[strings.ToLower(column.Name)] = true })
	eachCondition(before, func(column tree.Column) { lost = lost || !said[strings.ToLower(column.Name)] })
	return lost
}

// eachCondition calls fn with the columns of a query's conditions on rows.
func eachCondition(q *tree.Query, fn func(tree.Column)) {
	tree.EachColumn(&tree.Query{Select: &tree.Select{Where: q.Select.Where}}, fn)
}

// isAsBefore reports whether a reading is that of the question before: who asks again
// wants something else.
func (r *reader) isAsBefore(c *candidate) bool {
	before := r.Question.Previous.Query
	if before == nil {
		return false
	}
	was, err := tree.Print(before)
	is, failed := tree.Print(c.query)
	return err == nil && failed == nil && was == is
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

// goesOn reports whether a reading has to do with the questions before: a constant that
// they said, or a column that they are about and no own word is.
func (g *grounding) goesOn(c *candidate) bool {
	if follow.Hangs(g.Whole, g.Question.Text) {
		return true
	}
	for i, t := range c.tokens {
		if t.Kind == grammar.Word && i > 0 && c.tokens[i-1].Kind != grammar.Word && g.Features.Tokens[t.ID].Start < g.Own {
			return true
		}
	}
	byOwn, byEarlier := false, false
	for _, t := range c.tokens {
		own, earlier := g.wordsAbout(t)
		byOwn, byEarlier = byOwn || own, byEarlier || earlier
		if t.Kind != grammar.Column || own || !earlier {
			continue
		}
		if column := g.View.Columns[t.ID]; !column.Key() && !slices.Contains(g.View.LabelsOf(column.Table), t.ID) {
			return true
		}
	}
	return !byOwn && byEarlier
}

// wordsAbout reports whether one of the question's own words, and whether one of the
// questions before, is about the column or table that a token points to.
func (g *grounding) wordsAbout(t grammar.Token) (own, earlier bool) {
	for i, word := range g.Features.Tokens[:min(len(g.Features.Tokens), maxWords)] {
		about := t.Kind == grammar.Column && g.Features.Columns[i][t.ID] != 0 || t.Kind == grammar.Table && g.Features.Tables[i][t.ID] != 0
		own = own || about && word.Start >= g.Own
		earlier = earlier || about && word.Start < g.Own
	}
	return own, earlier
}

// ownWords returns the words that are the question's own.
func (g *grounding) ownWords(all []account.Word) []account.Word {
	return slices.DeleteFunc(all, func(w account.Word) bool { return g.Features.Tokens[w.First].Start < g.Own })
}

// backToOwn returns words at their places in the question. What else they could mean is
// left out, for it stands in a question that nobody asked.
func (g *grounding) backToOwn(words []quern.Word) []quern.Word {
	before := utf8.RuneCountInString(g.Text[:g.Own])
	for i := range words {
		words[i].Start -= before
		words[i].End -= before
		words[i].Instead = nil
	}
	return words
}
