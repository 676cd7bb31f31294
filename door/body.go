package door

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"quern"
)

// DefaultMaxBody is the size limit of a JSON body, in bytes, where none is set.
const DefaultMaxBody = 32 << 20

// JSONType is the media type of JSON.
const JSONType = "application/json"

// MediaType returns which of the media types that an address takes the body of
// a request has: the first of them where the request does not say. It fails
// with Unsupported for others, for compressed bodies and for charsets that are
// not UTF-8.
func MediaType(h http.Header, taken ...string) (string, error) {
	refuse := func(format string, args ...any) (string, error) {
		return "", quern.E(quern.Unsupported, quern.CodeUnsupportedMediaType, format, args...)
	}
	if enc := h.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return refuse("a body must not be compressed")
	}
	given := h.Get("Content-Type")
	if given == "" {
		return taken[0], nil
	}
	media, params, err := mime.ParseMediaType(given)
	if err != nil || !slices.Contains(taken, media) {
		return refuse("this operation takes %s", strings.Join(taken, ", "))
	}
	charset, named := params["charset"]
	utf8 := strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "us-ascii")
	if named && !utf8 {
		return refuse("a body must be in UTF-8")
	}
	return media, nil
}

// LimitBody returns the body of a request as a reader that fails behind limit
// bytes. A body that is announced to be larger is refused at once.
func LimitBody(w http.ResponseWriter, r *http.Request, limit int64) (io.Reader, error) {
	if r.ContentLength > limit {
		return nil, TooLarge(limit)
	}
	return http.MaxBytesReader(w, r.Body, limit), nil
}

// ReadBody returns the body of a request, of at most limit bytes.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := LimitBody(w, r, limit)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(body)
	if err == nil {
		return data, nil
	}
	if gone := r.Context().Err(); gone != nil {
		return nil, gone
	}
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, TooLarge(big.Limit)
	}
	return nil, Malformed("the body did not arrive whole").Because(err)
}
