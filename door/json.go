package door

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

// Marshal writes JSON without escapes for HTML: answers are not pages, so text
// stays as it is.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// WriteJSON answers with v. It fails, with nothing sent, when v has no JSON
// form; a client that is gone is no failure.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", JSONType)
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
	return nil
}
