package structure

import (
	"encoding/json"
	"fmt"
	"slices"
)

// provenance tells where a value came from.
type provenance struct {
	From       string  // the column
	Words      string  // that it was read from, where it is not they
	Start, End int     // where they stand in the text, in characters; End 0: outside of it
	By         string  // how it was found
	Confidence float64 // from 0 to 1
	Note       string
	Invalid    string // why the value is not valid
}

func (p provenance) json() json.RawMessage {
	b := []byte{'{'}
	add := func(name string, value any) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), `":`...)
		b, _ = appendAny(b, value) // text and numbers are always written
	}
	for _, m := range []struct{ name, text string }{{"from", p.From}, {"words", p.Words}} {
		if m.text != "" {
			add(m.name, m.text)
		}
	}
	if p.End > 0 {
		add("start", p.Start)
		add("end", p.End)
	}
	if p.By != "" {
		add("by", p.By)
		b = fmt.Appendf(b, `,"confidence":%.2g`, p.Confidence)
	}
	for _, m := range []struct{ name, text string }{{"note", p.Note}, {"invalid", p.Invalid}} {
		if m.text != "" {
			add(m.name, m.text)
		}
	}
	return slices.Clip(append(b, '}'))
}
