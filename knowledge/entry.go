package knowledge

import (
	"slices"
	"strings"

	"quern"
	"quern/tree"
)

// entry is what the lists of a document hold.
type entry interface {
	// key tells the entries of a list apart.
	key() string
	// datasets returns the datasets that the entry is about; none: the namespace.
	datasets() []string
}

func keyOf(parts ...string) string {
	for i := range parts {
		parts[i] = quern.NameKey(strings.TrimSpace(parts[i]))
	}
	return strings.Join(parts, " ")
}

func (w Word) key() string {
	if w.Value != nil {
		return keyOf(w.Word, "=", w.Means, *w.Value)
	}
	return keyOf(w.Word, "=", w.Means)
}
func (w Word) datasets() []string { return []string{datasetOf(w.Means)} }

func (a Adjective) key() string        { return keyOf(a.Word, a.Column) }
func (a Adjective) datasets() []string { return []string{datasetOf(a.Column)} }

func (m Measure) key() string        { return keyOf(m.Dataset + "." + m.Name) }
func (m Measure) datasets() []string { return []string{m.Dataset} }

func (c Condition) key() string        { return keyOf(c.Dataset + "." + c.Name) }
func (c Condition) datasets() []string { return []string{c.Dataset} }

func (d Dataset) key() string        { return keyOf(d.Dataset) }
func (d Dataset) datasets() []string { return []string{d.Dataset} }

func (l Link) key() string        { return keyOf(l.From, l.To) }
func (l Link) datasets() []string { return []string{datasetOf(l.From), datasetOf(l.To)} }

func (t Topic) key() string      { return keyOf(t.Topic) }
func (Topic) datasets() []string { return nil }

func (v Verified) key() string        { return keyOf(v.Name) }
func (v Verified) datasets() []string { return queryDatasets(v.Query) }

func (t Test) key() string { return keyOf(t.Question) }
func (t Test) datasets() []string {
	if t.Query == nil {
		return nil
	}
	return queryDatasets(*t.Query)
}

// Column takes dataset.column apart; the column is empty where only a dataset is
// named.
func Column(text string) (dataset, column string) {
	dataset, column, _ = strings.Cut(text, ".")
	return strings.TrimSpace(dataset), strings.TrimSpace(column)
}

func datasetOf(text string) string {
	dataset, _ := Column(text)
	return dataset
}

// queryDatasets returns the datasets that a query reads, each once; of a query that
// cannot be read, one that nobody sees.
func queryDatasets(sql string) []string {
	q, err := tree.Parse(sql)
	if err != nil {
		return []string{"?"}
	}
	var all []string
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, s := range q.Select.From {
			name := s.Dataset.Dataset
			if s.Dataset.Namespace != "" || s.Dataset.Owner != "" {
				name = "?" // of another namespace
			}
			if !slices.ContainsFunc(all, func(n string) bool { return tree.SameName(n, name) }) {
				all = append(all, name)
			}
		}
	})
	return all
}

// kinds are the lists of a document by the names of their members, in the order of
// the document.
var kinds = []string{"words", "adjectives", "measures", "conditions", "datasets", "links", "outOfScope", "verified", "tests"}

// each calls fn with every entry.
func (d *Document) each(fn func(kind string, e entry)) {
	visit(d.Words, kinds[0], fn)
	visit(d.Adjectives, kinds[1], fn)
	visit(d.Measures, kinds[2], fn)
	visit(d.Conditions, kinds[3], fn)
	visit(d.Datasets, kinds[4], fn)
	visit(d.Links, kinds[5], fn)
	visit(d.OutOfScope, kinds[6], fn)
	visit(d.Verified, kinds[7], fn)
	visit(d.Tests, kinds[8], fn)
}

func visit[E entry](all []E, kind string, fn func(string, entry)) {
	for _, e := range all {
		fn(kind, e)
	}
}

// change applies one rule to every list.
func (d *Document) change(other *Document, rule ruler) Document {
	return Document{
		Words:      list(d.Words, other.Words, rule(kinds[0])),
		Adjectives: list(d.Adjectives, other.Adjectives, rule(kinds[1])),
		Measures:   list(d.Measures, other.Measures, rule(kinds[2])),
		Conditions: list(d.Conditions, other.Conditions, rule(kinds[3])),
		Datasets:   list(d.Datasets, other.Datasets, rule(kinds[4])),
		Links:      list(d.Links, other.Links, rule(kinds[5])),
		OutOfScope: list(d.OutOfScope, other.OutOfScope, rule(kinds[6])),
		Verified:   list(d.Verified, other.Verified, rule(kinds[7])),
		Tests:      list(d.Tests, other.Tests, rule(kinds[8])),
	}
}

// ruler returns, for a kind, how an entry of a document and the one with its key in
// another document become one: the first, the second, or none. Either may be nil.
type ruler func(kind string) func(own, other entry) entry

// list applies a rule to two lists: the entries of the first in their order, then
// those that only the second has.
func list[E entry](own, other []E, rule func(own, other entry) entry) []E {
	find := make(map[string]entry, len(other))
	for _, e := range other {
		find[e.key()] = e
	}
	var all []E
	keep := func(e entry) {
		if e != nil {
			all = append(all, e.(E)) //nolint:forcetypeassert // rules return what they were given
		}
	}
	seen := make(map[string]bool, len(own))
	for _, e := range own {
		seen[e.key()] = true
		keep(rule(e, find[e.key()]))
	}
	for _, e := range other {
		if !seen[e.key()] {
			keep(rule(nil, e))
		}
	}
	return all
}

// filter returns the entries for which keep is true.
func (d *Document) filter(keep func(entry) bool) Document {
	return d.change(&Document{}, func(string) func(own, other entry) entry {
		return func(own, _ entry) entry {
			if own != nil && keep(own) {
				return own
			}
			return nil
		}
	})
}

// Merge returns the document with the entries of another, which take the place of
// those with the same key, and without those of a third. An empty third removes
// nothing.
func (d *Document) Merge(put, remove *Document) Document {
	left := d.change(remove, func(string) func(own, other entry) entry {
		return func(own, other entry) entry {
			if other != nil {
				return nil
			}
			return own
		}
	})
	return left.change(put, func(string) func(own, other entry) entry {
		return func(own, other entry) entry {
			if other != nil {
				return other
			}
			return own
		}
	})
}

// About returns the datasets that the entries are about.
func (d *Document) About() []string {
	var all []string
	d.each(func(_ string, e entry) { all = append(all, e.datasets()...) })
	return all
}

// Empty reports whether the document says nothing.
func (d *Document) Empty() bool {
	empty := true
	d.each(func(string, entry) { empty = false })
	return empty
}
