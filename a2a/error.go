package a2a

import (
	"errors"
	"fmt"
	"maps"
	"net/http"

	"quern"
	"quern/door"
)

// fault is a sort of error as the protocol knows it.
type fault struct {
	code   int    // in JSON-RPC
	reason string // in google.rpc.ErrorInfo
	status int    // in HTTP+JSON
	state  string // in HTTP+JSON, as google.rpc.Code names it
}

// The faults of the protocol, and of JSON-RPC under it.
var (
	parseError           = &fault{-32700, "PARSE_ERROR", http.StatusBadRequest, "INVALID_ARGUMENT"}
	invalidRequest       = &fault{-32600, "INVALID_REQUEST", http.StatusBadRequest, "INVALID_ARGUMENT"}
	methodNotFound       = &fault{-32601, "METHOD_NOT_FOUND", http.StatusNotFound, "UNIMPLEMENTED"}
	invalidParams        = &fault{-32602, "INVALID_PARAMS", http.StatusBadRequest, "INVALID_ARGUMENT"}
	internalError        = &fault{-32603, "INTERNAL_ERROR", http.StatusInternalServerError, "INTERNAL"}
	taskNotFound         = &fault{-32001, "TASK_NOT_FOUND", http.StatusNotFound, "NOT_FOUND"}
	taskNotCancelable    = &fault{-32002, "TASK_NOT_CANCELABLE", http.StatusBadRequest, "FAILED_PRECONDITION"}
	unsupportedOperation = &fault{-32004, "UNSUPPORTED_OPERATION", http.StatusBadRequest, "FAILED_PRECONDITION"}
	contentNotSupported  = &fault{-32005, "CONTENT_TYPE_NOT_SUPPORTED", http.StatusBadRequest, "INVALID_ARGUMENT"}
	versionNotSupported  = &fault{-32009, "VERSION_NOT_SUPPORTED", http.StatusBadRequest, "FAILED_PRECONDITION"}
)

// The faults that the protocol leaves to HTTP; their codes are those of its Go
// library, or made in the same way.
var (
	unauthenticated  = &fault{-31401, "UNAUTHENTICATED", http.StatusUnauthorized, "UNAUTHENTICATED"}
	permissionDenied = &fault{-31403, "UNAUTHORIZED", http.StatusForbidden, "PERMISSION_DENIED"}
	throttled        = &fault{-31429, "RATE_LIMIT_EXCEEDED", http.StatusTooManyRequests, "RESOURCE_EXHAUSTED"}
)

// kinds translates our kinds; a test holds it complete. The status is the one
// of the HTTP answer where it is not the binding's own affair.
var kinds = [...]struct {
	fault  *fault
	status int
}{
	quern.Internal:    {internalError, http.StatusInternalServerError},
	quern.Malformed:   {parseError, 0},
	quern.Unauthentic: {unauthenticated, http.StatusUnauthorized},
	quern.Forbidden:   {permissionDenied, http.StatusForbidden},
	quern.NotFound:    {taskNotFound, 0},
	quern.Conflict:    {unsupportedOperation, 0},
	quern.Gone:        {unsupportedOperation, 0},
	quern.TooLarge:    {invalidRequest, http.StatusRequestEntityTooLarge},
	quern.Unsupported: {invalidRequest, http.StatusUnsupportedMediaType},
	quern.Throttled:   {throttled, http.StatusTooManyRequests},
	quern.Invalid:     {invalidParams, 0},
	quern.Unreachable: {internalError, http.StatusBadGateway},
	quern.Unavailable: {internalError, http.StatusServiceUnavailable},
	quern.Timeout:     {internalError, http.StatusGatewayTimeout},
}

// violation is one part of a request that is not as it has to be.
type violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
}

// failure is an error on its way to a client. It is an error of ours underneath
// where one caused it.
type failure struct {
	fault    *fault
	status   int // of the HTTP answer in every binding; 0: the binding's own
	message  string
	metadata map[string]string
	fields   []violation
	cause    error
}

func (f *failure) Error() string {
	if f.cause != nil {
		return fmt.Sprintf("%s: %s: %v", f.fault.reason, f.message, f.cause)
	}
	return f.fault.reason + ": " + f.message
}

func (f *failure) Unwrap() error { return f.cause }

func fail(as *fault, format string, args ...any) *failure {
	return &failure{fault: as, message: fmt.Sprintf(format, args...)}
}

// invalid says which parts of a request are wrong.
func invalid(fields ...violation) *failure {
	f := fail(invalidParams, "the parameters are not valid")
	if len(fields) == 1 {
		f.message = fields[0].Field + ": " + fields[0].Description
	}
	f.fields = fields
	return f
}

// noTask says that a task is not there, or not the caller's: one wording for both.
func noTask(id string) *failure {
	return fail(taskNotFound, "there is no such task").about("taskId", id)
}

// about returns the failure with one more thing that programs may read of it.
func (f *failure) about(key, value string) *failure {
	c := *f
	c.metadata = maps.Clone(f.metadata)
	if c.metadata == nil {
		c.metadata = map[string]string{}
	}
	c.metadata[key] = value
	return &c
}

// classify finds what a client may be told of any error.
func classify(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	e := door.Classify(err)
	as := kinds[e.Kind]
	f := &failure{fault: as.fault, status: as.status, message: e.Detail, cause: err}
	for _, sub := range e.Sub {
		f.fields = append(f.fields, violation{Field: sub.Code, Description: sub.Message})
	}
	if e.Code != "" && e.Kind != quern.Internal {
		f = f.about("errorCode", string(e.Code))
	}
	return f
}

const (
	errorDomain    = "a2a-protocol.org"
	errorInfoType  = "type.googleapis.com/google.rpc.ErrorInfo"
	badRequestType = "type.googleapis.com/google.rpc.BadRequest"
)

// details are the typed details of a failure, which both bindings carry.
func (f *failure) details() []any {
	info := map[string]any{"@type": errorInfoType, "reason": f.fault.reason, "domain": errorDomain}
	if len(f.metadata) > 0 {
		info["metadata"] = f.metadata
	}
	all := []any{info}
	if len(f.fields) > 0 {
		all = append(all, map[string]any{"@type": badRequestType, "fieldViolations": f.fields})
	}
	return all
}
