package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
	"quern/door"
)

const textType = "text/plain"

// checkBody reads, parses and validates the request's body as the contract
// asks, and leaves in its place a body that holds nothing else. An operation
// that reads its body itself finds it with streamedBody.
func (h *handler) checkBody(w http.ResponseWriter, r *http.Request, op *api.Operation) (*http.Request, error) {
	content := op.Body()
	leftOut := r.ContentLength == 0 && !op.BodyRequired()
	if content == nil || leftOut {
		return r, nil
	}
	media, err := door.MediaType(r.Header, mediaTypes(content)...)
	if err != nil {
		return r, err
	}
	if r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", media)
	}
	if op.Stream {
		return h.streaming(w, r)
	}
	data, err := door.ReadBody(w, r, h.MaxBody)
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
	body, err := door.LimitBody(w, r, h.MaxBody)
	if err != nil {
		return r, err
	}
	r = r.WithContext(context.WithValue(r.Context(), streamKey{}, body))
	r.Body = io.NopCloser(strings.NewReader("{}"))
	return r, nil
}

// streamedBody is the body of an operation that reads its body itself.
func streamedBody(ctx context.Context) io.Reader {
	body, _ := ctx.Value(streamKey{}).(io.Reader)
	return body
}

// mediaTypes lists the media types that a body may have, the one that is meant
// where a request does not say first.
func mediaTypes(content openapi3.Content) []string {
	return slices.SortedFunc(maps.Keys(content), func(a, b string) int {
		if a == door.JSONType {
			return -1
		}
		if b == door.JSONType {
			return 1
		}
		return strings.Compare(a, b)
	})
}

// conforming checks data against the schema and returns it without what the
// schema does not know.
func conforming(media string, schema *openapi3.SchemaRef, data []byte) ([]byte, error) {
	switch media {
	case door.JSONType:
		value, err := door.ParseJSON(data)
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
			return nil, door.Malformed("the body is not text in UTF-8")
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
		return errInvalid.With(quern.SubError{Code: "type",
			Message: fieldName(strings.Split(wrong.Field, ".")) + ": is out of range"}).Because(err)
	}
	return door.Malformed("the body is not valid JSON").Because(err)
}
