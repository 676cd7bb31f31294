package langfusetest

// What the double expects, and where it is written. Nothing else in this package
// knows Langfuse's words.
//
//   - Scores: the API definition that Langfuse publishes, in its repository
//     langfuse/langfuse under fern/apis/server/definition/legacy/score-v1.yml
//     (CreateScoreRequest, CreateScoreResponse, delete), shown at
//     https://api.reference.langfuse.com. A body that names a member which is not
//     in it is refused here, though Langfuse itself overlooks such members.
//   - That a score with a known id is overwritten, and that a deletion is queued
//     and answered with 202 whether or not there is such a score:
//     https://langfuse.com/docs/evaluation/evaluation-methods/scores-via-sdk and
//     web/src/features/public-api/server/scores-api-service.ts.
//   - That members which are left out, or null, keep what an earlier request for
//     the same id said: worker/src/services/IngestionService (merge of records).
//   - Traces: fern/apis/server/definition/opentelemetry.yml, and OTLP/HTTP itself,
//     https://opentelemetry.io/docs/specs/otlp/#otlphttp.
//   - Attributes of spans, with their types:
//     https://langfuse.com/integrations/native/opentelemetry#property-mapping.
//     An attribute in the langfuse namespace that this page does not list is refused.
//   - Types of observations:
//     https://langfuse.com/docs/observability/features/observation-types.
//   - Basic authorization, public key as the user, secret key as the password:
//     https://langfuse.com/docs/api-and-data-platform/features/public-api.

const (
	scoresPath = "/api/public/scores"
	tracesPath = "/api/public/otel/v1/traces"
	// unauthorized, badRequest and deleted are the words of its answers.
	unauthorized = "Invalid credentials. Confirm that you've configured the correct host."
	badRequest   = "Invalid request data"
	deleted      = "Score deletion queued successfully"
)

// jsonType is what a JSON value is.
type jsonType string

const (
	isString jsonType = "string"
	isNumber jsonType = "number"
	isObject jsonType = "object"
)

// scoreFields are the members of CreateScoreRequest with the types they may have.
// All but the required ones may be null.
var scoreFields = map[string][]jsonType{
	"id": {isString}, "traceId": {isString}, "sessionId": {isString}, "observationId": {isString},
	"datasetRunId": {isString}, "name": {isString}, "value": {isString, isNumber}, "comment": {isString},
	"metadata": {isObject}, "environment": {isString}, "queueId": {isString}, "dataType": {isString},
	"configId": {isString}, "source": {isString},
}

// scoreRequired are those that must be there.
var scoreRequired = []string{"name", "value"}

// scoreValues are the values of dataType, with the values that go with each. One
// that is left out is numeric.
var scoreValues = map[string]func(any) bool{
	"": numeric, "NUMERIC": numeric, "CATEGORICAL": textual, "TEXT": textual,
	"BOOLEAN": func(v any) bool { return v == 0.0 || v == 1.0 },
}

func numeric(v any) bool { return typeOf(v) == isNumber }
func textual(v any) bool { return typeOf(v) == isString }

// attributeTypes are the attributes of the langfuse namespace with their types;
// a name that ends in a dot stands for all that begin with it.
var attributeTypes = map[string]string{
	"langfuse.trace.name": "string", "langfuse.user.id": "string", "langfuse.session.id": "string",
	"langfuse.release": "string", "langfuse.version": "string", "langfuse.environment": "string",
	"langfuse.trace.public": "bool", "langfuse.trace.tags": "array", "langfuse.trace.metadata.": "string",
	"langfuse.trace.input": "string", "langfuse.trace.output": "string",
	"langfuse.observation.type": "string", "langfuse.observation.level": "string",
	"langfuse.observation.status_message": "string", "langfuse.observation.metadata.": "string",
	"langfuse.observation.input": "string", "langfuse.observation.output": "string",
	"langfuse.observation.model.name": "string", "langfuse.observation.model.parameters": "json",
	"langfuse.observation.usage_details": "json", "langfuse.observation.cost_details": "json",
	"langfuse.observation.prompt.name": "string", "langfuse.observation.prompt.version": "int",
	"langfuse.observation.completion_start_time": "string",
}

// everySpan must be on each span, because Langfuse filters span by span.
var everySpan = []string{"langfuse.trace.name", "langfuse.user.id", "langfuse.session.id", "langfuse.observation.type"}

// observationTypes and levels are the values of two attributes.
var (
	observationTypes = []string{"span", "generation", "event", "agent", "tool", "chain", "retriever", "evaluator", "embedding", "guardrail"}
	levels           = []string{"DEBUG", "DEFAULT", "WARNING", "ERROR"}
)
