//go:build neighbours

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The recipes whose other side is too large for every day: Jupyter runs the notebook, and
// LangChain takes the tools.
func TestNeighbourRecipes(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	s.printed("Data ")
	bin, dir := absolute(t, "../neighbours/recipes/.venv/bin"), t.TempDir()
	environ := []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir,
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=" + absolute(t, "../../clients/python/src"),
		"QUERN_SERVER=" + s.url, "QUERN_TOKEN=" + h.must("", "token", "create", "--user", "ada"),
	}
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "python"), args...)
		cmd.Dir, cmd.Env = dir, environ
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("python %.60s = %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("-m", "nbconvert", "--execute", "--ExecutePreprocessor.startup_timeout=600", "--ExecutePreprocessor.timeout=600",
		"--to", "html", "--output-dir", dir, absolute(t, "../../docs/recipes/notebook.ipynb"))
	shown, err := os.ReadFile(filepath.Join(dir, "notebook.html"))
	for _, want := range []string{"The number of ships, per kind", "container ship</text>", "Gloriosa", "dtype: int64"} {
		if !strings.Contains(string(shown), want) {
			t.Errorf("the notebook does not show %q, %v", want, err)
		}
	}
	blocks := blocksOf(t, "docs/recipes/langchain.md")
	if len(blocks) != 2 {
		t.Fatalf("docs/recipes/langchain.md has %d blocks, want a program and what it prints", len(blocks))
	}
	if got := run("-c", blocks[0].text); !strings.Contains(got, blocks[1].text) {
		t.Errorf("the recipe for LangChain prints\n%s\nwant %s", got, blocks[1].text)
	}
}

// Airflow runs the recipe's DAG.
func TestNeighbourAirflow(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	const page = "docs/recipes/airflow.md"
	bin, dir := absolute(t, "../neighbours/airflow/.venv/bin"), t.TempDir()
	writeFiles(t, page, dir)
	token := h.must("", "token", "create", "--user", "ada")
	out := runIn(t, dir, commandsOf(t, page), []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, "AIRFLOW_HOME=" + dir, "AIRFLOW__CORE__LOAD_EXAMPLES=False",
		"PYTHONDONTWRITEBYTECODE=1", "QUERN_SERVER=" + s.url, "QUERN_TOKEN=" + token,
	})
	r := s.call("POST", "/api/v1/query", token, `{"username":"self","namespace":"harvest","query":"select count(*) as n, sum(tonnes) as t from deliveries"}`)
	if r.status != 200 || !strings.Contains(r.body, `{"n":3,"t":24.5`) {
		t.Errorf("the rows of the DAG = %d %s, want 3 of 24.5 tonnes; Airflow said\n%s", r.status, r.body, out)
	}
}
