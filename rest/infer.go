package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"quern"
	"quern/api"
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

// InferSchema proposes what the fields of rows mean.
func (o operations) InferSchema(ctx context.Context, r api.InferSchemaRequestObject) (api.InferSchemaResponseObject, error) {
	columns, err := o.inferred(ctx, r.Body)
	if err != nil {
		return nil, err
	}
	answer := api.InferSchema200JSONResponse{Schema: map[string]string{}}
	for _, c := range columns {
		answer.Schema[c.Name] = fieldDescription(c, r.Body.Sample)
		if known := r.Body.CurrentValue.Schema[c.Name]; known != "" {
			answer.Schema[c.Name] = known
		}
	}
	return answer, nil
}

// InferDescription proposes a description of rows.
func (o operations) InferDescription(ctx context.Context, r api.InferDescriptionRequestObject) (api.InferDescriptionResponseObject, error) {
	columns, err := o.inferred(ctx, r.Body)
	if err != nil {
		return nil, err
	}
	if known := r.Body.CurrentValue.Description; known != "" {
		return api.InferDescription200JSONResponse{Description: known}, nil
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	text := names[len(names)-1]
	if len(names) > 1 {
		text = strings.Join(names[:len(names)-1], ", ") + " and " + text
	}
	return api.InferDescription200JSONResponse{Description: quern.Clip("Rows with "+text, quern.MaxDescription-1) + "."}, nil
}

// inferred returns the columns of the rows that a proposal is asked for.
func (o operations) inferred(ctx context.Context, r *api.InferRequest) ([]quern.Column, error) {
	if err := o.checkModel(ctx, r.Model, r.Provider); err != nil {
		return nil, err
	}
	return o.sampled(r.Sample, "sample")
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

var typeNames = map[quern.Type]string{
	quern.Boolean: "true or false", quern.Integer: "a whole number", quern.Double: "a number", quern.Date: "a date",
	quern.Timestamp: "an instant", quern.Text: "text", quern.JSON: "nested values",
}

// fieldDescription says what a column holds, with an example.
func fieldDescription(c quern.Column, rows []json.RawMessage) string {
	kind, known := typeNames[c.Type]
	if !known {
		kind = "a number"
	}
	for _, row := range rows {
		var members map[string]any
		if json.Unmarshal(row, &members) != nil || members[c.Name] == nil || c.Type == quern.JSON {
			continue
		}
		if text := fmt.Sprint(members[c.Name]); text != "" {
			const most = 60
			return kind + ", such as " + quern.Clip(text, most)
		}
	}
	return kind
}
