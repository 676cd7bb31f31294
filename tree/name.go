package tree

import (
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/english"
)

// ResultNames returns names for the columns of a query's result that people can read, where
// the query writes none: "count", "average_price". An empty name leaves a column
// its own. No two are the same, and none is that of a column that the query
// speaks of without saying whose it is, for engines may take one for the other.
func ResultNames(q *Query) []string {
	for q.Set != nil {
		q = q.Set.Left
	}
	s := q.Select
	taken := map[string]bool{}
	take := func(name string) { taken[strings.ToLower(name)] = true }
	s.eachColumn(q.Order, func(c Column) {
		if c.Source == "" {
			take(c.Name)
		}
	})
	all := make([]string, len(s.Items))
	for i, item := range s.Items {
		switch c, column := item.Expr.(Column); {
		case item.Alias != "":
			take(item.Alias)
		case column && !taken[strings.ToLower(c.Name)]:
			take(c.Name)
		case column && c.Source != "" && !slices.ContainsFunc(s.Items[:i], func(before Item) bool { return before.Expr == item.Expr }):
			all[i] = strings.ToLower(english.Singular(c.Source)) + seam(c.Name) + c.Name
		case !column:
			all[i] = derivedName(item.Expr)
		}
	}
	for i, name := range all {
		if name == "" {
			continue
		}
		for n := 2; taken[strings.ToLower(all[i])]; n++ {
			all[i] = name + "_" + strconv.Itoa(n)
		}
		take(all[i])
	}
	return all
}

var aggregateNames = map[Func]string{Count: "count", Sum: "total", Avg: "average", Min: "min", Max: "max", Median: "median", Percentile: "percentile",
	LongestGap: "longest_gap", ShortestGap: "shortest_gap", AverageGap: "average_gap"}

var arithNames = map[byte]string{'+': "sum", '-': "difference", '*': "product", '/': "ratio", '%': "remainder"}

// derivedName names a value that is no column as it is; empty when it has a name, or
// stands for several.
func derivedName(e Expr) string {
	switch e := e.(type) {
	case Column:
		return e.Name
	case Aggregate:
		return joinNames(aggregateNames[e.Func], derivedName(e.Arg))
	case Share, Portion:
		return "percent"
	case Duration:
		return string(e.Unit) + "s"
	case Arith:
		return arithNames[e.Op]
	case Call:
		if f := functions[e.Func]; f.takes == quern.ClassTime {
			return strings.ReplaceAll(f.inEnglish, " ", "_")
		}
		return derivedName(e.Args[0])
	case Subquery:
		return queryName(e.Query)
	case Literal:
		return "value"
	}
	return ""
}

// queryName names the one value of a query.
func queryName(q *Query) string {
	for q.Set != nil {
		q = q.Set.Left
	}
	if alias := q.Select.Items[0].Alias; alias != "" {
		return alias
	}
	return derivedName(q.Select.Items[0].Expr)
}

// joinNames puts a word before a name that does not begin with it already.
func joinNames(word, name string) string {
	switch {
	case word == "" || name == "":
		return word + name
	case strings.HasPrefix(strings.ToLower(name), word):
		return name
	}
	return word + seam(name) + name
}

// seam is what stands between the words of a name.
func seam(name string) string {
	if strings.Contains(name, " ") {
		return " "
	}
	return "_"
}
