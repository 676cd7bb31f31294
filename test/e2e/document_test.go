package e2e_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDocumentsAreReadByTheBinary has the binary start itself as the worker that
// reads a page, once for rows and once for a page that is refused.
func TestDocumentsAreReadByTheBinary(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.must("", "user", "add", "ada", "--generate")
	s := h.serve()
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+h.must("", "token", "create", "--user", "ada"))
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good.html": "<table><tr><th>ship<th>length<tr><td>Ariadne<td>120</table>",
		"bad.html":  "<table>" + strings.Repeat("<tr><td colspan=1000 rowspan=65534>x</td></tr>", 2000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.must("", "upload", "--to", "pages/ships", filepath.Join(dir, "good.html"))
	if out := h.must("", "query", "-n", "pages", "select * from ships"); !strings.Contains(out, "Ariadne  120") {
		t.Errorf("rows of the page = %s, want its table", out)
	}
	r := h.run("", "upload", "--to", "pages/ships", filepath.Join(dir, "bad.html"))
	if r.code != 1 || !strings.Contains(r.err, "a row of a table has more than 16384 cells") {
		t.Errorf("a page of too many cells = %+v, want code 1 and the reason", r)
	}
	s.until("a worker that reads documents", func(_ string, log []string) bool {
		return slices.ContainsFunc(log, func(line string) bool { return strings.Contains(line, `"work":"document"`) })
	})
}
