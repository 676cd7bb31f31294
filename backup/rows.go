package backup

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// odd is how a value is written that JSON has no form for.
type odd struct {
	Bytes *string `json:"bytes,omitempty"` // base64
	Text  *string `json:"text,omitempty"`  // base64 of a text that is not UTF-8
}

// encodeRow writes a row as one line of JSON.
func encodeRow(to *bytes.Buffer, row []any) error {
	to.WriteByte('[')
	for i, value := range row {
		if i > 0 {
			to.WriteByte(',')
		}
		if err := encodeValue(to, value); err != nil {
			return err
		}
	}
	to.WriteString("]\n")
	return nil
}

func encodeValue(to *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case nil:
		to.WriteString("null")
	case int64:
		to.WriteString(strconv.FormatInt(v, 10))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("backup: the number %v has no form", v)
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0" // what has a point or an exponent is read back as this type
		}
		to.WriteString(text)
	case string:
		if !utf8.ValidString(v) {
			text := base64.StdEncoding.EncodeToString([]byte(v))
			return encodeJSON(to, odd{Text: &text})
		}
		return encodeJSON(to, v)
	case []byte:
		text := base64.StdEncoding.EncodeToString(v)
		return encodeJSON(to, odd{Bytes: &text})
	default:
		return fmt.Errorf("backup: a value of type %T has no form", value)
	}
	return nil
}

func encodeJSON(to *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	to.Truncate(to.Len() - 1) // the line's end
	return nil
}

// decodeRow reads what encodeRow wrote.
func decodeRow(line []byte) ([]any, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(line, &raw); err != nil {
		return nil, damaged("a row of the metadata cannot be read: %v", err)
	}
	row := make([]any, len(raw))
	for i, text := range raw {
		value, err := decodeValue(text)
		if err != nil {
			return nil, damaged("a value of the metadata cannot be read: %v", err)
		}
		row[i] = value
	}
	return row, nil
}

func decodeValue(text json.RawMessage) (any, error) {
	switch text[0] {
	case 'n':
		return nil, nil
	case '"':
		var s string
		err := json.Unmarshal(text, &s)
		return s, err
	case '{':
		var o odd
		if err := json.Unmarshal(text, &o); err != nil {
			return nil, err
		}
		if o.Text != nil {
			plain, err := base64.StdEncoding.DecodeString(*o.Text)
			return string(plain), err
		}
		if o.Bytes == nil {
			return nil, fmt.Errorf("%.20s", text)
		}
		return base64.StdEncoding.DecodeString(*o.Bytes)
	}
	if strings.ContainsAny(string(text), ".eE") {
		return strconv.ParseFloat(string(text), 64)
	}
	return strconv.ParseInt(string(text), 10, 64)
}
