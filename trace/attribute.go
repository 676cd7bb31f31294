package trace

import (
	"fmt"
	"reflect"
)

// The names of attributes. Those that begin with gen_ai, db, error, session and
// user are OpenTelemetry's semantic conventions.
const (
	Agent          = "gen_ai.agent.name"
	Conversation   = "gen_ai.conversation.id"
	Operation      = "gen_ai.operation.name"
	Provider       = "gen_ai.provider.name"
	RequestModel   = "gen_ai.request.model"
	ResponseModel  = "gen_ai.response.model"
	InputTokens    = "gen_ai.usage.input_tokens"
	OutputTokens   = "gen_ai.usage.output_tokens"
	InputMessages  = "gen_ai.input.messages"
	OutputMessages = "gen_ai.output.messages"

	QueryText    = "db.query.text"
	ReturnedRows = "db.response.returned_rows"
	Engine       = "quern.query.engine" // where the query ran
	ErrorType    = "error.type"
	Session      = "session.id"
	UserID       = "user.id"
	UserName     = "user.name"

	// Cost is in the currency of the prices that the settings give; the conventions
	// have no name for it.
	Cost       = "quern.usage.cost"
	Namespace  = "quern.namespace"
	StepIndex  = "quern.step.index"
	PlanSteps  = "quern.plan.steps"
	AskedBack  = "quern.asked_back"
	Status     = "quern.run.status"
	Translator = "quern.translation.model"
	Confidence = "quern.translation.confidence"
)

// Attribute is one thing to know about a span.
type Attribute struct {
	Key   string
	Value any // a text, an integer, a float or a truth
}

// A makes an attribute.
func A(key string, value any) Attribute { return Attribute{key, value} }

// plain turns a value into one of the four types that sinks know.
func plain(value any) any {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Float32, reflect.Float64:
		return v.Float()
	}
	return fmt.Sprint(value)
}
