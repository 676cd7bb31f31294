package embedded

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/feature"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/plain"
)

// accountEdited returns a reading that no network made, such as a change of the query
// before, with the words that it has to do with, and why it is to be doubted.
func (r *reader) accountEdited(t nlq.Translation, doubts []string) nlq.Translation {
	g := r.ground(ground.Wording{Text: r.Question.Text})
	words, notes := g.Accounts().Trust(account.Reading{Query: t.Query, Score: t.Score})
	notes = slices.Concat(notes, doubts, r.doubtsBefore())
	t.Words, t.Notes, t.Doubt = words, append(t.Notes, notes...), len(notes) > 0
	return t
}

// asSaid returns the words of a translation as they were said, and notes what they were read as.
func asSaid(t *nlq.Translation, read []plain.ReadAs) []quern.Word {
	var notes, quoted []string
	for _, r := range read {
		notes, quoted = append(notes, r.Note()), append(quoted, strconv.Quote(r.As), strconv.Quote(r.Said))
		for i, w := range t.Words {
			if at := ground.WordAt(w.Text, r.As); at >= 0 {
				t.Words[i].Text = w.Text[:at] + r.Said + w.Text[at+len(r.As):]
			}
		}
	}
	if t.Clarification != nil {
		t.Clarification.Question = strings.NewReplacer(quoted...).Replace(t.Clarification.Question)
	}
	if t.Query != nil {
		t.Notes = append(notes, t.Notes...)
	}
	return t.Words
}

// shift moves words behind the white space that a text begins with.
func shift(words []quern.Word, text string) {
	lead := utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeftFunc(text, unicode.IsSpace))
	for i := range words {
		words[i].Start += lead
		words[i].End += lead
		for j := range words[i].Instead {
			words[i].Instead[j].Question = strings.TrimSpace(words[i].Instead[j].Question)
		}
	}
}

// unknownWords returns the words of content of a text of which the data have none.
func (g *grounding) unknownWords() []quern.Word {
	var all []quern.Word
	for i, t := range g.Features.Tokens {
		text := strings.ToLower(t.Text)
		kind := g.Features.Kinds[i]
		isMark := kind == feature.Punctuation || kind == feature.QuoteMark
		if isMark || g.wordEvidence(i) >= knownEvidence || lex.Function(text) || lex.Thin(text) || lex.Command(text) || english.RowNouns.Has(text) {
			continue
		}
		start := utf8.RuneCountInString(g.Text[:t.Start])
		all = append(all, quern.Word{Start: start, End: start + utf8.RuneCountInString(t.Text), Text: t.Text, State: quern.WordUnknown})
	}
	return all
}
