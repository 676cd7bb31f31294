package absence_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestOthersOfTheSame: whoever is asked for others is none of them.
func TestOthersOfTheSame(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("dogs", `[{"name":"Bruno","breed":"boxer","owner":"Ann Lee"},{"name":"Rex","breed":"boxer","owner":"Bo Kay"},
		{"name":"Ada","breed":"collie","owner":"Ann Lee"},{"name":"Tess","breed":"boxer","owner":"Cy Orr"}]`)
	h.Answers(map[string]string{
		"which other dogs are the same breed as Bruno": "Rex; Tess",
		"which dogs are the same breed as Bruno":       "Bruno; Rex; Tess",
		"which dogs have the same owner as Ada?":       "Ada; Bruno",
	})
}
