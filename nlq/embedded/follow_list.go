package embedded

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/tree"
)

var (
	listPattern    = regexp.MustCompile(`^(please |now |and |ok |okay |so )*((show|list|display|give|name|print|see)( me)?( all( of)?)? ?(them|those|these|it|that|the rows|the details|the results)( all)?|(show|list)( me)? all|(which|what) (ones?|are they|are those|are these)|which( exactly)?|who( are they| exactly| is it| is that)?)( please)?$`)
	othersPattern  = regexp.MustCompile(`^(and |but |what about |how about |show |list |only )*(the |all the |all )?(others?|other ones|rest|rest of them|remaining( ones)?|remainder)$`)
	reversePattern = regexp.MustCompile(`^(and |but |now |please |ok |then )*((sort|order|show|list)( (it|that|them|those|these))? )?(the other way (?:a)?round|(?:in )?(?:the )?(?:reverse|reversed|opposite)(?: order)?|reverse (?:it|that|them|those|the order|the list)|(?:in )?(?:descending|ascending)(?: order)?|(?:the )?(?:highest|largest|biggest|most|newest|latest|lowest|smallest|least|oldest|earliest) first)$`)
	extremePattern = regexp.MustCompile(`^(?:and |but |what about |how about )*(?:the )?(most|highest|largest|biggest|maximum|least|fewest|lowest|smallest|minimum)(?: ones?)?$`)
	otherPattern   = regexp.MustCompile(`^(?:and |but |now |what about |how about )+(?:the |their |its |in |on )?(average|mean|total|sum|maximum|max|highest|largest|minimum|min|lowest|smallest)(?: value)?(?: of)?(?: ([a-z].*))?$`)
)

// functions are the words for what is made of many numbers.
var functions = map[string]tree.Func{
	"average": tree.Avg, "mean": tree.Avg, "total": tree.Sum, "sum": tree.Sum, "maximum": tree.Max, "max": tree.Max, "highest": tree.Max,
	"largest": tree.Max, "minimum": tree.Min, "min": tree.Min, "lowest": tree.Min, "smallest": tree.Min,
}

// downward are the words for the largest first.
var downward = set("highest largest biggest most newest latest maximum descending desc")

// remeasured makes another number of the same rows: "and the average?", "and the
// total price?".
func remeasured(f *follower) bool {
	m := otherPattern.FindStringSubmatch(f.text)
	s := f.query.Select
	if m == nil || f.query.Limit != nil || s.Having != nil || s.Distinct {
		return false
	}
	groups := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool {
		return !slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, i.Expr) })
	})
	column, ok := f.measured()
	if m[2] != "" {
		column, ok = f.column(m[2])
	}
	if !ok {
		return false
	}
	s.Items, f.query.Order = append(groups, tree.Item{Expr: tree.Aggregate{Func: functions[m[1]], Arg: column}}), nil
	return true
}

// measured gives the one column that the previous numbers are of.
func (f *follower) measured() (tree.Column, bool) {
	var found []tree.Column
	for _, i := range f.query.Select.Items {
		a, ok := i.Expr.(tree.Aggregate)
		if !ok || a.Func == tree.Any {
			continue
		}
		column, ok := a.Arg.(tree.Column)
		if !ok {
			return tree.Column{}, false
		}
		found = append(found, column)
	}
	if len(found) != 1 {
		return tree.Column{}, false
	}
	return found[0], true
}

// listed shows the rows that the previous query counts or sums up: "which ones?",
// "show them".
func listed(f *follower) bool {
	s := f.query.Select
	if !listPattern.MatchString(f.text) || len(s.Group) > 0 || s.Having != nil {
		return false
	}
	if f.query.Limit != nil {
		if !strings.Contains(f.text, " all") {
			return false
		}
		f.query.Limit = nil
	}
	p, ok := f.reader.sourceOf(s, f.reader.question.Previous.Question)
	if !ok || p.inner != nil {
		return false
	}
	for _, i := range s.Items {
		if share, ok := i.Expr.(tree.Share); ok {
			s.Where = narrowed(s.Where, tree.Conjuncts(share.Where)...)
		}
	}
	all := tree.Star{}
	if len(s.From) > 1 {
		all.Source, s.Distinct, f.query.Order = p.source.Ref(), true, nil
	}
	s.Items = []tree.Item{{Expr: all}}
	return true
}

// others asks the same of the rows that the last condition leaves out: "and the
// others?".
func others(f *follower) bool {
	if !othersPattern.MatchString(f.text) || f.query.Limit != nil {
		return false
	}
	s := f.query.Select
	for i, item := range s.Items {
		if share, ok := item.Expr.(tree.Share); ok {
			s.Items[i].Expr = tree.Share{Where: f.inverted(share.Where)}
			return true
		}
	}
	if s.Where == nil {
		return false
	}
	s.Where = f.inverted(s.Where)
	return true
}

// inverted gives conditions with the last of them turned into its opposite.
func (f *follower) inverted(c tree.Cond) tree.Cond {
	all := slices.Clone(tree.Conjuncts(c))
	all[len(all)-1] = f.without(all[len(all)-1])
	return tree.All(all...)
}

// reversed turns the order of the previous rows: "the other way round", "largest
// first", "and the fewest?".
func reversed(f *follower) bool {
	desc, said := false, false
	if m := extremePattern.FindStringSubmatch(f.text); m != nil && f.query.Limit != nil {
		desc, said = downward[m[1]], true
	} else if !reversePattern.MatchString(f.text) {
		return false
	}
	if f.oneRow() {
		return false
	}
	if len(f.query.Order) == 0 {
		best, ok := f.measure()
		if !ok {
			return false
		}
		f.query.Order = []tree.Order{{Expr: best}}
	}
	for _, w := range f.words {
		if downward[w] || w == "ascending" || strings.HasSuffix(w, "est") {
			desc, said = downward[w], true
		}
	}
	if !said {
		desc = !f.query.Order[0].Desc
	}
	for i := range f.query.Order {
		f.query.Order[i].Desc = desc
	}
	return true
}
