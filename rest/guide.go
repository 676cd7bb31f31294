package rest

import (
	"encoding/json"

	"quern"
	"quern/api"
	"quern/door"
)

// guided is what a request says about data beside the data.
type guided struct {
	Infer                  api.Infer
	Link                   *api.LinkOptions
	Curate                 *bool
	DataDescription        *string
	SchemaDefinition       map[string]string
	AdditionalInstructions string
	Name                   string
	InferBatchSize         int32
}

// guide returns what a request says about its data.
func (g guided) guide() (quern.IngestGuide, error) {
	var steps []quern.InferStep
	for _, raw := range g.Infer.Steps {
		// The contract has two names for what guides a table.
		step := struct {
			quern.InferStep
			HelperPrompt string `json:"helperPrompt"`
		}{}
		if err := json.Unmarshal(raw, &step); err != nil {
			return quern.IngestGuide{}, undecodable(err)
		}
		if step.Instructions == "" {
			step.Instructions = step.HelperPrompt
		}
		steps = append(steps, step.InferStep)
	}
	return quern.IngestGuide{
		Steps: steps,
		Name:  g.Name, Instructions: g.AdditionalInstructions, BatchSize: int(g.InferBatchSize),
		Definition: quern.InferDefinition{DataDescription: g.DataDescription, SchemaDefinition: g.SchemaDefinition},
		Links:      linkOptions(g.Link), Curate: g.Curate,
	}, nil
}

// streamedGuide reads the members that a streamed body of rows has beside them,
// and holds them to the contract.
func streamedGuide(op *api.Operation) func([]byte) (quern.IngestGuide, error) {
	return func(members []byte) (quern.IngestGuide, error) {
		// The rows themselves were checked on their way.
		body := append([]byte(`{"data":[],`), members[1:]...)
		if string(members) == "{}" {
			body = []byte(`{"data":[]}`)
		}
		valid, err := conforming(door.JSONType, op.Body()[door.JSONType].Schema, body)
		if err != nil {
			return quern.IngestGuide{}, err
		}
		var r api.IngestRequest
		if err := json.Unmarshal(valid, &r); err != nil {
			return quern.IngestGuide{}, undecodable(err)
		}
		return guideOfRows(r)
	}
}

func guideOfRows(r api.IngestRequest) (quern.IngestGuide, error) {
	return guided{
		Infer: r.Infer, Link: r.Link, Curate: r.Curate, DataDescription: r.DataDescription,
		SchemaDefinition: r.SchemaDefinition, AdditionalInstructions: r.AdditionalInstructions,
	}.guide()
}
