package langfusetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"quern/trace/tracetest"
)

// takeTraces is the OTLP endpoint.
func (s *Server) takeTraces(r *http.Request) tracetest.Reply {
	if v := r.Header.Get("X-Langfuse-Ingestion-Version"); v != "4" {
		return s.refuse(r, "the ingestion version is %q", v)
	}
	about, err := s.TakeTraces(r, checkSpan)
	if err != nil {
		return s.refuse(r, "%v", err)
	}
	return tracetest.Reply{Status: http.StatusOK, Body: map[string]any{}, About: about}
}

// checkSpan holds a span's attributes against their page.
func checkSpan(s tracetest.WireSpan) error {
	for _, name := range everySpan {
		if s.Attributes[name] == nil {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name, value := range s.Attributes {
		if strings.HasPrefix(name, "langfuse.") && !fits(name, value) {
			return fmt.Errorf("%s = %v is no attribute of Langfuse's, or of the wrong type", name, value)
		}
	}
	if kind := s.Attributes["langfuse.observation.type"]; !slices.Contains(observationTypes, fmt.Sprint(kind)) {
		return fmt.Errorf("there is no observation of type %v", kind)
	}
	if level, ok := s.Attributes["langfuse.observation.level"]; ok && !slices.Contains(levels, fmt.Sprint(level)) {
		return fmt.Errorf("there is no level %v", level)
	}
	return nil
}

func fits(name string, value any) bool {
	want := attributeTypes[name]
	for prefix, t := range attributeTypes {
		if strings.HasSuffix(prefix, ".") && strings.HasPrefix(name, prefix) {
			want = t
		}
	}
	text, isText := value.(string)
	switch want {
	case "string":
		return isText
	case "json":
		var members map[string]float64
		return isText && json.Unmarshal([]byte(text), &members) == nil
	case "bool":
		_, ok := value.(bool)
		return ok
	case "int":
		_, ok := value.(int64)
		return ok
	}
	return false
}
