package follow

import (
	"reflect"
	"regexp"

	"quern"
	"quern/english"
	"quern/tree"
)

// alsoCounts names nothing but other rows: "and bikes?", "what about the customers?".
var alsoCounts = regexp.MustCompile(`^` + asides + `(?:how many )?(?:the |our )?(?P<noun>[a-z]+(?: [a-z]+)?)$`)

// countOthers counts the rows of another table, or the kinds of these, behind a count of all rows of one:
// "how many rentals?", "and bikes?".
func countOthers(e *editor) bool {
	s := e.query.Select
	m, ok := english.Groups(alsoCounts, e.text)
	isCount := len(s.Items) == 1 && reflect.DeepEqual(s.Items[0].Expr, tree.Expr(rowCount))
	if !ok || !isCount || m.Text("noun") == e.text || len(s.From) != 1 || len(s.Group) > 0 {
		return false
	}
	noun := m.Text("noun")
	if english.Singular(noun) == noun {
		return false
	}
	for i, t := range e.view.Tables {
		switch {
		case !e.isNamed(i, noun) || e.reads(i):
		case s.Where != nil:
			return e.countOwners(i)
		default:
			s.From = []tree.Source{{Dataset: t.Path}}
			return true
		}
	}
	column, ok := e.column(english.Singular(noun))
	id, known := e.view.ColumnOf(s.From, column)
	if !ok || !known || s.Where != nil || e.view.Columns[id].Type != quern.Text || e.saysYes(column) {
		return false
	}
	return e.showOne(tree.Aggregate{Func: tree.Count, Distinct: true, Arg: column})
}

// countOwners counts the rows of another table that the counted rows belong to, each once: the customers
// of the open orders.
func (e *editor) countOwners(table int) bool {
	for _, l := range e.view.Links {
		from, to := e.view.Columns[l.From], e.view.Columns[l.To]
		if to.Table != table || !to.Key() || !e.reads(from.Table) {
			continue
		}
		own := e.query.Select.From[0]
		e.doubt("I counted the %s of these %s.", e.view.Tables[table].Path.Dataset, own.Dataset.Dataset)
		return e.showOne(tree.Aggregate{Func: tree.Count, Distinct: true, Arg: tree.Column{Source: own.Ref(), Name: from.Name}})
	}
	return false
}
