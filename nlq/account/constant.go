package account

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// constant reports whether a token is of a constant of the query, and says of which.
func (t Text) constant(u *uses, r Reading, w *Word) bool {
	switch t.Features.Kinds[w.First] {
	case feature.NumberKind, feature.OrdinalKind:
		if t.numbered(u, w) {
			return true
		}
	}
	if t.clocked(u, r, w) {
		return true
	}
	if t.literalHas(u, w) {
		return true
	}
	if w.First < len(r.Taken) && r.Taken[w.First] {
		w.Means = t.takenMeans(u, w.First)
		return r.Score == 1
	}
	return false
}

// clockPattern is a time of day as queries have it.
var clockPattern = regexp.MustCompile(`^\d\d:\d\d(?::\d\d)?$`)

// clocked reports whether a token was taken for a time of day, and says for which:
// half past six.
func (t Text) clocked(u *uses, r Reading, w *Word) bool {
	at := slices.IndexFunc(u.constants, func(k constant) bool { return k.literal.Kind == tree.Text && clockPattern.MatchString(k.literal.Text) })
	if at < 0 || w.First >= len(r.Taken) || !r.Taken[w.First] {
		return false
	}
	w.Means = "the time " + u.constants[at].literal.Text
	return true
}

// dated reports whether a token is of a date, and the query has a time that the text
// can have named.
func (t Text) dated(u *uses, w *Word) bool {
	if t.Features.Kinds[w.First] != feature.DateKind {
		return false
	}
	w.Means, w.Sure = "a time", english.NearDays.Has(t.lower(w.First))
	if u.periods || u.has("year", "month", "day") {
		return true
	}
	return slices.ContainsFunc(u.constants, func(k constant) bool {
		isYear := k.literal.Kind == tree.Number && len(k.literal.Text) == 4 && k.column >= 0 && t.isYear(k.column)
		return k.literal.Kind == tree.Date || k.literal.Kind == tree.Timestamp || isYear
	})
}

// usesTime reports whether a query uses a column of times.
func (t Text) usesTime(u *uses) bool {
	for id := range u.columns {
		if t.View.Columns[id].Type.Temporal() {
			return true
		}
	}
	return false
}

// isYear reports whether a column of numbers holds years, by its name or its bounds.
func (t Text) isYear(column int) bool {
	c := t.View.Columns[column]
	named := slices.Contains(english.Stems(c.Words), english.Stem("year"))
	return named || c.Type == quern.Text || t.holdsYears(column)
}

// holdsYears reports whether the bounds of a column are years.
func (t Text) holdsYears(column int) bool {
	const first, last = "1000", "2999" // as long as the bounds, so that text compares
	c := t.View.Columns[column]
	return len(c.Min) == len(first) && c.Min >= first && len(c.Max) == len(last) && c.Max <= last
}

// takenMeans says which value a token that was taken as a constant is.
func (t Text) takenMeans(u *uses, token int) string {
	for _, k := range u.constants {
		if k.column >= 0 && containsWord(k.literal.Text, t.lower(token)) {
			return t.valueName(k)
		}
	}
	for _, k := range u.constants {
		if k.column >= 0 && !isNumber(k.literal.Text) {
			return t.valueName(k)
		}
	}
	return "a value"
}

func (t Text) valueName(k constant) string {
	return "the value " + k.literal.Text + " of " + t.columnName(k.column)
}

// literalHas reports whether a constant of the query has a token in it.
func (t Text) literalHas(u *uses, w *Word) bool {
	text := t.lower(w.First)
	if lex.Function(text) {
		return false
	}
	for _, k := range u.constants {
		if k.literal.Kind != tree.Text && k.literal.Kind != tree.Boolean {
			continue
		}
		if t.isOf(w.First, k) {
			w.Means, w.column = "the value "+k.literal.Text, k.column
			if k.column >= 0 {
				w.Means = t.valueName(k)
			}
			return true
		}
	}
	return false
}

// isOf reports whether a token is of a constant, and the constant is one that the
// column has, where its values are known.
func (t Text) isOf(token int, k constant) bool {
	text := t.lower(token)
	if k.column < 0 {
		return containsWord(k.literal.Text, text)
	}
	if relation := t.Features.Columns[token][k.column]; relation < feature.ColumnSimilar && relation%feature.ValueRelations == feature.ValueExact {
		return true
	}
	if !containsWord(k.literal.Text, text) || k.op == "=" && isDigits(text) && !t.saysMore(token, k.literal.Text) {
		return false
	}
	values := t.View.Columns[k.column].Values
	if values == nil || !values.Complete() {
		return true
	}
	if k.op == "match" {
		return values.Holds(schema.StemOf(english.Stem(lex.Fold(text))))
	}
	_, exact := values.Exact(lex.Fold(k.literal.Text))
	return exact
}

// isPiece reports whether a number was taken for a text that has it and more: 2005 is not
// Sep 16 2005.
func (t Text) isPiece(r Reading, token int) bool {
	return token < len(r.Taken) && r.Taken[token] && r.Score < 1 && isDigits(t.lower(token))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// saysMore reports whether a token beside another one is of a value too, or the value has
// no more than the token.
func (t Text) saysMore(token int, value string) bool {
	words := lex.Tokens(value)
	for i := max(0, token-len(words)); i < min(len(t.Features.Tokens), token+len(words)+1); i++ {
		if i != token && t.Features.Kinds[i] != feature.Punctuation && containsWord(value, t.lower(i)) {
			return true
		}
	}
	return len(words) <= 1
}

// containsWord reports whether a text has a word, in any form.
func containsWord(text, word string) bool {
	stem := english.Stem(word)
	for _, t := range lex.Tokens(text) {
		if english.Stem(strings.ToLower(t.Text)) == stem {
			return true
		}
	}
	return false
}

func isNumber(text string) bool {
	_, ok := lex.Number(text)
	return ok
}

// numbered reports whether a number of the text is a constant of the query. "One"
// and ordinals need not be.
func (t Text) numbered(u *uses, w *Word) bool {
	decimal, ok := lex.Number(t.Features.Tokens[w.First].Text)
	if t.Features.Kinds[w.First] == feature.OrdinalKind {
		if t.isDay(w.First) && u.hasTime() {
			w.Means = "a time"
			return true
		}
		w.Means = "a place"
		return u.limited || u.ordered
	}
	for _, k := range u.constants {
		near := ok && (sameNumber(k.literal.Text, decimal) || strings.HasPrefix(k.literal.Text, decimal+"-") || isNeighbour(k, decimal) || t.isWeeks(w.First, decimal, k))
		// Of a number of several words the whole is the constant.
		part := !ok || k.literal.Kind == tree.Number && len(k.literal.Text) > len(decimal)
		if near || part && t.isPartOfNumber(w.First) {
			w.Means, w.column = "the number "+k.literal.Text, k.column
			return true
		}
	}
	if u.keeps && ok && sameNumber(decimal, "0") {
		w.Means = "what has no rows"
		return true
	}
	w.Means = ""
	return saysNoNumber(u, t.lower(w.First))
}

// isDay reports whether a token is the day of a date: the first of November.
func (t Text) isDay(token int) bool {
	next := token + 1
	if next < len(t.Features.Tokens) && t.lower(next) == "of" {
		next++
	}
	if next >= len(t.Features.Tokens) {
		return false
	}
	_, _, isMonth := lex.ReadPeriod(t.lower(next), time.Now())
	return isMonth
}

// hasTime reports whether a constant is a time.
func (u *uses) hasTime() bool {
	return u.periods || slices.ContainsFunc(u.constants, func(k constant) bool { return k.literal.Kind == tree.Date || k.literal.Kind == tree.Timestamp })
}

// isWeeks reports whether a number is of weeks, and a constant as many days.
func (t Text) isWeeks(token int, decimal string, k constant) bool {
	const week = 7 // days
	n, err := strconv.Atoi(decimal)
	isUnit := token+1 < len(t.Features.Tokens) && english.Singular(t.lower(token+1)) == "week"
	return isUnit && err == nil && k.literal.Text == strconv.Itoa(week*n)
}

// saysNoNumber reports whether a word for one says nothing that a query has to show:
// every single member.
func saysNoNumber(u *uses, text string) bool {
	if operation, operates := operationOf(text); operates && operation.done(u) {
		return false // once, where things are shown once
	}
	return english.OneEach.Has(text) || text == "1" && (u.limited || u.ordered)
}

// isNeighbour reports whether a bound includes or excludes a whole number by the next
// one: at least 3 is more than 2.
func isNeighbour(k constant, decimal string) bool {
	bound, errBound := strconv.ParseInt(k.literal.Text, 10, 64)
	said, errSaid := strconv.ParseInt(decimal, 10, 64)
	if errBound != nil || errSaid != nil {
		return false
	}
	switch k.op {
	case ">", "<=":
		return bound == said-1
	case "<", ">=":
		return bound == said+1
	}
	return false
}

// isPartOfNumber reports whether a token stands beside others of the same number.
func (t Text) isPartOfNumber(token int) bool {
	of := func(i int) bool {
		return i >= 0 && i < len(t.Features.Kinds) && t.Features.Kinds[i] == feature.NumberKind
	}
	return of(token-1) || of(token+1)
}

// Misplaced returns the constant of a query that is compared with a column to which
// no word of the text points: a number that fits nothing.
func (t Text) Misplaced(q *tree.Query) (constant string, misplaced bool) {
	u := usesOf(t.View, q)
	for _, column := range slices.Sorted(maps.Keys(u.tested)) {
		for _, k := range u.tested[column] {
			if t.isMisplaced(column, k) || t.isInvented(k) {
				return k.literal.Text, true
			}
		}
	}
	return "", false
}

// Supposed returns the name of a column of yes and no that a query tests and to which no word
// of the text points: who still owes us something, of a column pd.
func (t Text) Supposed(q *tree.Query) (name string, supposed bool) {
	u := usesOf(t.View, q)
	for _, column := range slices.Sorted(maps.Keys(u.tested)) {
		for _, k := range u.tested[column] {
			_, _, truth := t.View.Columns[column].Truth()
			if truth && !isOfTime(k) && !t.Points(column) && !t.said(column, k) {
				return t.View.Columns[column].Name, true
			}
		}
	}
	return "", false
}

// isOfTime reports whether a constant is a time or a stretch of it.
func isOfTime(k constant) bool {
	return k.op == "period" || k.literal.Kind == tree.Date || k.literal.Kind == tree.Timestamp
}

func (t Text) isMisplaced(column int, k constant) bool {
	c := t.View.Columns[column]
	_, _, truth := c.Truth()
	isOrder := slices.Contains([]string{"<", "<=", ">", ">=", "between"}, k.op)
	switch {
	case truth || isOfTime(k):
		return false
	case c.Type == quern.Text && isOrder && isNumber(k.literal.Text):
		return c.Values == nil || !c.Values.Numeric()
	case k.literal.Kind != tree.Number:
		return false
	case t.isDate(k.literal.Text) && !t.isYear(column):
		return !t.saidOf(column, k.literal.Text)
	case c.Key() && slices.ContainsFunc(c.Words, english.KeyNames.Has):
		return isOrder && !t.namedColumn(column)
	}
	return isOrder && !t.Points(column) && !isCryptic(c)
}

// isInvented reports whether a number that something is to be more or less than stands
// nowhere in the text: over the years.
func (t Text) isInvented(k constant) bool {
	if k.literal.Kind != tree.Number || k.op == "=" || k.op == "<>" || t.hasNumber() {
		return false
	}
	return !sameNumber(k.literal.Text, "0") && !sameNumber(k.literal.Text, "1")
}

// hasNumber reports whether a token of the text is, or may stand for, a number.
func (t Text) hasNumber() bool {
	for i := range t.Features.Tokens {
		switch t.Features.Kinds[i] {
		case feature.NumberKind, feature.DateKind, feature.OrdinalKind:
			return true
		}
		switch word := t.lower(i); {
		case isNumber(word), english.Factors.Has(word), word == "a", word == "an", word == "noon", word == "midnight":
			return true
		}
	}
	return false
}

// isCryptic reports whether nobody can tell from its name what a column holds, so that
// words cannot point to it: hs, q1.
func isCryptic(c schema.Column) bool {
	const longest = 3
	return !slices.ContainsFunc(c.Words, func(w string) bool { return len(w) > longest || english.KeyNames.Has(w) })
}

// isDate reports whether the text names a time by a number.
func (t Text) isDate(decimal string) bool {
	for i, token := range t.Features.Tokens {
		if t.Features.Kinds[i] == feature.DateKind && token.Text == decimal {
			return true
		}
	}
	return false
}

// saidOf reports whether a number stands right behind a word of a column's name, or behind
// another number that does: a rent between 1000 and 1100.
func (t Text) saidOf(column int, decimal string) bool {
	for i := range t.Features.Tokens {
		if t.lower(i) != decimal {
			continue
		}
		for before := i - 1; before >= 0; before-- {
			if nameRelation(t.Features.Columns[before][column]) > 0 {
				return true
			}
			if word := t.lower(before); !isNumber(word) && !lex.Function(word) {
				break
			}
		}
	}
	return false
}

// Points reports whether a word of the text names a column, or is near to its name.
func (t Text) Points(column int) bool {
	stems := english.Stems(t.View.Columns[column].Words)
	for i, relations := range t.Features.Columns {
		relation := relations[column]
		text := t.lower(i)
		isNear := isLike(relation) && !lex.Function(text)
		isName := nameRelation(relation) > 0 || slices.Contains(stems, english.Stem(text)) || isShortened(text, t.View.Columns[column].Words)
		isCounted := english.Quantities.Has(text) && isQuantity(t.View.Columns[column])
		isPriced := english.Currencies.Has(text) && isMoney(t.View.Columns[column])
		if isName || isNear || isCounted || isPriced || isOpposite(text, stems) || tellsWhen(t.View.Columns[column], text) {
			return true
		}
	}
	return false
}

// namedColumn reports whether the text has a word of a column's name that is no word
// of its table's.
func (t Text) namedColumn(column int) bool {
	table := t.View.Columns[column].Table
	for i, relations := range t.Features.Columns {
		ofTable := t.Features.Tables[i][table]
		if nameRelation(relations[column]) > 0 && (ofTable == 0 || ofTable >= feature.TableSimilar) {
			return true
		}
	}
	return false
}

// said reports whether a word of the text is the value of a constant.
func (t Text) said(column int, k constant) bool {
	for i, relations := range t.Features.Columns {
		relation := relations[column]
		isValue := relation < feature.ColumnSimilar && relation%feature.ValueRelations == feature.ValueExact
		if isValue && containsWord(k.literal.Text, t.lower(i)) {
			return true
		}
	}
	return false
}
