package e2e_test

import (
	"debug/buildinfo"
	"strings"
	"testing"
)

func TestEveryModuleInTheBinaryIsNamed(t *testing.T) {
	t.Parallel()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Deps) < 20 {
		t.Fatalf("the binary tells of %d modules, want all of them", len(info.Deps))
	}
	printed := newHome(t).must("", "licences")
	for _, module := range info.Deps {
		row := "| " + module.Path + " | " + module.Version + " |"
		if module.Path == "quern/learned" {
			row = "`quern/learned`"
		}
		if !strings.Contains(printed, row) {
			t.Errorf("quern licences lacks %q: run make notices", row)
		}
	}
}
