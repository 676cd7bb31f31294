package iceberg

import (
	"context"
	"errors"
	"net/http"

	"quern"
	"quern/door"
)

// missing is what is not there, named as Iceberg's clients know it.
type missing struct {
	what, name string
	cause      error
}

// Error says what is missing.
func (m *missing) Error() string { return "the " + m.what + " does not exist" }

// Unwrap returns a failure that every edge knows, with its cause.
func (m *missing) Unwrap() error { return door.NotFound(m.what, m.cause) }

func noNamespace(cause error) error { return &missing{"namespace", "NoSuchNamespaceException", cause} }
func noTable(cause error) error     { return &missing{"table", "NoSuchTableException", cause} }
func noView() error                 { return &missing{"view", "NoSuchViewException", nil} }

var errReadOnly = quern.E(quern.Unsupported, quern.CodeMethodNotAllowed,
	"the catalog is read-only: datasets are changed over Quern's own interface")

// types names failures as Iceberg's clients know them.
var types = map[quern.Kind]string{
	quern.Malformed:   "BadRequestException",
	quern.Unauthentic: "NotAuthorizedException",
	quern.Forbidden:   "ForbiddenException",
	quern.NotFound:    "NotFoundException",
	quern.Unsupported: "UnsupportedOperationException",
	quern.Throttled:   "SlowDownException",
	quern.Invalid:     "BadRequestException",
	quern.Unreachable: "ServiceUnavailableException",
	quern.Unavailable: "ServiceUnavailableException",
	quern.Timeout:     "ServiceUnavailableException",
}

// describe is how clients are told of a failure.
func describe(err error, e *quern.Error) (name, message string) {
	if m, ok := errors.AsType[*missing](err); ok {
		return m.name, m.Error()
	}
	if name, ok := types[e.Kind]; ok {
		return name, e.Detail
	}
	return "InternalServerError", e.Detail
}

// writeError answers with Iceberg's own shape of errors.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	door.SetError(r.Context(), err)
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // nobody reads an answer
	}
	e := door.Classify(err)
	status := door.Status(e)
	door.SetErrorHeaders(w.Header(), r, status, err)
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", "GET, HEAD")
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(status)
		return
	}
	name, message := describe(err, e)
	_ = door.WriteJSON(w, status, map[string]any{
		"error": map[string]any{"message": message, "type": name, "code": status},
	}) // a client that is gone needs no answer
}
