package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// Base is the path under which the contract's paths live.
const Base = "/api/v1"

// StreamBody is the extension by which an operation asks to read its body
// itself: no size limit, parse or schema check happens before its handler.
const StreamBody = "x-stream-body"

// NoNull is the extension by which an optional member refuses null, which
// elsewhere is the same as leaving the member out.
const NoNull = "x-no-null"

// EdgeOf is the extension by which an operation says that another edge than rest
// serves it: no code is made for it, and none of rest's tests asks for it.
const EdgeOf = "x-edge"

// Events is the extension by which the schema of a stream names the schema of
// each of its events.
const Events = "x-events"

//go:embed openapi.yaml
var source []byte

// Operation is one operation of the contract.
type Operation struct {
	ID     string
	Method string
	Path   string // as in the contract, with {names}
	Tag    string
	Spec   *openapi3.Operation
	Params []*openapi3.Parameter
	Public bool   // needs no token
	Stream bool   // reads its body itself
	Edge   string // the edge that serves it; empty: rest
}

// Pattern is the operation's pattern for http.ServeMux; none is good where something is
// done to what a parameter names, as in {taskId}:cancel, which no operation of rest has.
func (o *Operation) Pattern() string { return o.Method + " " + Base + o.Path }

// Body returns the media types that the operation takes, nil when it takes no body.
func (o *Operation) Body() openapi3.Content {
	if o.Spec.RequestBody == nil {
		return nil
	}
	return o.Spec.RequestBody.Value.Content
}

// BodyRequired reports whether the operation needs a body.
func (o *Operation) BodyRequired() bool {
	return o.Spec.RequestBody != nil && o.Spec.RequestBody.Value.Required
}

type contract struct {
	doc       *openapi3.T
	list      []*Operation
	byPattern map[string]*Operation
}

// parsed is made once. The contract is part of the binary, so a contract that
// does not parse is a defect of the build and may panic; a test holds that it is valid.
var parsed = sync.OnceValue(func() *contract {
	doc, err := openapi3.NewLoader().LoadFromData(source)
	if err != nil {
		panic(fmt.Sprintf("api: the contract does not parse: %v", err))
	}
	c := &contract{doc: doc, byPattern: map[string]*Operation{}}
	for address, item := range doc.Paths.Map() {
		for method, spec := range item.Operations() {
			c.add(address, method, item, spec)
		}
	}
	slices.SortFunc(c.list, func(a, b *Operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return c
})

func (c *contract) add(address, method string, item *openapi3.PathItem, spec *openapi3.Operation) {
	op := &Operation{ID: spec.OperationID, Method: method, Path: address, Spec: spec}
	if len(spec.Tags) > 0 {
		op.Tag = spec.Tags[0]
	}
	for _, p := range slices.Concat(item.Parameters, spec.Parameters) {
		op.Params = append(op.Params, p.Value)
	}
	security := c.doc.Security
	if spec.Security != nil {
		security = *spec.Security
	}
	op.Public = len(security) == 0
	op.Stream, _ = spec.Extensions[StreamBody].(bool)
	op.Edge, _ = spec.Extensions[EdgeOf].(string)
	c.list = append(c.list, op)
	c.byPattern[op.Pattern()] = op
}

// Contract returns the parsed contract. Callers must not change it.
func Contract() *openapi3.T { return parsed().doc }

// Operations lists the operations by path and method.
func Operations() []*Operation { return slices.Clone(parsed().list) }

// ByPattern finds the operation of a pattern that http.ServeMux matched.
func ByPattern(pattern string) (*Operation, bool) {
	op, ok := parsed().byPattern[pattern]
	return op, ok
}

// JSON renders the contract for a server that is reached at publicURL and whose
// identity provider lets people sign in at authorizationURL.
func JSON(publicURL, authorizationURL string) ([]byte, error) {
	plain, err := json.Marshal(Contract())
	if err != nil {
		return nil, fmt.Errorf("encode the contract: %w", err)
	}
	own := &openapi3.T{}
	if err := json.Unmarshal(plain, own); err != nil {
		return nil, fmt.Errorf("copy the contract: %w", err)
	}
	own.Servers[0].URL = strings.TrimSuffix(publicURL, "/") + Base
	own.Components.SecuritySchemes["openId"].Value.Flows.Implicit.AuthorizationURL = authorizationURL
	out, err := json.MarshalIndent(own, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the contract: %w", err)
	}
	return append(out, '\n'), nil
}
