package rest

import (
	"context"

	"quern"
	"quern/api"
	"quern/catalog"
)

// DatasetMetadata describes a dataset.
func (o operations) DatasetMetadata(ctx context.Context, r api.DatasetMetadataRequestObject) (api.DatasetMetadataResponseObject, error) {
	d, role, err := o.Catalog.Describe(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	if err != nil {
		return nil, err
	}
	answer := api.DatasetMetadata200JSONResponse{Dataset: datasetEntry(d.Path(), role), Metadata: api.DatasetMetadata{
		ColumnNames: []string{}, Columns: []api.ColumnDescription{}, RowCount: d.Rows, Version: d.Version,
		SchemaDefinition: d.Definition.SchemaDefinition,
	}}
	if d.Definition.DataDescription != nil {
		answer.Metadata.DataDescription = *d.Definition.DataDescription
	}
	answer.Metadata.Link = shownLinkOptions(d.LinkOptions)
	for _, c := range catalog.DisplayColumns(d) {
		answer.Metadata.ColumnNames = append(answer.Metadata.ColumnNames, c.Name)
		answer.Metadata.Columns = append(answer.Metadata.Columns, columnDescription(c, d.Rows))
	}
	return answer, nil
}

func columnDescription(c quern.DatasetColumn, rows int64) api.ColumnDescription {
	d := api.ColumnDescription{
		Name: c.Name, Type: string(c.Type), Unit: c.Unit, Nullable: c.Stats.Nulls > 0, Nulls: c.Stats.Nulls,
		Distinct: min(c.Stats.Distinct.Estimate(), rows-c.Stats.Nulls), Examples: append([]string{}, c.Stats.Examples...),
	}
	if !c.BoundsUnknown {
		d.Min, d.Max = c.Stats.Min, c.Stats.Max
	}
	for _, w := range c.Widened {
		d.Widened = append(d.Widened, api.Widening{Type: string(w.Type), UntilVersion: w.Until})
	}
	return d
}

// InferDefinition reads a dataset's saved inference definition.
func (o operations) InferDefinition(ctx context.Context, r api.InferDefinitionRequestObject) (api.InferDefinitionResponseObject, error) {
	d, err := o.Catalog.Dataset(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), catalog.Read)
	return api.InferDefinition200JSONResponse(d.Definition), err
}

// UpdateInferDefinition replaces a dataset's saved inference definition.
func (o operations) UpdateInferDefinition(
	ctx context.Context, r api.UpdateInferDefinitionRequestObject,
) (api.UpdateInferDefinitionResponseObject, error) {
	def := quern.InferDefinition(*r.Body)
	err := o.Catalog.PutDefinition(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), def)
	return api.UpdateInferDefinition201JSONResponse(def), err
}

// UpdateSortOrder sets the order in which columns are shown.
func (o operations) UpdateSortOrder(ctx context.Context, r api.UpdateSortOrderRequestObject) (api.UpdateSortOrderResponseObject, error) {
	order, err := o.Catalog.PutSortOrder(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), r.Body.Order)
	return api.UpdateSortOrder200JSONResponse{Order: order}, err
}
