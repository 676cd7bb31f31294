package duckdb

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"quern"
	"quern/engine"
)

// maxCases is the most runs of a label that are told apart by conditions. A longer
// expression takes the planner longer than a join takes the rows.
const maxCases = 500

// labelled adds the labels of a table to the query that reads a part of it, which
// has the column of row ids.
func labelled(t engine.Table, part string, run []engine.Segment) (string, error) {
	if len(t.Labels) == 0 || len(t.Columns) == 0 {
		return part, nil
	}
	items := make([]string, 0, len(t.Columns)+len(t.Labels)+1)
	for _, c := range t.Columns {
		items = append(items, "p."+quoteName(c.Name))
	}
	if t.RowIDs {
		items = append(items, "p."+quern.RowColumn)
	}
	var joins strings.Builder
	for i, l := range t.Labels {
		target, err := sqlType(l.Column.Type)
		if err != nil {
			return "", err
		}
		runs := runsWithin(l.Runs, run)
		value := caseSQL(edges(runs))
		if len(runs) > maxCases {
			value = joinSQL(&joins, edges(runs), i)
		}
		items = append(items, fmt.Sprintf("CAST(%s AS %s) AS %s", value, target, quoteName(l.Column.Name)))
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + part + ") p" + joins.String(), nil
}

// runsWithin returns the runs that rows of neighbouring segments can be in.
func runsWithin(runs []engine.LabelRun, segments []engine.Segment) []engine.LabelRun {
	if len(segments) == 0 {
		return nil
	}
	last := segments[len(segments)-1]
	from := sort.Search(len(runs), func(i int) bool { return runs[i].To > segments[0].FirstRow })
	to := sort.Search(len(runs), func(i int) bool { return runs[i].From >= last.FirstRow+last.Rows })
	return runs[from:max(from, to)]
}

// edge is a row from which on a label has another value.
type edge struct {
	from  int64
	value string // SQL
}

// edges returns where the value of a label changes; it is null before the first.
func edges(runs []engine.LabelRun) (all []edge) {
	for i, r := range runs {
		all = append(all, edge{r.From, quoteText(r.Value)})
		if i+1 == len(runs) || runs[i+1].From > r.To {
			all = append(all, edge{r.To, "NULL"})
		}
	}
	return all
}

// caseSQL writes the value of a label as conditions, each of which halves the edges.
func caseSQL(all []edge) string {
	if len(all) == 0 {
		return "NULL"
	}
	all = slices.Insert(slices.Clone(all), 0, edge{0, "NULL"})
	var b strings.Builder
	writeCase(&b, all)
	return b.String()
}

func writeCase(b *strings.Builder, all []edge) {
	if len(all) == 1 {
		b.WriteString(all[0].value)
		return
	}
	half := len(all) / 2
	fmt.Fprintf(b, "CASE WHEN p.%s < %d THEN ", quern.RowColumn, all[half].from)
	writeCase(b, all[:half])
	b.WriteString(" ELSE ")
	writeCase(b, all[half:])
	b.WriteString(" END")
}

// joinSQL writes the value of a label as a join with its edges.
func joinSQL(b *strings.Builder, all []edge, number int) string {
	from, values := make([]string, len(all)), make([]string, len(all))
	for i, e := range all {
		from[i], values[i] = strconv.FormatInt(e.from, 10), e.value
	}
	fmt.Fprintf(b, " ASOF LEFT JOIN (SELECT unnest([%s]) AS f, unnest([%s]) AS v) l%d ON p.%s >= l%d.f",
		strings.Join(from, ","), strings.Join(values, ","), number, quern.RowColumn, number)
	return fmt.Sprintf("l%d.v", number)
}
