package rest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
	"quern/door"
)

// maxSubErrors bounds an answer: whoever broke a hundred fields has a broken
// program, not a hundred typing errors.
const maxSubErrors = 100

var errInvalid = quern.E(quern.Invalid, quern.CodeInvalid, "the body is not valid")

var visit = append(api.Formats(), openapi3.MultiErrors(), openapi3.VisitAsRequest())

// validate checks a value against its schema; the error has one sub error for
// each invalid field.
func validate(schema *openapi3.Schema, value any) error {
	err := schema.VisitJSON(value, visit...)
	if err == nil {
		return nil
	}
	f := findings{seen: map[string]bool{}}
	f.add(err)
	return errInvalid.With(f.subs...)
}

type findings struct {
	subs []quern.SubError
	seen map[string]bool
}

func (f *findings) add(err error) {
	if len(f.subs) >= maxSubErrors {
		return
	}
	if all, ok := errors.AsType[openapi3.MultiError](err); ok {
		for _, one := range all {
			f.add(one)
		}
		return
	}
	broken, ok := errors.AsType[*openapi3.SchemaError](err)
	if !ok {
		f.note("body", "type", "is not a value that can be read")
		return
	}
	if broken.SchemaField == "allOf" && broken.Origin != nil {
		f.add(errors.Unwrap(broken.Origin))
		return
	}
	code, reason := explain(broken)
	f.note(fieldName(broken.JSONPointer()), code, reason)
}

// note keeps the first finding about a field.
func (f *findings) note(field, code, reason string) {
	if f.seen[field] {
		return
	}
	f.seen[field] = true
	f.subs = append(f.subs, quern.Fault(code, field, reason))
}

// fieldName writes a path as people do: a.b[0].c; the whole value is "body".
func fieldName(path []string) string {
	var b strings.Builder
	for _, step := range path {
		switch {
		case isIndex(step):
			b.WriteString("[" + step + "]")
		case b.Len() > 0:
			b.WriteString("." + quern.Clip(step, door.MaxName))
		default:
			b.WriteString(quern.Clip(step, door.MaxName))
		}
	}
	if b.Len() == 0 {
		return "body"
	}
	return b.String()
}

func isIndex(s string) bool {
	return s != "" && len(s) < 10 && strings.Trim(s, "0123456789") == ""
}

// explain returns the broken rule's code and what is asked of the field.
func explain(e *openapi3.SchemaError) (code, reason string) {
	s := e.Schema
	switch e.SchemaField {
	case "required":
		return "required", "a value is required"
	case "nullable":
		if s.Extensions[api.NoNull] == true { // a member that may be left out
			return "type", "must be " + typeName(s) + " or be left out, not null"
		}
		return "required", "must be " + typeName(s) + ", not null"
	case "type":
		return "type", "must be " + typeName(s)
	case "minLength":
		return "minLength", fmt.Sprintf("must have at least %s", count(s.MinLength, "character"))
	case "maxLength":
		return "maxLength", fmt.Sprintf("must have at most %s", count(*s.MaxLength, "character"))
	case "pattern":
		return "pattern", "must match " + s.Pattern
	case "format":
		return "format", "must be " + formatName(s.Format)
	case "enum":
		return "enum", "must be one of " + listed(s.Enum)
	case "minItems":
		return "minItems", fmt.Sprintf("must have at least %s", count(s.MinItems, "item"))
	case "maxItems":
		return "maxItems", fmt.Sprintf("must have at most %s", count(*s.MaxItems, "item"))
	case "uniqueItems":
		return "uniqueItems", "must not repeat an item"
	case "minProperties":
		return "minProperties", fmt.Sprintf("must have at least %s", count(s.MinProps, "member"))
	case "maxProperties":
		return "maxProperties", fmt.Sprintf("must have at most %s", count(*s.MaxProps, "member"))
	case "minimum":
		return "minimum", fmt.Sprintf("must be at least %v", *s.Min)
	case "maximum":
		return "maximum", fmt.Sprintf("must be at most %v", *s.Max)
	case "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return e.SchemaField, "is outside of what is allowed"
	}
	return "form", "does not have a form that is allowed here"
}

func count(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func typeName(s *openapi3.Schema) string {
	switch {
	case s.Type.Is(openapi3.TypeString):
		return "a string"
	case s.Type.Is(openapi3.TypeInteger):
		return "a whole number"
	case s.Type.Is(openapi3.TypeNumber):
		return "a number"
	case s.Type.Is(openapi3.TypeBoolean):
		return "true or false"
	case s.Type.Is(openapi3.TypeArray):
		return "an array"
	}
	return "an object"
}

func formatName(format string) string {
	switch format {
	case "uuid":
		return "a UUID"
	case "date-time":
		return "a time such as 2031-01-31T00:00:00Z"
	case "date":
		return "a day such as 2031-01-31"
	}
	return "in the format " + format
}

func listed(values []any) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprint(v)
	}
	return strings.Join(names, ", ")
}
