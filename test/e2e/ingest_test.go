package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// csv makes a file of so many rows.
func (s *site) csv(rows int) (path string) {
	s.t.Helper()
	var b strings.Builder
	b.WriteString("id,name,price,day\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,name %d,%d.%02d,2024-01-%02d\n", i, i%100, i%1000, i%100, 1+i%28)
	}
	path = filepath.Join(s.t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// get asks the server for JSON.
func (s *site) get(path string, out any) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.server.url+"/api/v1"+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil || resp.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s = %d, %v, want 200", path, resp.StatusCode, err)
	}
}

func TestUploadedFilesBecomeRows(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, s *site) {
		path := s.csv(1000)
		if out := s.must("", "upload", "--to", "shop/sales", path); !strings.Contains(out, ": 1000 rows") || !strings.Contains(out, "UTF-8, comma, header") {
			t.Errorf("quern upload --to = %s, want 1000 rows and how they were read", out)
		}
		broken := filepath.Join(t.TempDir(), "broken.csv")
		if err := os.WriteFile(broken, []byte("id,name\n1,a,b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := s.run("", "upload", "--to", "shop/sales", broken); r.code != 1 || !strings.Contains(r.err, "broken.csv: line 2: has 3 cells where there are 2 columns") {
			t.Errorf("quern upload --to of a broken file = %+v, want code 1 and the line", r)
		}
		if r := s.run("", "upload", "--to", "shop", path); r.code != 2 {
			t.Errorf("quern upload --to shop = %+v, want code 2", r)
		}
		orders := filepath.Join(t.TempDir(), "orders.json")
		if err := os.WriteFile(orders, []byte(`[{"id":1,"lines":[{"sku":"a"},{"sku":"b"}],"tags":[{"t":"x"}],"seen":[{"at":1}]}]`), 0o600); err != nil {
			t.Fatal(err)
		}
		out := s.must("", "upload", "--to", "shop/orders", "--list", "lines=order_lines,tags=", "--list", "seen=visits", orders)
		if !strings.Contains(out, "order_lines") || !strings.Contains(out, "visits") || strings.Contains(out, "orders_tags") {
			t.Errorf("quern upload --list = %s, want the datasets that it names", out)
		}
	})
}

func TestResumedUploadKnowsWhereItsRowsGo(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t)
	const rows = 60_000
	path := s.csv(rows)
	c := s.start("upload", "--parallel", "1", "--to", "shop/sales", "--on-error", "quarantine", path)
	s.network.Await(256 << 10)
	if r := c.end(syscall.SIGINT); r.code != 3 {
		t.Fatalf("interrupted upload = %+v, want code 3", r)
	}
	if out := s.must("", "upload", "--resume", "--json"); !strings.Contains(out, fmt.Sprintf(`"processedRows": %d`, rows)) {
		t.Errorf("quern upload --resume = %s, want %d rows", out, rows)
	}
	var about struct {
		Metadata struct{ RowCount int }
	}
	s.get("/data/ada/shop/sales", &about)
	if about.Metadata.RowCount != rows {
		t.Errorf("rows = %d, want %d", about.Metadata.RowCount, rows)
	}
}

func TestServerKilledWhileIngesting(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t)
	const rows = 600_000
	c := s.start("upload", "--to", "shop/sales", "--json", s.csv(rows))
	// The server is killed when it has begun to work. Once: work that a server dies
	// over a second time is given up, for it may be the cause (package ingest).
	var attempts struct {
		Data []struct{ Attributes struct{ Attempt int } }
	}
	deadline := time.Now().Add(time.Minute)
	for len(attempts.Data) == 0 || attempts.Data[0].Attributes.Attempt < 1 {
		if time.Now().After(deadline) {
			t.Fatalf("attempts = %+v, want one that was begun", attempts)
		}
		s.tryGet("/data/ada/shop/sales/ingest/attempts", &attempts)
	}
	s.crash()
	if r := c.end(0); r.code != 0 || !strings.Contains(r.out, fmt.Sprintf(`"processedRows": %d`, rows)) {
		t.Fatalf("quern upload --to = %+v, want all rows", r)
	}
	var about struct {
		Metadata struct{ RowCount int }
	}
	s.get("/data/ada/shop/sales", &about)
	if about.Metadata.RowCount != rows {
		t.Errorf("rows = %d, want %d", about.Metadata.RowCount, rows)
	}
}

// tryGet asks for what may not be there yet.
func (s *site) tryGet(path string, out any) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.server.url+"/api/v1"+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	_ = json.NewDecoder(resp.Body).Decode(out)
}
