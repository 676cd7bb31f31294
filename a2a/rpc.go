package a2a

import (
	"encoding/json"
	"errors"
	"net/http"

	"quern"
	"quern/door"
)

// serveRPC is the JSON-RPC binding: one address for every method of an agent.
func (s *Service) serveRPC(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), "a2a")
	out := &rpcWriter{id: json.RawMessage("null")}
	c, err := s.admit(r)
	if errors.Is(err, errNoAgent) {
		door.WriteError(w, r, err)
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
	whole, err := door.ParseJSON(body)
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
		return fail(methodNotFound, "there is no method %q", quern.Clip(name, door.MaxName)).about("method", quern.Clip(name, door.MaxName))
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

// readBody reads a body that is JSON, of a size that is taken.
func (s *Service) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if _, err := door.MediaType(r.Header, dataMode, "application/a2a+json"); err != nil {
		return nil, err
	}
	return door.ReadBody(w, r, s.MaxBody)
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
