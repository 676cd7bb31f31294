package period

import (
	"regexp"
	"strconv"
	"strings"

	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	// hoursSaid finds a number of hours, which is one of sixty minutes: 2 hour lessons, over an hour.
	hoursSaid = regexp.MustCompile(`(?i)\b(?P<number>\d+(?:\.\d+)?|an?|\pL+)[ -](?:whole |full )?(?:hours?|hrs?)\b`)
	// perHour asks for what there is in an hour.
	perHour = regexp.MustCompile(`(?i)\b(?:per|an|each|every)[ -](?:hour|hr)\b|\bhourly\b|/\s*h(?:our)?\b`)
	// minutesSaid says that minutes are meant.
	minutesSaid = regexp.MustCompile(`(?i)\bmin(?:s|utes?)?\b`)
)

// minutesAnHour is a number of a query.
var minutesAnHour = tree.Literal{Kind: tree.Number, Text: "60"}

// Hours turns minutes into hours where the text speaks of hours: how many hours
// somebody worked is a sixtieth of the minutes, and over an hour is over 60 of them.
func (g Rules) Hours(q *tree.Query) {
	words := lex.Lower(lex.Tokens(g.Text))
	if q.Select == nil || minutesSaid.MatchString(g.Text) {
		return
	}
	hours := -1
	for i, word := range words {
		if (word == "hours" || word == "hrs") && (i == 0 || !ground.IsAmount(words[i-1])) {
			hours = i
		}
	}
	for i, item := range q.Select.Items {
		if d, ok := item.Expr.(tree.Arith); ok && d.Op == '/' && perHour.MatchString(g.Text) && g.inMinutes(q, d.Right) {
			d.Left = tree.Arith{Op: '*', Left: d.Left, Right: minutesAnHour}
			q.Select.Items[i].Expr = d
		}
	}
	if hours >= 0 {
		for i, item := range q.Select.Items {
			if g.inMinutes(q, item.Expr) {
				q.Select.Items[i] = tree.Item{Expr: tree.Arith{Op: '/', Left: item.Expr, Right: minutesAnHour}, Alias: "hours"}
			}
		}
	}
	g.compareMinutes(q)
}

// inMinutes reports whether a value is one of a column of minutes, or an aggregate of it
// that is in minutes too.
func (g Rules) inMinutes(q *tree.Query, e tree.Expr) bool {
	if a, ok := e.(tree.Aggregate); ok {
		e = a.Arg
		if a.Func == tree.Count {
			return false
		}
	}
	c, ok := e.(tree.Column)
	id, known := g.View.ColumnOf(q.Select.From, c)
	return ok && known && ground.CountsMinutes(g.View.Columns[id])
}

// compareMinutes compares minutes with minutes where the text says a number of hours.
func (g Rules) compareMinutes(q *tree.Query) {
	said := map[string]bool{}
	for _, m := range hoursSaid.FindAllStringSubmatch(g.Text, -1) {
		number, ok := lex.Number(m[1])
		if !ok && (strings.EqualFold(m[1], "a") || strings.EqualFold(m[1], "an")) {
			number, ok = "1", true
		}
		said[number] = ok
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		all := tree.Conjuncts(q.Select.Where)
		changed := false
		for i, cond := range all {
			c, ok := cond.(tree.Compare)
			number, isNumber := c.Right.(tree.Literal)
			if !ok || !isNumber || !said[number.Text] || !g.inMinutes(q, c.Left) {
				continue
			}
			if n, err := strconv.ParseFloat(number.Text, 64); err == nil {
				number.Text = strconv.FormatFloat(60*n, 'f', -1, 64)
				c.Right, all[i], changed = number, c, true
			}
		}
		if changed {
			q.Select.Where = tree.All(all...)
		}
	})
}
