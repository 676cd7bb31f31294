package embedded

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/plain"
	"quern/nlq/schema"
	"quern/nlq/spell"
)

// readSpelled reads the question as it was meant to be typed, and says which words were
// misspelt.
func (r *reader) readSpelled(ctx context.Context) (nlq.Translation, error) {
	if !r.Uses(ground.Reworded) || english.LanguageOf(r.Question.Text) != "" {
		return r.readAnew(ctx)
	}
	changes, notes := r.respelled(r.Question.Text)
	said := r.Question.Text
	r.Question.Text = plain.Changed(said, changes)
	t, err := r.readAnew(ctx)
	asTyped := typedWords(t.Words, said, changes)
	for i := range t.Notes {
		t.Notes[i] = asTyped.Replace(t.Notes[i])
	}
	if t.Clarification != nil {
		t.Clarification.Question = asTyped.Replace(t.Clarification.Question)
	}
	if t.Query != nil {
		t.Notes = append(notes, t.Notes...)
	}
	return t, err
}

// respelled returns the words of a text that were typed in a hurry or misspelt, as they
// were meant, and a note for each that was misspelt. What the translator knows as a word,
// and names and values of the data, stay as they are.
func (r *reader) respelled(text string) (changes []english.Change, notes []string) {
	isKnown := func(word string) bool {
		return plain.Of(r.Asked).IsOfData(word) || strings.ContainsAny(word, "0123456789") && r.Whole.HoldsWord(word) // the milk of 2L
	}
	changes = append(english.Typed(text, isKnown), r.shortYears(text)...)
	var own ownWords
	before := ""
	for i, t := range lex.Tokens(text) {
		word, last := strings.ToLower(t.Text), before
		before = word
		if owner, ok := r.ownerIn(t, i); ok {
			changes = append(changes, english.Change{Start: t.Start, End: t.End, By: owner})
			continue
		}
		isSaid := word == t.Text || i == 0 && t.Text[1:] == word[1:] // a name is left as it is
		isDone := slices.ContainsFunc(changes, func(c english.Change) bool { return t.Start < c.End && c.Start < t.End })
		if !isSaid || isDone || plain.IsQuoted(text, t) {
			continue
		}
		meant, ok := askedHow(last, word)
		if !ok && r.isMisspelt(word) {
			meant, ok = r.meantBy(word, &own)
		}
		if ok {
			changes = append(changes, english.Change{Start: t.Start, End: t.End, By: meant})
			notes = append(notes, plain.ReadAs{Said: t.Text, As: meant}.Note())
		}
	}
	slices.SortFunc(changes, func(a, b english.Change) int { return a.Start - b.Start })
	return changes, notes
}

// ownerIn returns a name of the data whose owner's s was written without its apostrophe:
// Marchettis appointments.
func (r *reader) ownerIn(t lex.Token, at int) (owner string, ok bool) {
	name, hasS := strings.CutSuffix(t.Text, "s")
	isName := at > 0 && len(name) > 3 && name != strings.ToLower(name)
	if !hasS || !isName || strings.HasSuffix(name, "s") || r.Whole.HoldsWord(strings.ToLower(t.Text)) || plain.Of(r.Asked).IsNamed(strings.ToLower(t.Text)) {
		return "", false
	}
	return name + "'s", r.Whole.HoldsWord(strings.ToLower(name))
}

// meantBy returns what is meant by a misspelt word: two words that the data have, or the word
// that it most likely is. The words of the data are looked up with the first.
func (r *reader) meantBy(word string, own *ownWords) (meant string, ok bool) {
	if meant, ok = r.asTwoWords(word); ok {
		return meant, true
	}
	if own.names == nil {
		*own = r.ownWords()
	}
	return r.spelling().Right(word, own.names, own.values)
}

// askedHow returns the word that is meant behind how, where it is almost that and nothing
// that people ask with: how manny.
func askedHow(before, word string) (meant string, ok bool) {
	if before != "how" || slices.Contains(english.Asked(), word) {
		return "", false
	}
	return spell.OneOf(word, "many", "much", "often")
}

// asTwoWords returns two words that were written as one, where they are a value of the data
// or the name of a column: oilchange, tram9.
func (r *reader) asTwoWords(word string) (apart string, ok bool) {
	for i := 1; i < len(word); i++ {
		apart = word[:i] + " " + word[i:]
		isName := func(c schema.Column) bool { return strings.Join(c.Words, " ") == apart }
		if utf8.RuneStart(word[i]) && (r.Whole.HasValue(apart) || slices.ContainsFunc(r.Whole.Columns, isName)) {
			return apart, true
		}
	}
	return "", false
}

// typedWords makes words of a text whose changes were made those that were typed, and returns
// what makes the same of a text that quotes them. What else they could mean is left out, for it
// stands in a question that nobody typed.
func typedWords(words []quern.Word, typed string, changes []english.Change) *strings.Replacer {
	if len(changes) == 0 {
		return strings.NewReplacer()
	}
	var quoted []string
	for i := range words {
		w := &words[i]
		read := w.Text
		w.Start, w.End = typedAt(typed, changes, w.Start, false), typedAt(typed, changes, w.End, true)
		w.Text, w.Instead = string([]rune(typed)[w.Start:w.End]), nil
		quoted = append(quoted, strconv.Quote(read), strconv.Quote(w.Text))
	}
	return strings.NewReplacer(quoted...)
}

// typedAt returns where in a text a place of it with its changes made is, in characters:
// where what was changed begins, or where it ends.
func typedAt(typed string, changes []english.Change, place int, end bool) int {
	more := 0 // characters that the changes before the place have added
	for _, c := range changes {
		start, stop := utf8.RuneCountInString(typed[:c.Start]), utf8.RuneCountInString(typed[:c.End])
		by := utf8.RuneCountInString(c.By)
		from := start + more
		switch {
		case place < from || place == from && end:
			return place - more
		case place < from+by || place == from+by && end:
			if end {
				return stop
			}
			return start
		}
		more += by - (stop - start)
	}
	return place - more
}

// isMisspelt reports whether a word is none: nobody knows it, in another form either, and
// the data do not have it.
func (r *reader) isMisspelt(word string) bool {
	isTaught := r.Whole.Taught != nil && len(r.Whole.Taught.WordsIn(schema.StemsOf(word))) > 0
	if r.Vectors.IsWord(word) || lex.Function(word) || isTaught || plain.Of(r.Asked).IsOfData(word) || r.holdsForm(word) {
		return false
	}
	return !slices.ContainsFunc(english.Bases(word), r.Vectors.IsWord)
}

// holdsForm reports whether some value has a word, or another form of it, and not only one of the
// same stem: full is no form of fule.
func (r *reader) holdsForm(word string) bool {
	if !r.Whole.HoldsWord(word) {
		return false
	}
	isForm := func(w string) bool { return english.Stem(w) == english.Stem(word) && english.IsOneWord(w, word) }
	return slices.ContainsFunc(r.Whole.Columns, func(c schema.Column) bool {
		return c.Values != nil && c.Values.Word(word) && slices.ContainsFunc(c.Values.Words(), isForm)
	})
}

// ownWords are the words of the data's names and of its values.
type ownWords struct{ names, values []string }

func (r *reader) ownWords() (own ownWords) {
	add := func(names ...[]string) {
		for _, words := range names {
			for _, w := range words {
				own.names = append(own.names, w, english.Plural(w))
			}
		}
	}
	for i := range r.Whole.Tables {
		add(append(r.Whole.Tables[i].Names, r.Whole.Tables[i].Words)...)
	}
	for i := range r.Whole.Columns {
		c := &r.Whole.Columns[i]
		add(append(c.Names, c.Words)...)
		if c.Values != nil && c.Type == quern.Text {
			own.values = append(own.values, c.Values.Words()...)
		}
	}
	return own
}
