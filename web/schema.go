package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// member is one line of a schema's table.
type member struct {
	Name, Type, Rules, Description string
	Required                       bool
	Depth                          int
}

// Indent is the depth as a class of the stylesheet.
func (m member) Indent() string { return fmt.Sprintf("depth%d", min(m.Depth, maxDepth)) }

// maxDepth is how deep a table follows members of members; schemas may contain
// themselves.
const maxDepth = 4

func members(schema *openapi3.SchemaRef) []member {
	if schema == nil {
		return nil
	}
	return flatten(schema.Value, 0)
}

func flatten(schema *openapi3.Schema, depth int) []member {
	if schema.Type.Is(openapi3.TypeArray) && schema.Items != nil {
		return flatten(schema.Items.Value, depth)
	}
	var list []member
	for _, part := range schema.AllOf {
		list = append(list, flatten(part.Value, depth)...)
	}
	for _, name := range order(schema) {
		ref := schema.Properties[name]
		list = append(list, member{
			Name: name, Type: typeOf(ref), Rules: rules(ref.Value), Description: ref.Value.Description,
			Required: slices.Contains(schema.Required, name), Depth: depth,
		})
		if depth < maxDepth {
			list = append(list, flatten(ref.Value, depth+1)...)
		}
	}
	return list
}

// order puts the required members first, as the contract lists them, then the
// others by name: the parsed contract does not keep their order.
func order(schema *openapi3.Schema) []string {
	var rest []string
	for name := range schema.Properties {
		if !slices.Contains(schema.Required, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(slices.Clone(schema.Required), rest...)
}

func typeOf(ref *openapi3.SchemaRef) string {
	s := ref.Value
	switch {
	case s.Type.Is(openapi3.TypeArray) && s.Items != nil:
		return "array of " + typeOf(s.Items)
	case s.Type.Is(openapi3.TypeString) && s.Format != "":
		return s.Format
	case s.Type != nil && len(s.Type.Slice()) > 0:
		return strings.Join(s.Type.Slice(), " or ")
	}
	return "any value"
}

// rules says what else a value must obey.
func rules(s *openapi3.Schema) string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case s.MinLength > 0 && s.MaxLength != nil:
		add("%d to %d characters", s.MinLength, *s.MaxLength)
	case s.MaxLength != nil:
		add("at most %d characters", *s.MaxLength)
	case s.MinLength > 0:
		add("at least %d characters", s.MinLength)
	}
	switch {
	case s.MinItems > 0 && s.MaxItems != nil:
		add("%d to %d items", s.MinItems, *s.MaxItems)
	case s.MaxItems != nil:
		add("at most %d items", *s.MaxItems)
	}
	switch {
	case s.Min != nil && s.Max != nil:
		add("%v to %v", *s.Min, *s.Max)
	case s.Min != nil:
		add("at least %v", *s.Min)
	case s.Max != nil:
		add("at most %v", *s.Max)
	}
	if s.Pattern != "" {
		add("matches %s", s.Pattern)
	}
	if len(s.Enum) > 0 && len(s.Enum) <= 8 {
		names := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			names[i] = fmt.Sprint(v)
		}
		add("one of %s", strings.Join(names, ", "))
	}
	if s.Default != nil {
		add("default %v", s.Default)
	}
	return strings.Join(all, "; ")
}
