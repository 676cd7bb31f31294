package tree

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"quern"
)

// errOpen says that a tree leaves something open that its text cannot show.
var errOpen = errors.New("tree: the query is not resolved")

// Print writes a tree as SQL that Parse reads back. Sources whose joins are
// implied stand behind a comma. It fails for a tree that leaves open what SQL
// cannot say: a Linked condition, or a Search without columns.
func Print(q *Query) (string, error) {
	p := &printer{}
	p.query(q)
	return p.String(), p.err
}

// SQL writes a resolved tree for the engine. It fails where Print does, and
// when a join is still implied. Columns of the result that are no columns of a
// dataset get names that people can read. Rows that a Search found tell in a column
// __metadata how well they match, and come best first unless the query has an
// order of its own; that column, and what is spelled alike, Parse does not read
// back.
func SQL(q *Query) (string, error) {
	p := &printer{strict: true, top: q, searches: searchesOf(q)}
	p.query(q)
	return p.String(), p.err
}

type printer struct {
	strings.Builder
	strict   bool
	top      *Query   // the query that Print or SQL was called with
	searches []Search // by which the rows of top are scored
	err      error
}

func (p *printer) write(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

// quoteName writes an identifier.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quoteText writes a text constant.
func quoteText(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

func each[T any](p *printer, separator string, all []T, one func(T)) {
	for i, v := range all {
		if i > 0 {
			p.write(separator)
		}
		one(v)
	}
}

func (p *printer) query(q *Query) {
	if q.Set != nil {
		p.operand(q.Set.Left)
		p.write(" ", string(q.Set.Op), " ")
		if q.Set.All {
			p.write("ALL ")
		}
		p.operand(q.Set.Right)
	} else {
		p.selectStatement(q.Select)
	}
	switch {
	case len(q.Order) > 0:
		p.write(" ORDER BY ")
		each(p, ", ", q.Order, p.order)
	case q == p.top && len(p.searches) > 0:
		p.write(" ORDER BY ", quoteName(scoreColumn), " DESC")
	}
	if q.Limit != nil {
		p.write(" LIMIT ", strconv.FormatInt(*q.Limit, 10))
		if q.Offset > 0 {
			p.write(" OFFSET ", strconv.FormatInt(q.Offset, 10))
		}
	}
}

func (p *printer) operand(q *Query) {
	if q.Set == nil && q.Order == nil && q.Limit == nil {
		p.query(q)
		return
	}
	p.nested(q)
}

func (p *printer) nested(q *Query) {
	p.write("(")
	p.query(q)
	p.write(")")
}

func (p *printer) order(o Order) {
	p.expr(o.Expr)
	if o.Desc {
		p.write(" DESC")
	}
	if o.Nulls != "" {
		p.write(" NULLS ", string(o.Nulls))
	}
}

func (p *printer) selectStatement(s *Select) {
	p.selectItems(s)
	p.write(" FROM ")
	for i, source := range s.From {
		p.source(i, source)
	}
	if s.Where != nil {
		p.write(" WHERE ")
		p.cond(s.Where)
	}
	if len(s.Group) > 0 {
		p.write(" GROUP BY ")
		each(p, ", ", s.Group, p.expr)
	}
	if s.Having != nil {
		p.write(" HAVING ")
		p.cond(s.Having)
	}
}

// selectItems writes a select up to its sources.
func (p *printer) selectItems(s *Select) {
	p.write("SELECT ")
	if s.Distinct {
		p.write("DISTINCT ")
	}
	named := p.itemNames(s)
	for i, item := range s.Items {
		if i > 0 {
			p.write(", ")
		}
		p.expr(item.Expr)
		if name := cmp.Or(item.Alias, named[i]); name != "" {
			p.write(" AS ", quoteName(name))
		}
	}
	if p.top != nil && s == p.top.Select && len(p.searches) > 0 {
		p.scoreItem(p.searches)
	}
}

// itemNames returns the names that a select's items have where they have none of their
// own: for the engine, those of the result can be read.
func (p *printer) itemNames(s *Select) []string {
	result := p.top
	for result != nil && result.Set != nil {
		result = result.Set.Left
	}
	if result == nil || result.Select != s {
		return make([]string, len(s.Items))
	}
	return ResultNames(result)
}

func (p *printer) source(i int, s Source) {
	switch {
	case i == 0:
	case len(s.On) == 0:
		if p.strict {
			p.err = errOpen
		}
		p.write(", ")
	case s.Outer:
		p.write(" LEFT JOIN ")
	default:
		p.write(" JOIN ")
	}
	if s.Dataset.Dataset == "" {
		p.err = errOpen
	}
	p.write(datasetSQL(s.Dataset), " AS ", quoteName(s.Ref()))
	if len(s.On) > 0 {
		p.write(" ON ")
		each(p, " AND ", s.On, func(on Pair) {
			p.expr(on.Left)
			p.write(" = ")
			p.expr(on.Right)
		})
	}
}

func datasetSQL(n Name) string {
	switch {
	case n.Owner != "":
		return quoteName(n.Owner + "/" + n.Namespace + "/" + n.Dataset)
	case n.Namespace != "":
		return quoteName(n.Namespace) + "." + quoteName(n.Dataset)
	}
	return quoteName(n.Dataset)
}

func (p *printer) expr(e Expr) {
	switch e := e.(type) {
	case Column:
		if e.Source != "" {
			p.write(quoteName(e.Source), ".")
		}
		p.write(quoteName(e.Name))
	case Star:
		if e.Source != "" {
			p.write(quoteName(e.Source), ".")
		}
		p.write("*")
	case Literal:
		p.write(literalSQL(e))
	case Aggregate:
		p.aggregate(e)
	case Share:
		p.share(e)
	case Portion:
		p.portion(e)
	case Arith:
		p.arith(e)
	case Duration:
		p.duration(e)
	case Call:
		p.call(e)
	case Subquery:
		p.nested(e.Query)
	default:
		p.err = fmt.Errorf("tree: no value %T", e)
	}
}

func (p *printer) call(e Call) {
	if format := functions[e.Func].format; format != "" && len(e.Args) == 1 {
		p.formatted(format, e.Args[0])
		return
	}
	if e.Func == Clock && len(e.Args) == 1 {
		p.write("TRY_CAST(")
		p.expr(e.Args[0])
		p.write(" AS TIME)")
		return
	}
	p.write(e.Func, "(")
	each(p, ", ", e.Args, p.expr)
	p.write(")")
}

func (p *printer) aggregate(e Aggregate) {
	p.write(string(e.Func), "(")
	if e.Distinct {
		p.write("DISTINCT ")
	}
	p.expr(e.Arg)
	if e.Func == Percentile {
		p.write(", ", strconv.FormatFloat(float64(e.Percent)/100, 'f', -1, 64))
	}
	p.write(")")
	if e.Where != nil {
		p.write(" FILTER (WHERE ")
		p.cond(e.Where)
		p.write(")")
	}
}

// rowCount is what a share without a measure is of.
var rowCount = Aggregate{Func: Count, Arg: Star{}}

// measure is what a share is of.
func (e Share) measure() Aggregate {
	if a, ok := e.Of.(Aggregate); ok {
		return a
	}
	return rowCount
}

// share writes a share; parser.percentage reads this form.
func (p *printer) share(e Share) {
	of := e.measure()
	some := of
	some.Where = e.Where
	p.write("100.0 * ")
	p.aggregate(some)
	p.write(" / nullif(")
	p.aggregate(of)
	p.write(", 0)")
}

// portion writes a portion; parser.percentage reads this form.
func (p *printer) portion(e Portion) {
	p.write("100.0 * ")
	p.aggregate(e.Of)
	p.write(" / nullif(sum(")
	p.aggregate(e.Of)
	p.write(") OVER (), 0)")
}

func (p *printer) arith(e Arith) {
	if e.Op == '/' {
		p.divide(e)
		return
	}
	p.operandOf(e.Left)
	p.write(" ", string(rune(e.Op)), " ")
	p.operandOf(e.Right)
}

// operandOf writes an operand, in parentheses where it is arithmetic itself.
func (p *printer) operandOf(e Expr) {
	switch e := e.(type) {
	case Arith, Share, Portion:
	case Duration:
		if e.Unit != Hours {
			p.expr(e)
			return
		}
	default:
		p.expr(e)
		return
	}
	p.write("(")
	p.expr(e)
	p.write(")")
}

func literalSQL(l Literal) string {
	switch l.Kind {
	case Date:
		return "DATE " + quoteText(l.Text)
	case Timestamp:
		return "TIMESTAMPTZ " + quoteText(l.Text)
	case Text:
		return quoteText(l.Text)
	}
	return l.Text
}

// SameName reports whether two names are the same; case does not count.
func SameName(a, b string) bool { return quern.NameKey(a) == quern.NameKey(b) }
