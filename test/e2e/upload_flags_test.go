package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files become rows as the flags of quern upload say; one that was given before needs a
// word on what becomes of the rows that are there.
func TestUploadsFollowTheirFlags(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t)
	path := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(path, []byte("no,paid\n1,5\n2,-\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	book := filepath.Join(t.TempDir(), "orders.xlsx")
	if err := os.WriteFile(book, workbook(t, [][]string{{"no", "paid"}, {"7", "70"}}), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := func(dataset string) string {
		t.Helper()
		query := fmt.Sprintf(`{"username":"self","namespace":"shop","query":"select count(*) as n, count(paid) as paid from %s","includeMetadata":false}`, dataset)
		r := s.server.call("POST", "/api/v1/query", s.token, query)
		var got struct{ Data []map[string]int }
		if err := json.Unmarshal([]byte(r.body), &got); err != nil || len(got.Data) != 1 {
			return fmt.Sprintf("%d %s", r.status, r.body)
		}
		return fmt.Sprintf("%d rows, %d paid", got.Data[0]["n"], got.Data[0]["paid"])
	}
	for _, tt := range []struct {
		args, file, says string
		code             int
		rows             string
	}{
		{"--preview", path, "paid", 0, "no such namespace or dataset"},
		{"", path, "", 0, "2 rows, 1 paid"},
		{"", path, "--append", 1, "2 rows, 1 paid"},
		{"--append", path, "", 0, "4 rows, 2 paid"},
		{"--replace --null tbd", path, "", 0, "2 rows, 2 paid"},
		{"--replace --append", path, "--replace", 2, "2 rows, 2 paid"},
		{"--replace --into both", path, "--into", 2, "2 rows, 2 paid"},
		{"--replace --sheet Nowhere", book, "Orders", 1, "2 rows, 2 paid"},
		{"--replace --sheet Orders", book, "", 0, "1 rows, 1 paid"},
		{"--replace --format csv --header no", path, "", 0, "there is column_1"},
	} {
		args := append([]string{"upload", "--to", "shop/orders"}, strings.Fields(tt.args)...)
		r := s.run("", append(args, tt.file)...)
		if r.code != tt.code || !strings.Contains(r.out+r.err, tt.says) {
			t.Errorf("quern upload %s = %+v, want code %d and %q", tt.args, r, tt.code, tt.says)
		}
		if got := rows("orders"); !strings.Contains(got, tt.rows) {
			t.Errorf("after quern upload %s there are %s, want %s", tt.args, got, tt.rows)
		}
	}
}
