package service

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/catalog"
	"quern/link"
	"quern/nlq"
	"quern/tree"
)

// The most of a namespace that a prompt shows. What is left out is the least
// like the question, and the prompt says that something was.
const (
	mostDatasets    = 40
	mostColumns     = 80
	mostLinks       = 60
	mostListed      = 1_000
	mostDescription = 500
	mostValue       = 60
	mostExamples    = 3
	mostTold        = 100_000 // characters of datasets
)

// View is what one asker sees of a namespace, as a model is told of it.
type View struct {
	schema   tree.Schema
	links    []tree.Link
	datasets []quern.Dataset // those to tell of, most like the question first
	left     int             // datasets that are not told of
}

// Source gives what askers see.
type Source struct {
	Catalog *catalog.Service
	Links   *link.Service
}

// View looks at a namespace, or at one dataset of it, as the asker. NotFound when
// the asker does not see it.
func (s Source) View(ctx context.Context, p quern.Principal, q nlq.Question) (*View, error) {
	n, err := s.Catalog.Namespace(ctx, p, q.In)
	if err != nil {
		return nil, err
	}
	in := quern.NamespacePath{Owner: n.Owner, Namespace: n.Name}
	v := &View{schema: tree.Schema{In: in}}
	if v.links, err = s.Links.Graph(ctx, p, in.Owner); err != nil {
		return nil, err
	}
	listed, _, err := s.Catalog.Datasets(ctx, p, catalog.Filter{Owner: in.Owner, Namespace: in.Namespace, Limit: mostListed})
	if err != nil {
		return nil, err
	}
	for _, l := range listed {
		if q.Dataset != "" && !tree.SameName(l.Path.Dataset, q.Dataset) {
			continue
		}
		if err := s.add(ctx, p, v, l.Path); err != nil {
			return nil, err
		}
	}
	if q.Dataset != "" {
		v.links = nil
	}
	if len(v.datasets) == 0 && q.Dataset != "" {
		return nil, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	v.rank(q.Text)
	return v, s.reach(ctx, p, v)
}

// add takes a dataset into the view, unless it has gone meanwhile.
func (s Source) add(ctx context.Context, p quern.Principal, v *View, path quern.DatasetPath) error {
	d, err := s.Catalog.Dataset(ctx, p, path, catalog.Read)
	switch {
	case quern.Is(err, quern.NotFound):
		return nil
	case err != nil:
		return err
	}
	v.datasets = append(v.datasets, d)
	v.schema.Tables = append(v.schema.Tables, tree.Table{Path: d.Path(), Columns: catalog.Columns(d)})
	return nil
}

// reach takes in what links lead to outside of the namespace, for a path between
// two datasets may go through it. It is not told of.
func (s Source) reach(ctx context.Context, p quern.Principal, v *View) error {
	told := len(v.datasets)
	for _, l := range v.links {
		for _, path := range []quern.DatasetPath{l.Origin.Dataset, l.Destination.Dataset} {
			if _, known := v.schema.Table(path); known {
				continue
			}
			if err := s.add(ctx, p, v, path); err != nil {
				return err
			}
		}
	}
	v.datasets = v.datasets[:told]
	return nil
}

// rank puts the datasets whose words are in the question first, and leaves out
// what a prompt has no room for.
func (v *View) rank(question string) {
	asked := map[string]bool{}
	for _, w := range tree.Words(question) {
		asked[stem(w)] = true
	}
	likeness := func(d quern.Dataset) (n int) {
		for _, w := range tree.Words(strings.ReplaceAll(d.Name, "_", " ")) {
			if asked[stem(w)] {
				n += 3
			}
		}
		for _, c := range d.Columns {
			for _, w := range tree.Words(strings.ReplaceAll(c.Name, "_", " ")) {
				if asked[stem(w)] {
					n++
				}
			}
		}
		return n
	}
	slices.SortStableFunc(v.datasets, func(a, b quern.Dataset) int { return cmp.Compare(likeness(b), likeness(a)) })
	if len(v.datasets) > mostDatasets {
		v.left = len(v.datasets) - mostDatasets
		v.datasets = v.datasets[:mostDatasets]
	}
}

func stem(word string) string { return strings.TrimSuffix(word, "s") }

// described is a dataset as a prompt shows it.
type described struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Rows        int64    `json:"rows"`
	Columns     []column `json:"columns"`
	More        int      `json:"columnsNotShown,omitempty"`
}

type column struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Min         string   `json:"min,omitempty"`
	Max         string   `json:"max,omitempty"`
	Examples    []string `json:"examples,omitempty"`
}

// size is about how many characters the dataset takes in a prompt.
func (d described) size() int {
	const around = 40 // the names of members, quotes and commas
	n := around + len(d.Name) + len(d.Description)
	for _, c := range d.Columns {
		n += around + len(c.Name) + len(c.Type) + len(c.Description) + len(c.Min) + len(c.Max)
		for _, e := range c.Examples {
			n += len(e)
		}
	}
	return n
}

// Described is a namespace as a prompt shows it.
type Described struct {
	Datasets []described `json:"datasets"`
	Links    []string    `json:"links,omitempty"` // column = column
	More     int         `json:"datasetsNotShown,omitempty"`
}

// Describe gives what a model is told. Without values it holds nothing that came
// out of a row.
func (v *View) Describe(values bool) Described {
	out := Described{Datasets: []described{}, More: v.left}
	room := mostTold
	for _, d := range v.datasets {
		one := describe(d, values)
		if room -= one.size(); room < 0 && len(out.Datasets) > 0 {
			out.More++
			continue
		}
		out.Datasets = append(out.Datasets, one)
	}
	for _, l := range v.links {
		origin, inside := v.name(l.Origin)
		destination, alsoInside := v.name(l.Destination)
		if inside && alsoInside && len(out.Links) < mostLinks {
			out.Links = append(out.Links, origin+" = "+destination)
		}
	}
	return out
}

// name writes the end of a link, if its dataset is one that is told of.
func (v *View) name(e tree.End) (string, bool) {
	told := slices.ContainsFunc(v.datasets, func(d quern.Dataset) bool { return tree.SamePath(d.Path(), e.Dataset) })
	return e.Dataset.Dataset + "." + e.Column, told
}

func describe(d quern.Dataset, values bool) described {
	out := described{Name: d.Name, Rows: d.Rows, Columns: []column{}}
	if d.Definition.DataDescription != nil {
		out.Description = short(*d.Definition.DataDescription, mostDescription)
	}
	for _, c := range d.Columns {
		if strings.HasPrefix(c.Name, "__") {
			continue
		}
		if len(out.Columns) == mostColumns {
			out.More++
			continue
		}
		shown := column{Name: c.Name, Type: string(c.Type), Description: short(d.Definition.SchemaDefinition[c.Name], mostDescription)}
		if values {
			shown.addValues(c)
		}
		out.Columns = append(out.Columns, shown)
	}
	return out
}

func (s *column) addValues(c quern.DatasetColumn) {
	if !c.BoundsUnknown && c.Type != quern.Text && c.Type != quern.JSON {
		s.Min, s.Max = short(c.Stats.Min, mostValue), short(c.Stats.Max, mostValue)
	}
	for _, e := range c.Stats.Examples[:min(len(c.Stats.Examples), mostExamples)] {
		s.Examples = append(s.Examples, short(e, mostValue))
	}
}

// short cuts a text to a number of characters, and shows that it did.
func short(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
