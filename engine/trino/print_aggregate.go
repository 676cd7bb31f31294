package trino

import (
	"fmt"
	"strconv"
	"strings"

	"quern"
	"quern/tree"
)

// aggregate writes one value of many rows.
func (p *printer) aggregate(e tree.Aggregate, sc *scope) value {
	if _, all := e.Arg.(tree.Star); all {
		return value{sql: "count(*)" + p.filter(e.Where, sc, ""), typ: quern.Integer}
	}
	arg := p.value(e.Arg, sc)
	if arg.typ == quern.JSON && (e.Func != tree.Count || e.Distinct) {
		p.unmapped("%s of JSON", e.Func)
	}
	a := aggregated{arg: arg, filter: p.filter(e.Where, sc, "")}
	if e.Distinct {
		a.distinct = "DISTINCT "
	}
	switch e.Func {
	case tree.Count:
		return value{sql: a.of("count", arg.sql), typ: quern.Integer}
	case tree.Sum:
		return p.sum(a)
	case tree.Avg:
		return p.average(a)
	case tree.Min, tree.Max, tree.Any:
		return value{sql: a.of(string(e.Func), arg.sql), typ: arg.typ}
	case tree.Median, tree.Percentile:
		percent := e.Percent
		if e.Func == tree.Median {
			percent = 50
		}
		a.filter = p.filter(e.Where, sc, arg.sql+" IS NOT NULL")
		return p.percentile(a, percent)
	}
	p.unmapped("the function %s", e.Func)
	return value{}
}

// aggregated is what aggregate functions are written around.
type aggregated struct {
	arg              value
	distinct, filter string
}

func (a aggregated) of(function, arg string) string {
	return function + "(" + a.distinct + arg + ")" + a.filter
}

// filter writes which rows count: those of a condition, and of another one if that is
// not empty.
func (p *printer) filter(c tree.Cond, sc *scope, also string) string {
	var all []string
	if c != nil {
		all = append(all, "("+p.cond(c, sc)+")")
	}
	if also != "" {
		all = append(all, also)
	}
	if len(all) == 0 {
		return ""
	}
	return " FILTER (WHERE " + strings.Join(all, " AND ") + ")"
}

// sum writes a sum; of integers, one that has room for more than 64 bits.
func (p *printer) sum(a aggregated) value {
	switch _, scale, decimal := a.arg.typ.DecimalSize(); {
	case decimal:
		return value{sql: a.of("sum", a.arg.sql), typ: quern.Decimal(maxDigits, scale)}
	case a.arg.typ == quern.Integer:
		return value{sql: a.of("sum", "CAST("+a.arg.sql+" AS decimal(38,0))"), typ: quern.Integer}
	case a.arg.typ != quern.Double && p.err == nil:
		p.unmapped("the sum of %s", a.arg.typ)
	}
	return value{sql: a.of("sum", a.arg.sql), typ: quern.Double}
}

// average writes an average, a double always: Trino's own of decimals is a decimal, and
// of integers one that adds doubles. Sums are of whole numbers where they fit.
func (p *printer) average(a aggregated) value {
	precision, scale, decimal := a.arg.typ.DecimalSize()
	whole, each := a.arg.sql, ""
	switch {
	case a.arg.typ == quern.Double:
		return value{sql: a.of("avg", a.arg.sql), typ: quern.Double}
	case !decimal && a.arg.typ != quern.Integer && p.err == nil:
		p.unmapped("the average of %s", a.arg.typ)
	case decimal && precision+scale < maxDigits:
		power := "1" + strings.Repeat("0", scale)
		whole, each = "("+a.arg.sql+" * DECIMAL '"+power+"')", " * "+power
	}
	if decimal && each == "" && scale > 0 {
		return value{sql: "(CAST(" + a.of("sum", a.arg.sql) + " AS double) / nullif(" + a.of("count", a.arg.sql) + ", 0))", typ: quern.Double}
	}
	sum := a.of("sum", "CAST("+whole+" AS decimal(38,0))")
	return value{sql: "(CAST(" + sum + " AS double) / nullif(CAST(" + a.of("count", a.arg.sql) + each + " AS double), 0))", typ: quern.Double}
}

// percentile writes the exact value below which so much of the values lies, between two of
// them where it falls there: Trino's own are approximate.
func (p *printer) percentile(a aggregated, percent int) value {
	if a.arg.typ != quern.Integer && a.arg.typ != quern.Double && p.err == nil {
		p.unmapped("the median or percentile of %s", a.arg.typ)
	}
	at := "((cardinality(a) - 1) * " + strconv.FormatFloat(float64(percent)/100, 'f', -1, 64) + "e0)"
	low := "element_at(a, CAST(floor(" + at + ") AS bigint) + 1)"
	high := "element_at(a, CAST(ceiling(" + at + ") AS bigint) + 1)"
	sorted := "array_sort(" + a.of("array_agg", double(a.arg)) + ")"
	return value{typ: quern.Double, sql: fmt.Sprintf("element_at(transform(ARRAY[%s], a -> %s + (%s - %s) * (%s - floor(%s))), 1)",
		sorted, low, high, low, at, at)}
}

// share writes how much some rows have of what all have, in percent.
func (p *printer) share(e tree.Share, sc *scope) value {
	of, ok := e.Of.(tree.Aggregate)
	if !ok {
		of = tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}
	}
	some := of
	some.Where = e.Where
	return percentOf(p.aggregate(some, sc), double(p.aggregate(of, sc)))
}

// portion writes how much a group has of what all groups have, in percent.
func (p *printer) portion(e tree.Portion, sc *scope) value {
	of := p.aggregate(e.Of, sc)
	return percentOf(of, "CAST(sum("+of.sql+") OVER () AS double)")
}

func percentOf(some value, of string) value {
	return value{sql: "(CAST(100.0 * " + some.sql + " AS double) / nullif(" + of + ", 0))", typ: quern.Double}
}
