package mcp

import (
	"context"
	"fmt"

	"quern"
	"quern/catalog"
)

// What of a dataset is described.
const (
	mostLinks       = 50
	mostExample     = 100 // characters
	mostDescription = 2_000
)

type description struct {
	Dataset     string              `json:"dataset"`
	Role        string              `json:"role"`
	Rows        int64               `json:"rows"`
	Version     int64               `json:"version"`
	Description string              `json:"description,omitempty"`
	Columns     []columnDescription `json:"columns"`
	Links       []linkDescription   `json:"links,omitempty" jsonschema:"columns whose values are found in columns of other datasets: how to join"`
	Truncated   bool                `json:"truncated" jsonschema:"some columns or links are not shown"`
	Note        string              `json:"note,omitempty"`
}

type columnDescription struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Unit        string   `json:"unit,omitempty"`
	Description string   `json:"description,omitempty"`
	Nulls       int64    `json:"nulls"`
	Distinct    int64    `json:"distinct" jsonschema:"about how many different values there are"`
	Min         string   `json:"min,omitempty"`
	Max         string   `json:"max,omitempty"`
	Examples    []string `json:"examples,omitempty"`
}

type linkDescription struct {
	Column        string `json:"column"`
	OtherDataset  string `json:"otherDataset"`
	OtherColumn   string `json:"otherColumn"`
	MatchedValues int64  `json:"matchedValues"`
}

var describeDataset = define(tool{
	name: "describe_dataset", title: "Describe a dataset", gives: "The dataset", seeks: "dataset",
	about: "Tells what a dataset holds: its columns with types, units, descriptions, examples and bounds, how many rows it has, " +
		"and by which columns it is joined with others. Call it before writing a query.",
	input: object(required("dataset", datasetText())),
}, func(ctx context.Context, c call, in struct{ Dataset string }) (description, error) {
	path, err := datasetAt(in.Dataset)
	if err != nil {
		return description{}, err
	}
	return c.describe(ctx, c.principal, path)
})

// describe tells what a dataset holds, as far as a conversation has room for it.
func (s *Service) describe(ctx context.Context, p quern.Principal, path quern.DatasetPath) (description, error) {
	d, role, err := s.Catalog.Describe(ctx, p, path)
	if err != nil {
		return description{}, err
	}
	links, err := s.Links.Links(ctx, p, d.Path())
	if err != nil {
		return description{}, err
	}
	told := description{Dataset: pathText(d.Path()), Role: string(role), Rows: d.Rows, Version: d.Version, Columns: []columnDescription{}}
	if d.Definition.DataDescription != nil {
		told.Description = quern.Clip(*d.Definition.DataDescription, mostDescription)
	}
	for _, l := range links[:min(len(links), mostLinks)] {
		told.Links = append(told.Links, describeLink(l, d.Path()))
	}
	columns, left := catalog.DisplayColumns(d), mostBytes
	for _, col := range columns {
		one := describeColumn(d, col)
		if left -= sizeOf(one); left < 0 {
			break
		}
		told.Columns = append(told.Columns, one)
	}
	if len(told.Columns) < len(columns) || len(told.Links) < len(links) {
		told.Truncated = true
		told.Note = fmt.Sprintf("%d of %d columns and %d of %d links are shown. Any column is read by its name as the resource %s",
			len(told.Columns), len(columns), len(told.Links), len(links), columnTemplate)
	}
	return told, nil
}

func describeColumn(d quern.Dataset, c quern.DatasetColumn) columnDescription {
	told := columnDescription{
		Name: c.Name, Type: string(c.Type), Unit: c.Unit, Nulls: c.Stats.Nulls,
		Distinct:    min(c.Stats.Distinct.Estimate(), d.Rows-c.Stats.Nulls),
		Description: quern.Clip(d.Definition.SchemaDefinition[c.Name], mostExample*5),
	}
	if !c.BoundsUnknown {
		told.Min, told.Max = quern.Clip(c.Stats.Min, mostExample), quern.Clip(c.Stats.Max, mostExample)
	}
	for _, example := range c.Stats.Examples {
		told.Examples = append(told.Examples, quern.Clip(example, mostExample))
	}
	return told
}

// describeLink tells of a link from the end that is a column of the dataset at own.
func describeLink(l quern.Link, own quern.DatasetPath) linkDescription {
	here, there := l.Origin, l.Destination
	if here.DatasetPath != own {
		here, there = there, here
	}
	return linkDescription{Column: here.Column, OtherDataset: pathText(there.DatasetPath), OtherColumn: there.Column, MatchedValues: l.Hits}
}
