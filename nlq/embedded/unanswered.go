package embedded

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/feature"
	"quern/nlq/lex"
)

// The risk of an answer is the doubt of its question less what speaks for the
// reading, both as logarithms of odds. The bounds were chosen on the everyday sets
// and on copies of their databases that lack a column (docs/translator.md, Doubt).
const (
	// declineAbove is the risk above which no rows are shown.
	declineAbove = 2.5
	// noteAbove is the risk above which an answer says of which word it is not sure.
	noteAbove = -3.0
	// certainty bounds how much a confidence of 1 speaks for a reading.
	certainty = 0.999
)

// doubt is what a text says that the data may not answer to.
type doubt struct {
	word string  // the word in most doubt; empty: none of content
	odds float64 // that nothing answers to one of the words of content; a logarithm
}

// risk returns how likely an answer is wrong, given how sure its reading is.
func (d doubt) risk(confidence float64) float64 {
	return d.odds - math.Log(confidence/(1-min(confidence, certainty)))
}

// doubt asks the network which word of the text nothing answers to.
func (g *grounding) doubt(ctx context.Context) (doubt, error) {
	d := doubt{odds: math.Inf(-1)}
	if g.Doubter == nil {
		return d, nil
	}
	doubts, err := g.Doubter.Doubts(ctx, g.input())
	if err != nil {
		return d, err
	}
	most, sum := math.Inf(-1), 0.0
	for i, x := range doubts {
		if !g.isContent(i) {
			continue
		}
		sum += math.Exp(x)
		if x > most {
			most, d.word = x, g.features.Tokens[i].Text
		}
	}
	d.odds = math.Log(sum)
	return d, nil
}

// isContent reports whether a word of the text says something of the data rather
// than of the question.
func (g *grounding) isContent(word int) bool {
	switch g.features.Kinds[word] {
	case feature.Punctuation, feature.QuoteMark:
		return false
	}
	text := strings.ToLower(g.features.Tokens[word].Text)
	return !lex.Function(text) && !lex.Thin(text) && !lex.Command(text) && !english.RowNouns.Has(text)
}

// declines reports whether the text is one that no rows answer, and says so.
func (r *reader) declines(text string) (quern.Clarification, bool) {
	because := ""
	switch english.IntentOf(text) {
	case english.Deed:
		because = "I only answer questions about the data and change nothing."
	case english.Reason:
		because = "The data say what happened, not why."
	case english.Guess:
		because = "The data say what is known, not what will be."
	}
	if because == "" || r.isRecorded() {
		return quern.Clarification{}, false
	}
	return quern.Clarification{Question: because + " Ask for rows, counts or sums of " + names(r.whole.Schema) + " instead."}, true
}

// isRecorded reports whether a column holds reasons or guesses, by its name.
func (r *reader) isRecorded() bool {
	for _, c := range r.whole.Columns {
		if slices.ContainsFunc(c.Words, english.Recorded.Has) {
			return true
		}
	}
	return false
}

// weigh holds an answer against the doubt of its question: it stands, is given
// with a note, or is offered among the choices of a question back.
func (r *reader) weigh(t nlq.Translation, d doubt, all []*candidate) nlq.Translation {
	if t.Clarification != nil || d.word == "" {
		return t
	}
	switch risk := d.risk(t.Confidence); {
	case risk > declineAbove:
		back := ask(r.missing(d.word, all))
		back.Confidence = t.Confidence
		return back
	case risk > noteAbove:
		t.Notes = append(t.Notes, fmt.Sprintf("I am not sure that anything in the data answers to %q.", d.word))
	}
	return t
}

// missing says that nothing answers to a word, and what can be answered without it.
func (r *reader) missing(word string, all []*candidate) quern.Clarification {
	c := quern.Clarification{Question: fmt.Sprintf("I found nothing in the data for %q.", word), Choices: r.choices(all, nil, mostChoices)}
	if len(c.Choices) > 0 {
		c.Question += " Without it I can answer these:"
		return c
	}
	c.Question += " The datasets here are " + names(r.whole.Schema) + "; ask with their columns or values in them."
	return c
}
