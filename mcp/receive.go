package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quern"
	"quern/door"
)

// receive stands before every method: it counts the call, ends it when its request
// ends, and keeps a mistake of ours from ending the server.
func (s *Service) receive(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(callerOf(ctx).request, cancel)()
		defer func() {
			if broken := recover(); broken != nil {
				result, err = nil, failure(ctx, fmt.Errorf("mcp: %s panicked: %v\n%s", method, broken, debug.Stack()))
			}
		}()
		s.count(ctx, method, req)
		if method == "resources/list" {
			return s.listResources(ctx, req)
		}
		return next(ctx, method, req)
	}
}

// count notes a call for the log, the metrics and its caller's usage.
func (s *Service) count(ctx context.Context, method string, req sdk.Request) {
	operation := "mcp." + method
	if called, ok := req.GetParams().(*sdk.CallToolParamsRaw); ok && called != nil && toolNamed(called.Name) {
		operation = "mcp." + called.Name
	}
	door.SetOperation(ctx, operation)
	if !strings.HasPrefix(method, "notifications/") {
		s.Usage.RecordUsage(ctx, callerOf(ctx).principal.User.ID, operation, s.Now())
	}
}

// failure is an error as a method of the protocol answers it; the cause is left for
// the request's line in the log. Errors of tools are results: see addTool.
func failure(ctx context.Context, err error) error {
	door.SetError(ctx, err)
	e := door.Classify(err)
	data, _ := json.Marshal(door.Body(ctx, err)) // texts
	code := int64(jsonrpc.CodeInternalError)
	if e.Kind == quern.Invalid || e.Kind == quern.Malformed {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: e.Detail, Data: data}
}
