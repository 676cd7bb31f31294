package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const head = "# Breaks\n\n- `example` `above-the-heading`: is not read.\n\n## Since the release\n\n"

func TestCompare(t *testing.T) {
	t.Parallel()
	removed := "- `listMills` `response-required-property-removed` `stones`: gone. Why: nobody ground with them."
	for _, tt := range []struct {
		name, current, list string
		want                []string // a part of each complaint, in order
	}{
		{"same", "released.yaml", "", nil},
		{"unnamed", "broken.yaml", "", []string{"- `listMills` `response-required-property-removed`", "- `addMill` `new-required-request-property`"}},
		{"half named", "broken.yaml", removed, []string{"not named:\n- `addMill`"}},
		{"named", "broken.yaml", removed + "\n- `addMill` `new-required-request-property`: a mill has a\n  place. Why: rivers differ, and so do mills.", nil},
		{"several operations", "broken.yaml", removed + "\n- `listMills, addMill` `new-required-request-property`: so. Why: rivers differ a lot.", nil},
		{"every operation", "broken.yaml", removed + "\n- `*` `new-required-request-property`: so. Why: rivers differ a lot.", nil},
		{"another member", "broken.yaml", strings.ReplaceAll(removed, "stones", "sails"), []string{"- `listMills`", "- `addMill`", "nothing breaks `listMills`"}},
		{"no reason", "broken.yaml", strings.Split(removed, "Why")[0], []string{"no reason", "- `listMills`", "- `addMill`"}},
		{"left over", "released.yaml", removed, []string{"nothing breaks `listMills`"}},
		{"standing", "released.yaml", "- `*` `new-required-request-property` `river`: may come. Why: rivers rise.", nil},
		{"behaviour", "released.yaml", "- `listMills`: latest first. Why: that is what people look for.", nil},
		{"no form", "released.yaml", "- the mills are other mills now", []string{"line 7: want"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list := filepath.Join(t.TempDir(), "breaks.md")
			if err := os.WriteFile(list, []byte(head+tt.list+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := compare("testdata/released.yaml", "testdata/"+tt.current, list)
			if err != nil || len(got) != len(tt.want) {
				t.Fatalf("compare(%s) = %q, %v, want %d complaints", tt.current, got, err, len(tt.want))
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("compare(%s)[%d] = %q, want %q in it", tt.current, i, got[i], want)
				}
			}
		})
	}
}
