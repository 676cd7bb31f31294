//go:build trino

package e2e_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/blob/blobtest"
	"quern/s3door"
	trinotest "quern/test/trino"
)

// A question and a query about a table that is larger than s3_cache_size are answered by
// the cluster. The same server without it refuses them.
func TestTrinoAnswersWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	g := blobtest.StartGateway(t)
	address := blobtest.FreeAddress(t)
	h := newHome(t, "QUERN_S3_ENDPOINT="+g.Endpoint, "QUERN_S3_BUCKET="+g.Bucket, "QUERN_S3_REGION="+g.Region,
		"QUERN_S3_ACCESS_KEY_ID="+g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY="+g.SecretKey)
	for _, name := range []string{"ada", "trino"} {
		h.must("", "user", "add", name, "--generate")
	}
	token, own := h.must("", "token", "create", "--user", "ada"), h.must("", "token", "create", "--user", "trino")
	bucket := h.environ[:len(h.environ):len(h.environ)]
	s := h.serve()
	h.environ = append(bucket, "QUERN_SERVER="+s.url, "QUERN_TOKEN="+token)
	const rows = 200_000
	h.must("", "upload", manyDigests(t, rows), "--to", "shop/parcels")
	s.stop()

	small := append(bucket, "QUERN_S3_CACHE_SIZE=4MiB", "QUERN_ENGINE_URL=trino://"+address, "QUERN_ENGINE_ROUTE_SIZE=4MiB")
	h.environ = small
	s = h.serve()
	h.environ = append(bucket, "QUERN_SERVER="+s.url, "QUERN_TOKEN="+token)
	node := trinotest.Start(t, trinotest.Settings{
		Home: filepath.Join("../trino", trinotest.Home), ID: "questions", Address: address, Coordinator: "http://" + address,
		Config: "coordinator=true\nnode-scheduler.include-coordinator=true\n",
		Files:  map[string]string{"etc/catalog/quern.properties": trinotest.Catalog(s.url, own, s3door.Region)},
	})
	node.Await(t, 1)

	const body = `{"username":"self","namespace":"shop","includeMetadata":false,"query":"select count(*) as n, sum(weight) as w from parcels"}`
	r := s.call("POST", "/api/v1/query", token, body)
	if want := fmt.Sprintf(`{"data":[{"n":%d,"w":%d}]`, rows, rows/100*4950); !strings.HasPrefix(r.body, want) || !strings.Contains(r.body, `"engine":"cluster"`) {
		t.Errorf("POST /query = %d %.500s, want %s from the cluster", r.status, r.body, want)
	}
	const question = "How many parcels have a weight over 49?"
	var answer struct{ Response string }
	if err := json.Unmarshal([]byte(h.must("", "ask", "--json", "-n", "shop", question)), &answer); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s", question, answer.Response)
	if !strings.Contains(strings.ReplaceAll(answer.Response, ",", ""), "100000") {
		t.Errorf("%s = %q, want 100000", question, answer.Response)
	}

	s.stop()
	h.environ = append(small, "QUERN_ENGINE_ROUTE=embedded")
	s = h.serve()
	if r := s.call("POST", "/api/v1/query", token, body); r.status != 422 || !strings.Contains(r.body, "too large for this server alone") {
		t.Errorf("POST /query without the cluster = %d %.500s, want 422 for want of room", r.status, r.body)
	}
	h.environ = append(h.environ, "QUERN_SERVER="+s.url, "QUERN_TOKEN="+token)
	if r := h.run("", "ask", "-n", "shop", question); r.code == 0 || !strings.Contains(r.out+r.err, "too large for this server alone") {
		t.Errorf("quern ask without the cluster = %d %q %q, want a failure for want of room", r.code, r.out, r.err)
	}
}

// manyDigests makes a file of rows that cannot be made small.
func manyDigests(t *testing.T, rows int) (path string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,weight,digest\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%x\n", i, i%100, sha256.Sum256([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
	}
	path = filepath.Join(t.TempDir(), "parcels.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
