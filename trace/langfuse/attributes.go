package langfuse

import (
	"encoding/json"

	"quern"
	"quern/trace"
)

// types are Langfuse's names for kinds of observations.
var types = map[quern.SpanKind]string{
	quern.SpanRun: "agent", quern.SpanPlan: "chain", quern.SpanStep: "chain", quern.SpanTranslation: "chain",
	quern.SpanQuery: "retriever", quern.SpanModel: "generation", quern.SpanAnswer: "chain",
}

// attributes adds the attributes that Langfuse's pages read. Those of the trace are
// on every span, because it filters span by span.
func attributes(s quern.Span) map[string]any {
	all := map[string]any{
		"langfuse.observation.type": types[s.Kind],
		"langfuse.trace.name":       s.Attributes[trace.Agent],
		"langfuse.user.id":          s.Attributes[trace.UserName],
		"langfuse.session.id":       s.Attributes[trace.Session],
	}
	set := func(key, text string) {
		if text != "" {
			all[key] = text
		}
	}
	set("langfuse.observation.input", s.Input)
	set("langfuse.observation.output", s.Output)
	if s.Kind == quern.SpanRun {
		set("langfuse.trace.input", s.Input)
		set("langfuse.trace.output", s.Output)
	}
	if s.Failure != "" {
		all["langfuse.observation.level"] = "ERROR"
		all["langfuse.observation.status_message"] = string(s.Failure)
	}
	if s.Kind == quern.SpanModel {
		generation(s, all)
	}
	for key, value := range all {
		if value == nil {
			delete(all, key)
		}
	}
	return all
}

// generation tells what a call to a model took.
func generation(s quern.Span, all map[string]any) {
	all["langfuse.observation.model.name"] = s.Attributes[trace.RequestModel]
	if model := s.Attributes[trace.ResponseModel]; model != nil {
		all["langfuse.observation.model.name"] = model
	}
	input, _ := s.Attributes[trace.InputTokens].(int64)
	output, _ := s.Attributes[trace.OutputTokens].(int64)
	all["langfuse.observation.usage_details"] = object(map[string]any{"input": input, "output": output, "total": input + output})
	if cost := s.Attributes[trace.Cost]; cost != nil {
		all["langfuse.observation.cost_details"] = object(map[string]any{"total": cost})
	}
}

func object(members map[string]any) string {
	data, _ := json.Marshal(members) // numbers always can be written
	return string(data)
}
