package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/account"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/nlq/settle/absence"
	"quern/nlq/settle/amount"
	"quern/nlq/settle/label"
	"quern/nlq/settle/tally"
	"quern/tree"
)

// shortestOwn is how many letters a word has at least that is taken for a value which a reading
// leaves out.
const shortestOwn = 3

// deniesValue finds a denial right before a value.
var deniesValue = regexp.MustCompile(`(?i)(?:\b(?:not|no|non|without|except|excluding|besides|but|other than|apart from|never)|n't|\b(?:is|are|was|were|do|does|did|have|has)nt)\W+(?:(?:a|an|any|the|for|in|on)\W+)?$`)

// givesExamples finds what names some of many: facebook, flyers etc.
var givesExamples = regexp.MustCompile(`(?i)\betc\b|\band so on\b|\bsuch as\b|\be\.g\b|\bfor (?:example|instance)\b|\b(?:or|and) (?:whatever|the like|others?)\b`)

// splits finds what asks for all kinds, whichever of them it names: broken down by web and phone.
var splits = regexp.MustCompile(`(?i)\b(?:split|break|broken|each|every|per|by|all)\b`)

// splitWords ask for groups and are no kinds of rows: group the lessons by teacher.
var splitWords = regexp.MustCompile(`(?i)^(?:group|sort|order|split|rank|total|number)(?:ed|s)?$`)

// isPhrasal finds a value of a verb and what belongs to it, as texts have it that mean no value:
// which jobs did we take in?
var isPhrasal = regexp.MustCompile(`(?i)\b(?:in|out|up|off|on|down|over|away|back)$`)

// addOwn returns a reading held to the rows whose column of kinds has the values that the text
// holds and the reading leaves out, in any form: monitors and phones. Otherwise it returns the
// reading itself.
func (g *grounding) addOwn(c *candidate) *candidate {
	if givesExamples.MatchString(g.Text) {
		return c
	}
	var of tree.Column
	var values []tree.Literal
	reading := account.Reading{Query: c.asRead, Taken: g.constantWords(c), Score: c.score}
	for _, w := range g.Accounts().Of(reading) {
		if w.Use != account.Left && w.Use != account.Lost {
			continue
		}
		column, value, ok := g.ownValue(c, w)
		switch {
		case !ok:
			continue
		case len(values) > 0 && column != of:
			return c // it may be either
		}
		if of = column; !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	isSplit := slices.Contains(c.query.Select.Group, tree.Expr(of)) && (splits.MatchString(g.Text) || strings.Contains(g.Text, ","))
	if len(values) == 0 || ground.Tests(c.query.Select.Where, of) || isSplit {
		return c
	}
	return g.change(c, func(q *tree.Query) {
		q.Select.Where = tree.All(append(slices.Clone(tree.Conjuncts(q.Select.Where)), absence.IsOneOf(of, values))...)
		label.Of(g.Grounding).NameParts(q)
		amount.Of(g.Grounding).Average(q)
	})
}

// holds reports whether a reading holds its rows to something of a column.
func (c *candidate) holds(column tree.Column) bool { return ground.Tests(c.query.Select.Where, column) }

// isAsked reports whether a word says what is asked for, though it may be a value as well: the
// second longest, group by teacher, how long.
func (g *grounding) isAsked(word string) bool {
	_, isPlaced := tally.Of(g.Grounding).PlaceAsked()
	said := lex.Lower(g.Features.Tokens)
	at := slices.Index(said, strings.ToLower(word))
	isDegree := at > 0 && said[at-1] == "how"
	return splitWords.MatchString(word) || isPlaced && lex.IsOrdinal(strings.ToLower(word)) || isDegree
}

// mayBeOwn reports whether a word may stand for a value that a reading leaves out. Bookings are not
// all booked.
func (g *grounding) mayBeOwn(word string) bool {
	isNoun := strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ings")
	return len(word) >= shortestOwn && !isNoun && !g.isAsked(word) && !isPhrasal.MatchString(word) && !lex.Function(word) && !lex.Thin(word) && !lex.Command(word)
}

// ownValue returns the one column of kinds, of the datasets that a reading reads, of which a word
// is all of a value.
func (g *grounding) ownValue(c *candidate, w account.Word) (column tree.Column, value tree.Literal, ok bool) {
	word := g.Accounts().Said(w)
	before := g.Text[:g.Features.Tokens[w.First].Start]
	if !g.mayBeOwn(word) || deniesValue.MatchString(before) {
		return column, value, false
	}
	n, isNamed := 0, false
	g.eachColumn(c, func(named tree.Column, of schema.Column, id int) {
		name, _ := g.relation(w.First, id)
		if w.First > 0 && !name && c.holds(named) {
			name, _ = g.relation(w.First-1, id) // a loyalty card is no card
		}
		isNamed = isNamed || name
		if of.Type != quern.Text || !of.Category() {
			return
		}
		found, whole := of.Values.Alike(schema.KeyOf(word))
		if whole && !english.IsDoing(found, word) && !isPhrasal.MatchString(found) {
			column, value, n = named, tree.Literal{Kind: grammar.LiteralKind(of.Type), Text: found}, n+1
		}
	})
	return column, value, n == 1 && !isNamed
}
