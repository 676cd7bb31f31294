package prompt

import (
	"context"
	"time"

	"quern"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/feature"
	"quern/nlq/schema"
	"quern/query"
	"quern/tree"
)

// The most of a namespace that a prompt shows. What is left out is the least like
// the question, and the prompt says that something was.
const (
	mostDatasets    = 40
	mostColumns     = 80 // of a dataset
	mostLinks       = 60
	mostDescription = 10_000 // characters; as long as the description of a dataset may be
	// briefDescription is what is shown of each description where all of them
	// together are too long.
	briefDescription = 500
	mostTold         = 100_000 // characters of datasets
	// mostInAll is how many columns of all datasets together are chosen from, so
	// that as many datasets are kept as are shown.
	mostInAll = mostDatasets * feature.ColumnsPerTable
)

// Source says what askers see, and which words mean the same.
type Source struct {
	Schemas schema.Source
	Words   feature.Vectors
}

// Brief is what one asker sees of a namespace, and what of it a model is told for
// one question.
type Brief struct {
	view     schema.View       // all that the asker sees
	known    tree.Schema       // the same, as queries are validated
	told     schema.View       // what the question may be about
	order    []int             // the tables of told, most like the question first
	text     string            // the question, behind the one before if there is one
	features *feature.Features // of text and told
	taught   knowledge.Document
}

// Brief looks at a namespace, or at one dataset of it, as the asker. NotFound when
// the asker does not see it.
func (s Source) Brief(ctx context.Context, p quern.Principal, q nlq.Question) (*Brief, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	text := q.Text
	if q.Previous != nil { // the question may be about the rows before
		text = q.Previous.Question + "\n" + q.Text
	}
	seen, err := s.Schemas.Schema(ctx, p, q.In, q.Dataset, feature.About(text, s.Words, q.Now, mostInAll))
	if err != nil {
		return nil, err
	}
	seen = seen.Learned(q.Without)
	taught := knowledge.Document{}
	if seen.Taught != nil {
		taught = seen.Taught.Document
	}
	seen = seen.Real().WithSources(query.NamedSourceColumns(q.Text), nil)
	in := q.In
	if len(seen.Tables) > 0 { // as it is spelled, whatever the asker wrote
		in = quern.NamespacePath{Owner: seen.Tables[0].Path.Owner, Namespace: seen.Tables[0].Path.Namespace}
	}
	b := &Brief{view: schema.View{Schema: seen, In: in}, text: text, taught: taught}
	b.known = b.view.Tree()
	b.told = schema.View{Schema: feature.Narrow(seen, b.text, s.Words, q.Now, mostInAll), In: in}
	b.features = feature.Extract(b.told.Schema, b.text, s.Words, q.Now)
	b.order = feature.RankTables(b.told.Schema, b.features, mostDatasets)
	return b, nil
}

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
	Taught   []string    `json:"taught,omitempty"` // by the people of the namespace
	Examples []example   `json:"verifiedQuestions,omitempty"`
}

// Describe returns what a model is told. Without values it holds nothing that came
// out of a row.
func (b *Brief) Describe(values bool) Described {
	out := Described{Datasets: []described{}, Taught: b.lessons(values), Examples: b.examples(values)}
	shown := make([]bool, len(b.told.Tables))
	room := mostTold
	for _, t := range b.order {
		one := b.describe(t, values, mostDescription)
		if one.size() > room {
			one = b.describe(t, values, briefDescription)
		}
		if room -= one.size(); room < 0 && len(out.Datasets) > 0 {
			continue
		}
		shown[t] = true
		out.Datasets = append(out.Datasets, one)
	}
	out.More = len(b.view.Tables) - len(out.Datasets)
	for _, l := range b.told.Links {
		from, to := b.told.Columns[l.From], b.told.Columns[l.To]
		if shown[from.Table] && shown[to.Table] && len(out.Links) < mostLinks {
			out.Links = append(out.Links, b.columnName(from)+" = "+b.columnName(to))
		}
	}
	return out
}

// columnName writes the end of a link.
func (b *Brief) columnName(c schema.Column) string {
	return b.told.Tables[c.Table].Path.Dataset + "." + c.Name
}

// describe returns what is told of a dataset, with so many characters of each
// description.
func (b *Brief) describe(table int, values bool, most int) described {
	t := b.told.Tables[table]
	out := described{Name: t.Path.Dataset, Rows: t.Rows, Description: quern.Clip(t.Description, most), Columns: []column{}}
	for i := t.First; i < t.First+t.Len; i++ {
		c := b.told.Columns[i]
		if !quern.IsShown(c.Name) || len(out.Columns) == mostColumns {
			continue
		}
		one := column{Name: c.Name, Type: string(c.Type), Description: quern.Clip(c.Description, most)}
		if values {
			b.addValues(&one, i)
		}
		out.Columns = append(out.Columns, one)
	}
	if whole, ok := b.view.TableOf(tree.Source{Dataset: t.Path}); ok {
		out.More = b.view.Tables[whole].Len - len(out.Columns)
	}
	return out
}
