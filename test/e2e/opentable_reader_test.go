package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// typedRows have every type, its bounds and nothing.
var typedRows = []string{`
	{"id":1,"b":true,"i":9223372036854775807,"f":1.5,"dec":12345678901234567890.123,"d":"2024-02-29","at":"2024-02-29T23:59:59.999999+02:00",
	 "s":"O'Brien \"quoted\", a\\b","j":{"a":[1,2.50,null,{"b":"ü"}],"k":"<&>"}},
	{"id":2,"b":false,"i":-9223372036854775808,"f":-1e300,"dec":-0.001,"d":"1900-01-01","at":"1969-12-31T23:59:59.5Z","s":"","j":[]},
	{"id":3,"b":null,"i":null,"f":null,"dec":null,"d":null,"at":null,"s":null,"j":null},
	{"id":4,"b":true,"i":0,"f":0.1,"dec":99999999999999999999.999,"d":"2299-12-31","at":"2000-01-01T00:00:00Z","s":"\t line\nbreak \u0001 🙂 \u4e2d\u6587","j":"text"}`}

const oddNames = `{"id":1,"a b":1,"ünï":"x","Größe in %":2.5,"select":true,"a.b":"dot","a/b":"slash","quote\"d":"q","back` + "`" + `tick":1,
	"it's":2,"🙂":"smile","1st":"one","UPPER":"case","comma,":3,"semi;":4,"a=b":5,"dash-ed":6,"_under":7}`

// tables is a server whose datasets are read as tables.
type tables struct {
	*server
	t        *testing.T
	site     *site
	ada, bob string              // their tokens
	pinned   map[string]contents // of versions, by table and version
	objects  string              // where objects are read, if not through the server
}

func newTables(t *testing.T, s *site) *tables {
	t.Helper()
	s.must("", "user", "add", "bob", "--generate")
	bob := s.must("", "token", "create", "--user", "bob")
	return &tables{server: s.server, t: t, site: s, ada: s.token, bob: bob, pinned: map[string]contents{}}
}

func (h *tables) ingest(dataset string, rows ...string) {
	h.t.Helper()
	h.want(200, h.ada, "/ingest/shop/"+dataset, `{"data":[`+strings.Join(rows, ",")+`]}`)
}

// replace puts rows in the place of those that a dataset has.
func (h *tables) replace(dataset, rows string) {
	h.t.Helper()
	path := filepath.Join(h.t.TempDir(), "rows.json")
	if err := os.WriteFile(path, []byte("["+rows+"]"), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.site.must("", "upload", "--replace", "--to", "shop/"+dataset, path)
}

// pin remembers what a dataset shows in its version of now.
func (h *tables) pin(dataset string) {
	h.t.Helper()
	h.pinned[dataset+"@"+h.snapshot(dataset)] = h.shown(dataset)
}

func (h *tables) rename(dataset, name string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", h.url+"/api/v1/data/self/shop/"+dataset+"/rename", strings.NewReader(name))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + h.ada}, "Content-Type": {"text/plain"}}
	res, err := http.DefaultClient.Do(r)
	if err != nil || res.StatusCode != 200 {
		h.t.Fatalf("rename = %v, %v, want 200", res, err)
	}
	res.Body.Close()
}

// loaded is what the catalog answers to a load.
type loaded struct {
	Location string `json:"metadata-location"`
	Metadata struct {
		Location  string
		Snapshot  int64 `json:"current-snapshot-id"`
		Snapshots []struct {
			ID      int64             `json:"snapshot-id"`
			Summary map[string]string `json:"summary"`
		}
	}
	Config map[string]string
}

// objects returns a client with the keys of a load, and where the table's objects lie.
func (l loaded) objects(t *testing.T) (client *minio.Client, bucket, folder string) {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(l.Config["s3.endpoint"], "http://"), &minio.Options{
		Creds:        credentials.NewStaticV4(l.Config["s3.access-key-id"], l.Config["s3.secret-access-key"], l.Config["s3.session-token"]),
		BucketLookup: minio.BucketLookupPath, Region: l.Config["s3.region"],
	})
	if err != nil {
		t.Fatal(err)
	}
	bucket, folder, _ = strings.Cut(strings.TrimPrefix(l.Metadata.Location, "s3://"), "/")
	return client, bucket, folder
}

func (h *tables) load(token, table string) (int, loaded) {
	h.t.Helper()
	r := h.call("GET", "/iceberg/v1/ada/namespaces/shop/tables/"+table, token, "")
	var l loaded
	if err := json.Unmarshal([]byte(r.body), &l); err != nil {
		h.t.Fatalf("load of %s = %d %s: %v", table, r.status, r.body, err)
	}
	return r.status, l
}

// snapshot waits until a table has the rows of its dataset, which may have to be
// rewritten for that, and returns its snapshot.
func (h *tables) snapshot(table string) string {
	h.t.Helper()
	want := strconv.Itoa(len(h.shown(table).Rows))
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		status, l := h.load(h.ada, table)
		for _, s := range l.Metadata.Snapshots {
			if status == 200 && s.ID == l.Metadata.Snapshot && s.Summary["total-records"] == want {
				return strconv.FormatInt(s.ID, 10)
			}
		}
	}
	h.t.Fatalf("the table %s has no snapshot of its %s rows", table, want)
	return ""
}

// contents is what a reader found in a table.
type contents struct {
	Table   string
	Columns []string
	Rows    [][]*string
	Error   string
	types   []string // of the columns, as the dataset has them
}

// shown is what the server itself shows of a dataset.
func (h *tables) shown(dataset string) contents {
	h.t.Helper()
	var about struct {
		Metadata struct {
			Columns []struct{ Name, Type string }
		}
	}
	if err := json.Unmarshal([]byte(h.call("GET", "/api/v1/data/ada/shop/"+dataset, h.ada, "").body), &about); err != nil {
		h.t.Fatal(err)
	}
	body := `{"username":"ada","namespace":"shop","dataset":"` + dataset + `","query":"*","includeMetadata":false}`
	var answer struct{ Data []map[string]any }
	rows := json.NewDecoder(strings.NewReader(h.want(200, h.ada, "/query", body).body))
	rows.UseNumber()
	if err := rows.Decode(&answer); err != nil {
		h.t.Fatal(err)
	}
	var all contents
	for _, c := range about.Metadata.Columns {
		all.Columns, all.types = append(all.Columns, c.Name), append(all.types, c.Type)
	}
	for _, row := range answer.Data {
		values := make([]*string, len(all.Columns))
		for i, name := range all.Columns {
			values[i] = shownText(row[name], all.types[i])
		}
		all.Rows = append(all.Rows, values)
	}
	return all
}

func shownText(value any, kind string) *string {
	text, isText := value.(string)
	switch {
	case value == nil:
		return nil
	case !isText || kind == "json":
		encoded, _ := json.Marshal(value)
		text = string(encoded)
	}
	return &text
}

// compare wants a reader to have found the rows that the server shows, in any order.
func compare(t *testing.T, what string, got, want contents) {
	t.Helper()
	if got.Error != "" || !slices.Equal(got.Columns, want.Columns) {
		t.Errorf("%s = columns %q %s, want %q", what, got.Columns, got.Error, want.Columns)
		return
	}
	found, shown := canonical(got.Rows, want.types), canonical(want.Rows, want.types)
	if !slices.Equal(found, shown) {
		t.Errorf("%s = rows\n%s\nwant\n%s", what, strings.Join(found, "\n"), strings.Join(shown, "\n"))
	}
}

// canonical writes each row in the one way that all readers' values can be compared in.
func canonical(rows [][]*string, types []string) []string {
	all := make([]string, len(rows))
	for i, row := range rows {
		values := make([]string, len(row))
		for j, value := range row {
			values[j] = "null"
			if value != nil {
				values[j] = canonicalValue(*value, types[j])
			}
		}
		all[i] = strings.Join(values, " | ")
	}
	slices.Sort(all)
	return all
}

func canonicalValue(text, kind string) string {
	switch {
	case kind == "double":
		f, err := strconv.ParseFloat(text, 64)
		if err == nil {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	case strings.HasPrefix(kind, "decimal"):
		if n, ok := new(big.Rat).SetString(text); ok {
			return n.RatString()
		}
	case kind == "timestamp":
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return at.UTC().Format(time.RFC3339Nano)
		}
	case kind == "json":
		from := json.NewDecoder(strings.NewReader(text))
		from.UseNumber()
		var value any
		if from.Decode(&value) == nil {
			encoded, _ := json.Marshal(value)
			return string(encoded)
		}
	case kind == "text":
		return strconv.Quote(text)
	}
	return text
}

// reader is a program that reads tables, as others do.
type reader struct {
	name       string
	command    []string
	clickHouse bool
	environ    []string
}

// readers are the strict one, the usual one and the lenient one.
func readers(t *testing.T) []reader {
	t.Helper()
	python := absolute(t, "../opentable/.venv/bin/python")
	if _, err := os.Stat(python); err != nil {
		t.Fatal("the Python packages of test/opentable are not installed: run `make deps`, or `scripts/venv test/opentable`")
	}
	script := absolute(t, readScript)
	return []reader{
		{name: "iceberg-go", command: []string{icebergReader(t)}},
		{name: "PyIceberg", command: []string{python, script, "pyiceberg"}},
		{name: "ClickHouse", command: []string{python, script, "chdb"}, clickHouse: true},
	}
}

// readScript reads tables with what its first argument names.
const readScript = "../opentable/read.py"

var buildReader sync.Once

// icebergReader builds the strict reader, or takes the one that is built.
func icebergReader(t *testing.T) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(binary), "icebergreader")
	buildReader.Do(func() {
		build := exec.CommandContext(t.Context(), "go", "build", "-C", "../icebergreader", "-o", path, ".")
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("go build ../icebergreader = %v %s", err, out)
		}
	})
	return path
}

// read reads tables of an owner's warehouse as the user of a token.
func (r reader) read(t *testing.T, h *tables, token, owner string, names []string) map[string]contents {
	t.Helper()
	if r.clickHouse {
		owner += ":no-endpoint"
	}
	args := append(slices.Clone(r.command[1:]), h.url+"/iceberg", owner)
	for _, name := range names {
		args = append(args, "shop/"+name)
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), r.command[0], args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TZ=UTC", "PYTHONDONTWRITEBYTECODE=1",
		"QUERN_TOKEN=" + token, "QUERN_OBJECTS=" + h.objects}, r.environ...)
	if err := cmd.Run(); err != nil {
		t.Errorf("%s = %v %s", r.name, err, errs.String())
	}
	all := map[string]contents{}
	for lines := json.NewDecoder(&out); lines.More(); {
		var c contents
		if err := lines.Decode(&c); err != nil {
			t.Fatalf("%s printed %s: %v", r.name, out.String(), err)
		}
		all[strings.TrimPrefix(c.Table, "shop/")] = c
	}
	if len(all) != len(names) {
		t.Errorf("%s read %d tables, want %d: %s", r.name, len(all), len(names), errs.String())
	}
	return all
}
