package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"quern"
	"quern/api"
	"quern/propose"
)

// PreviewInfer answers with the rows that would be stored.
func (o operations) PreviewInfer(ctx context.Context, r api.PreviewInferRequestObject) (api.PreviewInferResponseObject, error) {
	guide, err := guideOfRows(*r.Body)
	if err != nil {
		return nil, err
	}
	if _, err := o.sampled(r.Body.Data, "data"); err != nil {
		return nil, err
	}
	if len(guide.Steps) == 0 {
		return api.PreviewInfer200JSONResponse(r.Body.Data), nil
	}
	rows, err := o.Ingest.PreviewSteps(ctx, principal(ctx), r.Body.Data, guide)
	return api.PreviewInfer200JSONResponse(rows), err
}

// InferSchema proposes what the fields of rows mean. What there is already stays.
func (o operations) InferSchema(ctx context.Context, r api.InferSchemaRequestObject) (api.InferSchemaResponseObject, error) {
	made, err := o.inferred(ctx, r.Body)
	return api.InferSchema200JSONResponse{Schema: made.SchemaDefinition}, err
}

// InferDescription proposes a description of rows. One that there is already stays.
func (o operations) InferDescription(ctx context.Context, r api.InferDescriptionRequestObject) (api.InferDescriptionResponseObject, error) {
	made, err := o.inferred(ctx, r.Body)
	if err != nil {
		return nil, err
	}
	return api.InferDescription200JSONResponse{Description: *made.DataDescription}, nil
}

// inferred returns the definition that is proposed for rows.
func (o operations) inferred(ctx context.Context, r *api.InferRequest) (quern.InferDefinition, error) {
	if err := o.checkModel(ctx, r.Model, r.Provider); err != nil {
		return quern.InferDefinition{}, err
	}
	columns, err := o.sampled(r.Sample, "sample")
	if err != nil {
		return quern.InferDefinition{}, err
	}
	known := quern.InferDefinition{DataDescription: &r.CurrentValue.Description, SchemaDefinition: r.CurrentValue.Schema}
	return o.Suggestions.Definition(ctx, principal(ctx), r.Model, r.Provider, propose.Sample("", columns, r.Sample), known)
}

// sampled returns the columns that rows would make. Invalid, naming the member,
// when they could not be stored.
func (o operations) sampled(rows []json.RawMessage, member string) ([]quern.Column, error) {
	body, err := json.Marshal(map[string]any{"data": rows})
	if err != nil {
		return nil, err
	}
	columns, err := o.Ingest.Columns(bytes.NewReader(body))
	if member != "data" && err != nil {
		return nil, renamedFields(err, "data", member)
	}
	return columns, err
}

// renamedFields says what is wrong with a member under the name that the caller
// gave it.
func renamedFields(err error, from, to string) error {
	e, ok := errors.AsType[*quern.Error](err)
	if !ok {
		return err
	}
	renamed := *e
	renamed.Sub = nil
	for _, sub := range e.Sub {
		if rest, cut := strings.CutPrefix(sub.Message, from); cut {
			sub.Message = to + rest
		}
		renamed.Sub = append(renamed.Sub, sub)
	}
	return &renamed
}
