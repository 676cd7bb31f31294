package a2a

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"quern"
)

// maxViolations bounds an answer.
const maxViolations = 100

// decode reads parameters into a message, in the names of either style, and
// names every member that is not of its type. Members that the protocol does
// not know are ignored.
func decode(params any, into proto.Message) error {
	c := &checker{}
	c.message(into.ProtoReflect().Descriptor(), params, "")
	if len(c.found) > 0 {
		return invalid(c.found...)
	}
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, into); err != nil {
		f := fail(invalidParams, "the parameters do not have the form of a %s", into.ProtoReflect().Descriptor().Name())
		f.cause = err
		return f
	}
	canonicalIDs(into.ProtoReflect())
	return nil
}

// canonicalIDs writes the ids of tasks and contexts in a message as they are
// stored: what is sent may be in capitals. Ids that clients choose themselves, of
// messages and configurations, stay as they are.
func canonicalIDs(m protoreflect.Message) {
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.IsMap():
		case field.Name() == "reference_task_ids":
			for i := range v.List().Len() {
				v.List().Set(i, protoreflect.ValueOfString(quern.CanonicalID(v.List().Get(i).String())))
			}
		case isOurID(field):
			m.Set(field, protoreflect.ValueOfString(quern.CanonicalID(v.String())))
		case field.Kind() == protoreflect.MessageKind && !field.IsList():
			canonicalIDs(v.Message())
		}
		return true
	})
}

// isOurID reports whether a field holds the id of a task or a context.
func isOurID(field protoreflect.FieldDescriptor) bool {
	switch field.Name() {
	case "task_id", "context_id":
		return true
	case "id":
		of := field.ContainingMessage().Name()
		return of == "GetTaskRequest" || of == "CancelTaskRequest" || of == "SubscribeToTaskRequest"
	}
	return false
}

// checker finds the members that proto-JSON would refuse, to name them in words
// of ours.
type checker struct{ found []violation }

func (c *checker) note(field, format string, args ...any) {
	if len(c.found) < maxViolations {
		c.found = append(c.found, violation{Field: strings.TrimPrefix(field, "."), Description: fmt.Sprintf(format, args...)})
	}
}

// wellKnown are the messages that proto-JSON writes in a way of their own.
var wellKnown = map[protoreflect.FullName]func(c *checker, v any, at string){
	"google.protobuf.Value": func(*checker, any, string) {},
	"google.protobuf.Struct": func(c *checker, v any, at string) {
		if _, ok := v.(map[string]any); !ok {
			c.note(at, "must be an object")
		}
	},
	"google.protobuf.Timestamp": func(c *checker, v any, at string) {
		text, _ := v.(string)
		if t, err := time.Parse(time.RFC3339Nano, text); err != nil || t.Year() < 1 || t.Year() > 9999 {
			c.note(at, "must be a time as RFC 3339 writes it")
		}
	},
}

func (c *checker) message(d protoreflect.MessageDescriptor, v any, at string) {
	if special, ok := wellKnown[d.FullName()]; ok {
		special(c, v, at)
		return
	}
	members, ok := v.(map[string]any)
	if !ok {
		if at == "" {
			at = "params"
		}
		c.note(at, "must be an object")
		return
	}
	given := map[protoreflect.FieldNumber]bool{}
	chosen := map[protoreflect.Name]string{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		field := d.Fields().ByJSONName(name)
		if field == nil {
			field = d.Fields().ByName(protoreflect.Name(name))
		}
		if field == nil {
			continue
		}
		here := at + "." + name
		if given[field.Number()] {
			c.note(here, "is given twice, in two styles")
		}
		given[field.Number()] = true
		isSet := members[name] != nil || isValue(field)
		if one := field.ContainingOneof(); one != nil && !one.IsSynthetic() && isSet {
			if other, taken := chosen[one.Name()]; taken {
				c.note(here, "must not be given together with %s", other)
			}
			chosen[one.Name()] = name
		}
		if members[name] != nil {
			c.field(field, members[name], here)
		}
	}
}

func isValue(field protoreflect.FieldDescriptor) bool {
	return field.Message() != nil && field.Message().FullName() == "google.protobuf.Value"
}

func (c *checker) field(field protoreflect.FieldDescriptor, v any, at string) {
	switch {
	case field.IsMap():
		members, ok := v.(map[string]any)
		if !ok {
			c.note(at, "must be an object")
			return
		}
		for _, name := range slices.Sorted(maps.Keys(members)) {
			c.single(field.MapValue(), members[name], at+"."+name)
		}
	case field.IsList():
		items, ok := v.([]any)
		if !ok {
			c.note(at, "must be an array")
			return
		}
		for i, item := range items {
			c.single(field, item, at+"["+strconv.Itoa(i)+"]")
		}
	default:
		c.single(field, v, at)
	}
}

func (c *checker) single(field protoreflect.FieldDescriptor, v any, at string) {
	switch field.Kind() {
	case protoreflect.MessageKind:
		c.message(field.Message(), v, at)
	case protoreflect.StringKind:
		if text, ok := v.(string); !ok {
			c.note(at, "must be text")
		} else if strings.ContainsRune(text, 0) {
			c.note(at, "must not hold the character U+0000")
		}
	case protoreflect.BytesKind:
		if text, ok := v.(string); !ok || !isBase64(text) {
			c.note(at, "must be text in base64")
		}
	case protoreflect.BoolKind:
		if _, ok := v.(bool); !ok {
			c.note(at, "must be true or false")
		}
	case protoreflect.EnumKind:
		if !isEnum(field.Enum(), v) {
			c.note(at, "must be one of %s", strings.Join(enumNames(field.Enum()), ", "))
		}
	default: // int32 is the only sort of number in the protocol
		if !isInt32(v) {
			c.note(at, "must be a whole number")
		}
	}
}

func isBase64(text string) bool {
	text = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(text), "=")
	_, err := base64.RawStdEncoding.DecodeString(text)
	return err == nil
}

func isInt32(v any) bool {
	text, ok := v.(string)
	if number, isNumber := v.(json.Number); isNumber {
		text, ok = string(number), true
	}
	f, err := strconv.ParseFloat(text, 64)
	return ok && err == nil && f == math.Trunc(f) && f >= math.MinInt32 && f <= math.MaxInt32 && text == strings.TrimSpace(text)
}

func isEnum(d protoreflect.EnumDescriptor, v any) bool {
	if text, ok := v.(string); ok {
		return d.Values().ByName(protoreflect.Name(text)) != nil
	}
	number, ok := v.(json.Number)
	n, err := number.Int64()
	return ok && err == nil && isInt32(v) && d.Values().ByNumber(protoreflect.EnumNumber(n)) != nil
}

func enumNames(d protoreflect.EnumDescriptor) []string {
	names := make([]string, d.Values().Len())
	for i := range names {
		names[i] = string(d.Values().Get(i).Name())
	}
	return names
}
