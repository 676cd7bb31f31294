package phoenixtest

// What the double expects, and where it is written. Nothing else in this package
// knows Phoenix's words.
//
//   - Annotations and their deletion: the API definition that Phoenix publishes, in its
//     repository Arize-ai/phoenix under schemas/openapi.json (annotateSpans,
//     deleteSpanAnnotations). A body or a query that names a member which is not in it is
//     refused here.
//   - That an annotation with a known span, name and identifier is replaced, and that
//     with sync=true a span that is not stored is answered with 404:
//     https://arize.com/docs/phoenix/tracing/how-to-tracing/feedback-and-annotations.
//   - Traces: OTLP/HTTP in protobuf at /v1/traces, stored some time after they were
//     taken; a span that is there stays as it is.
//   - The project of a trace, by an attribute of its resource, and attributes of spans
//     with their types: https://github.com/Arize-ai/openinference, spec/semantic_conventions.md.
//     An attribute in one of its namespaces that the page does not list is refused.
//   - Keys as bearer tokens: https://arize.com/docs/phoenix/deployment/authentication.
//
// `make e2e-neighbours` holds the plug to a real Phoenix.

const (
	tracesPath      = "/v1/traces"
	annotationsPath = "/v1/span_annotations"
	deletePath      = "/v1/projects/quern/span_annotations"
	projectKey      = "openinference.project.name"
	project         = "quern"
)

// annotationFields are the members of an annotation with whether they must be there.
var annotationFields = map[string]bool{
	"span_id": true, "name": true, "annotator_kind": true, "result": false, "metadata": false, "identifier": false,
}

// resultFields are the members of its result.
var resultFields = []string{"label", "score", "explanation"}

// annotators are the values of annotator_kind.
var annotators = []any{"LLM", "CODE", "HUMAN"}

// deleteFields are what a deletion may say, beside the project.
var deleteFields = []string{"name", "identifier", "annotator_kind", "start_time", "end_time", "delete_all"}

// namespaces are those of OpenInference that a span of ours may use, and
// attributeTypes the attributes in them with their types.
var (
	namespaces     = []string{"openinference.", "input.", "output.", "llm.", "tool.", "session.", "metadata"}
	attributeTypes = map[string]string{
		"openinference.span.kind": "string", "input.value": "string", "input.mime_type": "string",
		"output.value": "string", "output.mime_type": "string", "session.id": "string", "metadata": "string",
		"llm.model_name": "string", "llm.provider": "string", "llm.system": "string",
		"llm.token_count.prompt": "int", "llm.token_count.completion": "int", "llm.token_count.total": "int",
		"llm.cost.prompt": "float", "llm.cost.completion": "float", "llm.cost.total": "float",
		"tool.name": "string", "tool.description": "string", "tool.parameters": "string",
	}
)

// spanKinds are the values of openinference.span.kind.
var spanKinds = []any{"LLM", "EMBEDDING", "CHAIN", "RETRIEVER", "RERANKER", "TOOL", "AGENT", "GUARDRAIL", "EVALUATOR", "PROMPT"}
