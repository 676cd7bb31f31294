package rest

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
	"quern/door"
)

// holdParameters holds path, query and header parameters to the contract. A malformed
// name in a path names nothing, so it is answered like one that does not exist.
func holdParameters(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := parameters(operationOf(r.Context()), r); err != nil {
			writeError(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func parameters(op *api.Operation, r *http.Request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return quern.E(quern.Malformed, quern.CodeMalformedParameter, "the query string does not parse")
	}
	for _, p := range op.Params {
		switch p.In {
		case openapi3.ParameterInPath:
			if checkParameter(p, r.PathValue(p.Name)) != nil {
				return door.ErrNotFound
			}
		case openapi3.ParameterInQuery:
			if err := checkParameters(p, query[p.Name]); err != nil {
				return err
			}
		case openapi3.ParameterInHeader:
			if err := checkParameters(p, r.Header.Values(p.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkParameters(p *openapi3.Parameter, values []string) error {
	for _, value := range values {
		if sub := checkParameter(p, value); sub != nil {
			return badParameter(p.Name).With(*sub)
		}
	}
	return nil
}

func badParameter(name string) *quern.Error {
	return quern.E(quern.Malformed, quern.CodeMalformedParameter, "the parameter %s is not valid", name)
}

// checkParameter returns what is wrong with a parameter's text.
func checkParameter(p *openapi3.Parameter, text string) *quern.SubError {
	schema := p.Schema.Value
	if schema.Type.Is(openapi3.TypeArray) {
		schema = schema.Items.Value
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return &quern.SubError{Code: "character", Message: p.Name + ": must be plain text in UTF-8"}
	}
	var value any = text
	if !schema.Type.Is(openapi3.TypeString) {
		parsed, err := door.ParseJSON([]byte(text))
		if err != nil {
			return &quern.SubError{Code: "type", Message: p.Name + ": must be " + typeName(schema)}
		}
		value = trim(schema, parsed)
	}
	invalid, ok := errors.AsType[*quern.Error](validate(schema, value))
	if !ok {
		return nil
	}
	sub := invalid.Sub[0]
	fault := quern.Fault(sub.Code, p.Name, sub.Reason())
	return &fault
}

// unbindable answers a parameter that the generated code could not take apart.
func unbindable(w http.ResponseWriter, r *http.Request, err error) {
	name := ""
	if bad, ok := errors.AsType[*api.InvalidParamFormatError](err); ok {
		name = bad.ParamName
	} else if missing, ok := errors.AsType[*api.RequiredParamError](err); ok {
		name = missing.ParamName
	}
	for _, p := range operationOf(r.Context()).Params {
		if p.Name == name && p.In == openapi3.ParameterInPath {
			writeError(w, r, door.ErrNotFound)
			return
		}
	}
	writeError(w, r, badParameter(name).Because(err))
}
