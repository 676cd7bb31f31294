package door

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quern"
	"quern/api"
)

// statuses translates kinds; a test holds it complete.
var statuses = [...]int{
	quern.Internal:    http.StatusInternalServerError,
	quern.Malformed:   http.StatusBadRequest,
	quern.Unauthentic: http.StatusUnauthorized,
	quern.Forbidden:   http.StatusForbidden,
	quern.NotFound:    http.StatusNotFound,
	quern.Conflict:    http.StatusConflict,
	quern.Gone:        http.StatusGone,
	quern.TooLarge:    http.StatusRequestEntityTooLarge,
	quern.Unsupported: http.StatusUnsupportedMediaType,
	quern.Throttled:   http.StatusTooManyRequests,
	quern.Invalid:     http.StatusUnprocessableEntity,
	quern.Unreachable: http.StatusBadGateway,
	quern.Unavailable: http.StatusServiceUnavailable,
	quern.Timeout:     http.StatusGatewayTimeout,
}

// Status returns the HTTP status of an error.
func Status(e *quern.Error) int {
	if e.Code == quern.CodeMethodNotAllowed {
		return http.StatusMethodNotAllowed
	}
	if int(e.Kind) >= len(statuses) || statuses[e.Kind] == 0 {
		return http.StatusInternalServerError
	}
	return statuses[e.Kind]
}

// The answers that do not depend on what failed.
var (
	ErrInternal = quern.E(quern.Internal, quern.CodeInternal, "something went wrong on our side")
	ErrNoRoute  = quern.E(quern.NotFound, quern.CodeRouteNotFound, "there is no operation at this address")
	ErrNotFound = quern.E(quern.NotFound, quern.CodeNotFound, "there is no such resource")
	errDiskFull = quern.E(quern.Unavailable, quern.CodeUnavailable, "the server has no room left to store this")
	errBadDisk  = quern.E(quern.Unavailable, quern.CodeUnavailable, "the server's disk does not read or write; try again later")
	errTooLate  = quern.E(quern.Timeout, quern.CodeTimeout, "the work took longer than it may")
)

// WriteError answers the request with err as an ErrorResponse and leaves err,
// with its cause, for the request's line in the log.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	SetError(r.Context(), err)
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the client is gone, so nobody reads an answer
	}
	if Begun(w) {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
	status := Status(Classify(err))
	SetErrorHeaders(w.Header(), r, status, err)
	w.Header().Set("Cache-Control", "no-store")
	if lost := WriteJSON(w, status, Body(r.Context(), err)); lost != nil {
		SetError(r.Context(), errors.Join(err, lost))
	}
}

// Body is what a caller is told of any error, in a request that ctx belongs to.
func Body(ctx context.Context, err error) api.ErrorResponse {
	e := Classify(err)
	body := api.ErrorResponse{ErrorCode: string(e.Code), Message: e.Detail}
	for _, sub := range e.Sub {
		body.SubErrors = append(body.SubErrors, api.SubError{Code: sub.Code, Message: sub.Message})
	}
	if id := RequestID(ctx); e.Kind == quern.Internal && id != "" {
		body.ErrorMessage = "request " + id
	}
	return body
}

// SetErrorHeaders sets the headers that an answer of this status has beside its
// body: how to sign in, or when to try again.
func SetErrorHeaders(h http.Header, r *http.Request, status int, err error) {
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", Challenge(r))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", RetryAfter(err))
	}
}

// Classify returns what the caller may be told of any error. Causes that nobody
// classified are Internal, with one wording.
func Classify(err error) *quern.Error {
	e, ours := errors.AsType[*quern.Error](err)
	big, tooBig := errors.AsType[*http.MaxBytesError](err)
	unexpected := !ours || e.Kind == quern.Internal && e.Code != quern.CodeDataLost
	named, isNamed := errors.AsType[namedNotFound](err)
	diskFull := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	switch {
	case unexpected && diskFull:
		return errDiskFull
	case unexpected && errors.Is(err, syscall.EIO):
		return errBadDisk
	case isNamed:
		return named.as
	case ours && e.Code == quern.CodeNotFound:
		return ErrNotFound // one wording, so that denied and absent cannot be told apart
	case ours && !unexpected:
		return e
	case !ours && errors.Is(err, context.DeadlineExceeded):
		return errTooLate
	case !ours && tooBig:
		return TooLarge(big.Limit)
	}
	return ErrInternal
}

// namedNotFound is a NotFound that says what was not found.
type namedNotFound struct{ as *quern.Error }

// Error returns the text of the error.
func (n namedNotFound) Error() string { return n.as.Error() }

// Unwrap returns what is answered.
func (n namedNotFound) Unwrap() error { return n.as }

// NotFound is the error of something that is not there, or not the caller's to
// see. What says what it would have been, and must follow from the request alone:
// the wording is the same for denied and for absent.
func NotFound(what string, cause error) error {
	return namedNotFound{quern.E(quern.NotFound, quern.CodeNotFound, "there is no such %s", what).Because(cause)}
}

// TooLarge is the error of a body that is larger than limit bytes.
func TooLarge(limit int64) *quern.Error {
	size := fmt.Sprintf("%d bytes", limit)
	if limit%(1<<20) == 0 {
		size = fmt.Sprintf("%d MiB", limit>>20)
	}
	return quern.E(quern.TooLarge, quern.CodeBodyTooLarge, "the body is larger than %s", size)
}

// Malformed is the error of a body that cannot be read as JSON.
func Malformed(format string, args ...any) *quern.Error {
	return quern.E(quern.Malformed, quern.CodeMalformedJSON, format, args...)
}

type resourceKey struct{}

// NameResource has challenges of a request name the address at which a resource says who
// signs people in for it (RFC 9728).
func NameResource(r *http.Request, address string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), resourceKey{}, address))
}

// Challenge is the WWW-Authenticate header for a request that was not let in.
func Challenge(r *http.Request) string {
	var said []string
	if r.Header.Get("Authorization") != "" {
		said = append(said, `error="invalid_token"`)
	}
	if address, ok := r.Context().Value(resourceKey{}).(string); ok {
		said = append(said, `resource_metadata="`+address+`"`)
	}
	return strings.TrimSpace("Bearer " + strings.Join(said, ", "))
}

// RetryAfter is in whole seconds: what an error in the chain says, or one.
func RetryAfter(err error) string {
	var timed interface{ RetryAfter() time.Duration }
	if errors.As(err, &timed) {
		return strconv.Itoa(max(1, int(math.Ceil(timed.RetryAfter().Seconds()))))
	}
	return "1"
}
