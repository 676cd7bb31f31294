package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
)

const (
	jsonType = "application/json"
	textType = "text/plain"
)

// checkBody reads, parses and validates the request's body as the contract
// asks, and leaves in its place a body that holds nothing else. An operation
// that reads its body itself finds it with streamedBody.
func (h *handler) checkBody(w http.ResponseWriter, r *http.Request, op *api.Operation) (*http.Request, error) {
	content := op.Body()
	if content == nil || r.ContentLength == 0 && !op.BodyRequired() {
		return r, nil
	}
	media, err := mediaType(r.Header, content)
	if err != nil {
		return r, err
	}
	if op.Stream {
		return h.streaming(w, r)
	}
	data, err := h.readBody(w, r)
	if err != nil {
		return r, err
	}
	if len(data) > 0 || op.BodyRequired() {
		data, err = conforming(media, content[media].Schema, data)
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	r.ContentLength = int64(len(data))
	return r, err
}

type streamKey struct{}

// streaming sets the body aside for its operation and leaves an empty object
// for the generated code to decode.
func (h *handler) streaming(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	if r.ContentLength > h.MaxBody {
		return r, errTooLarge(h.MaxBody)
	}
	body := http.MaxBytesReader(w, r.Body, h.MaxBody)
	r = r.WithContext(context.WithValue(r.Context(), streamKey{}, body))
	r.Body = io.NopCloser(strings.NewReader("{}"))
	return r, nil
}

// streamedBody is the body of an operation that reads its body itself.
func streamedBody(ctx context.Context) io.Reader {
	body, _ := ctx.Value(streamKey{}).(io.Reader)
	return body
}

// mediaType gives the operation's media type that the request's body has, and
// notes it in the headers where the request does not say.
func mediaType(h http.Header, content openapi3.Content) (string, error) {
	taken := make([]string, 0, len(content))
	for name := range content {
		taken = append(taken, name)
	}
	slices.Sort(taken)
	unsupported := quern.E(quern.Unsupported, quern.CodeUnsupportedMediaType,
		"this operation takes %s", strings.Join(taken, ", "))
	if enc := h.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return "", quern.E(quern.Unsupported, quern.CodeUnsupportedMediaType, "a body must not be compressed")
	}
	given := h.Get("Content-Type")
	if given == "" {
		media := taken[0]
		if slices.Contains(taken, jsonType) {
			media = jsonType
		}
		h.Set("Content-Type", media)
		return media, nil
	}
	media, params, err := mime.ParseMediaType(given)
	if err != nil || !slices.Contains(taken, media) {
		return "", unsupported
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "us-ascii") {
		return "", quern.E(quern.Unsupported, quern.CodeUnsupportedMediaType, "a body must be in UTF-8")
	}
	return media, nil
}

func (h *handler) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > h.MaxBody {
		return nil, errTooLarge(h.MaxBody)
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.MaxBody))
	switch {
	case err == nil:
		return data, nil
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	}
	if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, errTooLarge(big.Limit)
	}
	return nil, malformed("the body did not arrive whole").Because(err)
}

func errTooLarge(limit int64) *quern.Error {
	size := fmt.Sprintf("%d bytes", limit)
	if limit%(1<<20) == 0 {
		size = fmt.Sprintf("%d MiB", limit>>20)
	}
	return quern.E(quern.TooLarge, quern.CodeBodyTooLarge, "the body is larger than %s", size)
}

func malformed(format string, args ...any) *quern.Error {
	return quern.E(quern.Malformed, quern.CodeMalformedJSON, format, args...)
}

// conforming checks data against the schema and gives it back without what the
// schema does not know.
func conforming(media string, schema *openapi3.SchemaRef, data []byte) ([]byte, error) {
	switch media {
	case jsonType:
		value, err := ParseJSON(data)
		if err != nil {
			return nil, err
		}
		value = trim(schema.Value, value)
		if err := validate(schema.Value, value); err != nil {
			return nil, err
		}
		if nul := nulFields(value, nil, nil); len(nul) > 0 {
			return nil, errInvalid.With(nul...)
		}
		out, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("write a parsed body again: %w", err)
		}
		return out, nil
	case textType:
		if !utf8.Valid(data) {
			return nil, malformed("the body is not text in UTF-8")
		}
		return data, validate(schema.Value, string(data))
	}
	return data, nil
}

// nulFields names the fields whose text holds U+0000, which no text that is
// stored may.
func nulFields(value any, path []string, found []quern.SubError) []quern.SubError {
	switch value := value.(type) {
	case string:
		if strings.ContainsRune(value, 0) && len(found) < maxSubErrors {
			found = append(found, quern.SubError{Code: "character", Message: fieldName(path) + ": must not hold the character U+0000"})
		}
	case []any:
		for i, item := range value {
			found = nulFields(item, append(path, strconv.Itoa(i)), found)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			found = nulFields(name, path, found)
			found = nulFields(value[name], append(path, name), found)
		}
	}
	return found
}

// undecodable turns a failure to decode a body that its schema accepted into an
// answer: the schema allowed a number that its Go type cannot hold.
func undecodable(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return errInvalid.With(quern.SubError{Code: "type", Message: fieldName(strings.Split(wrong.Field, ".")) + ": is out of range"}).Because(err)
	}
	return malformed("the body is not valid JSON").Because(err)
}
