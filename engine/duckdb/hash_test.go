package duckdb_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/engine/duckdb"
)

// TestTextsHaveTheHashOfTheEngine asks the engine for the hashes of texts of many lengths.
func TestTextsHaveTheHashOfTheEngine(t *testing.T) {
	t.Parallel()
	var texts []string
	for n := range 40 {
		texts = append(texts, "0123456789abcdefghijklmnopqrstuvwxyzäöü!"[:n], strings.Repeat("\x7f", n))
	}
	for i := range texts {
		texts[i] = strings.ToValidUTF8(texts[i], "")
	}
	hashes := duckdb.EngineValues(t, "SELECT hash(text)::VARCHAR FROM (SELECT unnest(['"+strings.Join(texts, "', '")+"']) AS text)")
	for i, text := range texts {
		if got := fmt.Sprint(quern.HashText([]byte(text))); got != hashes[i] {
			t.Errorf("HashText(%q) = %s, want %s, which is the engine's", text, got, hashes[i])
		}
	}
}
