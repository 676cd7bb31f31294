package s3door

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"net/http"

	"quern"
	"quern/door"
)

// fault is an error as S3 tells it.
type fault struct {
	status        int
	code, message string
	cause         error // for the log
}

// Error returns the code, the message and the cause.
func (f *fault) Error() string {
	text := f.code + ": " + f.message
	if f.cause != nil {
		text += ": " + f.cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *fault) Unwrap() error { return f.cause }

func (f *fault) because(cause error) *fault {
	c := *f
	c.cause = cause
	return &c
}

// The faults that the face finds itself, in S3's own words where it has some.
var (
	errDenied        = &fault{403, "AccessDenied", "Access Denied", nil}
	errUnsigned      = &fault{403, "AccessDenied", "There were headers present in the request which were not signed", nil}
	errNotYet        = &fault{403, "AccessDenied", "Request is not yet valid", nil}
	errURLExpired    = &fault{403, "AccessDenied", "Request has expired", nil}
	errNoKey         = &fault{403, "InvalidAccessKeyId", "The access key Id you provided does not exist in our records.", nil}
	errSignature     = &fault{403, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided.", nil}
	errSkewed        = &fault{403, "RequestTimeTooSkewed", "The difference between the request time and the server's time is too large.", nil}
	errToken         = &fault{400, "InvalidToken", "The provided token is malformed or otherwise invalid.", nil}
	errTokenExpired  = &fault{400, "ExpiredToken", "The provided token has expired.", nil}
	errAlgorithm     = &fault{400, "InvalidRequest", "Please use AWS4-HMAC-SHA256.", nil}
	errNoPayloadHash = &fault{400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256", nil}
	errTwoSignatures = &fault{400, "InvalidArgument", "Only one auth mechanism allowed", nil}
	errHeader        = &fault{400, "AuthorizationHeaderMalformed", "The authorization header that you provided is not valid.", nil}
	errParameters    = &fault{400, "AuthorizationQueryParametersError", "The authorization query parameters that you provided are not valid.", nil}
	errQuery         = &fault{400, "InvalidArgument", "The query cannot be parsed.", nil}
	errMaxKeys       = &fault{400, "InvalidArgument", "Provided max-keys not an integer or within integer range", nil}
	errListType      = &fault{400, "InvalidArgument", "Invalid List Type specified in Request", nil}
	errContinuation  = &fault{400, "InvalidArgument", "The continuation token provided is incorrect", nil}
	errEncoding      = &fault{400, "InvalidArgument", "Invalid Encoding Method specified in Request", nil}
	errNoBucket      = &fault{404, "NoSuchBucket", "The specified bucket does not exist", nil}
	errNoObject      = &fault{404, "NoSuchKey", "The specified key does not exist.", nil}
	errMethod        = &fault{405, "MethodNotAllowed", "The specified method is not allowed against this resource.", nil}
	errPrecondition  = &fault{412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold", nil}
	errRange         = &fault{416, "InvalidRange", "The requested range is not satisfiable", nil}
	errSubresource   = &fault{501, "NotImplemented", "A parameter you provided implies functionality that is not implemented", nil}
	errBusy          = &fault{503, "SlowDown", "Please reduce your request rate.", nil}
)

// faults translates the kinds of our own errors; a test holds it complete.
var faults = [...]*fault{
	quern.Internal:    {500, "InternalError", "We encountered an internal error. Please try again.", nil},
	quern.Malformed:   {400, "InvalidRequest", "The request is not valid.", nil},
	quern.Unauthentic: errDenied,
	quern.Forbidden:   errDenied,
	quern.NotFound:    errNoObject,
	quern.Conflict:    {409, "OperationAborted", "A conflicting operation is in progress. Please try again.", nil},
	quern.Gone:        errNoObject,
	quern.TooLarge:    {400, "EntityTooLarge", "The request is too large.", nil},
	quern.Unsupported: errSubresource,
	quern.Throttled:   errBusy,
	quern.Invalid:     {400, "InvalidArgument", "Invalid Argument", nil},
	quern.Unreachable: errUnavailable,
	quern.Unavailable: errUnavailable,
	quern.Timeout:     errUnavailable,
}

var errUnavailable = &fault{503, "ServiceUnavailable", "Service is unable to handle request.", nil}

// faultOf returns what the caller is told of an error.
func faultOf(err error) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	kind := quern.KindOf(err)
	if errors.Is(err, context.DeadlineExceeded) {
		kind = quern.Timeout
	}
	if int(kind) >= len(faults) || faults[kind] == nil {
		kind = quern.Internal
	}
	return faults[kind]
}

// errorBody is S3's error document.
type errorBody struct {
	XMLName   struct{} `xml:"Error"`
	Code      string
	Message   string
	Resource  string
	RequestID string `xml:"RequestId"`
}

// writeFault answers a request with err and leaves err, with its cause, for the
// request's line in the log.
func writeFault(w http.ResponseWriter, r *http.Request, err error) {
	door.SetError(r.Context(), err)
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the client is gone, so nobody reads an answer
	}
	if door.Begun(w) {
		panic(http.ErrAbortHandler) // half an object must not look like a whole one
	}
	f := faultOf(err)
	switch f.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", "GET, HEAD")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", door.RetryAfter(err))
	}
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close") // what is left of the body is not worth reading
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(f.status)
		return
	}
	body := errorBody{Code: f.code, Message: f.message, Resource: r.URL.Path, RequestID: door.RequestID(r.Context())}
	if lost := writeXML(w, f.status, body); lost != nil {
		door.SetError(r.Context(), errors.Join(err, lost))
	}
}

// writeXML answers with a document.
func writeXML(w http.ResponseWriter, status int, document any) error {
	var body bytes.Buffer
	body.WriteString(xml.Header)
	if err := xml.NewEncoder(&body).Encode(document); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/xml")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, err := w.Write(body.Bytes())
	return err
}
