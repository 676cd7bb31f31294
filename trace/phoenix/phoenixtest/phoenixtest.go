// Package phoenixtest is an Arize Phoenix for tests: it refuses what its documents do
// not say (expectations.go).
package phoenixtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quern/trace/tracetest"
)

// APIKey is the key that it asks for.
const APIKey = "phoenix-key-of-tests"

// Annotation is an annotation as it is kept.
type Annotation struct {
	SpanID, Name, Kind, Identifier string
	Label, Explanation             string
	Score                          float64
}

// Server is a Phoenix with one project.
type Server struct {
	*tracetest.Double

	annotations map[string]Annotation
	late        bool
	stored      map[string]bool // spans that can be annotated
}

// New starts a Phoenix that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{annotations: map[string]Annotation{}, stored: map[string]bool{}}
	s.Double = tracetest.NewDouble(t, "Phoenix", s.handle)
	return s
}

// Annotation returns the annotation of an identifier.
func (s *Server) Annotation(identifier string) (a Annotation, ok bool) {
	s.Locked(func() { a, ok = s.annotations[identifier] })
	return a, ok
}

// Annotations counts the annotations.
func (s *Server) Annotations() (n int) {
	s.Locked(func() { n = len(s.annotations) })
	return n
}

// StoreLate makes it answer for a span only at the second look for it, as the real one
// does that stores what it has taken after a while.
func (s *Server) StoreLate() { s.Locked(func() { s.late = true }) }

func (s *Server) refuse(r *http.Request, status int, format string, args ...any) tracetest.Reply {
	return s.Refuse(r, status, func(why string) any { return map[string]any{"detail": why} }, format, args...)
}

func (s *Server) handle(r *http.Request) tracetest.Reply {
	if r.Header.Get("Authorization") != "Bearer "+APIKey {
		return s.refuse(r, http.StatusUnauthorized, "the authorization is not the key")
	}
	switch {
	case r.Method == http.MethodPost && r.URL.Path == tracesPath && r.URL.RawQuery == "":
		return s.takeTraces(r)
	case r.Method == http.MethodPost && r.URL.Path == annotationsPath && r.URL.RawQuery == "sync=true":
		return s.annotate(r)
	case r.Method == http.MethodDelete && r.URL.Path == deletePath:
		return s.remove(r)
	}
	return s.refuse(r, http.StatusNotFound, "there is no such operation: %s", r.URL)
}

func (s *Server) takeTraces(r *http.Request) tracetest.Reply {
	var ids []string
	about, err := s.TakeTraces(r, func(span tracetest.WireSpan) error {
		ids = append(ids, span.ID)
		return checkSpan(span)
	})
	if err != nil {
		return s.refuse(r, http.StatusUnprocessableEntity, "%v", err)
	}
	s.Locked(func() {
		for _, id := range ids {
			s.stored[id] = s.stored[id] || !s.late
		}
	})
	return tracetest.Reply{Status: http.StatusOK, About: about}
}

// annotate makes an annotation, or replaces one.
func (s *Server) annotate(r *http.Request) tracetest.Reply {
	var body struct{ Data []map[string]any }
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil || r.Header.Get("Content-Type") != "application/json" || len(body.Data) != 1 {
		return s.refuse(r, http.StatusUnprocessableEntity, "the body is not one annotation as JSON: %v", err)
	}
	a, err := read(body.Data[0])
	if err != nil {
		return s.refuse(r, http.StatusUnprocessableEntity, "%v", err)
	}
	var known bool
	s.Locked(func() {
		var taken bool
		if known, taken = s.stored[a.SpanID]; known {
			s.annotations[a.Identifier] = a
		} else if taken {
			s.stored[a.SpanID] = true
		}
	})
	text := fmt.Sprintf("%s %s %g %s", a.SpanID, a.Label, a.Score, a.Explanation)
	if !known {
		return tracetest.Reply{Status: http.StatusNotFound, Body: map[string]any{"detail": "Span not found"}, About: text}
	}
	made := map[string]any{"data": []any{map[string]any{"id": "U3BhbkFubm90YXRpb246MQ=="}}}
	return tracetest.Reply{Status: http.StatusOK, Body: made, About: text}
}

// read holds an annotation against its definition.
func read(fields map[string]any) (a Annotation, err error) {
	for name := range fields {
		if _, known := annotationFields[name]; !known {
			return a, fmt.Errorf("%s is no field of an annotation", name)
		}
	}
	for name, required := range annotationFields {
		if required && fields[name] == nil {
			return a, fmt.Errorf("%s is missing", name)
		}
	}
	given, _ := fields["result"].(map[string]any)
	for name := range given {
		if !slices.Contains(resultFields, name) {
			return a, fmt.Errorf("%s is no field of a result", name)
		}
	}
	texts := true
	text := func(from map[string]any, name string) string {
		t, ok := from[name].(string)
		texts = texts && (ok || from[name] == nil)
		return t
	}
	a = Annotation{
		SpanID: text(fields, "span_id"), Name: text(fields, "name"), Kind: text(fields, "annotator_kind"), Identifier: text(fields, "identifier"),
		Label: text(given, "label"), Explanation: text(given, "explanation"),
	}
	score, isNumber := given["score"].(float64)
	a.Score = score
	switch {
	case !texts:
		return a, errors.New("a field is not text")
	case len(a.SpanID) != 16 || a.Identifier == "" || a.Name == "":
		return a, errors.New("span, identifier or name is none")
	case !slices.Contains(annotators, fields["annotator_kind"]):
		return a, fmt.Errorf("there is no annotator %q", a.Kind)
	case a.Label == "" && a.Explanation == "" && !isNumber:
		return a, errors.New("it says nothing: no label, score or explanation")
	}
	return a, nil
}

// remove deletes the annotations that a filter finds.
func (s *Server) remove(r *http.Request) tracetest.Reply {
	filter := r.URL.Query()
	for name := range filter {
		if !slices.Contains(deleteFields, name) {
			return s.refuse(r, http.StatusUnprocessableEntity, "%s is no filter", name)
		}
	}
	if filter.Get("delete_all") != "true" || filter.Get("identifier") == "" {
		return s.refuse(r, http.StatusUnprocessableEntity, "the deletion has no bounds")
	}
	s.Locked(func() {
		if a := s.annotations[filter.Get("identifier")]; a.Name == filter.Get("name") {
			delete(s.annotations, a.Identifier)
		}
	})
	return tracetest.Reply{Status: http.StatusNoContent, About: filter.Get("identifier")}
}

// checkSpan holds a span against the conventions.
func checkSpan(s tracetest.WireSpan) error {
	if s.Resource[projectKey] != project {
		return fmt.Errorf("the project is %v", s.Resource[projectKey])
	}
	if kind := s.Attributes["openinference.span.kind"]; !slices.Contains(spanKinds, kind) {
		return fmt.Errorf("there is no kind %v", kind)
	}
	for name, value := range s.Attributes {
		ours := slices.ContainsFunc(namespaces, func(n string) bool { return strings.HasPrefix(name, n) })
		if ours && !fits(attributeTypes[name], value) {
			return fmt.Errorf("%s = %v is no attribute of OpenInference's, or of the wrong type", name, value)
		}
	}
	return nil
}

func fits(kind string, value any) (ok bool) {
	switch kind {
	case "string":
		_, ok = value.(string)
	case "int":
		_, ok = value.(int64)
	case "float":
		_, ok = value.(float64)
	}
	return ok
}
