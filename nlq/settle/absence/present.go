package absence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// atPresent asks for what is so now.
	atPresent = regexp.MustCompile(`(?i)\b(?:at (?:the moment|present)|currently|right now|these days|nowadays|still (?:with us|works? (?:here|for us)|on (?:the|our) books)|(?:present|current|existing) (?:staff|members|customers|clients|tenants|pupils|residents|volunteers|employees))\b`)
	// states are words of the names of columns that say how things stand.
	states = []string{"status", "state", "stage", "st", "stat", "standing", "situation"}
	// allOwned asks what there is, in use or not.
	allOwned = regexp.MustCompile(`(?i)\b(?:do|have) (?:we|i|you|they) (?:have|got|own|hold|keep|stock)\b|\b(?:we|i) (?:have|own|hold|keep|stock)\b`)
	// leaving are words of the names of columns that say when somebody left.
	leaving = []string{"left", "leaving", "leaver", "quit", "resigned", "retired", "departed"}
	// otherThanNow says that something is not so now, or says itself what is.
	otherThanNow = regexp.MustCompile(`(?i)\b(?:not|no|never|none|nobody|without|except|free|available|spare|empty|left|out|overdue|stock)\b|n't\b`)
)

// Present leaves out who has left where the text asks for those of now and one column says
// when somebody left; or else takes those of whom a column of kinds says that they go on.
func (g Rules) Present(q *tree.Query) {
	if q.Select == nil || !atPresent.MatchString(g.Text) {
		return
	}
	if len(q.Select.From) == 1 && g.leaveOutLeft(q) {
		return
	}
	column, value, ok := g.ongoing(q)
	if ok {
		q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Text, Text: value}})...)
	}
}

// leaveOutLeft leaves out who has left, and reports whether some time tells.
func (g Rules) leaveOutLeft(q *tree.Query) bool {
	var left []tree.Column
	var isOpen bool
	rows := g.rowsOf(q.Select.From[0])
	for _, t := range g.Asked.Whole.TimesOf(q.Select.From[0]) {
		isEnd := t.Of.Rows < rows && slices.ContainsFunc(t.Of.Words, english.TimeEnds.Has)
		if isEnd || slices.ContainsFunc(t.Of.Words, func(w string) bool { return slices.Contains(leaving, w) }) {
			left, isOpen = append(left, t.Column), t.Of.Max > g.Asked.Question.Now.UTC().Format(time.DateOnly)
		}
	}
	if len(left) == 1 && !isOpen {
		q.Select.Where = tree.All(notLeft(q.Select.Where, left[0])...)
	}
	return len(left) > 0
}

// rowsOf returns how many rows a dataset has that a query reads.
func (g Rules) rowsOf(source tree.Source) int64 {
	table, ok := g.View.TableOf(source)
	if !ok {
		return 0
	}
	return g.View.Tables[table].Rows
}

// notLeft returns conditions with one that nobody has left, unless they say something of that time but
// that all have: what is so now has not ended.
func notLeft(where tree.Cond, left tree.Column) []tree.Cond {
	held := slices.DeleteFunc(slices.Clone(tree.Conjuncts(where)), func(c tree.Cond) bool {
		not, isNot := c.(tree.Not)
		null, isNull := not.Cond.(tree.IsNull)
		return isNot && isNull && null.Expr == tree.Expr(left)
	})
	if ground.Tests(tree.All(held...), left) {
		return held
	}
	return append(held, tree.IsNull{Expr: left})
}

// ongoing returns the only column of kinds, of those that a query reads, with a value for what goes
// on, where neither the text nor the query has to do with that column, or with other times.
func (g Rules) ongoing(q *tree.Query) (column tree.Column, value string, ok bool) {
	if otherThanNow.MatchString(g.Text) || allOwned.MatchString(g.Text) || g.Asked.SpeaksOfTimes(g.Text) {
		return column, "", false
	}
	n := 0
	for _, source := range q.Select.From {
		for _, id := range g.View.ColumnsOf(source) {
			c := g.View.Columns[id]
			found, isKind := ongoingIn(c)
			if !isKind {
				continue
			}
			column, value, n = tree.Column{Source: source.Ref(), Name: c.Name}, found, n+1
			if ground.UsesColumn(q, column) || g.TimesNamed(id) > 0 {
				return column, "", false
			}
		}
	}
	return column, value, n == 1
}

// ongoingIn returns the only value of a column of kinds that says of something that it goes on.
func ongoingIn(c schema.Column) (value string, ok bool) {
	isState := slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(states, w) })
	if c.Type != quern.Text || c.Values == nil || !c.Category() || !isState {
		return "", false
	}
	n := 0
	for _, v := range c.Values.All() {
		if english.Ongoing.Has(strings.ReplaceAll(strings.ToLower(v), " ", "-")) {
			value, n = v, n+1
		}
	}
	return value, n == 1
}

// NotePresent says by which kind of rows a question about those of now is answered, where it does
// not say that itself.
func NotePresent(r *ground.Asked, t *nlq.Translation) {
	said := strings.ToLower(r.Question.Text)
	now := atPresent.FindString(r.Question.Text)
	if now == "" || t.Query == nil || t.Query.Select == nil {
		return
	}
	for _, c := range tree.Conjuncts(t.Query.Select.Where) {
		is, ok := c.(tree.Compare)
		column, isColumn := is.Left.(tree.Column)
		value, isLiteral := is.Right.(tree.Literal)
		id, known := r.Whole.ColumnOf(t.Query.Select.From, column)
		if !ok || !isColumn || !isLiteral || !known || is.Op != tree.Equal {
			continue
		}
		if found, ok := ongoingIn(r.Whole.Columns[id]); ok && found == value.Text && !strings.Contains(said, strings.ToLower(found)) {
			note := fmt.Sprintf("I read %q as the value %s of the column %s.", now, value.Text, column.Name)
			t.Notes, t.Doubt = append(t.Notes, note), true
		}
	}
}
