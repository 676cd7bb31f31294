package api

import (
	"encoding/json"
	"io"
)

// newEncoder is the encoder of every generated response. Answers are JSON, not
// HTML, so text stays as it is.
func newEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}
