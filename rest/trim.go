package rest

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
)

// trim takes out of value what the schema does not know, and nulls in place of
// members that may be left out, and returns ids as they are stored. Go's decoder takes "NAME" for "name", so an
// unknown member that stayed would reach the handler without having been checked.
func trim(schema *openapi3.Schema, value any) any {
	switch v := value.(type) {
	case map[string]any:
		trimObject(schema, v)
	case []any:
		if schema.Items == nil {
			return value
		}
		for i := range v {
			v[i] = trim(schema.Items.Value, v[i])
		}
	case string:
		if schema.Format == "uuid" {
			return quern.CanonicalID(v)
		}
	case json.Number:
		if schema.Type.Is(openapi3.TypeInteger) {
			return plainInteger(v)
		}
	}
	return value
}

func trimObject(schema *openapi3.Schema, object map[string]any) {
	shape := objectShape{members: openapi3.Schemas{}, required: map[string]bool{}}
	shape.add(schema, true, 0)
	for name, value := range object {
		member, known := shape.members[name]
		switch {
		case known && value == nil && !shape.required[name] && !member.Value.PermitsNull() && member.Value.Extensions[api.NoNull] != true:
			delete(object, name)
		case known:
			object[name] = trim(member.Value, value)
		case !shape.open && len(shape.members) > 0:
			delete(object, name)
		case shape.extra != nil:
			object[name] = trim(shape.extra, value)
		}
	}
}

// objectShape is what a schema, with all that it is composed of, says about an object.
type objectShape struct {
	members  openapi3.Schemas
	required map[string]bool
	open     bool             // other members are part of the value
	extra    *openapi3.Schema // what other members look like
}

func (o *objectShape) add(schema *openapi3.Schema, certain bool, depth int) {
	if depth > 8 {
		return // schemas that contain themselves say nothing new
	}
	for name, member := range schema.Properties {
		o.members[name] = member
	}
	if certain {
		for _, name := range schema.Required {
			o.required[name] = true
		}
	}
	if more := schema.AdditionalProperties; more.Schema != nil {
		o.open, o.extra = true, more.Schema.Value
	} else if more.Has != nil && *more.Has {
		o.open = true
	}
	for _, part := range schema.AllOf {
		o.add(part.Value, certain, depth+1)
	}
	for _, alternatives := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf} {
		for _, part := range alternatives {
			o.add(part.Value, false, depth+1)
		}
	}
}

// plainInteger writes 1.0 and 1e3 as Go's decoder wants integers.
func plainInteger(n json.Number) json.Number {
	if !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return n
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
}
