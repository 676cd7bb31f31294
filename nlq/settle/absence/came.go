package absence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// cameThere says of somebody that they were there: came, attended, have stayed, were here.
	cameThere = regexp.MustCompile(`(?i)\b(?:(?:came|(?:has|have) come)(?: (?P<way>from|back|out|through|via|across|home|up|down)\b)?|attended|turned up|showed up|stayed|` +
		`(?:was|were|been) (?:here|present|in attendance)\b|` +
		`(?P<did>did)(?:n['’]?t| not)?\b[^?.!,]{0,40}?\b(?:come(?: (?P<home>from|back|out|through|via|home)\b)?|attend|turn up|show up|stay))\b`)
	// whoHas stands before it with whoever it is: how many shifts has Sheila turned up for?
	whoHas = regexp.MustCompile(`(?i)\b(?:has|have|had) (?:\w+ ){1,3}$`)
	// notThere denies it.
	notThere = regexp.MustCompile(`(?i)\b(?:not|never|no one|nobody|no|none|without|except|neither)\b|n['’]t\b|\b(?:is|are|was|were|has|have|had|do|does|did)n['’]?t\b`)
)

// Came holds rows that say how it was to those that say that somebody was there, where the text
// asks who came: those marked absent did not, and a cancelled booking is no stay.
func (g Rules) Came(q *tree.Query) {
	came, ok := english.Groups(cameThere, g.Text)
	if !ok || came.Text("way") != "" || came.Text("home") != "" {
		return
	}
	at, _ := came.Span("")
	if g.settleAway(q) {
		return
	}
	denied := notThere.MatchString(g.Text)
	tree.EachQuery(q, func(own *tree.Query) {
		if own.Select == nil || denied && own == q {
			return
		}
		for _, source := range own.Select.From {
			column, there, ok := g.kindsOf(source, presentIn)
			if !ok || ground.UsesColumn(own, column) || g.cameItself(source, at, came.Text("did") != "" || whoHas.MatchString(g.Text[:at])) {
				continue
			}
			own.Select.Where = tree.All(append(tree.Conjuncts(own.Select.Where), IsOneOf(column, there))...)
			return
		}
	})
}

// didNotCome says of somebody that they were not there, and of nobody else.
var didNotCome = regexp.MustCompile(`(?i)^\W*(?:who|which|what|how many|names?|list|show)\b[^,;]*?\b(?:did(?: not|n['’]?t)|failed to) (?:bother to )?(?:show up|turn up|come|attend|make it)\b`)

// settleAway holds rows that say how it was to those by which somebody was not there, where the text
// asks who did not come and the reading lists all: no-shows are no rows that are missing.
func (g Rules) settleAway(q *tree.Query) bool {
	if q.Select == nil || !didNotCome.MatchString(g.Text) || ground.LeavesOut(q) {
		return false
	}
	for _, source := range q.Select.From {
		for _, id := range g.View.ColumnsOf(source) {
			c := g.View.Columns[id]
			column := tree.Column{Source: source.Ref(), Name: c.Name}
			if len(presentIn(c)) == 0 || c.Values == nil || ground.UsesColumn(q, column) {
				continue
			}
			var away []tree.Literal
			for _, v := range c.Values.All() {
				if english.Absent.Has(strings.ReplaceAll(strings.ToLower(v), " ", "-")) {
					away = append(away, tree.Literal{Kind: tree.Text, Text: v})
				}
			}
			if len(away) > 0 {
				q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), IsOneOf(column, away))...)
				return true
			}
		}
	}
	return false
}

// cameItself reports whether it is the rows of a source that came, by the text before the verb, and
// not somebody to whom they belong: bookings that came with a dog.
func (g Rules) cameItself(source tree.Source, verb int, isAsked bool) bool {
	table, ok := g.View.TableOf(source)
	return ok && !isAsked && g.View.Mention(g.Text[:verb], table) >= 0
}

// kindsOf returns the one column of a source that says of rows how it was, and those of its values that
// are such, unless the text speaks of others.
func (g Rules) kindsOf(source tree.Source, such func(schema.Column) []string) (column tree.Column, values []tree.Literal, ok bool) {
	n := 0
	for _, id := range g.View.ColumnsOf(source) {
		c := g.View.Columns[id]
		found := such(c)
		if len(found) == 0 {
			continue
		}
		isOther := func(v string) bool {
			return !slices.Contains(found, v) && ground.WordAt(strings.ToLower(g.Text), strings.ToLower(v)) >= 0
		}
		if slices.ContainsFunc(c.Values.All(), isOther) {
			return column, nil, false
		}
		column, n, values = tree.Column{Source: source.Ref(), Name: c.Name}, n+1, nil
		for _, v := range found {
			values = append(values, tree.Literal{Kind: tree.Text, Text: v})
		}
	}
	return column, values, n == 1
}

// presentIn returns the values of a column of kinds by which somebody was there, where others say
// that somebody was not, or that it did not come to pass: those who did not miss what was done came.
func presentIn(c schema.Column) (there []string) {
	if yes, _, ok := c.Truth(); ok && len(c.Words) == 1 && c.Type == quern.Text && english.Present.Has(c.Words[0]) {
		return []string{yes}
	}
	if c.Type != quern.Text || c.Values == nil || !c.Category() {
		return nil
	}
	var kept []string
	isAway, isVoid := false, false
	for _, v := range c.Values.All() {
		key := strings.ReplaceAll(strings.ToLower(v), " ", "-")
		if english.Present.Has(key) {
			there = append(there, v)
		}
		if english.Kept.Has(key) {
			kept = append(kept, v)
		}
		isAway, isVoid = isAway || english.Absent.Has(key), isVoid || english.Voids.Has(key)
	}
	switch {
	case len(there) > 0 && (isAway || isVoid):
		return there
	case len(there) == 0 && isAway:
		return kept
	}
	return nil
}

// NoteCame says by which kinds of rows a question for those who came is answered, where it does not
// say that itself.
func NoteCame(r *ground.Asked, t *nlq.Translation) {
	came := cameThere.FindString(r.Question.Text)
	if came == "" {
		return
	}
	noteKinds(r, t, presentIn, func(column, values string) string {
		return fmt.Sprintf("I read %q as the %s %s.", came, column, values)
	})
}

// noteKinds says of an answer to which kinds of rows it is held, of those that are such.
func noteKinds(r *ground.Asked, t *nlq.Translation, such func(schema.Column) []string, say func(column, values string) string) {
	ground.NoteCondition(t, func(from []tree.Source, c tree.Cond) string {
		column, values := valuesHeld(c)
		id, known := r.Whole.ColumnOf(from, column)
		if !known || len(values) == 0 || !slices.Equal(values, such(r.Whole.Columns[id])) {
			return ""
		}
		return say(strings.ToLower(english.Spaced(column.Name)), english.List(values, "or"))
	})
}

// valuesHeld returns the values that a condition holds a column to.
func valuesHeld(c tree.Cond) (column tree.Column, values []string) {
	switch c := c.(type) {
	case tree.Compare:
		if value, ok := c.Right.(tree.Literal); ok && c.Op == tree.Equal {
			column, _ = c.Left.(tree.Column)
			return column, []string{value.Text}
		}
	case tree.In:
		column, _ = c.Expr.(tree.Column)
		for _, e := range c.List {
			values = append(values, e.Text)
		}
	}
	return column, values
}
