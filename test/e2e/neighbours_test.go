//go:build neighbours

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"quern/blob/blobtest"
	"quern/blob/s3"
)

// newMinIOSite is an installation whose objects lie in MinIO, which lends keys to
// those who read tables.
func newMinIOSite(t *testing.T) (s *site, endpoint string) {
	t.Helper()
	path, err := exec.CommandContext(t.Context(), "go", "env", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	address := blobtest.FreeAddress(t)
	endpoint = "http://" + address
	const user, password, bucket = "quern", "quern-secret", "objects"
	startNeighbour(t, endpoint+"/minio/health/live", []string{"MINIO_ROOT_USER=" + user, "MINIO_ROOT_PASSWORD=" + password},
		filepath.Join(strings.TrimSpace(string(path)), "bin", "minio"), "server", "--quiet", "--address", address,
		"--console-address", blobtest.FreeAddress(t), t.TempDir())
	objects, err := s3.New(s3.Options{Endpoint: endpoint, Bucket: bucket, AccessKeyID: user, SecretAccessKey: password})
	if err == nil {
		err = objects.MakeBucket(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	s = &site{restart: func() {}, home: newHome(t, "QUERN_S3_ENDPOINT="+endpoint, "QUERN_S3_BUCKET="+bucket,
		"QUERN_S3_ACCESS_KEY_ID="+user, "QUERN_S3_SECRET_ACCESS_KEY="+password,
		"QUERN_S3_STS_ROLE=arn:aws:iam:::role/readers", "QUERN_S3_STS_ENDPOINT="+endpoint)}
	s.begin()
	return s, endpoint + "/" + bucket
}

// neighbours are the readers that are too large for every day.
func neighbours(t *testing.T) []reader {
	t.Helper()
	python, script := absolute(t, "../neighbours/.venv/bin/python"), absolute(t, readScript)
	if _, err := os.Stat(python); err != nil {
		t.Fatal("the Python packages of test/neighbours are not installed: run `make e2e-neighbours`")
	}
	jars := "QUERN_SPARK_JARS=" + absolute(t, "../neighbours/spark/jars")
	return []reader{
		{name: "DuckDB", command: []string{python, script, "duckdb"}},
		{name: "Spark", command: []string{python, script, "spark"}, environ: []string{jars}},
	}
}

// DuckDB and Spark see the rows that POST /query shows, through the server.
func TestNeighboursReadTheSameRows(t *testing.T) {
	t.Parallel()
	h := newTables(t, newFilesSite(t))
	h.fill()
	for _, reader := range neighbours(t) {
		h.compareAll(t, reader)
	}
}

// Every reader reads the bucket itself with the keys that MinIO lends.
func TestNeighboursReadMinIO(t *testing.T) {
	t.Parallel()
	site, bucket := newMinIOSite(t)
	h := newTables(t, site)
	h.objects = bucket
	h.fill()
	for _, reader := range append(readers(t), neighbours(t)...) {
		h.compareAll(t, reader)
	}
}

// lentKey is what somebody can try with the key of a load.
type lentKey struct {
	t              *testing.T
	objects        *minio.Client
	bucket, folder string
}

func newLentKey(t *testing.T, l loaded) *lentKey {
	t.Helper()
	k := &lentKey{t: t}
	k.objects, k.bucket, k.folder = l.objects(t)
	return k
}

// list returns the keys below a prefix, or the code of the failure.
func (k *lentKey) list(prefix string) (keys []string, code string) {
	for o := range k.objects.ListObjects(k.t.Context(), k.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return keys, minio.ToErrorResponse(o.Err).Code
		}
		keys = append(keys, o.Key)
	}
	return keys, ""
}

// get returns the code of the failure to read an object, "" for none.
func (k *lentKey) get(key string) string {
	_, err := k.objects.StatObject(k.t.Context(), k.bucket, key, minio.StatObjectOptions{})
	return minio.ToErrorResponse(err).Code
}

// A key that MinIO lends reads the objects of its table and does nothing else, for 15
// minutes. Within these it outlasts a revocation, which a new load does not.
func TestNeighbourMinIOHoldsKeysToTheirTable(t *testing.T) {
	t.Parallel()
	site, _ := newMinIOSite(t)
	h := newTables(t, site)
	h.ingest("mine", `{"id":1}`)
	h.ingest("shared", `{"id":1,"a":"x"}`)
	const shares = "/permissions/datasets/ada/shop/shared/shares"
	h.want(200, h.ada, shares, `{"username":"bob","role":"viewer"}`)
	asked := time.Now()
	status, lent := h.load(h.bob, "shared")
	if status != 200 {
		t.Fatalf("bob's load = %d, want 200", status)
	}
	until, err := strconv.ParseInt(lent.Config["s3.session-token-expires-at-ms"], 10, 64)
	if life := time.UnixMilli(until).Sub(asked).Round(time.Minute); err != nil || life != 15*time.Minute {
		t.Errorf("the key lives %v, %v, want 15 minutes", life, err)
	}
	_, foreign := h.load(h.ada, "mine")
	_, _, other := foreign.objects(t)
	k := newLentKey(t, lent)
	keys, code := k.list(k.folder + "/")
	if len(keys) < 3 || code != "" {
		t.Fatalf("the key lists %v, %q of its table, want its objects", keys, code)
	}
	for _, prefix := range []string{"", "tables/", other + "/", k.folder, k.folder + "x"} {
		if keys, code := k.list(prefix); code != "AccessDenied" {
			t.Errorf("the key lists %v, %q below %q, want AccessDenied", keys, code, prefix)
		}
	}
	_, foreignKey, _ := strings.Cut(strings.TrimPrefix(foreign.Location, "s3://"), "/")
	removed := k.objects.RemoveObject(t.Context(), k.bucket, keys[0], minio.RemoveObjectOptions{})
	_, put := k.objects.PutObject(t.Context(), k.bucket, k.folder+"/new", strings.NewReader("x"), 1, minio.PutObjectOptions{})
	for what, c := range map[string]struct{ got, want string }{
		"read an object":            {k.get(keys[0]), ""},
		"read another table":        {k.get(foreignKey), "AccessDenied"},
		"read uploads":              {k.get("uploads/x"), "AccessDenied"},
		"write into its own table":  {minio.ToErrorResponse(put).Code, "AccessDenied"},
		"delete from its own table": {minio.ToErrorResponse(removed).Code, "AccessDenied"},
	} {
		if c.got != c.want {
			t.Errorf("the key's try to %s = %q, want %q", what, c.got, c.want)
		}
	}
	if r := h.call("DELETE", "/api/v1"+shares, h.ada, `{"username":"bob"}`); r.status != 200 {
		t.Fatalf("revoking = %d %s, want 200", r.status, r.body)
	}
	if status, _ := h.load(h.bob, "shared"); status != 404 {
		t.Errorf("bob's load after the revocation = %d, want 404", status)
	}
	if code := k.get(keys[0]); code != "" {
		t.Errorf("a lent key after a revocation = %q, want it to live on, as the docs say", code)
	}
}

// catalogRequests are what both catalogs are asked.
var catalogRequests = []struct{ method, path, body string }{
	{"GET", "namespaces", ""}, {"GET", "namespaces?parent=shop", ""}, {"GET", "namespaces?parent=none", ""},
	{"GET", "namespaces?pageToken=&pageSize=1", ""}, {"GET", "namespaces/shop", ""}, {"HEAD", "namespaces/shop", ""},
	{"GET", "namespaces/none", ""}, {"HEAD", "namespaces/none", ""}, {"GET", "namespaces/shop/tables", ""},
	{"GET", "namespaces/shop/tables?pageToken=&pageSize=1", ""}, {"GET", "namespaces/none/tables", ""},
	{"GET", "namespaces/shop/tables/added?snapshots=all", ""}, {"GET", "namespaces/shop/tables/added?snapshots=refs", ""},
	{"GET", "namespaces/shop/tables/added", ""}, {"HEAD", "namespaces/shop/tables/added", ""}, {"GET", "namespaces/shop/tables/cleared", ""},
	{"GET", "namespaces/shop/tables/none", ""}, {"HEAD", "namespaces/shop/tables/none", ""}, {"GET", "namespaces/none/tables/added", ""},
	{"POST", "namespaces/shop/tables/added/metrics", scanReport}, {"GET", "namespaces/shop/views", ""}, {"GET", "namespaces/none/views", ""},
	{"GET", "namespaces/shop/views/none", ""}, {"HEAD", "namespaces/shop/views/none", ""},
}

// scanReport is what clients send of a scan.
const scanReport = `{"report-type":"scan-report","table-name":"added","snapshot-id":1,"filter":true,"schema-id":0,
	"projected-field-ids":[1],"projected-field-names":["id"],"metrics":{},"metadata":{}}`

// The catalog answers as Iceberg's own does: same requests, same shapes.
func TestNeighbourCatalogHasTheSameShapes(t *testing.T) {
	t.Parallel()
	_, port, _ := strings.Cut(blobtest.FreeAddress(t), ":")
	reference := "http://127.0.0.1:" + port
	const database = "jdbc:sqlite:file:reference?mode=memory&cache=shared"
	startNeighbour(t, reference+"/v1/config",
		[]string{"CATALOG_REST_PORT=" + port, "CATALOG_URI=" + database, "CATALOG_WAREHOUSE=file://" + t.TempDir()},
		"java", "-Xmx300m", "-cp", absolute(t, "../neighbours/catalog/jars")+"/*", "org.apache.iceberg.rest.RESTCatalogServer")
	fill := exec.CommandContext(t.Context(), absolute(t, "../opentable/.venv/bin/python"), absolute(t, "../neighbours/fill.py"), reference)
	if out, err := fill.CombinedOutput(); err != nil {
		t.Fatalf("fill.py = %v %s", err, out)
	}
	h := newTables(t, newFilesSite(t))
	h.ingest("added", `{"id":1,"a":"x"}`)
	h.snapshot("added")
	h.ingest("added", `{"id":1,"a":"x"}`)
	h.ingest("cleared", `{"id":1,"a":"x"}`)
	h.want(200, h.ada, "/data/self/shop/cleared/clear", "")
	found := map[string]bool{}
	for _, c := range catalogRequests {
		theirs := (&server{home: h.home, url: reference}).call(c.method, "/v1/"+c.path, "", c.body)
		ours := h.call(c.method, "/iceberg/v1/ada/"+c.path, h.ada, c.body)
		if ours.status != theirs.status {
			t.Errorf("%s %s = %d %s, want %d as of the reference", c.method, c.path, ours.status, ours.body, theirs.status)
			continue
		}
		for _, d := range differences("", document(t, ours.body), document(t, theirs.body)) {
			found[d] = true
			if _, known := knownDifferences[d]; !known {
				t.Errorf("%s %s: %s\nours  %.2000s\ntheirs %.2000s", c.method, c.path, d, ours.body, theirs.body)
			}
		}
	}
	for d := range knownDifferences {
		if !found[d] {
			t.Errorf("%q is no difference any more: take it out", d)
		}
	}
	theirs := document(t, (&server{home: h.home, url: reference}).call("GET", "/v1/config", "", "").body).(map[string]any)["endpoints"].([]any)
	for _, endpoint := range document(t, h.call("GET", "/iceberg/v1/config", h.ada, "").body).(map[string]any)["endpoints"].([]any) {
		if endpoint != "GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials" && !slices.Contains(theirs, endpoint) {
			t.Errorf("the endpoint %q is none of the reference's %v", endpoint, theirs)
		}
	}
}

// knownDifferences are where the two differ as Iceberg's specification lets them.
var knownDifferences = map[string]string{
	".error.stack is only theirs":                             "what stands behind a failure is not sent",
	".config is only ours":                                    "the reference vends no keys",
	".storage-credentials is only ours":                       "the same",
	".metadata.statistics is only theirs":                     "optional",
	".metadata.partition-statistics is only theirs":           "optional",
	".metadata.schemas[].identifier-field-ids is only ours":   "optional",
	".metadata.snapshots[].parent-snapshot-id is only theirs": "every version lists all of its files",
}

func document(t *testing.T, body string) any {
	t.Helper()
	if body == "" {
		return nil
	}
	var d any
	if err := json.Unmarshal([]byte(body), &d); err != nil {
		t.Fatalf("no JSON: %v: %s", err, body)
	}
	return d
}

// differences tells where two documents have other members or kinds of values. Null is
// as good as absent, and what is below settings has no shape.
func differences(path string, ours, theirs any) []string {
	switch o := ours.(type) {
	case map[string]any:
		return memberDifferences(path, o, theirs)
	case []any:
		t, ok := theirs.([]any)
		if !ok {
			break
		}
		if len(o) == 0 || len(t) == 0 {
			return nil
		}
		return differences(path+"[]", o[len(o)-1], t[len(t)-1])
	}
	if kindOf(ours) != kindOf(theirs) {
		return []string{fmt.Sprintf("%s is %s, theirs is %s", path, kindOf(ours), kindOf(theirs))}
	}
	return nil
}

func memberDifferences(path string, ours map[string]any, other any) []string {
	theirs, ok := other.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s is object, theirs is %s", path, kindOf(other))}
	}
	for _, settings := range []string{"config", "properties", "summary"} {
		if strings.HasSuffix(path, "."+settings) {
			return nil
		}
	}
	var all []string
	for name, value := range ours {
		switch {
		case theirs[name] != nil && value != nil:
			all = append(all, differences(path+"."+name, value, theirs[name])...)
		case value != nil:
			all = append(all, path+"."+name+" is only ours")
		}
	}
	for name, value := range theirs {
		if value != nil && ours[name] == nil {
			all = append(all, path+"."+name+" is only theirs")
		}
	}
	slices.Sort(all)
	return all
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "object"
	case []any:
		return "list"
	case bool:
		return "boolean"
	case float64:
		return "number"
	}
	return "text"
}
