package embedded

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// longestFollow is how many words a follow-up has at most; longer questions
// stand on their own.
const longestFollow = 14

// edit changes the previous query; it reports whether it understood all of the
// follow-up, and whether the previous query is one that it makes sense of.
type edit func(*follower) bool

// follower is a follow-up on its way into the previous query.
type follower struct {
	reader *reader
	schema *schema.Schema
	in     quern.NamespacePath
	now    time.Time
	query  *tree.Query
	also   []*tree.Query // other ways to understand it
	score  float64       // how well its values match
	about  []string      // the words of the columns that have them
	text   string        // in lower case, without its end
	tokens []lex.Token
	words  []string // of the tokens, in lower case
	taken  []bool   // the tokens that are understood
}

// followed gives the previous query as a follow-up changes it, more than once
// when there is more than one way to; none when the question stands on its own.
func (r *reader) followed() []*candidate {
	tokens := lex.Tokens(strings.TrimRight(r.question.Text, " ?!.…"))
	if r.question.Previous == nil || r.question.Previous.Query == nil || len(tokens) > longestFollow {
		return nil
	}
	for _, e := range []edit{count, remeasured, listed, others, reversed, sorted, limited, grouped, shown, filtered} {
		previous, ok := copied(r.question.Previous.Query)
		if !ok || previous.Select == nil {
			return nil
		}
		f := &follower{
			reader: r, schema: r.schema, in: r.question.In, now: r.question.Now, query: previous, score: 1,
			tokens: tokens, words: lex.Lower(tokens), taken: make([]bool, len(tokens)),
			text: strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(r.question.Text), " ")), " ?!.…"),
		}
		if !e(f) {
			continue
		}
		var all []*candidate
		for _, q := range append([]*tree.Query{f.query}, f.also...) {
			if c, ok := r.candidate(q, f.score); ok {
				all = append(all, c)
			}
		}
		return all
	}
	return nil
}

var countPattern = regexp.MustCompile(`^(and |so )?(how many|count)( (is|are|was|were|do|does))?( (that|those|these|they|them|there|it|this|of (them|those|these)))*( (in total|altogether|in all|make))*$`)

// ofRows is how one asks for the number of rows behind another number.
var ofRows = regexp.MustCompile(`\b(there|they|them|those|these)\b`)

// count asks how many rows the previous query has: "how many is that?".
func count(f *follower) bool {
	s := f.query.Select
	all := tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}
	if !countPattern.MatchString(f.text) || f.query.Limit != nil || s.Having != nil {
		return false
	}
	if share, ok := s.Items[0].Expr.(tree.Share); ok && len(s.Items) == 1 {
		s.Where = narrowed(s.Where, tree.Conjuncts(share.Where)...)
	} else if f.oneRow() && (f.lists(all) || !ofRows.MatchString(f.text)) {
		return false
	}
	switch {
	case len(s.Group) == 1:
		all = tree.Aggregate{Func: tree.Count, Distinct: true, Arg: s.Group[0]}
	case len(s.Group) > 1:
		return false
	case s.Distinct && len(s.Items) == 1:
		all = tree.Aggregate{Func: tree.Count, Distinct: true, Arg: s.Items[0].Expr}
	case s.Distinct:
		return false
	}
	s.Items, s.Group, s.Distinct, f.query.Order = []tree.Item{{Expr: all}}, nil, false, nil
	return true
}

var (
	sortPattern = regexp.MustCompile(`^(and |now |please |then )*(sort|order|rank)(ed)?( (them|it|that|those|these|this|the list|the rows|the result|the results))? by (the )?(.+?)( (in )?(desc|descending|asc|ascending)( order)?)?(,? (highest|largest|biggest|most|newest|latest|lowest|smallest|least|oldest|earliest) first)?$`)
	topPattern  = regexp.MustCompile(`^(and |now |only |just |show |give me |me )*(the )?(top|first|best|only|just) (.+?)( (of them|of those|of these|ones|rows|results))?$`)
	perPattern  = regexp.MustCompile(`^(and |now |the same |that |show (it|that) )*(?:(per|by|for each|for every|in each|in every|broken down by|split by|grouped by|group by) (the )?(.+)|(monthly|yearly|annually|daily|quarterly))$`)
	showPattern = regexp.MustCompile(`^(please )?(((and|also|please) )+(show|add|include|with|give)?( me)?|(add|include|with)|(show|give)( me)?( also| as well| their| its))( also| as well)? ?(the |their |its )?(.+?)( as well| too| also)?$`)
	showToo     = regexp.MustCompile(`^(show|give)( me)? (the |their |its )?(.+?) (as well|too|also)$`)
)

// sorted orders the previous rows: "sort by price". The first rows of another
// order would be other rows.
func sorted(f *follower) bool {
	m := sortPattern.FindStringSubmatch(f.text)
	if m == nil || f.query.Limit != nil {
		return false
	}
	desc := downward[m[10]] || downward[m[13]]
	if f.oneRow() {
		return f.sortedParts(m[7], desc)
	}
	what, ok := f.named(m[7])
	if !ok || f.query.Select.Distinct && !f.lists(what) {
		return false
	}
	f.query.Order = []tree.Order{{Expr: what, Desc: desc}}
	return true
}

// sortedParts orders the rows behind one number, or the parts of it: one number
// has no order.
func (f *follower) sortedParts(phrase string, desc bool) bool {
	whole, ok := copied(f.query)
	if !ok {
		return false
	}
	ref, ok := f.reader.referent()
	var made []*tree.Query
	rows := &follower{reader: f.reader, schema: f.schema, in: f.in, query: whole}
	counts := f.lists(tree.Aggregate{Func: tree.Count, Arg: tree.Star{}})
	if column, found := rows.columnOf(phrase); found && !rows.sums(column) && !(counts && len(rows.query.Select.From) == 1) {
		kept := whole.Select.Items
		whole.Select.Items = append([]tree.Item{{Expr: column}}, kept...)
		whole.Select.Group, whole.Order = []tree.Expr{column}, []tree.Order{{Expr: column, Desc: desc}}
		made = append(made, whole)
	}
	if ok && ref.rows.Select != nil && len(ref.rows.Select.From) == 1 && len(ref.rows.Select.Group) == 0 {
		list := &follower{reader: f.reader, schema: f.schema, in: f.in, query: ref.rows}
		if column, found := list.column(phrase); found {
			ref.rows.Select.Items, ref.rows.Select.Distinct = []tree.Item{{Expr: tree.Star{}}}, false
			ref.rows.Order, ref.rows.Limit = []tree.Order{{Expr: column, Desc: desc}}, nil
			made = append(made, ref.rows)
		}
	}
	if len(made) == 0 {
		return false
	}
	f.query, f.also = made[0], made[1:]
	return true
}

// sums reports whether one of the previous numbers is of a column.
func (f *follower) sums(column tree.Column) bool {
	return slices.ContainsFunc(f.query.Select.Items, func(i tree.Item) bool {
		a, ok := i.Expr.(tree.Aggregate)
		return ok && a.Arg == tree.Expr(column)
	})
}

// columnOf gives the column that a phrase names, of the previous datasets or of
// one that each of their rows has one row of, which is read then.
func (f *follower) columnOf(phrase string) (tree.Column, bool) {
	if column, ok := f.column(phrase); ok {
		return column, true
	}
	return f.joined(phrase)
}

// limited takes the first of the previous rows: "only the top 3". The top of
// groups without an order are those with the most.
func limited(f *follower) bool {
	m := topPattern.FindStringSubmatch(f.text)
	if m == nil || f.oneRow() {
		return false
	}
	n, ok := wholeNumber(m[4])
	if !ok || n < 1 {
		return false
	}
	if f.query.Limit == nil || n < *f.query.Limit {
		f.query.Limit = &n
	}
	if len(f.query.Order) > 0 || m[3] == "first" || strings.Contains(m[1], "first") {
		return true
	}
	if best, ok := f.measure(); ok {
		f.query.Order = []tree.Order{{Expr: best, Desc: true}}
	}
	return true
}

// measure gives the one number that the previous rows are told apart by.
func (f *follower) measure() (tree.Expr, bool) {
	var found []tree.Expr
	for _, i := range f.query.Select.Items {
		if hasAggregates([]tree.Item{i}) {
			found = append(found, i.Expr)
		}
	}
	if len(f.query.Select.Group) == 0 && !f.query.Select.Distinct {
		column, ok := f.onlyNumber()
		return column, ok
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// oneRow reports whether the previous query has one row, whatever the data.
func (f *follower) oneRow() bool {
	return len(f.query.Select.Group) == 0 && hasAggregates(f.query.Select.Items)
}

// lists reports whether a value is among the previous items.
func (f *follower) lists(e tree.Expr) bool {
	return slices.ContainsFunc(f.query.Select.Items, func(i tree.Item) bool {
		_, all := i.Expr.(tree.Star)
		return all || reflect.DeepEqual(i.Expr, e)
	})
}

// grouped splits the previous count or sum: "per status", "by city".
func grouped(f *follower) bool {
	m := perPattern.FindStringSubmatch(f.text)
	s := f.query.Select
	if m == nil || s.Distinct || s.Having != nil || f.query.Limit != nil {
		return false
	}
	if m[6] != "" {
		return f.byPeriod(adverbs[m[6]])
	}
	column, ok := f.columnOf(m[5])
	if !ok {
		return f.byPeriod(tree.Singular(m[5]))
	}
	kept := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool { return !hasAggregates([]tree.Item{i}) })
	if len(kept) == 0 {
		kept = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}
	}
	s.Items = append([]tree.Item{{Expr: column}}, kept...)
	s.Group, f.query.Order = []tree.Expr{column}, nil
	return true
}

// shown adds a column to the previous rows: "also show the city".
func shown(f *follower) bool {
	s := f.query.Select
	phrase := ""
	if m := showPattern.FindStringSubmatch(f.text); m != nil {
		phrase = m[len(m)-2]
	} else if m := showToo.FindStringSubmatch(f.text); m != nil {
		phrase = m[4]
	}
	if phrase == "" || len(s.Group) > 0 || s.Distinct || hasAggregates(s.Items) {
		return false
	}
	column, ok := f.column(phrase)
	if ok && !f.lists(column) {
		s.Items = append(s.Items, tree.Item{Expr: column})
	}
	return ok
}

func hasAggregates(items []tree.Item) bool {
	return slices.ContainsFunc(items, func(i tree.Item) bool {
		switch i.Expr.(type) {
		case tree.Aggregate, tree.Share:
			return true
		}
		return false
	})
}

func wholeNumber(text string) (int64, bool) {
	decimal, ok := lex.Number(text)
	var n int64
	for _, d := range decimal {
		if d < '0' || d > '9' || n > 1e15 {
			return 0, false
		}
		n = 10*n + int64(d-'0')
	}
	return n, ok && decimal != ""
}

// named gives what a phrase names among the previous items and columns.
func (f *follower) named(phrase string) (tree.Expr, bool) {
	words := lex.Stems(lex.Words(phrase, nil))
	for _, i := range f.query.Select.Items {
		a, ok := i.Expr.(tree.Aggregate)
		if !ok {
			continue
		}
		spoken := map[tree.Func][]string{
			tree.Count: {"count", "number", "how many", "amount"}, tree.Sum: {"sum", "total"},
			tree.Avg: {"average", "mean", "avg"}, tree.Min: {"minimum", "least"}, tree.Max: {"maximum", "most"},
		}[a.Func]
		if len(words) > 0 && slices.Contains(lex.Stems(spoken), words[0]) {
			return i.Expr, true
		}
	}
	column, ok := f.column(phrase)
	if ok && len(f.query.Select.Group) > 0 && !slices.Contains(f.query.Select.Group, tree.Expr(column)) {
		return nil, false
	}
	return column, ok
}

// column gives the column of the previous datasets that a phrase names: all of
// its words, and nothing else.
func (f *follower) column(phrase string) (tree.Column, bool) {
	words := lex.Stems(content(lex.Words(phrase, nil)))
	var partial []tree.Column
	for _, source := range f.query.Select.From {
		for _, c := range f.columnsOf(source) {
			have := lex.Stems(f.schema.Columns[c].Words)
			column := tree.Column{Source: source.Ref(), Name: f.schema.Columns[c].Name}
			if slices.Equal(have, words) {
				return column, true
			}
			if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) }) {
				partial = append(partial, column)
			}
		}
	}
	if len(partial) == 1 {
		return partial[0], true
	}
	return tree.Column{}, false
}

// columnsOf gives the columns of a source.
func (f *follower) columnsOf(source tree.Source) []int {
	for _, t := range f.schema.Tables {
		if tree.SamePath(t.Path, tree.Schema{In: f.in}.Complete(source.Dataset)) {
			all := make([]int, t.Len)
			for i := range all {
				all[i] = t.First + i
			}
			return all
		}
	}
	return nil
}

// content leaves out the words that only hold a phrase together.
func content(words []string) []string {
	return slices.DeleteFunc(words, lex.Function)
}
