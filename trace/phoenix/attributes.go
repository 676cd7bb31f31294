package phoenix

import (
	"quern"
	"quern/trace"
)

// kinds are OpenInference's names for kinds of spans.
var kinds = map[quern.SpanKind]string{
	quern.SpanRun: "AGENT", quern.SpanPlan: "CHAIN", quern.SpanStep: "CHAIN", quern.SpanTranslation: "CHAIN",
	quern.SpanQuery: "TOOL", quern.SpanModel: "LLM", quern.SpanAnswer: "CHAIN",
}

// attributes adds the attributes of OpenInference, which Phoenix's pages read.
func attributes(s quern.Span) map[string]any {
	all := map[string]any{"openinference.span.kind": kinds[s.Kind]}
	if s.Input != "" {
		all["input.value"], all["input.mime_type"] = s.Input, "text/plain"
	}
	if s.Output != "" {
		all["output.value"], all["output.mime_type"] = s.Output, "text/plain"
	}
	switch s.Kind {
	case quern.SpanQuery:
		all["tool.name"] = "query"
	case quern.SpanModel:
		call(s, all)
	}
	return all
}

// call tells what a call to a model took.
func call(s quern.Span, all map[string]any) {
	for _, from := range []string{trace.RequestModel, trace.ResponseModel} { // the latter says it better
		if model := s.Attributes[from]; model != nil {
			all["llm.model_name"] = model
		}
	}
	if provider := s.Attributes[trace.Provider]; provider != nil {
		all["llm.provider"] = provider
	}
	input, isInput := s.Attributes[trace.InputTokens].(int64)
	output, isOutput := s.Attributes[trace.OutputTokens].(int64)
	if isInput && isOutput {
		all["llm.token_count.prompt"], all["llm.token_count.completion"] = input, output
		all["llm.token_count.total"] = input + output
	}
	if cost := s.Attributes[trace.Cost]; cost != nil {
		all["llm.cost.total"] = cost
	}
}
