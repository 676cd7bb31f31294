package app_test

import (
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/app"
	"quern/config"
)

// A segment that the object store does not have any more is a loss, not a dataset
// that never was.
func TestALostSegmentIsNamedEverywhere(t *testing.T) {
	t.Parallel()
	cfg, log := settings(t, nil), &journal{}
	a, stop := start(t, cfg, log)
	defer func() { _ = stop() }()
	token := tokenOf(t, cfg, "ada")
	call := func(method, path, body string) (int, string) {
		return callAs(t, method, a.URL()+"/api/v1"+path, token, body)
	}
	call("POST", "/ingest/new/shop/orders", "")
	if status, body := call("POST", "/ingest/shop/orders", `{"data":[{"a":1}]}`); status != http.StatusOK {
		t.Fatalf("ingest = %d %s, want 200", status, body)
	}
	segment := onlyFile(t, filepath.Join(cfg.Data, "objects"))
	aside := filepath.Join(t.TempDir(), "segment")
	move(t, segment, aside)
	query := `{"username":"self","namespace":"shop","query":"select a from orders"}`
	for _, c := range [][3]string{{"POST", "/query", query}, {"GET", "/data/self/shop/orders/rows", ""}} {
		status, body := call(c[0], c[1], c[2])
		if status != http.StatusInternalServerError || !strings.Contains(body, `"DATA_LOST"`) || strings.Contains(body, ".parquet") {
			t.Errorf("%s %s = %d %s, want 500 DATA_LOST without the key", c[0], c[1], status, body)
		}
	}
	if status, body := call("GET", "/data/self/shop/nowhere/rows", ""); status != http.StatusNotFound {
		t.Errorf("rows of a dataset that never was = %d %s, want 404", status, body)
	}
	if got := log.String(); !strings.Contains(got, "a segment is lost") || !strings.Contains(got, `"level":"ERROR"`) && !strings.Contains(got, "level=ERROR") {
		t.Errorf("the log = %.2000s, want the loss as an error", got)
	}
	if _, metrics := get(t, a.URL()+"/metrics"); !strings.Contains(metrics, `quern_segments_lost_total{reason="missing"} 2`) {
		t.Error("/metrics does not count two reads of a lost segment")
	}
	status, ready := get(t, a.URL()+"/readyz")
	if status != http.StatusOK || !strings.Contains(ready, `{"name":"stored data","ok":false,"error":"segments of datasets are lost: 1"}`) {
		t.Errorf("/readyz = %d %s, want the loss named by a server that is ready for the rest", status, ready)
	}
	move(t, aside, segment)
	if _, ready := get(t, a.URL()+"/readyz"); !strings.Contains(ready, `{"name":"stored data","ok":true}`) {
		t.Errorf("/readyz after the segment is back = %s, want nothing lost", ready)
	}
	if status, body := call("POST", "/query", query); status != http.StatusOK {
		t.Errorf("query after the segment is back = %d %s, want 200", status, body)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// onlyFile returns the one Parquet file under a folder.
func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isParquet(path) {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) != 1 {
		t.Fatalf("Parquet files under %s = %v, %v, want one", dir, all, err)
	}
	return all[0]
}

func isParquet(path string) bool {
	content, err := os.ReadFile(path)
	return err == nil && strings.HasPrefix(string(content), "PAR1")
}

// tokenOf adds a user beside a running app and returns a token of hers.
func tokenOf(t *testing.T, cfg *config.Config, name string) string {
	t.Helper()
	users, end, err := app.OpenAuth(t.Context(), cfg, false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := users.AddUser(t.Context(), name, app.NewPassword()); err != nil {
		t.Fatal(err)
	}
	p, err := users.As(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := users.CreateToken(t.Context(), p, quern.TokenSpec{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func callAs(t *testing.T, method, url, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(r)
	if err != nil {
		t.Fatalf("%s %s = %v", method, url, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
