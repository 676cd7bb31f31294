package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/door"
)

// schema describes the arguments of a tool, in the part of JSON Schema that they need.
type schema struct {
	Type        string             `json:"type,omitempty"` // empty: any value
	Description string             `json:"description,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	// Closed refuses members that Properties does not name.
	Closed    bool     `json:"-"`
	Items     *schema  `json:"items,omitempty"`
	MinItems  int      `json:"minItems,omitempty"`
	MaxItems  int      `json:"maxItems,omitempty"`
	MinLength int      `json:"minLength,omitempty"`
	MaxLength int      `json:"maxLength,omitempty"`
	Minimum   *int64   `json:"minimum,omitempty"`
	Maximum   *int64   `json:"maximum,omitempty"`
	Enum      []string `json:"enum,omitempty"`
}

// MarshalJSON writes the schema as clients read it.
func (s *schema) MarshalJSON() ([]byte, error) {
	type plain schema
	if !s.Closed {
		return json.Marshal((*plain)(s))
	}
	return json.Marshal(struct {
		*plain
		AdditionalProperties bool `json:"additionalProperties"`
	}{(*plain)(s), false})
}

// argument is a member of an object, which has to be there or not.
type argument struct {
	name     string
	required bool
	schema   *schema
}

func required(name string, s *schema) argument { return argument{name, true, s} }
func optional(name string, s *schema) argument { return argument{name, false, s} }

func object(all ...argument) *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{}, Closed: true}
	for _, a := range all {
		s.Properties[a.name] = a.schema
		if a.required {
			s.Required = append(s.Required, a.name)
		}
	}
	return s
}

func text(most int, about string) *schema {
	return &schema{Type: "string", MinLength: 1, MaxLength: most, Description: about}
}

func oneOf(about string, values ...string) *schema {
	return &schema{Type: "string", Enum: values, Description: about}
}

func integer(least, most int64, about string) *schema {
	return &schema{Type: "integer", Minimum: &least, Maximum: &most, Description: about}
}

func list(most int, of *schema, about string) *schema {
	return &schema{Type: "array", MinItems: 1, MaxItems: most, Items: of, Description: about}
}

// read reads arguments into a value. It fails with Invalid, with a sub error for each
// argument that is not as the schema says.
func (s *schema) read(arguments []byte, to any) error {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = []byte("{}")
	}
	var value any
	if err := readNumbers(arguments, &value); err != nil {
		return door.Malformed("the arguments are not valid JSON").Because(err)
	}
	var f faults
	f.check("", s, value)
	if len(f) > 0 {
		return invalid(f...)
	}
	if err := json.Unmarshal(arguments, to); err != nil {
		return door.Malformed("the arguments cannot be read").Because(err)
	}
	return nil
}

func invalid(subs ...quern.SubError) error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "the arguments are not valid").With(subs...)
}

// faults are what is wrong with arguments.
type faults []quern.SubError

// mostFaults bounds an answer.
const mostFaults = 20

func (f *faults) add(field, code, format string, args ...any) {
	if len(*f) < mostFaults {
		*f = append(*f, quern.Fault(code, field, fmt.Sprintf(format, args...)))
	}
}

func (f *faults) check(field string, s *schema, value any) {
	switch s.Type {
	case "object":
		f.checkObject(field, s, value)
	case "array":
		f.checkList(field, s, value)
	case "string":
		f.checkText(field, s, value)
	case "integer":
		f.checkInteger(field, s, value)
	case "boolean":
		if _, ok := value.(bool); !ok {
			f.add(field, "type", "must be true or false")
		}
	}
}

func (f *faults) checkObject(field string, s *schema, value any) {
	members, ok := value.(map[string]any)
	if !ok {
		f.add(orWhole(field), "type", "must be an object")
		return
	}
	for _, name := range s.Required {
		if _, given := members[name]; !given {
			f.add(join(field, name), "required", "a value is required")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		known, ok := s.Properties[name]
		switch {
		case ok:
			f.check(join(field, name), known, members[name])
		case s.Closed:
			f.add(join(field, quern.Clip(name, door.MaxName)), "unknown", "is not an argument of this tool; there are %s",
				strings.Join(slices.Sorted(maps.Keys(s.Properties)), ", "))
		}
	}
}

func orWhole(field string) string {
	if field == "" {
		return "arguments"
	}
	return field
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

func (f *faults) checkList(field string, s *schema, value any) {
	items, ok := value.([]any)
	switch {
	case !ok:
		f.add(field, "type", "must be a list")
		return
	case len(items) < s.MinItems:
		f.add(field, "minItems", "must have at least %d items", s.MinItems)
	case len(items) > s.MaxItems:
		f.add(field, "maxItems", "must have at most %d items", s.MaxItems)
		return
	}
	for i, item := range items {
		f.check(fmt.Sprintf("%s[%d]", field, i), s.Items, item)
	}
}

func (f *faults) checkText(field string, s *schema, value any) {
	said, ok := value.(string)
	switch {
	case !ok:
		f.add(field, "type", "must be text")
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, said):
		f.add(field, "enum", "must be one of %s", strings.Join(s.Enum, ", "))
	case utf8.RuneCountInString(said) < s.MinLength:
		f.add(field, "minLength", "must not be empty")
	case s.MaxLength > 0 && utf8.RuneCountInString(said) > s.MaxLength:
		f.add(field, "maxLength", "must have at most %d characters", s.MaxLength)
	}
}

func (f *faults) checkInteger(field string, s *schema, value any) {
	number, ok := value.(json.Number)
	n, err := strconv.ParseInt(string(number), 10, 64)
	switch {
	case !ok || err != nil:
		f.add(field, "type", "must be a whole number")
	case s.Minimum != nil && n < *s.Minimum:
		f.add(field, "minimum", "must be at least %d", *s.Minimum)
	case s.Maximum != nil && n > *s.Maximum:
		f.add(field, "maximum", "must be at most %d", *s.Maximum)
	}
}

// The arguments that several tools have.
func namespaceText() *schema {
	return text(256, "the namespace, as NAMESPACE for one of your own or OWNER/NAMESPACE")
}

func datasetText() *schema {
	return text(256, "the dataset, as NAMESPACE/DATASET for one of your own or OWNER/NAMESPACE/DATASET")
}

// namespaceAt reads a namespace as namespaceText describes it.
func namespaceAt(said string) (quern.NamespacePath, error) {
	parts := strings.Split(said, "/")
	if len(parts) == 1 {
		parts = []string{quern.Self, said}
	}
	if len(parts) != 2 || slices.Contains(parts, "") {
		return quern.NamespacePath{}, invalid(quern.Fault("format", "namespace", "must be NAMESPACE or OWNER/NAMESPACE"))
	}
	return quern.NamespacePath{Owner: parts[0], Namespace: parts[1]}, nil
}

// datasetAt reads a dataset as datasetText describes it.
func datasetAt(said string) (quern.DatasetPath, error) {
	parts := strings.Split(said, "/")
	if len(parts) == 2 {
		parts = append([]string{quern.Self}, parts...)
	}
	if len(parts) != 3 || slices.Contains(parts, "") {
		return quern.DatasetPath{}, invalid(quern.Fault("format", "dataset", "must be NAMESPACE/DATASET or OWNER/NAMESPACE/DATASET"))
	}
	return quern.DatasetPath{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]}, nil
}

func pathText(p quern.DatasetPath) string { return p.Owner + "/" + p.Namespace + "/" + p.Dataset }
