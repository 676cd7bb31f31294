package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/account"
	"quern/nlq/feature"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/nlq/settle/amount"
	"quern/nlq/settle/period"
	"quern/nlq/vector"
)

// asksWho is how one asks for the names of people.
var asksWho = regexp.MustCompile(`(?i)^who\b`)

// evidence is how a question, or a word of it, shows that it is about the data.
type evidence int

const (
	noEvidence     evidence = iota
	slightEvidence          // a likeness in meaning
	knownEvidence           // a word that means the same
	strongEvidence          // the name of a dataset, of a column, or a value
)

// evidence returns the best that a word of the text shows.
func (g *grounding) evidence() evidence {
	best := noEvidence
	for i := range g.Features.Tokens {
		best = max(best, g.wordEvidence(i))
	}
	if _, _, sold := amount.Of(g.Grounding).Takings(); sold || g.asksOfPeople() {
		return strongEvidence
	}
	if best < knownEvidence && (g.asksForTakings() || g.asksWhatIsOn(g.Text)) {
		return knownEvidence
	}
	return best
}

// turnsOver asks for what came in.
var turnsOver = regexp.MustCompile(`(?i)\b(?:turn(?:ed)? over|turnover|took in|take in|takings|earn(?:ed)?|income)\b`)

// saysWill speaks of what is to come.
var saysWill = regexp.MustCompile(`(?i)\bwill\b|\bgoing to\b`)

// asksForTakings reports whether the text asks what came in, and there is money.
func (g *grounding) asksForTakings() bool {
	return turnsOver.MatchString(g.Text) && !saysWill.MatchString(g.Text) && slices.ContainsFunc(g.View.Columns, func(c schema.Column) bool {
		return ground.IsAdditive(c) && slices.ContainsFunc(c.Words, english.Money.Has)
	})
}

// asksOfPeople reports whether the text asks who spent or earned the most, and there is
// money, or who has been there the longest, and there are times at which somebody began.
func (g *grounding) asksOfPeople() bool {
	earns, stays := amount.EarnsMost.MatchString(g.Text), period.AsksForTenure.MatchString(g.Text)
	if !asksWho.MatchString(g.Text) || !earns && !stays {
		return false
	}
	return slices.ContainsFunc(g.View.Columns, func(c schema.Column) bool {
		isMoney := ground.IsAdditive(c) && slices.ContainsFunc(c.Words, english.Money.Has)
		begins := c.Type.Temporal() && slices.ContainsFunc(c.Words, english.TimeStarts.Has)
		return earns && isMoney || stays && begins
	})
}

// wordEvidence returns what a word shows. Numbers and dates show nothing: they are
// in the data of many, unless they are the name of a column, as q1 may be.
func (g *grounding) wordEvidence(word int) evidence {
	if slices.ContainsFunc(g.Features.Columns[word], ground.IsWholeName) {
		return strongEvidence
	}
	switch g.Features.Kinds[word] {
	case feature.Plain, feature.Capitalised, feature.Quoted:
	default:
		return noEvidence
	}
	best := noEvidence
	for _, relation := range g.Features.Columns[word] {
		value := relation % feature.ValueRelations
		switch {
		case relation == 0:
		case relation >= feature.ColumnMeant:
			best = max(best, slightEvidence)
		case relation >= feature.ColumnSimilar+sameMeaning:
			best = knownEvidence
		case relation >= feature.ColumnSimilar:
			best = max(best, slightEvidence)
		case relation >= feature.ValueRelations || value <= feature.ValueExact:
			return strongEvidence
		}
	}
	for _, relation := range g.Features.Tables[word] {
		switch {
		case relation == 0:
		case relation >= feature.TableSimilar+sameMeaning:
			best = knownEvidence
		case relation >= feature.TableSimilar:
			best = max(best, slightEvidence)
		default:
			return strongEvidence
		}
	}
	return best
}

// sameMeaning is how many steps above a little alike words are very much so, or synonyms.
const sameMeaning = 2

// isMeant reports whether a word of the text that shows nothing by itself clearly means
// a name of the data, as the encoder finds.
func (g *grounding) isMeant() bool {
	for i, t := range g.Features.Tokens {
		word := strings.ToLower(t.Text)
		if g.Features.Kinds[i] != feature.Plain || lex.Function(word) || lex.Thin(word) || lex.Command(word) {
			continue
		}
		if names := g.namesMeant(account.Word{First: i, Last: i}); len(names) > 0 && names[0].clear {
			return true
		}
	}
	return false
}

// mostGap is how likely, as a logarithm of odds, the networks may find that nothing answers
// to a word of a text that they understand though none of its words is of the data. Set by
// hand (docs/translator.md, Thresholds).
const mostGap = 0.0

// isUnderstood reports whether the networks know all words of the text, one of content
// among them, and find something that answers to each.
func (g *grounding) isUnderstood() bool {
	if len(g.told) == 0 || slices.Max(g.told) >= mostGap || slices.Contains(g.Features.WordIDs, vector.Unknown) {
		return false
	}
	for i, t := range g.Features.Tokens {
		word := strings.ToLower(t.Text)
		isPlain := g.Features.Kinds[i] == feature.Plain || g.Features.Kinds[i] == feature.Capitalised
		if isPlain && !lex.Function(word) && !lex.Thin(word) && !lex.Command(word) {
			return true
		}
	}
	return false
}

// isForeign reports whether most words of the text show nothing.
func (g *grounding) isForeign() bool {
	const least, share = 3, 0.6 // words, and their share of all; set by hand (docs/translator.md, Thresholds)
	words, unknown := 0, 0
	for i, t := range g.Features.Tokens {
		switch g.Features.Kinds[i] {
		case feature.Punctuation, feature.QuoteMark, feature.NumberKind, feature.DateKind:
			continue
		}
		if lex.Thin(t.Text) {
			continue
		}
		words++
		if g.wordEvidence(i) == noEvidence {
			unknown++
		}
	}
	return unknown >= least && float64(unknown) > share*float64(words)
}
