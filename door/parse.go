package door

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"quern"
)

// What one JSON body may hold. A parsed value takes many times the space of its
// text, so the size limit alone does not bound memory.
const (
	maxDepth  = 64
	maxValues = 1_000_000
)

// MaxName is how many characters of a caller's own names an answer repeats.
const MaxName = 64

var errTooManyValues = quern.E(quern.TooLarge, quern.CodeBodyTooLarge, "the body holds more than %d values", maxValues)

// ParseJSON returns the one JSON value that data holds: UTF-8, no member named
// twice, nothing behind it, and no larger than one body's value may be. Numbers
// are json.Number.
func ParseJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, Malformed("the body is not text in UTF-8")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, Malformed("the body is empty; JSON is needed")
	}
	p := parser{dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	value, err := p.value(0)
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, p.explain(err)
	}
	return value, nil
}

type parser struct {
	dec    *json.Decoder
	values int
}

func (p *parser) value(depth int) (any, error) {
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	p.values++
	if p.values > maxValues {
		return nil, errTooManyValues
	}
	switch tok := tok.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, Malformed("the body nests deeper than %d levels", maxDepth)
		}
		if tok == '{' {
			return p.object(depth)
		}
		return p.array(depth)
	case json.Number:
		if _, err := tok.Float64(); err != nil {
			return nil, Malformed("the body holds a number that is too large")
		}
		return tok, nil
	}
	return tok, nil
}

func (p *parser) object(depth int) (any, error) {
	members := map[string]any{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		name, ok := tok.(string)
		if !ok {
			return nil, Malformed("the body is not valid JSON")
		}
		if _, twice := members[name]; twice {
			return nil, Malformed("the body names the member %q twice", quern.Clip(name, MaxName))
		}
		if members[name], err = p.value(depth + 1); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token()
	return members, err
}

func (p *parser) array(depth int) (any, error) {
	items := []any{}
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := p.dec.Token()
	return items, err
}

// end makes sure that nothing but space follows the value.
func (p *parser) end() error {
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return Malformed("the body goes on after its JSON value")
	}
	return nil
}

func (p *parser) explain(err error) error {
	if _, ok := errors.AsType[*quern.Error](err); ok {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Malformed("the body ends inside its JSON value").Because(err)
	}
	return Malformed("the body is not valid JSON, at byte %d", p.dec.InputOffset()).Because(err)
}
