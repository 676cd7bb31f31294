package embedded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/ground"
	"quern/nlq/vector"
	"quern/tree"
)

// weighty is how much a word must speak against an answer to be named for it.
const weighty = 1.0

// alone is the sum from which on an answer is in no doubt, where no other reading finds anything
// else: a note could not say what else is meant.
const alone = 1.2

// meantValue is the score of a reading that took a word for a value by its sense, or for one
// that is hardly spelled like it.
const meantValue = 0.5

// weigh holds an answer against what speaks against it: it stands, is given in doubt,
// or is declined for a choice of what can be answered.
func (g *grounding) weigh(t *trial, all []*candidate) nlq.Translation {
	sum := g.trust().sum(t)
	if !g.Uses(ground.Doubted) {
		return t.chosen.translation(g.trust().right(sum))
	}
	isSupposed := t.chosen.supposed != ""
	switch {
	case sum < g.trust().decline, t.chosen.misplaced != "", t.chosen.score <= noValue, slices.ContainsFunc(t.words, isEssential),
		isSupposed && (g.blamed(t) >= 0 || !readsOne(t.chosen.query)):
		return g.askBack(t, all)
	case t.chosen.findsNothingKnown():
		back := ask(missingValues(t.chosen.query))
		back.Confidence, back.Words = g.trust().right(sum), g.Accounts().Tell(t.words, g.statesOf(t, sum))
		return back
	}
	made := g.tell(t, sum)
	if isSupposed {
		note := fmt.Sprintf("No word of the question names the column %s; I took that to be what it asks about.", t.chosen.supposed)
		made.Notes, made.Doubt = append(made.Notes, note), true
	}
	rivals := g.rivals(t.chosen, all)
	inDoubt := sum < g.trust().note && (sum < alone || g.Own > 0 || len(g.choices(rivals, t.chosen, 1)) > 0)
	if (inDoubt || t.unsafe) && !made.Doubt {
		made.Notes, made.Doubt = append(made.Notes, g.alternatives(t.chosen, rivals)), true
	}
	return made
}

// readsOne reports whether a query lists, counts or adds up rows of one dataset.
func readsOne(q *tree.Query) bool { return q.Select != nil && len(q.Select.From) == 1 }

// tell gives an answer with what its words were taken for, and notes on those that were
// guessed.
func (g *grounding) tell(t *trial, sum float64) nlq.Translation {
	text, doubts := g.Accounts(), g.statesOf(t, sum)
	made := t.chosen.translation(g.trust().right(sum))
	made.Words = text.Tell(t.words, doubts)
	for i, state := range doubts {
		if state == quern.WordGuessed {
			made.Notes, made.Doubt = append(made.Notes, text.Note(t.words[i])), made.Doubt || !t.isRespelled(i) || t.chosen.score <= meantValue
		}
	}
	return made
}

// askBack asks what is meant instead of giving an answer: it says to which word nothing
// answers, where one speaks against the answer, and offers what can be answered.
func (g *grounding) askBack(t *trial, all []*candidate) nlq.Translation {
	text, sum := g.Accounts(), g.trust().sum(t)
	states := g.statesOf(t, sum)
	back := ask(g.which(all))
	if len(back.Clarification.Choices) == 0 && t.chosen.misplaced != "" {
		back = ask(g.withoutPlace(t.chosen.misplaced))
	}
	if unknown := g.blamed(t); unknown >= 0 {
		states[unknown], g.unknown = quern.WordUnknown, &t.words[unknown]
		back = ask(g.missing(text.Said(t.words[unknown]), all))
	}
	back.Confidence, back.Words = g.trust().right(sum), text.Tell(t.words, states)
	return back
}

// blamed returns the word to which nothing answers: one without which no rows answer
// the text, or else the one that speaks most against the answer; -1 when none does.
func (g *grounding) blamed(t *trial) int {
	worst, most := -1, weighty
	for i, w := range t.words {
		if w.Essential {
			return i
		}
		if against := g.trust().against(t, i); against > most {
			worst, most = i, against
		}
	}
	return worst
}

// statesOf returns how each word is accounted for.
func (g *grounding) statesOf(t *trial, sum float64) []quern.WordState {
	states := make([]quern.WordState, len(t.words))
	for i := range t.words {
		states[i] = quern.WordMatched
		if t.isRespelled(i) || g.isGuessed(t, sum, i) {
			states[i] = quern.WordGuessed
		}
	}
	return states
}

// isGuessed reports whether a word was taken for something that it does not name. What
// a word names is in doubt only where much speaks against it, and what is left out though a
// word names it is no doubt by itself where the word hardly means that. A likeness on which all rests, or
// what is asked for, is in doubt where anything does, and in a conversation.
func (g *grounding) isGuessed(t *trial, sum float64, word int) bool {
	w, against := t.words[word], g.trust().against(t, word)
	inDoubt := sum < g.trust().note
	isStrict := inDoubt || g.Own > 0
	switch w.Use {
	case account.Left:
		return isStrict || !w.Slight
	case account.Lost:
		return w.Strict || g.isStrange(w) || g.isWanted(w) || t.odds[word] > g.trust().safe && (isStrict || against > weighty/2)
	case account.Near, account.Like:
		return g.isLikened(t, w, isStrict || against > 0) || inDoubt && against > weighty
	case account.Joins:
		return inDoubt && against > weighty
	}
	return inDoubt && against > 2*weighty
}

// isGrounded reports whether a word of the text names something of the query or is a value
// in it, so that it does not rest on likenesses alone: the busiest route is no location.
func (t *trial) isGrounded() bool {
	return slices.ContainsFunc(t.words, func(w account.Word) bool { return w.Use == account.Named || w.Use == account.Value })
}

// isLikened reports whether a word that is like what it was taken for is what the text counts, or, where
// something speaks against it, what it asks which of or all that the answer rests on.
func (g *grounding) isLikened(t *trial, w account.Word, isOpposed bool) bool {
	return g.isCounted(w) || isOpposed && (!t.isGrounded() || g.isAskedFor(w))
}

// isWanted reports whether a word of which nothing is known is what the text asks for: which of, how
// many of, or when it was done last.
func (g *grounding) isWanted(w account.Word) bool {
	return g.isAskedFor(w) || g.isCounted(w) || g.isLastDone(w)
}

// isAskedFor reports whether a word is what the text asks which of, and is merely like what
// it was taken for: which actor is no director.
func (g *grounding) isAskedFor(w account.Word) bool {
	m, ok := english.Groups(ground.WhichAsked, g.Text)
	if !ok || w.IsValue {
		return false
	}
	start, _ := m.Span("what")
	return g.Features.Tokens[w.First].Start == start && !w.Same
}

// howManyOf asks for the number of something.
var howManyOf = regexp.MustCompile(`(?i)\bhow many (?:of (?:the|our|these|those) |different |other )?(?P<what>[a-z]+)\b`)

// isCounted reports whether a word is what the text asks how many of, and does not mean the same as
// what it was taken for: how many beekeepers is not how many hives.
func (g *grounding) isCounted(w account.Word) bool {
	m, ok := english.Groups(howManyOf, g.Text)
	if !ok || w.IsValue || w.Same {
		return false
	}
	start, _ := m.Span("what")
	return g.Features.Tokens[w.First].Start == start && !english.RowNouns.Has(strings.ToLower(m.Text("what"))) && !english.People.Has(strings.ToLower(m.Text("what")))
}

// lastDone asks when something was done last.
var lastDone = regexp.MustCompile(`(?i)^\W*(?:and |so )?(?:when|how long ago|what (?:day|date))\b.*\blast (?P<done>[a-z]+)\W*$`)

// isLastDone reports whether a word says what was done when the text asks when that was last: when a
// balloon was last serviced is not when it last flew.
func (g *grounding) isLastDone(w account.Word) bool {
	m, ok := english.Groups(lastDone, g.Text)
	if !ok {
		return false
	}
	start, _ := m.Span("done")
	return g.Features.Tokens[w.First].Start == start
}

// isRespelled reports whether a word was taken as a value that is written otherwise: that
// is told, in doubt or not.
func (t *trial) isRespelled(word int) bool {
	return t.words[word].Use == account.Near && t.words[word].IsValue && t.chosen.score < nlq.SameWords
}

// isStrange reports whether a word is none that the translator knows, so that no
// network can be sure that it says nothing.
func (g *grounding) isStrange(w account.Word) bool {
	for i := w.First; i <= w.Last && i < len(g.Features.WordIDs); i++ {
		if g.Features.WordIDs[i] == vector.Unknown {
			return true
		}
	}
	return false
}
