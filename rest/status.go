package rest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"quern"
	"quern/api"
	"quern/server"
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

// Status gives the HTTP status of an error.
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
	errInternal = quern.E(quern.Internal, quern.CodeInternal, "something went wrong on our side")
	errNotFound = quern.E(quern.NotFound, quern.CodeNotFound, "there is no such resource")
	errNoRoute  = quern.E(quern.NotFound, quern.CodeRouteNotFound, "there is no operation at this address")
	errDiskFull = quern.E(quern.Unavailable, quern.CodeUnavailable, "the server has no room left to store this")
	errTooLate  = quern.E(quern.Timeout, quern.CodeTimeout, "the work took longer than it may")
)

// WriteError answers the request with err as an ErrorResponse and leaves err,
// with its cause, for the request's line in the log.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	server.SetError(r.Context(), err)
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the client is gone, so nobody reads an answer
	}
	if server.Begun(w) {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
	e := classify(err)
	status := Status(e)
	body := api.ErrorResponse{ErrorCode: string(e.Code), Message: e.Detail}
	for _, sub := range e.Sub {
		body.SubErrors = append(body.SubErrors, api.SubError{Code: sub.Code, Message: sub.Message})
	}
	if id := server.RequestID(r.Context()); e.Kind == quern.Internal && id != "" {
		body.ErrorMessage = "request " + id
	}
	h := w.Header()
	switch status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", Challenge(r))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", RetryAfter(err))
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if lost := enc.Encode(body); lost != nil {
		server.SetError(r.Context(), errors.Join(err, lost))
	}
}

// classify finds what the caller may be told.
func classify(err error) *quern.Error {
	e, ok := errors.AsType[*quern.Error](err)
	switch {
	case (!ok || e.Kind == quern.Internal) && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)):
		return errDiskFull
	case ok && e.Kind == quern.Internal:
		return errInternal
	case ok && e.Code == quern.CodeNotFound:
		return errNotFound // one wording, so that denied and absent cannot be told apart
	case ok:
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return errTooLate
	}
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge(big.Limit)
	}
	return errInternal
}

// Challenge is the WWW-Authenticate header for a request that was not let in.
func Challenge(r *http.Request) string {
	if r.Header.Get("Authorization") == "" {
		return "Bearer"
	}
	return `Bearer error="invalid_token"`
}

// RetryAfter is in whole seconds: what an error in the chain says, or one.
func RetryAfter(err error) string {
	var timed interface{ RetryAfter() time.Duration }
	if errors.As(err, &timed) {
		return strconv.Itoa(max(1, int(math.Ceil(timed.RetryAfter().Seconds()))))
	}
	return "1"
}

// NotFound answers every request with the error for addresses that do not exist.
func NotFound() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { WriteError(w, r, errNoRoute) })
}
