package apitest

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"quern/api"
)

// Check lists how an answer breaks the contract, and notes the operation as
// exercised when it does not and was a success. Addresses outside of the
// contract's base are nobody's business.
func Check(r *http.Request, resp *http.Response, body []byte) []string {
	if !strings.HasPrefix(r.URL.Path, api.Base+"/") || r.URL.Path == api.Base+"/openapi.json" || r.Method == http.MethodOptions {
		return nil
	}
	op, ok := match(r)
	if !ok {
		return checkUnmatched(resp, body)
	}
	problems := checkResponse(op, r, resp, body)
	if len(problems) == 0 && resp.StatusCode < 300 {
		exercised.Lock()
		exercised.ids[op.ID] = true
		exercised.Unlock()
	}
	return problems
}

// routes knows every operation by its pattern.
var routes = sync.OnceValue(func() *http.ServeMux {
	mux := http.NewServeMux()
	for _, op := range api.Operations() {
		if !strings.Contains(op.Path, verb) {
			mux.Handle(op.Pattern(), http.NotFoundHandler())
		}
	}
	return mux
})

// verb is what an address has where something is done to what a parameter names, as in
// {taskId}:cancel, which no pattern of a mux can say.
const verb = "}:"

// verbs knows those operations by what their addresses look like.
var verbs = sync.OnceValue(func() map[*regexp.Regexp]*api.Operation {
	all := map[*regexp.Regexp]*api.Operation{}
	for _, op := range api.Operations() {
		if strings.Contains(op.Path, verb) {
			form := parameter.ReplaceAllString(op.Path, `[^/]+`)
			all[regexp.MustCompile(`^`+op.Method+" "+api.Base+form+`$`)] = op
		}
	}
	return all
})

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// match finds the operation that a request is for. A path that is not clean is
// for none.
func match(r *http.Request) (*api.Operation, bool) {
	if p := r.URL.EscapedPath(); p != path.Clean(p) {
		return nil, false
	}
	for form, op := range verbs() {
		if form.MatchString(r.Method + " " + r.URL.EscapedPath()) {
			return op, true
		}
	}
	_, pattern := routes().Handler(r)
	return api.ByPattern(pattern)
}

// checkUnmatched holds answers about addresses that do not exist to the one form
// that all errors have.
func checkUnmatched(resp *http.Response, body []byte) []string {
	if resp.StatusCode != http.StatusNotFound && resp.StatusCode != http.StatusMethodNotAllowed {
		return []string{fmt.Sprintf("no operation has this address, yet the status is %d", resp.StatusCode)}
	}
	return checkBody(api.Contract().Components.Schemas["ErrorResponse"].Value, body)
}

func checkResponse(op *api.Operation, r *http.Request, resp *http.Response, body []byte) []string {
	ref := op.Spec.Responses.Status(resp.StatusCode)
	if ref == nil {
		ref = op.Spec.Responses.Default()
	}
	if ref == nil {
		return []string{"the operation does not list this status"}
	}
	var problems []string
	for name, header := range ref.Value.Headers {
		if header.Value.Required && resp.Header.Get(name) == "" {
			problems = append(problems, "the header "+name+" is missing")
		}
	}
	content := ref.Value.Content
	if len(content) == 0 {
		if len(body) > 0 {
			problems = append(problems, "there should be no body")
		}
		return problems
	}
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	form := content[media]
	if err != nil || form == nil {
		return append(problems, fmt.Sprintf("the content type %q is not listed", resp.Header.Get("Content-Type")))
	}
	if media != "application/json" || r.Method == http.MethodHead || form.Schema == nil {
		return problems
	}
	return append(problems, checkBody(form.Schema.Value, body)...)
}

func checkBody(schema *openapi3.Schema, body []byte) []string {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return []string{fmt.Sprintf("the body is not JSON: %v", err)}
	}
	options := append(api.Formats(), openapi3.MultiErrors(), openapi3.VisitAsResponse(), openapi3.DisableSchemaErrorDetails())
	if err := schema.VisitJSON(value, options...); err != nil {
		return []string{fmt.Sprintf("the body does not fit its schema: %v", err)}
	}
	return undeclared(schema, value, "body")
}

// undeclared lists members that the contract does not name. Schemas leave room
// for members to come, but the server has no business sending them unannounced.
func undeclared(schema *openapi3.Schema, value any, at string) []string {
	var problems []string
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			if schema.Items != nil {
				problems = append(problems, undeclared(schema.Items.Value, item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		composed := len(schema.AllOf)+len(schema.OneOf)+len(schema.AnyOf) > 0
		more := schema.AdditionalProperties
		for name, member := range v {
			declared, ok := schema.Properties[name]
			switch {
			case ok:
				problems = append(problems, undeclared(declared.Value, member, at+"."+name)...)
			case !composed && len(schema.Properties) > 0 && more.Schema == nil && more.Has == nil:
				problems = append(problems, at+"."+name+" is not in the contract")
			}
		}
	}
	return problems
}
