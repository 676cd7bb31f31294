package rest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
)

// canonicalIDs returns a request whose ids, in the path and the query, are as
// they are stored: what is sent may be in capitals. Names that look like ids stay
// as they are.
func canonicalIDs(r *http.Request, op *api.Operation) *http.Request {
	changed := *r.URL
	for _, p := range op.Params {
		if p.Schema.Value.Format != "uuid" {
			continue
		}
		switch p.In {
		case openapi3.ParameterInPath:
			changed.Path = canonicalSegment(changed.Path, op.Path, p.Name)
		case openapi3.ParameterInQuery:
			changed.RawQuery = canonicalQuery(changed.RawQuery, p.Name)
		}
	}
	if changed == *r.URL {
		return r
	}
	r = r.Clone(r.Context())
	changed.RawPath = ""
	r.URL = &changed
	return r
}

// canonicalSegment changes the segment of path that pattern calls {name}.
func canonicalSegment(path, pattern, name string) string {
	given, named := strings.Split(path, "/"), strings.Split(api.Base+pattern, "/")
	if len(given) != len(named) {
		return path
	}
	for i := range named {
		if named[i] == "{"+name+"}" {
			given[i] = quern.CanonicalID(given[i])
		}
	}
	return strings.Join(given, "/")
}

func canonicalQuery(query, name string) string {
	values, err := url.ParseQuery(query)
	if err != nil || !values.Has(name) {
		return query
	}
	for i, value := range values[name] {
		values[name][i] = quern.CanonicalID(value)
	}
	return values.Encode()
}
