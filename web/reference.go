package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"quern/api"
)

// reference is the contract in the order in which people read it.
type reference struct {
	Title, Version, Intro, Base string
	Schemes                     []scheme
	Groups                      []group
	Codes                       []code
}

type scheme struct{ Name, Kind, Description string }

type group struct {
	Name, Anchor, Description string
	Operations                []operation
}

type operation struct {
	ID, Method, Path, Summary, Description string
	Public                                 bool
	Params                                 []param
	Body                                   *body
	Success, Errors                        []response
	Curl                                   string
}

// Steps are the parts of the path, so that a long one breaks at a slash.
func (o operation) Steps() []string {
	return strings.SplitAfter(strings.TrimPrefix(o.Path, "/"), "/")
}

// Class is the method as a class of the stylesheet.
func (o operation) Class() string { return strings.ToLower(o.Method) }

type param struct {
	Name, In, Type, Rules, Description string
	Required                           bool
}

type body struct {
	Media, Example string
	Required       bool
	Members        []member
}

type response struct {
	Status, Text, Description, Media, Example string
	Members                                   []member
}

type code struct{ Name, Meaning string }

func newReference(publicURL string) reference {
	doc := api.Contract()
	ref := reference{
		Title: doc.Info.Title, Version: doc.Info.Version, Intro: doc.Info.Description, Base: publicURL + api.Base,
		Schemes: schemes(doc), Codes: codes(doc),
	}
	for _, tag := range doc.Tags {
		g := group{Name: tag.Name, Anchor: "tag-" + strings.ToLower(strings.ReplaceAll(tag.Name, " ", "-")), Description: tag.Description}
		for _, op := range api.Operations() {
			if op.Tag == tag.Name {
				g.Operations = append(g.Operations, describe(op, ref.Base))
			}
		}
		if len(g.Operations) > 0 {
			ref.Groups = append(ref.Groups, g)
		}
	}
	return ref
}

func schemes(doc *openapi3.T) []scheme {
	var all []scheme
	for name, s := range doc.Components.SecuritySchemes {
		kind := "HTTP " + s.Value.Scheme
		switch s.Value.Type {
		case "oauth2":
			kind = "OAuth 2.0, implicit flow"
		case "apiKey":
			kind = s.Value.In + " " + s.Value.Name
		}
		all = append(all, scheme{name, kind, s.Value.Description})
	}
	slices.SortFunc(all, func(a, b scheme) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func codes(doc *openapi3.T) []code {
	schema := doc.Components.Schemas["ErrorCode"].Value
	meanings, _ := schema.Extensions["x-meanings"].(map[string]any)
	var all []code
	for _, v := range schema.Enum {
		name := fmt.Sprint(v)
		all = append(all, code{name, fmt.Sprint(meanings[name])})
	}
	return all
}

func describe(op *api.Operation, base string) operation {
	o := operation{
		ID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Spec.Summary,
		Description: op.Spec.Description, Public: op.Public,
	}
	for _, p := range op.Params {
		o.Params = append(o.Params, param{
			Name: p.Name, In: p.In, Type: typeOf(p.Schema), Rules: rules(p.Schema.Value),
			Description: p.Description, Required: p.Required,
		})
	}
	if form := shown(op.Body()); form != nil {
		o.Body = &body{Media: mediaTypes(op.Body()), Required: op.BodyRequired(), Members: members(form.Schema), Example: example(form)}
	}
	for status, ref := range op.Spec.Responses.Map() {
		r := respond(status, ref.Value)
		if status < "400" {
			o.Success = append(o.Success, r)
		} else {
			o.Errors = append(o.Errors, r)
		}
	}
	for _, list := range [][]response{o.Success, o.Errors} {
		slices.SortFunc(list, func(a, b response) int { return strings.Compare(a.Status, b.Status) })
	}
	o.Curl = curl(op, base)
	return o
}

func respond(status string, spec *openapi3.Response) response {
	r := response{Status: status}
	if n, err := strconv.Atoi(status); err == nil {
		r.Text = http.StatusText(n)
	}
	if spec.Description != nil {
		r.Description = *spec.Description
	}
	if form := shown(spec.Content); form != nil {
		r.Media, r.Members, r.Example = mediaTypes(spec.Content), members(form.Schema), example(form)
	}
	return r
}

// mediaTypes lists what a body may come as, JSON first.
func mediaTypes(content openapi3.Content) string { return strings.Join(sorted(content), ", ") }

// shown picks the form whose members and example stand for all, nil when there
// is no body.
func shown(content openapi3.Content) *openapi3.MediaType {
	if len(content) == 0 {
		return nil
	}
	return content[sorted(content)[0]]
}

func sorted(content openapi3.Content) []string {
	return slices.SortedFunc(maps.Keys(content), func(a, b string) int {
		if isJSON := a == "application/json"; isJSON != (b == "application/json") {
			if isJSON {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
}

// example shows a body as it would be sent, JSON with room to breathe.
func example(form *openapi3.MediaType) string {
	if form.Example == nil {
		return ""
	}
	if text, ok := form.Example.(string); ok {
		return text
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(form.Example); err != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// curl shows how to ask from a shell.
func curl(op *api.Operation, base string) string {
	path, query := op.Path, url.Values{}
	for _, p := range op.Params {
		value := fmt.Sprint(p.Example)
		switch {
		case p.Example == nil:
		case p.In == openapi3.ParameterInPath:
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case p.In == openapi3.ParameterInQuery:
			query.Set(p.Name, value)
		}
	}
	address := base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	lines := []string{"curl '" + address + "'"}
	if op.Method != http.MethodGet {
		lines[0] = "curl -X " + op.Method + " '" + address + "'"
	}
	if !op.Public {
		lines = append(lines, `-H "Authorization: Bearer $TOKEN"`)
	}
	if form := shown(op.Body()); form != nil {
		lines = append(lines, "-H 'Content-Type: "+sorted(op.Body())[0]+"'")
		if text := example(form); text != "" {
			lines = append(lines, "-d '"+strings.ReplaceAll(text, "'", `'\''`)+"'")
		}
	}
	return strings.Join(lines, " \\\n  ")
}
