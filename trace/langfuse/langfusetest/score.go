package langfusetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"

	"quern/trace/tracetest"
)

// createScore creates a score, or overwrites what is sent of one.
func (s *Server) createScore(r *http.Request) tracetest.Reply {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return s.refuse(r, "the Content-Type is %q", r.Header.Get("Content-Type"))
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return s.refuse(r, "the body did not arrive: %v", err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return s.refuse(r, "the body is no JSON object: %v", err)
	}
	if err := checkScore(fields); err != nil {
		return s.refuse(r, "%v", err)
	}
	id, _ := fields["id"].(string)
	s.Locked(func() { s.scores[id] = merge(s.scores[id], fields) })
	return tracetest.Reply{Status: http.StatusOK, Body: map[string]any{"id": id}, About: string(data)}
}

// checkScore holds a body against the definition.
func checkScore(fields map[string]any) error {
	for name, value := range fields {
		types, known := scoreFields[name]
		switch {
		case !known:
			return fmt.Errorf("%s is no field of a score", name)
		case value == nil && slices.Contains(scoreRequired, name):
			return fmt.Errorf("%s is null", name)
		case value != nil && !slices.Contains(types, typeOf(value)):
			return fmt.Errorf("%s is a %s", name, typeOf(value))
		}
	}
	for _, name := range scoreRequired {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	return checkMeaning(fields)
}

// checkMeaning holds what the definition says in words.
func checkMeaning(fields map[string]any) error {
	text := func(name string) string { t, _ := fields[name].(string); return t }
	switch {
	case text("name") == "":
		return errors.New("name is empty")
	case text("traceId") == "" && text("sessionId") == "" && text("datasetRunId") == "":
		return errors.New("it scores nothing: no trace, session or dataset run is named")
	case text("traceId") != "" && (text("sessionId") != "" || text("datasetRunId") != ""):
		return errors.New("it scores more than one thing")
	case text("id") == "":
		return errors.New("id is missing; a score without one can never be overwritten")
	}
	return checkValue(text("dataType"), fields["value"])
}

// checkValue holds a value to the type that it is sent as.
func checkValue(kind string, value any) error {
	fits, known := scoreValues[kind]
	switch {
	case !known:
		return fmt.Errorf("dataType is %q", kind)
	case !fits(value):
		return fmt.Errorf("value is %v, which is not %s", value, kind)
	}
	return nil
}

// merge overwrites what is sent; what is left out or null stays as it was.
func merge(old Score, fields map[string]any) Score {
	for name, place := range map[string]*string{
		"id": &old.ID, "traceId": &old.TraceID, "name": &old.Name, "dataType": &old.DataType, "comment": &old.Comment,
	} {
		if text, ok := fields[name].(string); ok {
			*place = text
		}
	}
	if number, ok := fields["value"].(float64); ok {
		old.Value = number
	}
	old.Requests++
	return old
}

func typeOf(value any) jsonType {
	switch value.(type) {
	case string:
		return isString
	case float64:
		return isNumber
	case map[string]any:
		return isObject
	}
	return jsonType(fmt.Sprintf("%T", value))
}
