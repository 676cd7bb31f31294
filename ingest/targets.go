package ingest

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
)

// found is a table of a file that is about to be read.
type found struct {
	item   format.Item
	packed bool // the item is one of several in the file
	kind   format.Kind
	table  format.Table // of records; zero for JSON and Parquet
	about  quern.IngestedTable
	header []string
	label  string // what tells it from the others of the file
	named  string // the dataset that it is to go into; empty: named after the label
	into   *target
	which  string // the name of the column that says which table a row is of; empty: none
}

// tableShape is what makes tables one: the names of their columns or, where they have
// none, how many there are.
type tableShape struct {
	names map[string]bool
	width int
}

func newTableShape(header []string) tableShape {
	s := tableShape{names: map[string]bool{}, width: len(header)}
	for _, name := range header {
		if key := looseKey(name); key != "" {
			s.names[key] = true
		}
	}
	return s
}

// like reports whether two tables are of one shape: at most one in five of the names
// is not in both.
func (s tableShape) like(o tableShape) bool {
	if len(s.names) == 0 || len(o.names) == 0 {
		return len(s.names) == len(o.names) && s.width == o.width
	}
	both := 0
	for name := range s.names {
		if o.names[name] {
			both++
		}
	}
	all := len(s.names) + len(o.names) - both
	return both*5 >= all*4
}

// assign decides which dataset each table of a file goes into.
func (r *reading) assign(ctx context.Context, tables []*found) error {
	one := len(tables) == 1 && r.job.Options.Into != quern.IntoEach
	if one || r.job.Options.Into == quern.IntoOne || !r.apart(tables) {
		for _, t := range tables {
			t.into = r.targets[0]
		}
		return nil
	}
	for _, t := range tables {
		if err := r.assignOne(ctx, t, tables); err != nil {
			return err
		}
	}
	sayWhich(tables)
	return nil
}

// apart reports whether the tables of a file are datasets of their own where nobody
// says otherwise: the text of a document goes with its tables.
func (r *reading) apart(tables []*found) bool {
	if r.job.Options.Into == quern.IntoEach {
		return true
	}
	for _, t := range tables {
		if t.kind != format.Markdown && t.kind != format.Document {
			return true
		}
	}
	return false
}

func (r *reading) assignOne(ctx context.Context, t *found, all []*found) error {
	shape := newTableShape(t.header)
	for _, known := range r.targets {
		if known.shape != nil && known.shape.like(shape) {
			t.into = known
			return nil
		}
	}
	if first := r.targets[0]; first.shape == nil {
		first.shape, t.into = &shape, first
		return nil
	}
	made, err := r.besideFirst(ctx, t, all)
	if err != nil {
		return err
	}
	made.shape, t.into = &shape, made
	r.targets = append(r.targets, made)
	return nil
}

// maxBeside is how many names are tried for a dataset.
const maxBeside = 1000

// besideFirst returns the dataset of a table that is not of the first one's shape: one
// that an earlier ingestion into the same dataset made, or one that is to be made.
func (r *reading) besideFirst(ctx context.Context, t *found, all []*found) (*target, error) {
	if len(r.targets) >= format.MaxTables {
		return nil, refused("holds tables for more than %d datasets", format.MaxTables)
	}
	first := r.targets[0].dataset
	at := first.Path()
	if at.Owner == "" {
		at = r.path
	}
	base := cmp.Or(t.named, besideName(at.Dataset, t.label))
	for n := 1; n < maxBeside; n++ {
		if at.Dataset = base; n > 1 {
			suffix := fmt.Sprintf("_%d", n)
			at.Dataset = base[:min(len(base), quern.MaxName-len(suffix))] + suffix
		}
		if r.named(at.Dataset) {
			continue
		}
		d, err := r.service.catalog.OrDraft(ctx, r.actor, at, catalog.Write)
		switch {
		case quern.Is(err, quern.NotFound):
			if r.service.catalog.MayWrite(ctx, r.actor, at) != nil {
				return nil, mayNotMake(all)
			}
			return &target{dataset: quern.Dataset{ID: quern.NewID[quern.DatasetID](), Name: at.Dataset, Version: 1}, name: at.Dataset}, nil
		case err != nil && !quern.Is(err, quern.Forbidden):
			return nil, err
		case err == nil && !d.Draft && d.MadeFor == first.ID && first.ID != "":
			if r.replaces() {
				d = catalog.Emptied(d)
			}
			return &target{dataset: d}, nil
		}
	}
	return nil, refused("there is no name left for the table %s", quoteShort(t.label))
}

// named reports whether a dataset of this ingestion has a name.
func (r *reading) named(name string) bool {
	return slices.ContainsFunc(r.targets, func(t *target) bool { return strings.EqualFold(t.dataset.Name, name) })
}

// mayNotMake refuses tables that would be datasets which the caller cannot have.
func mayNotMake(all []*found) error {
	var labels []string
	for _, t := range all {
		if len(labels) < maxNamed && !slices.Contains(labels, t.label) {
			labels = append(labels, t.label)
		}
	}
	return refused("holds several tables (%s), which would be datasets of their own, and you may not make datasets here; "+
		"with into: one they all go into this one", strings.Join(labels, ", "))
}

// besideName is the name of the dataset for a table beside another dataset.
func besideName(dataset, label string) string {
	var b strings.Builder
	gap := false
	for _, c := range label {
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !plain {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(c)
	}
	name := b.String()
	if name == "" {
		name = "table"
	}
	const least = 16 // of what tells the tables apart
	if room := quern.MaxName - 1 - min(len(name), least); len(dataset) > room {
		dataset = dataset[:room]
	}
	name = dataset + "_" + name
	return strings.TrimRight(name[:min(len(name), quern.MaxName)], "_-")
}

// sayWhich gives tables that come to stand in one dataset a column that says which of
// them a row is of.
func sayWhich(tables []*found) {
	shared := map[*target][]*found{}
	for _, t := range tables {
		shared[t.into] = append(shared[t.into], t)
	}
	for _, together := range shared {
		if len(together) < 2 {
			continue
		}
		name, files := "table", true
		for _, t := range together {
			files = files && t.about.Member != "" && t.item.Member != "" && !t.kind.HasSheets()
		}
		switch {
		case files:
			name = "file"
		case together[0].kind.HasSheets():
			name = "sheet"
		}
		taken := map[string]bool{}
		for _, t := range together {
			for _, column := range cleanNames(t.header) {
				taken[strings.ToLower(column)] = true
			}
		}
		which := name
		for n := 2; taken[which]; n++ {
			which = fmt.Sprintf("%s_%d", name, n)
		}
		for _, t := range together {
			t.which = which
		}
	}
}

// labelOf is what tells a table from others of its file: the sheet, the file in an
// archive, the place in a page; or else the name of the file.
func (r *reading) labelOf(t format.Table, kind format.Kind, member string) string {
	file := strings.TrimSuffix(path.Base(member), path.Ext(member))
	switch {
	case kind.HasSheets() && t.Member != "":
		return t.Member
	case kind.HasSheets() && member == "":
		return t.Sheet
	case member != "" && t.Member != "":
		return file + " " + t.Member
	case member != "":
		return file
	case t.Member != "":
		return t.Member
	}
	return strings.TrimSuffix(r.file.Name, path.Ext(r.file.Name))
}
