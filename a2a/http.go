package a2a

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"quern/door"
)

// routeHTTP is the HTTP+JSON binding: an address for every method.
func (s *Service) routeHTTP() {
	for pattern, name := range map[string]string{
		"POST /message:send":   "SendMessage",
		"POST /message:stream": "SendStreamingMessage",
		"GET /tasks":           "ListTasks",
		"POST /tasks/{task_id}/pushNotificationConfigs":        "CreateTaskPushNotificationConfig",
		"GET /tasks/{task_id}/pushNotificationConfigs":         "ListTaskPushNotificationConfigs",
		"GET /tasks/{task_id}/pushNotificationConfigs/{id}":    "GetTaskPushNotificationConfig",
		"DELETE /tasks/{task_id}/pushNotificationConfigs/{id}": "DeleteTaskPushNotificationConfig",
		"GET /extendedAgentCard":                               "GetExtendedAgentCard",
	} {
		verb, path, _ := strings.Cut(pattern, " ")
		s.mux.HandleFunc(verb+" "+Path+"/{agent}/v1"+path, func(w http.ResponseWriter, r *http.Request) {
			s.serveHTTP(w, r, name, map[string]string{"task_id": r.PathValue("task_id"), "id": r.PathValue("id")})
		})
	}
	// What is done to a task stands behind its id, where a mux cannot see it.
	for _, verb := range []string{http.MethodGet, http.MethodPost} {
		s.mux.HandleFunc(verb+" "+Path+"/{agent}/v1/tasks/{id}", func(w http.ResponseWriter, r *http.Request) {
			id, action, _ := strings.Cut(r.PathValue("id"), ":")
			name, ok := map[string]string{
				"GET ": "GetTask", "POST cancel": "CancelTask", "GET subscribe": "SubscribeToTask", "POST subscribe": "SubscribeToTask",
			}[verb+" "+action]
			if !ok {
				door.WriteError(w, r, door.ErrNoRoute)
				return
			}
			s.serveHTTP(w, r, name, map[string]string{"id": id})
		})
	}
}

func (s *Service) serveHTTP(w http.ResponseWriter, r *http.Request, name string, path map[string]string) {
	c, err := s.admit(r)
	if errors.Is(err, errNoAgent) {
		door.WriteError(w, r, err)
		return
	}
	req := request{call: c, method: methods[name]}
	req.params = req.method.params()
	if err == nil {
		s.count(r.Context(), c, name)
		err = s.readHTTP(w, r, req.params, path)
	}
	s.serve(exchange{w, r, httpWriter{}}, req, err)
}

// readHTTP gathers parameters from the body, the query and the path, which wins.
func (s *Service) readHTTP(w http.ResponseWriter, r *http.Request, params proto.Message, path map[string]string) error {
	given := any(map[string]any{})
	if r.Method == http.MethodPost {
		body, err := s.readBody(w, r)
		if err != nil {
			return err
		}
		if len(body) > 0 {
			if given, err = door.ParseJSON(body); err != nil {
				return err
			}
		}
	}
	if err := s.checkVersion(r); err != nil {
		return err
	}
	fields := params.ProtoReflect().Descriptor().Fields()
	members, isObject := given.(map[string]any)
	if !isObject {
		return decode(given, params)
	}
	if r.Method == http.MethodGet {
		for name, values := range r.URL.Query() {
			if field := fieldNamed(fields, name); field != nil && len(values) > 0 {
				members[name] = queryValue(field, values)
			}
		}
	}
	for name, value := range path {
		if field := fields.ByName(protoreflect.Name(name)); field != nil && value != "" {
			delete(members, field.JSONName())
			members[name] = value
		}
	}
	return decode(members, params)
}

func fieldNamed(fields protoreflect.FieldDescriptors, name string) protoreflect.FieldDescriptor {
	if field := fields.ByJSONName(name); field != nil {
		return field
	}
	return fields.ByName(protoreflect.Name(name))
}

// queryValue reads a parameter of a query as JSON would have written it.
func queryValue(field protoreflect.FieldDescriptor, values []string) any {
	text := values[0]
	switch field.Kind() {
	case protoreflect.BoolKind:
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	case protoreflect.EnumKind:
		if isInt32(json.Number(text)) {
			return json.Number(text)
		}
	}
	return text
}

// httpWriter answers in plain HTTP, failures as google.rpc.Status.
type httpWriter struct{}

func (httpWriter) result(result json.RawMessage) any { return result }

func (httpWriter) failure(f *failure) (status int, body any, event string) {
	status = f.fault.status
	if f.status != 0 {
		status = f.status
	}
	return status, map[string]any{"error": map[string]any{
		"code": status, "status": f.fault.state, "message": f.message, "details": f.details(),
	}}, "error"
}
