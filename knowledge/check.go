package knowledge

import (
	"errors"
	"fmt"
	"strings"

	"quern"
	"quern/tree"
)

// errWaits says that an entry is about something that is not there yet.
var errWaits = errors.New("waits for a dataset that is not there yet")

// tables are the datasets of a namespace that somebody sees, by the keys of their
// names.
type tables struct {
	in  quern.NamespacePath
	all map[string]tree.Table
}

func (t tables) table(name string) (tree.Table, error) {
	found, ok := t.all[quern.NameKey(name)]
	if !ok {
		return found, fmt.Errorf("%w: %s", errWaits, name)
	}
	return found, nil
}

// column fails when dataset.column leads nowhere.
func (t tables) column(text string) error {
	dataset, name := Column(text)
	if name == "" {
		return fmt.Errorf("%q names no column: write dataset.column", text)
	}
	table, err := t.table(dataset)
	if err != nil {
		return err
	}
	return hasColumn(table, name)
}

func hasColumn(t tree.Table, name string) error {
	if _, ok := t.Column(name); !ok {
		return fmt.Errorf("%s has no column %q", t.Path.Dataset, name)
	}
	return nil
}

func (t tables) schema() tree.Schema {
	s := tree.Schema{In: t.in}
	for _, table := range t.all {
		s.Tables = append(s.Tables, table)
	}
	return s
}

// check fails when an entry of a document does not fit the datasets there are.
func (d *Document) check(e entry, t tables) error {
	switch e := e.(type) {
	case Word:
		return t.word(e)
	case Adjective:
		return t.column(e.Column)
	case Measure:
		return d.checkMeasure(e, t)
	case Condition:
		return checkCondition(e, t)
	case Dataset:
		table, err := t.table(e.Dataset)
		for _, name := range append([]string{e.Time, e.Label, e.Key}, e.Unused...) {
			if err == nil && name != "" {
				err = hasColumn(table, name)
			}
		}
		return err
	case Link:
		return errors.Join(t.column(e.From), t.column(e.To))
	case Verified:
		q, err := t.query(e.Query)
		if err != nil {
			return err
		}
		return e.checkParameters(q)
	case Test:
		if e.Query != nil {
			_, err := t.query(*e.Query)
			return err
		}
	}
	return nil
}

func (t tables) word(w Word) error {
	if _, column := Column(w.Means); column != "" {
		return t.column(w.Means)
	}
	_, err := t.table(w.Means)
	return err
}

// query reads a query of the namespace and holds it against its datasets.
func (t tables) query(text string) (*tree.Query, error) {
	q, err := tree.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the query cannot be read: %w", err)
	}
	for _, name := range queryDatasets(text) {
		if name == "?" {
			return nil, errors.New("the query reads a dataset of another namespace")
		}
		if _, err := t.table(name); err != nil {
			return nil, err
		}
	}
	return q, tree.Validate(q, t.schema())
}

func (d *Document) checkMeasure(m Measure, t tables) error {
	table, missing := t.table(m.Dataset)
	e, err := d.Expression(m, table.Columns)
	if err != nil || missing != nil {
		return errors.Join(err, missing)
	}
	// Only numbers can be summed up.
	return tree.Validate(over(m.Dataset, tree.Item{Expr: tree.Aggregate{Func: tree.Sum, Arg: e}}, nil), t.schema())
}

func checkCondition(c Condition, t tables) error {
	where, err := c.Cond()
	if err != nil {
		return err
	}
	if _, err := t.table(c.Dataset); err != nil {
		return err
	}
	return tree.Validate(over(c.Dataset, tree.Item{Expr: tree.Star{}}, where), t.schema())
}

func over(dataset string, item tree.Item, where tree.Cond) *tree.Query {
	return &tree.Query{Select: &tree.Select{
		Items: []tree.Item{item}, From: []tree.Source{{Dataset: tree.Name{Dataset: dataset}}}, Where: where,
	}}
}

// problems returns what is wrong with the entries of a document now: what waits,
// what a change of the data broke, and words for two things.
func (d *Document) problems(t tables) []Problem {
	var all []Problem
	d.each(func(kind string, e entry) {
		if err := d.check(e, t); err != nil {
			all = append(all, Problem{kind + " " + e.key(), strings.ReplaceAll(err.Error(), "\n", "; ")})
		}
	})
	for word, means := range d.Ambiguous() {
		all = append(all, Problem{"words " + word, "means several things: " + strings.Join(means, ", ")})
	}
	return all
}

// Ambiguous returns the words that mean several things of the document, and what.
func (d *Document) Ambiguous() map[string][]string {
	all := map[string][]string{}
	add := func(word, means string) {
		key := keyOf(word)
		for _, m := range all[key] {
			if m == means {
				return
			}
		}
		all[key] = append(all[key], means)
	}
	for _, w := range d.Words {
		means := w.Means
		if w.Value != nil {
			means += " = " + *w.Value
		}
		add(w.Word, means)
	}
	for _, m := range d.Measures {
		for _, w := range append([]string{m.Name}, m.Words...) {
			add(w, m.Dataset+"."+m.Name)
		}
	}
	for _, c := range d.Conditions {
		for _, w := range append([]string{c.Name}, c.Words...) {
			add(w, c.Dataset+"."+c.Name)
		}
	}
	for word, means := range all {
		if len(means) < 2 {
			delete(all, word)
		}
	}
	return all
}

// Check fails when a document does not hold whatever the data are: limits, the form
// of entries, expressions, cycles of measures.
func Check(d *Document) error {
	if err := checkForm(d); err != nil {
		return err
	}
	var f failures
	d.each(func(kind string, e entry) {
		if err := d.check(e, tables{}); err != nil && !isWaiting(err) {
			f.add(kind, e, "%s", err)
		}
	})
	return f.err()
}

// isWaiting reports whether all that is wrong with an entry is that a dataset is
// not there yet.
func isWaiting(err error) bool {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			if !isWaiting(one) {
				return false
			}
		}
		return true
	}
	return errors.Is(err, errWaits)
}
