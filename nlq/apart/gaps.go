package apart

import (
	"context"
	"regexp"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

var (
	// gapAsked is how one asks for what lies between the times of some rows: the longest gap between
	// two visits, how long on average from one order to the next, the longest we went without a run.
	gapAsked = regexp.MustCompile(`(?i)^\W*(?:(?:and|so|now|please|tell me|show me|find)[, ]+)*` +
		`(?:(?:which|what) (?P<of>\w+(?: \w+)?) (?:has|had|have|with) |(?:what|whats|what's|how|which)(?: (?:long|big|large|many days|is|was|were|has|have|had|been|'s))* )?(?:the |our |my |your )?(?:single |very )?` +
		`(?:(?P<end>longest|biggest|largest|greatest|widest|shortest|smallest|average|avg|mean|typical|usual) ` +
		`(?P<what>gap|interval|break|stretch|wait|pause|time|period|spell|number of days|days)s?|on average)` +
		`(?: \(?in days\)?| of days| \(?days\)?|(?: that)? (?:there )?(?:is|was|were|has been|we had|we have had|i had|i have had))* ` +
		`(?:between|from) (?:any |each |every |the |our |my |all )*(?:(?P<two>two |2 |consecutive |successive |neighbouring )|one |a |an )*` +
		`(?:of (?:the|our|my) )?(?P<rows>[^?!]+?)[\s?.!]*$`)
	// goneWithout is how one asks for the longest of such times by what did not happen.
	goneWithout = regexp.MustCompile(`(?i)\blongest (?:(?:stretch|time|period|gap|spell) )?(?:(?:that )?(?:i|we|you|he|she|they|it|there|\w+)(?:'ve|'s)? (?:(?:have|has|had|ever) )*(?:gone|went|go|been) )?` +
		`without (?:going for |doing |having |making |seeing )?(?:a|an|any|another|one) (?P<row>\w+(?: \w+)?)(?P<rest>[^?!]*?)[\s?.!]*$`)
	// oneAfter says behind the name of one row that the other is the one after it.
	oneAfter = regexp.MustCompile(`(?i) (?:and|to|until|till) (?:(?:the|a|his|her|their|its|our|my) )?(?:next|another|following|one after|second)\b(?: one)?(?: \w+$)?`)
	// betweenOthers says that what lies between is no time between rows of one kind: from order to delivery.
	betweenOthers = regexp.MustCompile(`(?i) (?:and|to|until|till) |^(?:\S*[^s\s] ?)+$`)
	// gapUnit says that the days are not asked for: weeks, or time on clocks.
	gapUnit = regexp.MustCompile(`(?i)\b(?:weeks?|months?|years?|hours?|minutes?)\b`)
	// whose says whose rows are meant, where it stands before these.
	whose = regexp.MustCompile(`(?i)^(?:his|her|their|its) `)
	// inDays says behind what is asked for what it is counted in.
	inDays = regexp.MustCompile(`(?i),? \(?in (?:whole )?days\)?$`)
	// ofEach says that each of something has a number of its own.
	ofEach = regexp.MustCompile(`(?i)\b(?:each|per|every|by)\b`)
)

// gapFuncs are the functions that words for the ends of gaps ask for; without any, the average.
var gapFuncs = map[string]tree.Func{
	"longest": tree.LongestGap, "biggest": tree.LongestGap, "largest": tree.LongestGap, "greatest": tree.LongestGap, "widest": tree.LongestGap,
	"shortest": tree.ShortestGap, "smallest": tree.ShortestGap,
}

// gap is a question for the time between rows that follow each other.
type gap struct {
	rows     string // what these are called
	function tree.Func
	top      bool // which of some things has the longest or the shortest
}

func (g gap) isOfEach() bool { return ofEach.MatchString(g.rows) }

// readGaps reads a text that asks for the time between rows that follow each other: as the text that
// asks when these were. ok is false when it is no such text, or these have more than one time.
func (r Reader) readGaps(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	asked, ok := r.gapIn(w.Text)
	if !ok {
		return t, false, nil
	}
	for _, as := range []string{"When were the " + asked.rows + "?", "How many " + asked.rows + " are there?"} {
		if t, ok, err = r.reread(ctx, w, as, func(q *tree.Query) bool { return r.takeGap(q, asked) }); ok || err != nil {
			break
		}
	}
	return t, ok, err
}

// gapIn returns the gap that a text asks for.
func (r Reader) gapIn(text string) (asked gap, ok bool) {
	if gapUnit.MatchString(text) {
		return asked, false
	}
	if m, without := english.Groups(goneWithout, text); without {
		return gap{rows: english.Plural(m.Text("row")) + m.Text("rest"), function: tree.LongestGap}, true
	}
	m, ok := english.Groups(gapAsked, text)
	if !ok || r.Whole.ColumnNamed(strings.ToLower(m.Text("what"))) {
		return asked, false
	}
	asked.rows = inDays.ReplaceAllString(m.Text("rows"), "")
	if follows := oneAfter.FindStringIndex(asked.rows); follows != nil {
		noun := strings.Fields(asked.rows[:follows[0]])
		noun[len(noun)-1] = english.Plural(noun[len(noun)-1])
		asked.rows = strings.Join(noun, " ") + asked.rows[follows[1]:]
	} else if !m.Has("two") && betweenOthers.MatchString(asked.rows) {
		return asked, false
	}
	if asked.function, ok = gapFuncs[strings.ToLower(m.Text("end"))]; !ok {
		asked.function = tree.AverageGap
	}
	if m.Has("of") {
		asked.rows, asked.top = whose.ReplaceAllString(asked.rows, "")+" of each "+m.Text("of"), true
	}
	return asked, !asked.top || asked.function != tree.AverageGap
}

// takeGap makes a query that shows the times of some rows, or one time of each group, or counts
// them, one for what lies between their times.
func (r Reader) takeGap(q *tree.Query, asked gap) bool {
	s := q.Select
	if s == nil || s.Having != nil || q.Limit != nil {
		return false
	}
	when, shown, ok := r.timeBeside(s, asked.rows)
	if !ok || asked.isOfEach() != (len(shown) > 0) || !asked.isOfEach() && len(s.Group) > 0 {
		return false
	}
	between := tree.Aggregate{Func: asked.function, Arg: when}
	s.Items, s.Distinct, q.Order = append(shown, tree.Item{Expr: between}), false, nil
	if len(s.Group) == 0 {
		for _, item := range shown {
			s.Group = append(s.Group, item.Expr)
		}
	}
	if asked.top {
		q.Order, q.Limit = []tree.Order{{Expr: between, Desc: asked.function == tree.LongestGap, Nulls: tree.NullsLast}}, new(int64(1))
		return true
	}
	for _, of := range s.Group {
		q.Order = append(q.Order, tree.Order{Expr: of})
	}
	return true
}

// timeBeside returns the time of the rows that a query is about, and what it shows beside their
// times, their number or all that is known of them.
func (r Reader) timeBeside(s *tree.Select, rows string) (when tree.Column, shown []tree.Item, ok bool) {
	times := 0
	for _, item := range s.Items {
		_, isStar := item.Expr.(tree.Star)
		if shownTime, isTime := r.timeShown(s.From, item.Expr); isTime {
			when, times = shownTime, times+1
		} else if !isStar && !ground.IsCount(item.Expr) {
			shown = append(shown, item)
		}
	}
	if times == 1 {
		return when, shown, true
	}
	when, ok = r.timeOf(s, rows)
	return when, shown, ok
}

// timeShown returns the column of days or times that an expression is, or is the first or last of.
func (r Reader) timeShown(from []tree.Source, e tree.Expr) (when tree.Column, ok bool) {
	if a, isAggregate := e.(tree.Aggregate); isAggregate && a.Where == nil && (a.Func == tree.Min || a.Func == tree.Max) {
		e = a.Arg
	}
	when, ok = e.(tree.Column)
	id, known := r.Whole.ColumnOf(from, when)
	return when, ok && known && r.Whole.Columns[id].Type.Temporal()
}
