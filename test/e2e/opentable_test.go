package e2e_test

import (
	"slices"
	"testing"

	"github.com/minio/minio-go/v7"
)

// Engines that read Iceberg tables see the rows that POST /query shows: of all types,
// under odd names, and after whatever happened to a dataset.
func TestOtherEnginesReadTheSameRows(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, site *site) {
		h := newTables(t, site)
		h.fill()
		for _, reader := range readers(t) {
			h.compareAll(t, reader)
		}
	})
}

// fill makes datasets of all types, under odd names, and does to them whatever happens
// to datasets.
func (h *tables) fill() {
	h.t.Helper()
	h.ingest("types", typedRows...)
	h.ingest("far", `{"id":1,"d":"1583-01-01","at":"1700-02-28T23:59:59.999999Z"},{"id":2,"d":"9999-12-31","at":"2500-01-01T00:00:00Z"}`)
	h.ingest("names", oddNames)
	h.ingest("added", `{"id":1,"a":"x"}`)
	h.pin("added")
	h.ingest("added", `{"id":2,"b":true}`, `{"id":3,"a":"y","b":false}`)
	h.ingest("widened", `{"id":1,"n":1,"m":1,"p":1.5,"t":true}`)
	h.ingest("widened", `{"id":2,"n":2.5,"m":12345678901234567.25,"p":123456789012345678.75,"t":"no"}`)
	h.ingest("gone", `{"id":1,"a":"x","b":1}`)
	h.snapshot("gone")
	h.want(200, h.ada, "/data/self/shop/gone/clear", "")
	h.ingest("gone", `{"id":2,"c":"z","a":7}`)
	h.ingest("replaced", `{"id":1,"a":"x","b":1.5},{"id":2,"a":"y","b":null}`)
	h.pin("replaced")
	h.replace("replaced", `{"id":3,"c":"z","b":"no number"}`)
	h.ingest("cleared", `{"id":1}`)
	h.snapshot("cleared")
	h.want(200, h.ada, "/data/self/shop/cleared/clear", "")
	h.ingest("was", `{"id":1,"a":"before"}`)
	h.snapshot("was")
	h.rename("was", "is")
	h.ingest("is", `{"id":2,"a":"after"}`)
	h.want(201, h.ada, "/ingest/new/shop/never", "")
	for _, table := range everywhere {
		h.snapshot(table)
	}
}

// everywhere are the datasets that every reader reads.
var everywhere = []string{"types", "names", "added", "widened", "gone", "replaced", "is"}

// compareAll wants a reader to find what the server shows of the datasets that fill made.
func (h *tables) compareAll(t *testing.T, reader reader) {
	t.Helper()
	names := append(slices.Clone(everywhere), "cleared", "never")
	if !reader.clickHouse {
		names = append(names, "far") // dates before 1900 and after 2299 do not fit its type
	}
	for name := range h.pinned {
		names = append(names, name)
	}
	read := reader.read(t, h, h.ada, "ada", names)
	for _, name := range names {
		got, what := read[name], reader.name+" "+name
		pinned, isPinned := h.pinned[name]
		switch {
		case isPinned:
			compare(t, what, got, pinned)
		case name == "never":
			if got.Error == "" {
				t.Errorf("%s = %+v, want no table of a dataset without columns", what, got)
			}
		case name == "cleared":
			if got.Error != "" || len(got.Rows) > 0 || !slices.Equal(got.Columns, []string{"id"}) {
				t.Errorf("%s = %+v, want its column and no rows", what, got)
			}
		default:
			compare(t, what, got, h.shown(name))
		}
	}
}

// Engines see what their user may see, and a revocation counts between two pages.
func TestOtherEnginesHaveTheirUsersRights(t *testing.T) {
	t.Parallel()
	h := newTables(t, newFilesSite(t))
	h.ingest("mine", `{"id":1}`)
	h.ingest("shared", `{"id":1,"a":"x"},{"id":2,"a":null}`)
	const shares = "/permissions/datasets/ada/shop/shared/shares"
	h.want(200, h.ada, shares, `{"username":"bob","role":"viewer"}`)
	check := func(when string, visible bool) {
		for _, reader := range readers(t) {
			read := reader.read(t, h, h.bob, "ada", []string{"mine", "shared"})
			if read["mine"].Error == "" {
				t.Errorf("%s: %s reads another's dataset for bob, want it not found", when, reader.name)
			}
			if visible {
				compare(t, reader.name+" as bob", read["shared"], h.shown("shared"))
			} else if read["shared"].Error == "" {
				t.Errorf("%s: %s reads %+v for bob, want it not found", when, reader.name, read["shared"])
			}
		}
	}
	check("shared", true)

	status, loaded := h.load(h.bob, "shared")
	if status != 200 {
		t.Fatalf("bob's load = %d, want 200", status)
	}
	objects, bucket, folder := loaded.objects(t)
	var keys []string
	for o := range objects.ListObjects(t.Context(), bucket, minio.ListObjectsOptions{Prefix: folder + "/", Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		keys = append(keys, o.Key)
	}
	stat := func(key string) string {
		_, err := objects.StatObject(t.Context(), bucket, key, minio.StatObjectOptions{})
		return minio.ToErrorResponse(err).Code
	}
	if len(keys) < 3 || stat(keys[0]) != "" {
		t.Errorf("bob's key lists %v and opens the first with %q, want segments and metadata", keys, stat(keys[0]))
	}
	_, foreign := h.load(h.ada, "mine")
	_, _, other := foreign.objects(t)
	if code := stat(other + "/x"); code != "AccessDenied" {
		t.Errorf("bob's key opens another table with %q, want AccessDenied", code)
	}
	if r := h.call("DELETE", "/api/v1"+shares, h.ada, `{"username":"bob"}`); r.status != 200 {
		t.Fatalf("revoking = %d %s, want 200", r.status, r.body)
	}
	if code := stat(keys[0]); code != "AccessDenied" {
		t.Errorf("bob's key opens an object after its revocation with %q, want AccessDenied", code)
	}
	check("revoked", false)
}
