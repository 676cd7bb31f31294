package knowledge

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/tree"
)

// errNotOne says what an expression may be.
var errNotOne = errors.New("must be one value of a row of its own dataset: no other dataset, no query inside, no aggregate")

// maxDepth is how many measures may stand inside each other.
const maxDepth = 20

// Expression returns a measure as a value of a query over its dataset, with the
// measures in it written out. It fails when the text is no such value, or leads
// back to itself. columns are those of the dataset, before which measures of the
// same name give way; nil when they are not known.
func (d *Document) Expression(m Measure, columns []quern.Column) (tree.Expr, error) {
	return d.expand(m, columns, nil)
}

func (d *Document) expand(m Measure, columns []quern.Column, within []string) (tree.Expr, error) {
	if slices.Contains(within, m.key()) {
		return nil, fmt.Errorf("leads back to itself: %s", strings.Join(append(within, m.key()), " → "))
	}
	if len(within) > maxDepth {
		return nil, fmt.Errorf("has more than %d measures inside each other", maxDepth)
	}
	q, err := parseOver(m.Dataset, "SELECT ("+m.Expression+") FROM ")
	if err != nil {
		return nil, err
	}
	if len(q.Select.Items) != 1 || q.Select.Where != nil || !isOfOneRow(q) {
		return nil, errNotOne
	}
	within = append(slices.Clone(within), m.key())
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		c, ok := e.(tree.Column)
		if !ok || err != nil {
			return e
		}
		isColumn := slices.ContainsFunc(columns, func(own quern.Column) bool { return tree.SameName(own.Name, c.Name) })
		inner, found := d.measure(m.Dataset, c.Name)
		own := found && inner.key() == m.key() // it gives a column of its name something to hold to
		if isColumn || !found || own {
			return tree.Column{Source: m.Dataset, Name: c.Name}
		}
		var made tree.Expr
		made, err = d.expand(inner, columns, within)
		return made
	})
	return q.Select.Items[0].Expr, err
}

// measure finds a measure of a dataset.
func (d *Document) measure(dataset, name string) (Measure, bool) {
	i := slices.IndexFunc(d.Measures, func(m Measure) bool { return tree.SameName(m.Dataset, dataset) && tree.SameName(m.Name, name) })
	if i < 0 {
		return Measure{}, false
	}
	return d.Measures[i], true
}

// Cond returns a condition as one of a query over its dataset. It fails when the
// text is no condition on the rows of the dataset alone.
func (c Condition) Cond() (tree.Cond, error) {
	q, err := parseOver(c.Dataset, "SELECT * FROM ", " WHERE ("+c.Where+")")
	if err != nil {
		return nil, err
	}
	if q.Select.Where == nil || !isOfOneRow(q) {
		return nil, errNotOne
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if column, ok := e.(tree.Column); ok {
			return tree.Column{Source: c.Dataset, Name: column.Name}
		}
		return e
	})
	return q.Select.Where, nil
}

// parseOver reads a query over one dataset, whose name stands between two parts.
func parseOver(dataset, before string, after ...string) (*tree.Query, error) {
	if !quern.ValidName(dataset) {
		return nil, fmt.Errorf("%q cannot name a dataset", dataset)
	}
	q, err := tree.Parse(before + `"` + dataset + `"` + strings.Join(after, ""))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if q.Select == nil || len(q.Select.From) != 1 || !tree.SameName(q.Select.From[0].Dataset.Dataset, dataset) ||
		q.Select.From[0].Alias != "" || q.Limit != nil || len(q.Order) > 0 {
		return nil, errNotOne
	}
	return q, nil
}

// isOfOneRow reports whether a query says nothing but values of the rows of its one
// dataset.
func isOfOneRow(q *tree.Query) bool {
	s, one := q.Select, true
	queries := 0
	tree.EachQuery(q, func(*tree.Query) { queries++ })
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		switch c := e.(type) {
		case tree.Aggregate, tree.Share, tree.Portion, tree.Subquery:
			one = false
		case tree.Column:
			one = one && (c.Source == "" || tree.SameName(c.Source, s.From[0].Ref()))
		}
		return e
	})
	return one && queries == 1 && len(s.Group) == 0 && s.Having == nil && !s.Distinct
}

var placeholder = regexp.MustCompile(`\{(?P<name>[^{}]*)\}`)

// checkParameters fails when a wording names a parameter that there is not, or the
// query has no constant of a parameter's value.
func (v Verified) checkParameters(q *tree.Query) error {
	for _, text := range v.Questions {
		for _, at := range placeholder.FindAllStringSubmatch(text, -1) {
			if _, ok := v.parameter(at[1]); !ok {
				return fmt.Errorf("%q names the parameter %q, which is none of its own", quern.Clip(text, 80), at[1])
			}
		}
	}
	for _, p := range v.Parameters {
		found := false
		tree.EachQuery(q, func(q *tree.Query) {
			for _, l := range literals(q) {
				found = found || l.Text == p.Value
			}
		})
		if !found {
			return fmt.Errorf("the query has no constant %q for the parameter %s", quern.Clip(p.Value, 80), p.Name)
		}
	}
	return nil
}

// Filled returns a wording with the values of its parameters in their places.
func (v Verified) Filled(wording string) string {
	return placeholder.ReplaceAllStringFunc(wording, func(at string) string {
		p, ok := v.parameter(strings.Trim(at, "{}"))
		if !ok {
			return at
		}
		return p.Value
	})
}

func (v Verified) parameter(name string) (Parameter, bool) {
	i := slices.IndexFunc(v.Parameters, func(p Parameter) bool { return tree.SameName(p.Name, name) })
	if i < 0 {
		return Parameter{}, false
	}
	return v.Parameters[i], true
}

// literals returns the constants of a query's own select that are compared.
func literals(q *tree.Query) []tree.Literal {
	if q.Select == nil {
		return nil
	}
	var all []tree.Literal
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if l, ok := e.(tree.Literal); ok {
			all = append(all, l)
		}
		return e
	})
	for _, c := range tree.Conjuncts(q.Select.Where) {
		if in, ok := c.(tree.In); ok {
			all = append(all, in.List...)
		}
	}
	return all
}
