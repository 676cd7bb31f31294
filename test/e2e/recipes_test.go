package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheRecipesRun runs the Python of every page of docs/recipes as it stands there,
// against a fresh server with the sample. It has to print what the page's next block
// marked text says. A block that is not run has a comment above it that says why.
func TestTheRecipesRun(t *testing.T) {
	t.Parallel()
	recipes, err := filepath.Glob("../../docs/recipes/*.md")
	if err != nil || len(recipes) == 0 {
		t.Fatalf("docs/recipes/*.md = %v, %v, want pages", recipes, err)
	}
	for _, path := range recipes {
		blocks := blocksOf(t, "docs/recipes/"+filepath.Base(path))
		for i, b := range blocks {
			if b.language != "python" || b.notRun != "" {
				continue
			}
			if i+1 == len(blocks) || blocks[i+1].language != "text" {
				t.Errorf("%s:%d does not say what it prints", b.file, b.line)
				continue
			}
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				runRecipe(t, b.text, blocks[i+1].text)
			})
		}
	}
}

// runRecipe runs a program of a recipe, which has to print all lines of want.
func runRecipe(t *testing.T, program, want string) {
	t.Helper()
	h := newHome(t, "QUERN_PUSH_PRIVATE=true")
	s := h.serveChecked("--first-user", "ada")
	cmd := exec.CommandContext(t.Context(), "python3", "-c", program)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "PYTHONDONTWRITEBYTECODE=1",
		"QUERN_SERVER=" + s.url, "QUERN_TOKEN=" + h.must("", "token", "create", "--user", "ada"),
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the recipe ends with %v:\n%s", err, out)
	}
	for line := range strings.Lines(want) {
		if !strings.Contains(string(out), line) {
			t.Errorf("the recipe prints\n%s\nwant %s", out, line)
		}
	}
}
