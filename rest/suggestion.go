package rest

import (
	"context"

	"quern/api"
)

// KnowledgeSuggestions reads what may be asked and taught.
func (o operations) KnowledgeSuggestions(
	ctx context.Context, r api.KnowledgeSuggestionsRequestObject,
) (api.KnowledgeSuggestionsResponseObject, error) {
	all, err := o.Suggestions.Suggestions(ctx, principal(ctx), namespacePath(r.Username, r.Namespace))
	if err != nil {
		return nil, err
	}
	made := api.KnowledgeSuggestions200JSONResponse{
		Questions: []api.SuggestedQuestion{}, Definitions: []api.SuggestedDefinition{}, Proposals: []api.SuggestedKnowledge{},
		Notes: all.Notes,
	}
	for _, q := range all.Questions {
		made.Questions = append(made.Questions, api.SuggestedQuestion{Question: q.Text, Query: q.Query, Rows: int64(q.Rows)})
	}
	for _, d := range all.Definitions {
		made.Definitions = append(made.Definitions, api.SuggestedDefinition{Dataset: d.Dataset, By: api.SuggestedDefinitionBy(d.By),
			Definition: api.InferDefinition{DataDescription: d.DataDescription, SchemaDefinition: d.SchemaDefinition}})
	}
	for _, p := range all.Proposals {
		one := api.SuggestedKnowledge{By: api.SuggestedKnowledgeBy(p.By), Used: p.Used, Reason: p.Reason}
		if err := convert(p.Document, &one.Knowledge); err != nil {
			return nil, err
		}
		made.Proposals = append(made.Proposals, one)
	}
	return made, nil
}
