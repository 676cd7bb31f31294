// Package account owns what a reading of a question did with each of its words:
// which column, value or operation a word was taken for, and which words it has
// nothing to do with.
//
//	text, schema, features ─┐
//	query ──────────────────┴─► Of ─► words, each with its use
//
// It never reads a question and weighs nothing: package embedded holds the words
// against its doubt. The failure it is built around is the silent guess: a word
// that nothing in the query answers to is told, also where the query runs.
package account

import (
	"maps"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Text is a text about a schema, and how the two relate.
type Text struct {
	Text     string
	View     schema.View
	Features *feature.Features
}

// Use is what a reading did with a word.
type Use uint8

// The uses.
const (
	Filler Use = iota // it says nothing of the data
	Named             // it names a dataset or a column that is used
	Value             // it is of a value that is compared with
	Time              // it is of a time that is compared with
	Does              // it says what is done with rows, and that is done
	Near              // it means the same as something that is used, or is spelled almost like it
	Like              // it is a little like something that is used
	Joins             // a verb that holds two other words together, of which nothing is known
	Left              // it names something that is not used
	Lost              // nothing is known of it
	Uses              // their number
)

// Word is a word of a text, or several that are one thing, and what a reading did
// with it.
type Word struct {
	First, Last int // tokens
	Use         Use
	Means       string // what it was taken for, or names; empty when nothing
	// Strict says that the reading is to be doubted whatever else speaks for it: it
	// leaves out what the word asks for.
	Strict bool
	// Essential says that no rows answer the text without the word: a number, or a
	// period that rows are to be told apart by.
	Essential bool
	// Sure says that no network need know the word: what it asks for is done.
	Sure bool
	// Same says that the word means the same as the name that it was taken for, or is of
	// one origin with it.
	Same bool
	// Slight says of a word that names what is not used that it hardly means that: it is a
	// part of a longer name, names the rows that are read by their key, or is one of the
	// values that the rows are told apart by.
	Slight bool
	// IsValue says that the word was taken as a value that it is not written like.
	IsValue bool
	column  int // what it was taken for; -1: none
}

// Reading is how a text was read.
type Reading struct {
	Query *tree.Query
	Taken []bool // tokens that are constants, where that is known; nil otherwise
	Score float64
}

// Of returns the words of content of a text, in their order, and what a reading did
// with each.
func (t Text) Of(r Reading) []Word {
	u := usesOf(t.View, r.Query)
	var all []Word
	strict := t.factorTokens(u)
	for i := range t.Features.Tokens {
		w := t.word(u, r, i)
		if t.isChange(u, i) {
			w = Word{First: i, Last: i, Use: Lost, Essential: true, column: -1}
		}
		if strict[i] && w.Use != Named && w.Use != Value {
			w.Use, w.Strict, w.Means = Left, true, "a factor"
		}
		if w.Use == Filler {
			continue
		}
		all = append(all, w)
	}
	t.takeUnnamed(u, all)
	t.findJoins(u, all)
	return merge(all)
}

// merge makes one word of neighbours that are one thing.
func merge(words []Word) []Word {
	var all []Word
	for _, w := range words {
		n := len(all) - 1
		if n >= 0 && w.Use <= Does && w.Means != "" && all[n].Last+1 == w.First && all[n].Use == w.Use && all[n].Means == w.Means {
			all[n].Last = w.Last
			continue
		}
		all = append(all, w)
	}
	return all
}

func (t Text) lower(token int) string { return strings.ToLower(t.Features.Tokens[token].Text) }

// word returns what a reading did with a token.
func (t Text) word(u *uses, r Reading, token int) Word {
	w := Word{First: token, Last: token, column: -1}
	switch t.Features.Kinds[token] {
	case feature.Punctuation, feature.QuoteMark:
		return w
	}
	text := t.lower(token)
	operation, operates := operationOf(text)
	switch {
	case t.used(u, r, &w):
	case operates && operation.done(u):
		w.Use, w.Means, w.Sure = Does, operation.means, operation.means == totals
	case english.Moments.Has(text) && t.usesTime(u):
		w.Use, w.Means, w.Sure = Time, "a time", true
	case u.computes && english.Areas.Has(text):
		w.Use, w.Means, w.Sure = Does, "an area", true
	case t.isMoneyWord(u, text):
		w.Use, w.Means, w.Sure = Does, "money", true
	case t.tellsPeriod(u, text):
		w.Use, w.Means, w.Sure = Time, "a time", true
	case t.isUnit(token), t.isSpeed(u, token), t.isFullName(token), t.namesAll(token), t.tellsApart(token), t.isOwnPlace(token), t.isPerStretch(u, token):
	case operates && operation.strict, t.isOwnStretch(token):
		w.Use, w.Strict = Lost, true
	case t.groupsByPeriod(token), t.Features.Kinds[token] == feature.NumberKind && isNumber(text), t.isPiece(r, token):
		w.Use, w.Essential = Lost, true
	case lex.Thin(text) || isFiller(text):
	default:
		t.unused(u, r, &w)
	}
	return w
}

// unused says of a token that names nothing that is used, and is no value of it, what it
// is near to, or what it names instead.
func (t Text) unused(u *uses, r Reading, w *Word) {
	switch {
	case t.isSibling(u, w):
		w.Use, w.Essential = Lost, true
	case t.abbreviated(u, w):
		w.Use, w.Same = Near, true
	case t.misspelt(u, r, w):
		w.Use = Near
	case t.leftValue(u, w):
		w.Use = Left
	case t.begins(u, w):
		w.Use = Like
	case t.namesUnused(u, w):
		w.Use = Left
	case t.near(u, w):
	case t.left(u, w):
		w.Use = Left
	default:
		w.Use = Lost
	}
	if w.Use > Near && w.Use != Left && english.Dimensions.Has(t.lower(w.First)) && t.isHead(w.First) {
		w.Use, w.Essential, w.Means, w.column = Lost, true, "", -1 // nothing is as high as it is long
	}
}

// isHead reports whether no other word of content stands behind a token, of which it would say more:
// humidity gadgets.
func (t Text) isHead(token int) bool {
	next := token + 1
	return next >= len(t.Features.Tokens) || t.Features.Kinds[next] != feature.Plain || lex.Function(t.lower(next))
}

// used reports whether a token names what is used, or is a time or a value of it, and
// says which.
func (t Text) used(u *uses, r Reading, w *Word) bool {
	switch {
	case t.named(u, w):
		w.Use = Named
	case t.dated(u, w):
		w.Use = Time
	case t.constant(u, r, w):
		w.Use = Value
	default:
		return false
	}
	return true
}

// isOwnStretch reports whether a token is a stretch of time of which nobody but the asker knows when it
// begins: this season, last term.
func (t Text) isOwnStretch(token int) bool {
	return token > 0 && english.OwnStretches.Has(t.lower(token)) && english.NearPeriods.Has(t.lower(token-1))
}

// groupsByPeriod reports whether a token is a period by which rows are to be told
// apart: per month, which year, monthly.
func (t Text) groupsByPeriod(token int) bool {
	if english.PeriodAdverbs.Has(t.lower(token)) {
		return !t.isRate(token)
	}
	return token > 0 && english.PeriodUnits.Has(t.lower(token)) && beforePeriods[t.lower(token-1)]
}

// tellsPeriod reports whether a period is what a used column holds: the day is a date, the
// year a number such as 2024.
func (t Text) tellsPeriod(u *uses, text string) bool {
	for id := range u.columns {
		c := t.View.Columns[id]
		isDay := c.Type == quern.Date || c.Type == quern.Timestamp && !u.unique || c.Type == quern.Text && slices.ContainsFunc(c.Words, english.Moments.Has)
		if text == "day" && isDay || text == "year" && t.holdsYears(id) {
			return true
		}
	}
	return false
}

// beforePeriods are the words before a period by which rows are told apart.
var beforePeriods = map[string]bool{"per": true, "each": true, "every": true, "by": true, "which": true, "what": true}

// named reports whether a token names a dataset or a column that is used, and says
// which.
func (t Text) named(u *uses, w *Word) bool {
	if !t.canName(w.First) {
		return t.opposite(u, w)
	}
	best := uint8(0)
	for id := range u.columns {
		if t.isPer(w.First, id) {
			continue
		}
		if name := nameRelation(t.Features.Columns[w.First][id]); name > best || name == best && name > 0 && id < w.column {
			best, w.column = name, id
		}
	}
	for id := range u.tables {
		relation := t.Features.Tables[w.First][id]
		if relation > 0 && relation < feature.TableSimilar && relation > best {
			w.column, w.Means = -1, t.tableName(id)
			return true
		}
	}
	if w.column < 0 {
		return t.opposite(u, w) || t.inName(u, w) || t.partOfName(u, w)
	}
	w.Means = t.columnName(w.column)
	return true
}

// partOfName reports whether a token is a word for the part of a person's name that a used
// column has: the forename of a first_name.
func (t Text) partOfName(u *uses, w *Word) bool {
	word := english.Singular(t.lower(w.First))
	part := english.NamePart([]string{word})
	if part == english.NoName || !strings.HasSuffix(word, "name") {
		return false
	}
	for _, id := range slices.Sorted(maps.Keys(u.columns)) {
		if english.NamePart(t.View.Columns[id].Words) == part {
			w.column, w.Means, w.Sure = id, t.columnName(id), true
			return true
		}
	}
	return false
}

// inName reports whether a number is in the name of something that is used, and says of
// what: visitors_2007, sales 2024.
func (t Text) inName(u *uses, w *Word) bool {
	text := t.lower(w.First)
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for _, id := range slices.Sorted(maps.Keys(u.columns)) {
		if containsWord(t.View.Columns[id].Name, text) {
			w.column, w.Means, w.Sure = id, t.columnName(id), true
			return true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(u.tables)) {
		if containsWord(t.View.Tables[id].Path.Dataset, text) {
			w.Means, w.Sure = t.tableName(id), true
			return true
		}
	}
	return false
}

// canName reports whether a token can name something by itself.
func (t Text) canName(token int) bool {
	text := t.lower(token)
	return !lex.Function(text) || slices.ContainsFunc(t.Features.Columns[token], func(r uint8) bool { return nameRelation(r) == feature.NameExact })
}

// opposite reports whether a token is the opposite of the name of a used column, or
// its name where that is a word that seldom names something, and says of which.
func (t Text) opposite(u *uses, w *Word) bool {
	text := t.lower(w.First)
	for id := range u.columns {
		stems := english.Stems(t.View.Columns[id].Words)
		if isOpposite(text, stems) || len(stems) == 1 && stems[0] == english.Stem(text) {
			w.column, w.Means = id, t.columnName(id)
			return true
		}
	}
	return false
}

// isOpposite reports whether a word is the opposite of one of some stems: unpaid.
func isOpposite(text string, stems []string) bool {
	const shortest = 3
	for _, prefix := range english.NegativePrefixes.Words() {
		rest, ok := strings.CutPrefix(text, prefix)
		if ok && len(rest) >= shortest && slices.Contains(stems, english.Stem(rest)) {
			return true
		}
	}
	return false
}

// near reports whether a token is near in meaning to something that is used, and
// says to what and how near.
func (t Text) near(u *uses, w *Word) bool {
	if t.countsPieces(u, w) {
		return true
	}
	best := uint8(0)
	for id := range u.columns {
		relation := t.Features.Columns[w.First][id]
		if isLike(relation) && (relation > best || relation == best && id < w.column) {
			best, w.column = relation, id
		}
	}
	if best > 0 {
		w.Means = t.columnName(w.column)
	}
	for id := range u.tables {
		relation := t.Features.Tables[w.First][id]
		if relation < feature.TableSimilar {
			continue
		}
		if as := relation - feature.TableSimilar + feature.ColumnSimilar; as > best {
			best, w.column, w.Means = as, -1, t.tableName(id)
		}
	}
	const same = feature.ColumnSimilar + 2 // very much alike, or a synonym
	w.Same = best == feature.ColumnSynonym
	switch {
	case best >= same:
		w.Use = Near
	case best > 0:
		w.Use = Like
	}
	return best > 0
}

// begins reports whether a token says that something began, or ended, and a column that is
// tested says when it did, and says which.
func (t Text) begins(u *uses, w *Word) bool {
	for _, id := range slices.Sorted(maps.Keys(u.tested)) {
		if tellsWhen(t.View.Columns[id], t.lower(w.First)) {
			w.column, w.Means, w.Sure = id, t.columnName(id), true
			return true
		}
	}
	return false
}

// tellsWhen reports whether a column has the time at which something began, or ended, and a
// word says that it did: started, of when it opened.
func tellsWhen(c schema.Column, word string) bool {
	if !c.Type.Temporal() && !slices.ContainsFunc(c.Words, english.Moments.Has) {
		return false
	}
	return english.TimeStarts.Has(word) && slices.ContainsFunc(c.Words, english.TimeStarts.Has) ||
		english.TimeEnds.Has(word) && slices.ContainsFunc(c.Words, english.TimeEnds.Has)
}

// abbreviated reports whether a used name has a word that is the beginning of a
// token, and says of which: inst for institution.
func (t Text) abbreviated(u *uses, w *Word) bool {
	text := t.lower(w.First)
	for _, id := range slices.Sorted(maps.Keys(u.columns)) {
		if isShortened(text, t.View.Columns[id].Words) {
			w.column, w.Means = id, t.columnName(id)
			return true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(u.tables)) {
		if isShortened(text, t.View.Tables[id].Words) {
			w.Means = t.tableName(id)
			return true
		}
	}
	return false
}

// isShortened reports whether one of the words of a name is the beginning of a text.
func isShortened(text string, words []string) bool {
	const least = 3 // letters of the short word, and of what it lacks
	return slices.ContainsFunc(words, func(word string) bool {
		return len(word) >= least && len(text) >= len(word)+least && strings.HasPrefix(text, word)
	})
}

// misspelt reports whether a token was taken as a value that is spelled otherwise,
// and says of which.
func (t Text) misspelt(u *uses, r Reading, w *Word) bool {
	const least = 0.5 // of the scores of values that are alike
	if w.First >= len(r.Taken) || !r.Taken[w.First] || r.Score < least {
		return false
	}
	w.Means, w.IsValue = t.takenMeans(u, w.First), true
	return true
}

// namesAll reports whether a token names the namespace, which is what all of it is
// about.
func (t Text) namesAll(token int) bool {
	stem := english.Stem(t.lower(token))
	return slices.Contains(english.Stems(lex.Words(t.View.In.Namespace, nil)), stem)
}

// findJoins finds among the words of which nothing is known the verbs that hold two
// things together: those that say no more, where the query joins two datasets, and those
// that stand before a preposition and a word that is accounted for: affiliated with.
func (t Text) findJoins(u *uses, words []Word) {
	for i := range words {
		w := &words[i]
		text := t.lower(w.First)
		if w.Use != Lost && w.Use != Like {
			continue
		}
		if len(u.tables) > 1 && english.Holding.Has(text) {
			w.Use, w.Means, w.Sure = Joins, "what holds the datasets together", true
			continue
		}
		isVerb := strings.HasSuffix(text, "ed") || strings.HasSuffix(text, "ing")
		leads := i+1 == len(words) || words[i+1].Use < Joins
		if w.Use == Lost && isVerb && leads && w.Last+1 < len(t.Features.Tokens) && follows(t.lower(w.Last+1)) {
			w.Use = Joins
		}
	}
}

// follows reports whether a word stands behind a verb and before what the verb holds
// to something else.
func follows(word string) bool { return english.Prepositions.Has(word) || word == "there" }

// isLike reports whether a relation between a token and a column says that the token is
// like a word of the column's name.
func isLike(relation uint8) bool {
	return feature.ColumnSimilar <= relation && relation <= feature.ColumnSynonym
}

// nameRelation is the name's part of a relation between a token and a column.
func nameRelation(relation uint8) uint8 {
	if relation >= feature.ColumnSimilar {
		return 0
	}
	return relation / feature.ValueRelations
}

func (t Text) columnName(id int) string { return "the column " + t.View.Columns[id].Name }

func (t Text) tableName(id int) string { return "the dataset " + t.View.Tables[id].Path.Dataset }

// factorTokens marks the tokens of phrases that multiply or divide, where the query
// computes nothing.
func (t Text) factorTokens(u *uses) []bool {
	marked := make([]bool, len(t.Features.Tokens))
	if u.computes {
		return marked
	}
	for _, span := range factors(t.Text) {
		if u.periods && isPeriod(t.Text[span[0]:]) {
			continue // the second half of 2024
		}
		for i, token := range t.Features.Tokens {
			within := token.Start >= span[0] && token.End <= span[1]
			marked[i] = marked[i] || within && !lex.Function(token.Text)
		}
	}
	return marked
}
