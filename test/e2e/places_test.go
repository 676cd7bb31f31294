package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesInAnswers: what files say of their numbers, lists and places comes back in
// answers.
func TestFilesInAnswers(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	for name, content := range map[string]string{
		"fees.csv":    "ship,fee,share\nAriadne,\"€ 12,000.50\",35 %\nBoreas,€ 480.00,20 %\nCalypso,€ 10.00,45 %\n",
		"orders.json": `[{"id":7,"buyer":"Ada","lines":[{"sku":"a","n":2},{"sku":"b","n":1}]},{"id":8,"buyer":"Bob","lines":[{"sku":"a","n":5}]}]`,
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		h.must("", "upload", "--to", "trade/"+strings.TrimSuffix(name, filepath.Ext(name)), path)
	}
	for question, want := range map[string]string{
		"What is the total fee?":                  "12,490.50 €",
		"What is the highest share?":              "45 %",
		"What is the total n of order lines?":     "8",
		"How many fees have __file \"fees.csv\"?": "3",
	} {
		if got := h.must("", "ask", "-n", "trade", question); !strings.Contains(got, want) {
			t.Errorf("quern ask %q = %s, want %s", question, got, want)
		}
	}
	const joined = "select buyer, sum(n) as pieces, any_value(l.__file) as file from orders o join orders_lines l on l.orders_id = o.id group by 1 order by 1"
	if got, want := h.must("", "query", "-n", "trade", joined), "buyer  pieces  file\nAda    3       orders.json\nBob    5       orders.json"; got != want {
		t.Errorf("quern query = %q, want %q", got, want)
	}
}
