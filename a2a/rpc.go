package a2a

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"quern"
	"quern/rest"
	"quern/server"
)

// serveRPC is the JSON-RPC binding: one address for every method of an agent.
func (s *Service) serveRPC(w http.ResponseWriter, r *http.Request) {
	server.SetOperation(r.Context(), "a2a")
	out := &rpcWriter{id: json.RawMessage("null")}
	c, err := s.admit(r)
	if errors.Is(err, errNoAgent) {
		rest.WriteError(w, r, err)
		return
	}
	req := request{call: c}
	if err == nil {
		err = s.readRPC(w, r, &req, out)
	}
	s.serve(exchange{w, r, out}, req, err)
}

// readRPC reads a request up to its parameters, and notes in out what it is
// answered under.
func (s *Service) readRPC(w http.ResponseWriter, r *http.Request, req *request, out *rpcWriter) error {
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	whole, err := rest.ParseJSON(body)
	if err != nil {
		return err
	}
	name, params, err := envelope(whole, out)
	if err == nil {
		err = s.checkVersion(r)
	}
	if err != nil {
		return err
	}
	var known bool
	if req.method, known = methods[name]; !known {
		return fail(methodNotFound, "there is no method %q", clip(name)).about("method", clip(name))
	}
	s.count(r.Context(), req.call, name)
	req.params = req.method.params()
	return decode(params, req.params)
}

// envelope takes a JSON-RPC request apart.
func envelope(whole any, out *rpcWriter) (name string, params any, err error) {
	request, ok := whole.(map[string]any)
	if _, batch := whole.([]any); batch {
		return "", nil, fail(invalidRequest, "the protocol has no batches: send one request at a time")
	}
	if !ok {
		return "", nil, fail(invalidRequest, "the body must be an object, a JSON-RPC request")
	}
	id, given := request["id"]
	switch id.(type) {
	case nil, string, json.Number:
	default:
		return "", nil, fail(invalidRequest, "id must be text or a number")
	}
	if out.id, err = json.Marshal(id); err != nil {
		return "", nil, err
	}
	name, isText := request["method"].(string)
	switch {
	case request["jsonrpc"] != "2.0":
		return "", nil, fail(invalidRequest, `jsonrpc must be "2.0"`)
	case !given:
		return "", nil, fail(invalidRequest, "id is missing: the protocol has no notifications")
	case !isText || name == "":
		return "", nil, fail(invalidRequest, "method must name a method")
	}
	if params = request["params"]; params == nil {
		params = map[string]any{}
	}
	return name, params, nil
}

func clip(s string) string {
	if r := []rune(s); len(r) > 64 {
		return string(r[:64]) + "…"
	}
	return s
}

// readBody reads a body that is JSON, of a size that is taken.
func (s *Service) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if given := r.Header.Get("Content-Type"); given != "" {
		media, _, err := mime.ParseMediaType(given)
		if err != nil || media != dataMode && media != "application/a2a+json" {
			return nil, quern.E(quern.Unsupported, quern.CodeUnsupportedMediaType, "this address takes %s", dataMode)
		}
	}
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, quern.E(quern.Unsupported, quern.CodeUnsupportedMediaType, "a body must not be compressed")
	}
	tooLarge := quern.E(quern.TooLarge, quern.CodeBodyTooLarge, "the body is larger than %d bytes", s.MaxBody)
	if r.ContentLength > s.MaxBody {
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.MaxBody))
	if _, big := errors.AsType[*http.MaxBytesError](err); big {
		return nil, tooLarge
	}
	if err != nil && r.Context().Err() == nil {
		return nil, quern.E(quern.Malformed, quern.CodeMalformedJSON, "the body did not arrive whole").Because(err)
	}
	return body, err
}

// rpcWriter answers in JSON-RPC.
type rpcWriter struct{ id json.RawMessage }

type rpcAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    []any  `json:"data"`
}

func (o *rpcWriter) result(result json.RawMessage) any {
	return rpcAnswer{Version: "2.0", ID: o.id, Result: result}
}

func (o *rpcWriter) failure(f *failure) (status int, body any, event string) {
	status = http.StatusOK
	if f.status != 0 {
		status = f.status
	}
	return status, rpcAnswer{Version: "2.0", ID: o.id, Error: &rpcError{f.fault.code, f.message, f.details()}}, ""
}
