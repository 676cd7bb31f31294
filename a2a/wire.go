package a2a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// encode writes a message as proto-JSON, the same bytes for the same message.
func encode(m proto.Message) (json.RawMessage, error) {
	loose, err := protojson.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("a2a: encode %s: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	// The library varies the space between tokens on purpose.
	var tight bytes.Buffer
	if err := json.Compact(&tight, loose); err != nil {
		return nil, fmt.Errorf("a2a: encode %s: %w", m.ProtoReflect().Descriptor().Name(), err)
	}
	return tight.Bytes(), nil
}

// encodeWith writes a message as proto-JSON with members that have to be there
// although they may have nothing in them, which proto-JSON would leave out.
func encodeWith(m proto.Message, present map[string]json.RawMessage) (json.RawMessage, error) {
	plain, err := encode(m)
	if err != nil {
		return nil, err
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(plain, &members); err != nil {
		return nil, err
	}
	for name, empty := range present {
		if _, set := members[name]; !set {
			members[name] = empty
		}
	}
	return json.Marshal(members)
}

// value makes a protobuf value of anything that is JSON. Numbers that a double
// cannot hold become text.
func value(v any) (*structpb.Value, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var plain any
	if err := dec.Decode(&plain); err != nil {
		return nil, err
	}
	return protoValue(plain), nil
}

func protoValue(v any) *structpb.Value {
	switch v := v.(type) {
	case bool:
		return structpb.NewBoolValue(v)
	case string:
		return structpb.NewStringValue(v)
	case json.Number:
		return protoNumber(string(v))
	case []any:
		list := &structpb.ListValue{Values: make([]*structpb.Value, len(v))}
		for i, item := range v {
			list.Values[i] = protoValue(item)
		}
		return structpb.NewListValue(list)
	case map[string]any:
		fields := make(map[string]*structpb.Value, len(v))
		for name, member := range v {
			fields[name] = protoValue(member)
		}
		return structpb.NewStructValue(&structpb.Struct{Fields: fields})
	}
	return structpb.NewNullValue()
}

// maxSafe is the largest integer up to which a double holds every one.
const maxSafe = 1 << 53

func protoNumber(text string) *structpb.Value {
	if !strings.ContainsAny(text, ".eE") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n > maxSafe || n < -maxSafe {
			return structpb.NewStringValue(text)
		}
		return structpb.NewNumberValue(float64(n))
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || !holds(f, text) {
		return structpb.NewStringValue(text)
	}
	return structpb.NewNumberValue(f)
}

// holds reports whether the double says the same digits as the text.
func holds(f float64, text string) bool {
	return digits(strconv.FormatFloat(f, 'e', -1, 64)) == digits(text)
}

// digits returns the significant digits of a number.
func digits(text string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa = strings.TrimLeft(mantissa, "-+")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.ReplaceAll(mantissa, ".", "")
	}
	return strings.Trim(mantissa, "0")
}
