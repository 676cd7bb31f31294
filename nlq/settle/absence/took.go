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

const (
	// doings are what is done, as people say that it was.
	doings = `been|done|do|given|give|made|make|held|hold|run|ran|taken|take|gone|go|flown|fly|sailed|sail|worked|work|visited|visit|delivered|deliver|played|play|taught|teach|` +
		`shown|show|performed|perform|fitted|fit|walked|walk|groomed|groom|driven|drive|carried|carry|earned|earn|spent|spend|put on|handed out|hand out|helped|help|come|received|receive`
	// wereDone are some of these that are said with were, or alone.
	wereDone = `done|visited|serviced|inspected|cleaned|given out|handed out|held|made|delivered|sailed|flown|played|taught|shown|performed|fitted|walked|groomed|driven|carried|received`
)

var (
	// tookPlace says that something was done.
	tookPlace = regexp.MustCompile(`(?i)\b(?:actually|took place|taken place|went out|went ahead|(?:did|have|has|had|['’]ve|['’]s)\s+(?:[\w'’-]+\s+){0,5}?(?:` + doings + `)|(?:was|were)\s+(?:actually\s+|(?:[\w'’-]+\s+){0,4}?last\s+)?(?:` + wereDone + `))\b`)
	// saidDone says of rows that they are done, be it in a denial: no appointment done in 2026.
	saidDone = regexp.MustCompile(`(?i)\b(?P<rows>\w+) done\b`)
	// asksBookings speaks of what was agreed, not of what came of it.
	asksBookings = regexp.MustCompile(`(?i)\b(?:book\w*|reserv\w*|order\w*|quot\w*|request\w*|cancel\w*|plan\w*|schedul\w*|sign\w* up|invoic\w*|pledg\w*|due|upcoming|coming|will|going to|still|yet|missed|both|so far (?:booked|planned))\b`)
	// hadOnly says what somebody had, or what there was, which may not have been done: how many jobs have we had?
	hadOnly = regexp.MustCompile(`(?i)\b(?:have|has) (?:(?:we|i|they|he|she|it) had|there been)\b`)
)

// Took holds rows that say how it was to those that took place, where the text says that they
// did, and denies nothing: whatever never was has no rows at all, mostly. Parcels that were given out
// are not those that were cancelled or are booked.
func (g Rules) Took(q *tree.Query) {
	done, isSaid := english.Groups(saidDone, g.Text)
	if !g.saysTook() && !isSaid {
		return
	}
	tree.EachQuery(q, func(own *tree.Query) {
		if own.Select == nil {
			return
		}
		for _, source := range own.Select.From {
			column, values, ok := g.kindsOf(source, tookPlaceIn)
			if !ok || ground.UsesColumn(own, column) || !g.saysTook() && !g.isOf(source, done.Text("rows")) {
				continue
			}
			own.Select.Where = tree.All(append(tree.Conjuncts(own.Select.Where), IsOneOf(column, values))...)
			return
		}
	})
	g.Past(q)
}

// isOf reports whether a word names the dataset of a source.
func (g Rules) isOf(source tree.Source, word string) bool {
	table, ok := g.View.TableOf(source)
	return ok && g.View.Mention(word, table) == 0
}

// saysTook reports whether the text says that something took place, and denies nothing.
func (g Rules) saysTook() bool {
	return tookPlace.MatchString(g.Text) && !asksBookings.MatchString(g.Text) && !whatever.MatchString(g.Text) && !hadOnly.MatchString(g.Text) && !notThere.MatchString(g.Text)
}

// Past ends the times of what took place with today.
func (g Rules) Past(q *tree.Query) {
	if g.saysTook() {
		tree.EachQuery(q, g.untilToday)
	}
}

// untilToday ends the time of rows that took place with today, where their column reaches beyond it and
// nothing else tells: the matches that we have played since May are none that are planned.
func (g Rules) untilToday(own *tree.Query) {
	if own.Select == nil {
		return
	}
	today, tomorrow := g.Asked.Question.Now.UTC().Format(time.DateOnly), g.Asked.Tomorrow()
	isAhead := func(e tree.Expr) bool {
		column, ok := e.(tree.Column)
		id, known := g.View.ColumnOf(own.Select.From, column)
		return ok && known && g.View.Columns[id].Type.Temporal() && g.View.Columns[id].Max > today
	}
	var until []tree.Cond
	for _, c := range tree.Conjuncts(own.Select.Where) {
		if time, ok := goesOn(c, today, tomorrow.Text); ok && isAhead(time) {
			until = append(until, tree.Compare{Op: tree.Less, Left: time, Right: tomorrow})
		}
	}
	isHeld := func(c tree.Cond) bool { return slices.Contains(until, c) }
	if len(until) > 0 && !slices.ContainsFunc(tree.Conjuncts(own.Select.Where), isHeld) {
		own.Select.Where = tree.All(append(tree.Conjuncts(own.Select.Where), until...)...)
	}
}

// goesOn returns the time that a condition holds to from before tomorrow until after it, or for ever.
func goesOn(c tree.Cond, today, tomorrow string) (time tree.Expr, ok bool) {
	switch c := c.(type) {
	case tree.Period:
		return c.Expr, c.From.Text <= today && (c.Until.Text == "" || c.Until.Text > tomorrow)
	case tree.Compare:
		from, isLiteral := c.Right.(tree.Literal)
		return c.Left, isLiteral && (c.Op == tree.GreaterEq || c.Op == tree.Greater) && from.Text <= today
	}
	return nil, false
}

// tookPlaceIn returns the values of a column of kinds by which rows took place, where all others say
// that they did not, or not yet: a delivery that was short took place as well.
func tookPlaceIn(c schema.Column) (took []string) {
	if c.Type != quern.Text || c.Values == nil || !c.Category() {
		return nil
	}
	all := c.Values.All()
	for _, v := range all {
		key := strings.ReplaceAll(strings.ToLower(v), " ", "-")
		isNot := strings.HasPrefix(key, "no-") || strings.HasPrefix(key, "not-")
		switch {
		case english.Took.Has(key):
			took = append(took, v)
		case !isNot && !english.Voids.Has(key) && !english.Absent.Has(key) && !english.Pending.Has(key) && !english.Failed.Has(key):
			return nil
		}
	}
	if len(took) == len(all) {
		return nil
	}
	return took
}

// NoteTook says by which kinds of rows a question for what took place is answered, where it does not
// say that itself.
func NoteTook(r *ground.Asked, t *nlq.Translation) {
	isLast := lastAgo.MatchString(r.Question.Text) && !cameThere.MatchString(r.Question.Text)
	if !tookPlace.MatchString(r.Question.Text) && !isLast {
		return
	}
	such := func(c schema.Column) []string {
		if there := presentIn(c); isLast && len(there) > 0 {
			return there
		}
		return tookPlaceIn(c)
	}
	noteKinds(r, t, such, func(column, values string) string {
		return fmt.Sprintf("I took those whose %s is %s.", column, values)
	})
}

// IsOneOf returns the condition that a column has one of some values.
func IsOneOf(column tree.Column, values []tree.Literal) tree.Cond {
	if len(values) == 1 {
		return tree.Compare{Op: tree.Equal, Left: column, Right: values[0]}
	}
	return tree.In{Expr: column, List: values}
}
