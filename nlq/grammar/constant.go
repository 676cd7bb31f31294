package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// constant is what a span of the question, or an unsaid word, means for a column.
type constant struct {
	literal tree.Literal
	until   tree.Literal   // of a period that begins at literal; empty otherwise
	list    []tree.Literal // of several values that one word names; nil otherwise
	match   tree.MatchOp   // how the values have it in them: the year of dates that are texts; empty where they are it
	fold    bool           // whether it is matched whatever its letters
}

// subject is what a constant is compared with.
type subject struct {
	column *schema.Column // nil: a number of its own
	part   string         // the function that takes a part of the column's times; empty: the column itself
}

func (k constant) isPeriod() bool { return k.until.Text != "" }

// compare returns the condition that a value stands in a relation to the constant.
func (k constant) compare(left tree.Expr, op tree.CompareOp) tree.Cond {
	within := tree.Match{Op: k.match, Expr: left, Text: k.literal.Text, Fold: k.fold}
	switch {
	case k.match != "" && op == tree.NotEqual:
		return tree.Not{Cond: within}
	case k.match != "":
		return within
	case k.list != nil && op == tree.NotEqual:
		return tree.Not{Cond: tree.In{Expr: left, List: k.list}}
	case k.list != nil:
		return tree.In{Expr: left, List: k.list}
	case !k.isPeriod():
		return tree.Compare{Op: op, Left: left, Right: k.literal}
	case k.literal.Kind == tree.Text && op == tree.Equal:
		return tree.All(tree.Compare{Op: tree.GreaterEq, Left: left, Right: k.literal}, tree.Compare{Op: tree.Less, Left: left, Right: k.until})
	case k.literal.Kind == tree.Text && op == tree.NotEqual:
		return tree.Or{Conds: []tree.Cond{
			tree.Compare{Op: tree.Less, Left: left, Right: k.literal}, tree.Compare{Op: tree.GreaterEq, Left: left, Right: k.until},
		}}
	}
	switch op {
	case tree.NotEqual:
		return tree.Not{Cond: tree.Period{Expr: left, From: k.literal, Until: k.until}}
	case tree.Less, tree.GreaterEq:
		return tree.Compare{Op: op, Left: left, Right: k.literal}
	case tree.LessEq:
		return tree.Compare{Op: tree.Less, Left: left, Right: k.until}
	case tree.Greater:
		return tree.Compare{Op: tree.GreaterEq, Left: left, Right: k.until}
	}
	return tree.Period{Expr: left, From: k.literal, Until: k.until}
}

func wholeNumber(k constant) (int64, bool) {
	n, err := strconv.ParseInt(k.literal.Text, 10, 64)
	return n, err == nil && k.literal.Kind == tree.Number
}

// nextText returns the text of the next value as it was said.
func (b *builder) nextText() string {
	t := b.take()
	if text := symbols[t.ID]; text != symSpan {
		return strings.Trim(text, "'")
	}
	first, last := b.take().ID, b.take().ID
	if first > last {
		b.fail("a span ends before it begins")
		return ""
	}
	return unquote(b.question.span(first, last))
}

// constant reads the next value as one of a subject's.
func (b *builder) constant(of subject, op string) constant {
	text := b.nextText()
	if b.err != nil {
		return constant{}
	}
	k, score, ok := interpret(b.question, of, op, text)
	if !ok {
		b.fail("%q does not fit", text)
	}
	b.score = min(b.score, score)
	return k
}

func unquote(text string) string { return strings.TrimSpace(strings.Trim(text, `"'“”‘’ `)) }

// interpret returns what a text means as a value of a subject, and how well it matches
// the values there are.
func interpret(q Question, of subject, op, text string) (k constant, score float64, ok bool) {
	if of.part != "" {
		k, ok := interpretPart(of.part, text)
		return k, 1, ok
	}
	c := of.column
	if k, ok := meant(c, text); ok {
		return k, 1, true
	}
	number, isNumber := lex.Number(text)
	switch {
	case c == nil || c.Type.Numeric():
		return constant{literal: tree.Literal{Kind: tree.Number, Text: number}}, 1, isNumber
	case c.Type == quern.Boolean:
		return constant{}, 0, false
	case c.Type.Temporal():
		k, ok := timeConstant(q, c, text)
		return k, 1, ok
	}
	if c.HoldsClocks() {
		if k, ok := columnClock(c, text); ok {
			return k, 1, true
		}
		if _, isValue := c.Values.Exact(lex.Fold(text)); !isValue && text != "" {
			return constant{}, 0, false // before Christmas is no time of day
		}
	}
	return textConstant(q, c, op, text)
}

// textConstant returns what a text means as a value of a column of texts.
func textConstant(q Question, c *schema.Column, op, text string) (k constant, score float64, ok bool) {
	if op == "=" || op == "<>" {
		if c.Values != nil && c.Values.Dated(text) {
			return constant{literal: tree.Literal{Kind: tree.Text, Text: text}, match: tree.Contains}, 1, true
		}
		if k, ok := partOfSeveral(c, text); ok {
			return k, schema.ScoreStems, true
		}
	}
	value, score := columnSpelling(q, c, op, text)
	return constant{literal: tree.Literal{Kind: tree.Text, Text: value}}, score, value != "" || text == ""
}

// partOfSeveral returns what a text means that is no value of a column and is a part of several: those
// that begin with it, or else those that there are. LE2 is no one postcode.
func partOfSeveral(c *schema.Column, text string) (k constant, ok bool) {
	const fewest, most = 2, 50
	if c.Values == nil || c.Type != quern.Text {
		return k, false
	}
	found := c.Values.With(text)
	if len(found) < fewest {
		return k, false
	}
	said := strings.ToLower(text)
	begins := !slices.ContainsFunc(found, func(v string) bool { return !strings.HasPrefix(strings.ToLower(v), said+" ") })
	switch {
	case begins:
		return constant{literal: tree.Literal{Kind: tree.Text, Text: said + " "}, match: tree.StartsWith, fold: true}, true
	case len(found) > most:
		return constant{literal: tree.Literal{Kind: tree.Text, Text: said}, match: tree.Contains, fold: true}, true
	}
	for _, v := range found {
		all := c.Values.Spellings(v)
		if len(all) == 0 {
			all = []string{v}
		}
		for _, spelled := range all {
			k.list = append(k.list, tree.Literal{Kind: tree.Text, Text: spelled})
		}
	}
	k.literal = k.list[0]
	return k, true
}

// meant returns what a text is for a column that says yes or no, or whose numbers have names.
func meant(c *schema.Column, text string) (k constant, ok bool) {
	if k, ok := truth(c, text); ok {
		return k, true
	}
	if c == nil || c.Values == nil || !c.Type.Numeric() {
		return k, false
	}
	value, ok := c.Values.Meant(text)
	return constant{literal: tree.Literal{Kind: tree.Number, Text: value}}, ok
}

// columnSpelling returns a text as a column has it.
func columnSpelling(q Question, c *schema.Column, op, text string) (value string, score float64) {
	const unseen = 0.3 // the score of a value that the column does not have
	if c.Values == nil {
		return text, unseen
	}
	if value, ok := c.Values.Exact(lex.Fold(text)); ok {
		return value, 1
	}
	if number, ok := lex.Number(text); ok && op != "=" && op != "<>" && op != "in" {
		return number, 1
	}
	switch op {
	case ">", "<", ">=", "<=", "between":
		return text, 1 // a bound need not be a value
	}
	const near = 0.5
	if found := c.Values.Find(text); len(found) > 0 && found[0].Score >= near {
		return found[0].Value, found[0].Score
	}
	if value, ok := q.meantValue(c, text); ok {
		return value, near
	}
	return text, unseen
}

// meantValue returns the kind of rows that a text says in other words: penalties for fine.
// A name has no other words, and what is about as near to a second kind is a kind of its
// own that the data do not have: saxophones beside violins and cellos.
func (q Question) meantValue(c *schema.Column, text string) (value string, ok bool) {
	const (
		least = 0.15 // how much the two mean the same
		ahead = 0.1  // of any other kind
	)
	if q.Sense == nil || !c.Category() || c.Values.Numeric() || q.isName(text) || english.Praise.Has(strings.ToLower(text)) {
		return "", false
	}
	value, near, before, ok := c.Values.Nearest(q.Sense(text), q.Sense)
	return value, ok && near >= least && before >= ahead && !english.Opposed(text, value)
}

// isName reports whether a text is written like a name: with a capital within the question.
func (q Question) isName(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first) && !strings.HasPrefix(q.Text, text)
}

// timeConstant returns the day or the period that a text names.
func timeConstant(q Question, c *schema.Column, text string) (constant, bool) {
	from, until, ok := lex.ReadPeriodOf(q.Tokens, text, q.Now)
	if !ok || from.IsZero() || until.IsZero() {
		return constant{}, false
	}
	kind, layout := tree.Date, time.DateOnly
	if c.Type == quern.Timestamp {
		kind, layout = tree.Timestamp, time.RFC3339
	}
	literal := func(t time.Time) tree.Literal { return tree.Literal{Kind: kind, Text: t.UTC().Format(layout)} }
	return constant{literal: literal(from), until: literal(until)}, true
}

// truth returns what a word for yes or no means in a column of such.
func truth(c *schema.Column, text string) (constant, bool) {
	said, ok := lex.Truth(text)
	if !ok || c == nil {
		return constant{}, false
	}
	value, no, ok := c.Truth()
	if !said {
		value = no
	}
	return constant{literal: tree.Literal{Kind: LiteralKind(c.Type), Text: value}}, ok
}

// LiteralKind returns the kind of the literals that values of a type are compared
// with.
func LiteralKind(t quern.Type) tree.LiteralKind {
	switch t.Class() {
	case quern.ClassBoolean:
		return tree.Boolean
	case quern.ClassNumber:
		return tree.Number
	}
	return tree.Text
}
