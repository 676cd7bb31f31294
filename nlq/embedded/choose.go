package embedded

import (
	"context"
	"slices"
	"strings"

	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/ground"
	"quern/tree"
)

// Confidences. Set by hand (docs/translator.md, Thresholds).
const (
	// askBackBelow is the confidence below which the asker is asked back.
	askBackBelow = 0.15
	// leastSlight is the confidence below which a question that names nothing of
	// the data is taken to be about something else.
	leastSlight = 0.8
	// leastForeign is the same for one most of whose words say nothing of the
	// data, as in another language.
	leastForeign = 0.5
)

// choose returns the reading that is likeliest right, or asks back.
func (g *grounding) choose(ctx context.Context, all []*candidate) (nlq.Translation, error) {
	for _, c := range all {
		if strings.EqualFold(tree.English(c.query), g.Text) {
			return c.translation(1), nil // a reading that was offered
		}
	}
	made, back, err := g.settle(ctx, all)
	if err != nil || made == nil {
		return back, err
	}
	return g.weigh(made, all), nil
}

// settle returns the answer that the best reading makes, or the question back that
// is asked instead.
func (g *grounding) settle(ctx context.Context, all []*candidate) (made *trial, back nlq.Translation, err error) {
	best, confidence, err := g.best(ctx, all)
	if err != nil {
		return nil, back, err
	}
	fault := g.fault(best, confidence)
	if fault == aboutElse {
		back = ask(g.unrelated())
		back.Words = g.unknownWords()
		return nil, back, nil
	}
	said := best
	if fault == noFault {
		said = g.addUnsaid(best)
	}
	made, err = g.try(ctx, said, all, confidence)
	if err == nil && fault == noFault {
		made, err = g.preferComplete(ctx, made, all)
	}
	if err != nil {
		return nil, back, err
	}
	if !g.Uses(ground.Doubted) {
		return made, back, nil
	}
	switch {
	case made.chosen == best && best.query.Select != nil && g.leavesOut(best):
		return nil, g.askBack(made, all), nil
	case fault == notSure:
		return nil, g.askBack(made, all), nil
	}
	return made, back, nil
}

// preferComplete returns the likeliest reading that leaves out no word without which no
// rows answer the text, where the best one does: per year. Its answer is in doubt.
func (g *grounding) preferComplete(ctx context.Context, made *trial, all []*candidate) (*trial, error) {
	if !slices.ContainsFunc(made.words, isEssential) {
		return made, nil
	}
	for _, c := range all {
		if c.outcome == nil && c.misplaced == "" && g.rowsRead(c.query) < manyRows { // it was too unlikely to be run at first
			c.outcome, c.result = g.run(ctx, c)
		}
		if !c.ran() || c.misplaced != "" {
			continue
		}
		other, err := g.try(ctx, c, all, made.confidence)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(other.words, isEssential) {
			other.unsafe = true
			return other, nil
		}
	}
	return made, nil
}

// isEssential reports whether no rows answer a text without a word of it.
func isEssential(w account.Word) bool { return w.Essential }

// fault is why the best reading is not given.
type fault uint8

const (
	noFault   fault = iota
	aboutElse       // nothing of the data is asked about
	notSure         // others are as likely
)

// fault returns why the best reading of all is not given.
func (g *grounding) fault(best *candidate, confidence float64) fault {
	elsewhere := confidence < leastSlight && g.evidence() < knownEvidence && !g.isMeant() && !g.isUnderstood()
	switch {
	case best == nil || elsewhere:
		return aboutElse
	case g.isUnsure(best, confidence):
		return notSure
	}
	return noFault
}

// isUnsure reports whether a reading is not sure enough to be given.
func (g *grounding) isUnsure(c *candidate, confidence float64) bool {
	if confidence >= leastForeign {
		return false
	}
	return confidence < askBackBelow || g.isForeign() && !g.isUnderstood() || g.ignoresMost(c)
}

// best returns the candidate that is likeliest right among those that ran, and how
// likely that is; nil when none did.
func (g *grounding) best(ctx context.Context, all []*candidate) (*candidate, float64, error) {
	var ran []*candidate
	for _, c := range all {
		if c.ran() {
			ran = append(ran, c)
		}
	}
	if len(ran) == 0 {
		return nil, 0, nil
	}
	best, confidence, err := g.Ranker.Rank(ctx, g.Text, g.readings(ran, all))
	if err != nil {
		return nil, 0, err
	}
	if rivals := g.rivals(ran[best], ran); len(rivals) < len(ran) {
		_, confidence, err = g.Ranker.Rank(ctx, g.Text, g.readings(rivals, all))
	}
	return ran[best], confidence, err
}
