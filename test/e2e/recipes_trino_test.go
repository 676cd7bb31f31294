//go:build trino

package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/blob/blobtest"
	trinotest "quern/test/trino"
)

// recipeTrino is a Trino over a server's tables, as the recipe for dbt wants it.
type recipeTrino struct {
	// address is where it listens.
	address string
	// replace are the words of the pages that stand for what is here.
	replace []string
}

func startRecipeTrino(t *testing.T) recipeTrino {
	t.Helper()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	s.printed("Data ")
	token := h.must("", "token", "create", "--user", "ada", "--read-only")
	r := recipeTrino{address: blobtest.FreeAddress(t)}
	_, port, _ := strings.Cut(r.address, ":")
	r.replace = []string{
		"http://localhost:8080", s.url, "TOKEN", token, "localhost:8090", r.address,
		"host: localhost, port: 8090", "host: 127.0.0.1, port: " + port,
	}
	dir := t.TempDir()
	writeFiles(t, "docs/recipes/dbt.md", dir, r.replace...)
	files := map[string]string{}
	for _, name := range []string{"etc/catalog/quern.properties", "etc/catalog/memory.properties"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	node := trinotest.Start(t, trinotest.Settings{
		Home: filepath.Join("../trino", trinotest.Home), ID: "recipes", Address: r.address, Coordinator: "http://" + r.address,
		Config: "coordinator=true\nnode-scheduler.include-coordinator=true\n", Files: files,
	})
	node.Await(t, 1)
	return r
}

// The recipes whose other side reads the tables through Trino run as they stand in the docs.
func TestTrinoRecipes(t *testing.T) {
	t.Parallel()
	r := startRecipeTrino(t)
	t.Run("dbt", r.dbt)
	t.Run("Superset", r.superset)
}

func (r recipeTrino) dbt(t *testing.T) {
	const page = "docs/recipes/dbt.md"
	dir := t.TempDir()
	writeFiles(t, page, dir, r.replace...)
	out := runIn(t, dir, commandsOf(t, page), []string{
		"PATH=" + absolute(t, "../trino/dbt/.venv/bin") + ":" + os.Getenv("PATH"), "HOME=" + dir, "DBT_PROFILES_DIR=" + dir,
		"DBT_SEND_ANONYMOUS_USAGE_STATS=false", "NO_COLOR=1", "DBT_USE_COLORS=false", "PYTHONDONTWRITEBYTECODE=1",
	})
	wantPrinted(t, page, out)
}

func (r recipeTrino) superset(t *testing.T) {
	const page = "docs/recipes/superset.md"
	dir := t.TempDir()
	writeFiles(t, page, dir, r.replace...)
	address, bin := blobtest.FreeAddress(t), absolute(t, "../trino/superset/.venv/bin")
	host, port, _ := strings.Cut(address, ":")
	environ := []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, "SUPERSET_HOME=" + dir, "SUPERSET_SECRET=a secret of the tests alone",
		"SUPERSET_PASSWORD=a password of the tests", "SUPERSET_CONFIG_PATH=" + dir + "/superset_config.py", "FLASK_APP=superset",
		"SUPERSET=http://" + address, "PYTHONDONTWRITEBYTECODE=1",
	}
	t.Log(runIn(t, dir, strings.NewReplacer(r.replace...).Replace(commandsOf(t, page)), environ))
	startNeighbour(t, "http://"+address+"/health", environ, filepath.Join(bin, "superset"), "run", "--host", host, "--port", port)
	wantPrinted(t, page, runIn(t, dir, "python charts.py", environ))
}
