package s3

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/minio/minio-go/v7"

	"quern"
	"quern/blob"
)

var (
	errParts    = quern.E(quern.Invalid, quern.CodeInvalid, "the parts do not make up the upload")
	errConflict = quern.E(quern.Conflict, quern.CodeConflict, "the object key continues another key, or is continued by one")
)

// kinds is what the service's codes mean to callers. Codes that are not here
// speak of our settings or of a defect, and stay internal.
var kinds = map[string]*quern.Error{
	"NoSuchKey":                 blob.ErrNoObject,
	"NotFound":                  blob.ErrNoObject,
	"NoSuchUpload":              blob.ErrNoUpload,
	"InvalidPart":               errParts,
	"InvalidPartOrder":          errParts,
	"EntityTooSmall":            errParts,
	"ObjectParentIsFile":        errConflict,
	"ExistingObjectIsDirectory": errConflict,
	"SlowDown":                  blob.ErrUnreachable,
	"ServiceUnavailable":        blob.ErrUnreachable,
	"RequestTimeout":            blob.ErrUnreachable,
}

// classify turns an error of the client library into one of ours.
func classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, ours := errors.AsType[*quern.Error](err); ours {
		return err
	}
	response := minio.ToErrorResponse(err)
	if known, ok := kinds[response.Code]; ok {
		return known.Because(err)
	}
	if response.StatusCode >= http.StatusInternalServerError || unanswered(err) {
		return blob.ErrUnreachable.Because(err)
	}
	return quern.E(quern.Internal, quern.CodeInternal, "the object store refused a request").Because(err)
}

// unanswered reports whether a request got no answer, or half of one.
func unanswered(err error) bool {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	_, ok := errors.AsType[*url.Error](err)
	return ok
}
