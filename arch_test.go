package quern_test

import (
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// rows is the house, top to bottom. Imports point up the page only; in an
// ordered row a package may also import those to its left.
var rows = []struct {
	name, packages string
	ordered        bool
}{
	{"words", "quern english tree place api", true},
	{"tools", "lease store blob engine llm config queue door sandbox", false},
	{"verbs", "auth trace trace/otlp catalog knowledge knowledge/file propose link upload ingest/pdfium ingest/format ingest/isolate structure structure/judge ingest opentable query " +
		"nlq/kernel nlq/weights nlq/encoder nlq/lex nlq/vector nlq/spell nlq/schema nlq/feature nlq/grammar nlq/net nlq/model nlq/sign nlq/account nlq " +
		"nlq/follow nlq/ground nlq/plain nlq/settle/period nlq/settle/amount nlq/settle/tally nlq/settle/absence nlq/settle/label nlq/settle nlq/absurd nlq/apart " +
		"nlq/embedded nlq/prompt nlq/judge propose/prompt " +
		"chart ask/prose ask/check ask ask/models run evaluate suggest feedback push admin backup doctor", true},
	{"plugs", "blob/fs blob/s3 engine/duckdb engine/worker engine/trino llm/openai llm/anthropic trace/langfuse trace/phoenix", false},
	{"edges", "server web idp rest a2a mcp iceberg s3door", false},
	{"callers", "client client/relay client/signin", false},
	{"app", "app cmd/quern config/document place/build", true},
}

// homes names, for every module of others, the packages that may import it;
// "" is all of them.
var homes = map[string]string{
	"database/sql":                       "store nlq/judge",
	"filippo.io/age":                     "backup",
	"github.com/BurntSushi/toml":         "config",
	"github.com/a2aproject/a2a-go":       "a2a",
	"github.com/apache/arrow-go":         "engine/duckdb query",
	"github.com/apache/iceberg-go":       "opentable",
	"github.com/coreos/go-oidc":          "auth",
	"github.com/duckdb":                  "engine/duckdb",
	"github.com/getkin/kin-openapi":      "api rest web",
	"github.com/go-jose":                 "auth idp",
	"github.com/go-json-experiment/json": "ingest query rest",
	"github.com/google/jsonschema-go":    "mcp",
	"github.com/google/uuid":             "",
	"github.com/jackc/pgx":               "store",
	"github.com/klippa-app/go-pdfium":    "ingest/pdfium",
	"github.com/minio/minio-go":          "blob/s3",
	"github.com/modelcontextprotocol":    "mcp",
	"github.com/oapi-codegen/runtime":    "api",
	"github.com/prometheus":              "server",
	"github.com/richardlehane/mscfb":     "ingest/format",
	"github.com/spf13":                   "cmd/quern",
	"github.com/tetratelabs/wazero":      "ingest/pdfium",
	"go.opentelemetry.io/otel":           "server trace app",
	"go.opentelemetry.io/otel/exporters": "app",
	"go.opentelemetry.io/otel/sdk":       "app",
	"go.opentelemetry.io/proto":          "trace/otlp",
	"go.yaml.in/yaml":                    "knowledge/file",
	"golang.org/x":                       "",
	"google.golang.org/protobuf":         "trace/otlp a2a",
	"quern/learned":                      "nlq/model cmd/quern",
	"modernc.org/sqlite":                 "store nlq/judge",
}

func TestImportsPointUpThePage(t *testing.T) {
	t.Parallel()
	list, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list = %v", err)
	}
	exists := map[string]bool{}
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		importer := strings.TrimPrefix(words[0], "quern/")
		exists[importer] = true
		row, column := find(importer)
		switch {
		case isTest(importer):
			continue
		case row < 0:
			t.Errorf("package %s has no row: give it one or fold it into a neighbour", importer)
			continue
		}
		for _, imported := range words[1:] {
			ours, isOurs := strings.CutPrefix(imported, "quern/")
			if _, apart := homes[imported]; apart { // a module of its own
				isOurs = false
			}
			toRow, toColumn := find(ours)
			up := toRow < row || toRow == row && rows[row].ordered && toColumn < column
			switch {
			case isTest(ours) && isOurs:
				t.Errorf("%s imports %s, which is for tests only", importer, ours)
			case (isOurs || imported == "quern") && !up:
				t.Errorf("%s imports %s, which is not further up the page", importer, ours)
			case !isOurs && imported != "quern" && !atHome(importer, imported):
				t.Errorf("%s imports %s, which has its home elsewhere, or none", importer, imported)
			}
		}
	}
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		for pkg := range strings.FieldsSeq(r.packages) {
			if !exists[pkg] {
				t.Errorf("row %s names %s, which does not exist", r.name, pkg)
			}
			if !strings.Contains(string(page), "`"+pkg+"`") {
				t.Errorf("ARCHITECTURE.md does not say what %s owns", pkg)
			}
		}
	}
	for module, home := range homes {
		for pkg := range strings.FieldsSeq(home) {
			if !exists[pkg] {
				t.Errorf("%s has a home in %s, which does not exist", module, pkg)
			}
		}
	}
}

func isTest(p string) bool {
	return strings.HasSuffix(p, "test") || strings.HasPrefix(p, "test/") || p == "bench"
}

func find(pkg string) (row, column int) {
	for row, r := range rows {
		if column := slices.Index(strings.Fields(r.packages), pkg); column >= 0 {
			return row, column
		}
	}
	return -1, -1
}

// atHome obeys the longest listed prefix; the standard library is at home everywhere.
func atHome(importer, imported string) bool {
	for prefix := imported; prefix != "."; prefix = path.Dir(prefix) {
		if home, listed := homes[prefix]; listed {
			return home == "" || slices.Contains(strings.Fields(home), importer)
		}
	}
	return !strings.Contains(strings.Split(imported, "/")[0], ".")
}
