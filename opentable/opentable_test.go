package opentable_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/iceberg-go"

	"quern"
	"quern/catalog"
	"quern/housetest"
	"quern/opentable"
	"quern/store"
	"quern/store/storetest"
)

// house is a house with tables, and a clock that tests move.
type house struct {
	*housetest.House
	t      testing.TB
	tables *opentable.Service
	now    time.Time
	ada    quern.Principal
}

func newHouse(t testing.TB, on *store.Store, keepSmall bool) *house {
	t.Helper()
	h := &house{t: t, now: time.Now().Truncate(time.Millisecond)}
	h.House = housetest.New(t, housetest.Options{Store: on, Now: func() time.Time { return h.now }, Journal: true})
	h.tables = opentable.New(opentable.Options{
		Store: h.Store, Catalog: h.Catalog, Objects: h.Objects, Still: h.Auth.Still, Rewrite: h.Ingest,
		Bucket: "quern-tables", Endpoint: housetest.PublicURL, Region: "us-east-1", Grace: time.Hour, Now: h.Options.Now, Log: slog.New(slog.DiscardHandler),
		KeepSmall: keepSmall,
	})
	h.ada = h.User("ada")
	return h
}

// eachHouse tests with each store, where metadata are objects and where the store keeps them.
func eachHouse(t *testing.T, test func(*testing.T, *house)) {
	t.Helper()
	for place, keepSmall := range map[string]bool{"objects": false, "kept": true} {
		t.Run(place, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, on *store.Store) { test(t, newHouse(t, on, keepSmall)) })
		})
	}
}

func (h *house) load(at quern.DatasetPath) (opentable.Loaded, error) {
	h.t.Helper()
	d, err := h.Catalog.Dataset(h.t.Context(), h.ada, at, catalog.Read)
	housetest.Must(h.t, err)
	return h.tables.Load(h.t.Context(), d)
}

func (h *house) mustLoad(at quern.DatasetPath) opentable.Metadata {
	h.t.Helper()
	l, err := h.load(at)
	if err != nil {
		h.t.Fatalf("Load(%v) = %v, want a table", at, err)
	}
	return l.Metadata
}

// location is where the metadata of a table are.
func (h *house) location(at quern.DatasetPath) string {
	h.t.Helper()
	l, err := h.load(at)
	housetest.Must(h.t, err)
	return l.Location
}

// open reads an object that metadata name.
func (h *house) open(place string) []byte {
	h.t.Helper()
	r, err := h.tables.Files().Open(h.t.Context(), strings.TrimPrefix(place, "s3://quern-tables/"), 0, -1)
	housetest.Must(h.t, err)
	defer r.Close()
	all, err := io.ReadAll(r)
	housetest.Must(h.t, err)
	return all
}

// dataFiles reads the files of a version as its manifests list them.
func (h *house) dataFiles(m opentable.Metadata, version int64) []iceberg.DataFile {
	h.t.Helper()
	var files []iceberg.DataFile
	for _, s := range m.Snapshots {
		if s.ID != version {
			continue
		}
		manifests, err := iceberg.ReadManifestList(bytes.NewReader(h.open(s.ManifestList)))
		housetest.Must(h.t, err)
		for _, manifest := range manifests {
			entries, err := iceberg.ReadManifest(manifest, bytes.NewReader(h.open(manifest.FilePath())), true)
			housetest.Must(h.t, err)
			for _, e := range entries {
				files = append(files, e.DataFile())
			}
		}
	}
	return files
}

func columnsOf(m opentable.Metadata) string {
	for _, s := range m.Schemas {
		if int64(s.ID) == m.CurrentSchemaID {
			var all []string
			for _, f := range s.Fields() {
				all = append(all, fmt.Sprintf("%d %s %s", f.ID, f.Name, f.Type))
			}
			return strings.Join(all, ", ")
		}
	}
	return "no current schema"
}

func TestEveryTypeHasItsField(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne","crew":12,"length":98.5,"fast":true,"built":"1999-04-01",
		"seen":"2026-01-02T03:04:05Z","notes":{"flag":"GR"}},{"name":null,"crew":-3,"length":1.25,"fast":false,"built":"1950-12-31",
		"seen":"1969-12-31T23:59:59Z","notes":null}]`)
	m := h.mustLoad(at)
	want := "1 name string, 2 crew long, 3 length double, 4 fast boolean, 5 built date, 6 seen timestamptz, 7 notes string"
	if got := columnsOf(m); got != want {
		t.Errorf("columns = %s, want %s", got, want)
	}
	files := h.dataFiles(m, m.CurrentSnapshotID)
	if len(files) != 1 || files[0].Count() != 2 || files[0].NullValueCounts()[1] != 1 || files[0].NullValueCounts()[2] != 0 {
		t.Fatalf("files = %+v, want one of two rows that knows its nulls", files)
	}
	for id, want := range map[int]string{1: "Ariadne Ariadne", 2: "-3 12", 3: "1.25 98.5", 4: "false true", 5: "1950-12-31 1999-04-01"} {
		field, _ := m.Schemas[0].FindFieldByID(id)
		low, err := iceberg.LiteralFromBytes(field.Type, files[0].LowerBoundValues()[id])
		housetest.Must(t, err)
		high, err := iceberg.LiteralFromBytes(field.Type, files[0].UpperBoundValues()[id])
		housetest.Must(t, err)
		if got := low.String() + " " + high.String(); got != want {
			t.Errorf("bounds of %s = %s, want %s", field.Name, got, want)
		}
	}
	if _, bounded := files[0].LowerBoundValues()[7]; bounded {
		t.Error("a JSON column has bounds, want none")
	}
	if got := m.Properties["write.metadata.metrics.column.notes"]; got != "none" {
		t.Errorf("metrics of a JSON column = %q, want none", got)
	}
	if !strings.Contains(m.Properties["schema.name-mapping.default"], `{"field-id":2,"names":["crew"]}`) {
		t.Errorf("name mapping = %s, want crew as 2", m.Properties["schema.name-mapping.default"])
	}
}

func TestVersionsStayListedAsLongAsTheyAreKept(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne"}]`)
		first := h.mustLoad(at)
		h.Append(h.ada, at, `[{"name":"Boreas","crew":3}]`)
		second := h.mustLoad(at)
		if len(second.Snapshots) != 2 || second.CurrentSnapshotID != first.CurrentSnapshotID+1 || len(second.Schemas) != 2 {
			t.Fatalf("metadata = %+v, want both versions, each with its schema", second)
		}
		if got := len(h.dataFiles(second, first.CurrentSnapshotID)); got != 1 {
			t.Errorf("the first version has %d files, want 1", got)
		}
		if again := h.mustLoad(at); again.Snapshots[1].ManifestList != second.Snapshots[1].ManifestList {
			t.Errorf("a second load wrote the metadata again")
		}
		_, err := h.Catalog.Clear(t.Context(), h.ada, at)
		housetest.Must(t, err)
		cleared := h.mustLoad(at)
		h.open(h.location(at))
		if cleared.CurrentSnapshotID != -1 || len(cleared.Snapshots) > 0 || columnsOf(cleared) != "1 name string, 2 crew long" {
			t.Errorf("a cleared table = snapshot %d, columns %s, want none and the same columns", cleared.CurrentSnapshotID, columnsOf(cleared))
		}
		h.now = h.now.Add(2 * time.Hour)
		h.Append(h.ada, at, `[{"CREW":4,"name":"Circe"}]`)
		third := h.mustLoad(at)
		if len(third.Snapshots) != 1 || columnsOf(third) != "1 name string, 2 crew long" {
			t.Errorf("after the grace = %d versions, columns %s, want one and the same columns", len(third.Snapshots), columnsOf(third))
		}
		housetest.Must(t, h.tables.Forget(t.Context()))
		h.now = h.now.Add(2 * time.Minute)
		if _, err := h.Catalog.Sweep(t.Context(), h.Objects); err != nil {
			t.Fatalf("Sweep() = %v", err)
		}
		if _, err := h.tables.Files().Stat(t.Context(), strings.TrimPrefix(first.Snapshots[0].ManifestList, "s3://quern-tables/")); !quern.Is(err, quern.NotFound) {
			t.Errorf("Stat(metadata of a version that is gone) = %v, want not found", err)
		}
		h.dataFiles(third, third.CurrentSnapshotID)
	})
}

// Versions beyond those that are listed go when their time has come, and the rest stay.
func TestOnlyTheLatestVersionsAreListed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	first := h.mustLoad(at)
	d, err := h.Catalog.Dataset(t.Context(), h.ada, at, catalog.Read)
	housetest.Must(t, err)
	const more = 105
	for range more {
		d.Version++
		housetest.Must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.UpdateData(t.Context(), d) }))
		h.mustLoad(at)
	}
	last := h.mustLoad(at)
	if n := len(last.Snapshots); n != 100 || last.Snapshots[99].ID != d.Version || last.Snapshots[0].ID != d.Version-99 {
		t.Errorf("%d versions are listed, want the latest 100", n)
	}
	stat := func(place string) error {
		_, err := h.tables.Files().Stat(t.Context(), strings.TrimPrefix(place, "s3://quern-tables/"))
		return err
	}
	housetest.Must(t, stat(first.Snapshots[0].ManifestList))
	h.now = h.now.Add(2 * time.Hour)
	housetest.Must(t, h.tables.Forget(t.Context()))
	h.now = h.now.Add(2 * time.Minute)
	_, err = h.Catalog.Sweep(t.Context(), h.Objects)
	housetest.Must(t, err)
	if err := stat(first.Snapshots[0].ManifestList); !quern.Is(err, quern.NotFound) {
		t.Errorf("Stat(metadata of the first version) = %v, want not found", err)
	}
	housetest.Must(t, stat(last.Snapshots[0].ManifestList))
}

func TestAMergeIsReadAsTheSameVersion(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	h.Append(h.ada, at, `[{"name":"Boreas"}]`)
	before := h.mustLoad(at)
	housetest.Must(t, h.Ingest.MergeSmall(t.Context(), h.now.Add(time.Hour)))
	after := h.mustLoad(at)
	if after.CurrentSnapshotID != before.CurrentSnapshotID || len(h.dataFiles(after, after.CurrentSnapshotID)) != 1 {
		t.Errorf("after a merge = version %d with %d files, want version %d with one", after.CurrentSnapshotID,
			len(h.dataFiles(after, after.CurrentSnapshotID)), before.CurrentSnapshotID)
	}
}

func TestWhatOthersDoNotWidenIsRewritten(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		at := h.Dataset(h.ada, "harbour/fees", `[{"fee":12}]`)
		h.Append(h.ada, at, `[{"fee":1.5}]`)
		if _, err := h.load(at); !quern.Is(err, quern.Unavailable) {
			t.Fatalf("Load(never published, mixed) = %v, want unavailable", err)
		}
		housetest.Must(t, h.tables.WidenAll(t.Context()))
		first := h.mustLoad(at)
		if got := columnsOf(first); got != "1 fee double" {
			t.Errorf("columns = %s, want a double", got)
		}
		h.Append(h.ada, at, `[{"fee":"free"}]`)
		behind := h.mustLoad(at)
		if behind.CurrentSnapshotID != first.CurrentSnapshotID || behind.Properties["quern.lag"] != "1" {
			t.Errorf("behind = version %d, lag %s, want version %d, lag 1", behind.CurrentSnapshotID, behind.Properties["quern.lag"], first.CurrentSnapshotID)
		}
		if tables, versions := h.tables.Behind(); tables != 1 || versions != 1 {
			t.Errorf("Behind() = %d, %d, want one table by one version", tables, versions)
		}
		housetest.Must(t, h.Ingest.MergeSmall(t.Context(), h.now.Add(time.Hour)))
		h.now = h.now.Add(3 * time.Hour)
		_, err := h.Catalog.Sweep(t.Context(), h.Objects)
		housetest.Must(t, err)
		for _, file := range h.dataFiles(behind, behind.CurrentSnapshotID) {
			if len(h.open(file.FilePath())) == 0 {
				t.Errorf("a file of the version that is served is gone")
			}
		}
		housetest.Must(t, h.tables.WidenAll(t.Context()))
		if now := h.mustLoad(at); now.CurrentSnapshotID != first.CurrentSnapshotID+1 || columnsOf(now) != "1 fee string" || now.Properties["quern.lag"] != "0" {
			t.Errorf("caught up = version %d, %s, lag %s", now.CurrentSnapshotID, columnsOf(now), now.Properties["quern.lag"])
		}
		if tables, _ := h.tables.Behind(); tables != 0 {
			t.Errorf("Behind() = %d tables, want none", tables)
		}
	})
}

// A table without rows that is served in the place of a later version says so too.
func TestLagBehindAVersionWithoutRows(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/fees", `[{"fee":12}]`)
	_, err := h.Catalog.Clear(t.Context(), h.ada, at)
	housetest.Must(t, err)
	h.mustLoad(at)
	h.Append(h.ada, at, `[{"fee":1}]`)
	h.Append(h.ada, at, `[{"fee":1.5}]`)
	if m := h.mustLoad(at); m.CurrentSnapshotID != -1 || m.Properties["quern.lag"] != "2" {
		t.Errorf("behind = version %d, lag %s, want none, lag 2", m.CurrentSnapshotID, m.Properties["quern.lag"])
	}
}

// Whatever is committed meanwhile, a load shows one version whole.
func TestLoadsWhileVersionsAreCommitted(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		at := h.Dataset(h.ada, "harbour/ships", `[{"n":1}]`)
		first := h.mustLoad(at).CurrentSnapshotID
		const more = 12
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range more {
				h.Append(h.ada, at, fmt.Sprintf(`[{"n":%d}]`, i))
			}
		}()
		for ended := false; !ended; {
			select {
			case <-done:
				ended = true
			default:
			}
			m := h.mustLoad(at)
			rows := int64(0)
			for _, f := range h.dataFiles(m, m.CurrentSnapshotID) {
				rows += f.Count()
				h.open(f.FilePath())
			}
			if want := m.CurrentSnapshotID - first + 1; rows != want {
				t.Fatalf("version %d has %d rows, want %d", m.CurrentSnapshotID, rows, want)
			}
			if ended && rows != more+1 {
				t.Errorf("the last load has %d rows, want all %d", rows, more+1)
			}
		}
	})
}

// A load makes segments of the rows in the journal, of those that the version has which
// was asked for.
func TestALoadFoldsTheJournal(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		at := h.Dataset(h.ada, "harbour/ships", `[{"n":1}]`)
		h.Append(h.ada, at, `[{"n":2}]`)
		d, err := h.Catalog.Dataset(t.Context(), h.ada, at, catalog.Read)
		housetest.Must(t, err)
		if d.Journal.Rows != 1 {
			t.Fatalf("%d rows are in the journal, want 1", d.Journal.Rows)
		}
		h.Append(h.ada, at, `[{"n":3}]`)
		loaded, err := h.tables.Load(t.Context(), d)
		housetest.Must(t, err)
		rows := func(m opentable.Metadata) (n int64) {
			for _, f := range h.dataFiles(m, m.CurrentSnapshotID) {
				n += f.Count()
			}
			return n
		}
		if m := loaded.Metadata; m.CurrentSnapshotID != d.Version || rows(m) != 2 {
			t.Errorf("Load(version %d) = version %d with %d rows, want that one with 2", d.Version, m.CurrentSnapshotID, rows(m))
		}
		if now, err := h.Catalog.Dataset(t.Context(), h.ada, at, catalog.Read); err != nil || now.Journal.Rows != 1 {
			t.Errorf("%d rows are in the journal, %v, want the one that came later", now.Journal.Rows, err)
		}
		// The columns of now are those that segments are in: a later version is shown then.
		h.Append(h.ada, at, `[{"n":4,"flag":"gr"}]`)
		h.Append(h.ada, at, `[{"n":5,"flag":"it"}]`)
		loaded, err = h.tables.Load(t.Context(), d)
		housetest.Must(t, err)
		if m := loaded.Metadata; m.CurrentSnapshotID != d.Version {
			t.Errorf("Load(version %d) again = version %d, want the one that is kept", d.Version, m.CurrentSnapshotID)
		}
		if m := h.mustLoad(at); m.CurrentSnapshotID != d.Version+3 || rows(m) != 5 {
			t.Errorf("the last version = %d with %d rows, want %d with 5", m.CurrentSnapshotID, rows(m), d.Version+3)
		}
		d.Version-- // one that nobody has asked for, and whose columns were others
		loaded, err = h.tables.Load(t.Context(), d)
		housetest.Must(t, err)
		if m := loaded.Metadata; m.CurrentSnapshotID != d.Version+4 || rows(m) != 5 {
			t.Errorf("a version with other columns = %d with %d rows, want %d with 5", m.CurrentSnapshotID, rows(m), d.Version+4)
		}
	})
}

func TestTablesWithoutColumns(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/empty", "")
	if _, err := h.load(at); !quern.Is(err, quern.NotFound) {
		t.Errorf("Load(no columns) = %v, want not found", err)
	}
	page, _, err := h.Catalog.Tables(t.Context(), h.ada, catalog.Filter{Owner: "ada", Limit: 10})
	if err != nil || len(page) != 0 {
		t.Errorf("Tables() = %v, %v, want none", page, err)
	}
}

func TestMetadataAreWritten(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	l, err := h.load(at)
	housetest.Must(t, err)
	var written, given any
	housetest.Must(t, json.Unmarshal(h.open(l.Location), &written))
	text, err := json.Marshal(l.Metadata)
	housetest.Must(t, err)
	housetest.Must(t, json.Unmarshal(text, &given))
	if fmt.Sprint(written) != fmt.Sprint(given) {
		t.Errorf("the object has %v, the load %v", written, given)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, true)
	at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne"}]`)
	d, err := h.Catalog.Dataset(t.Context(), h.ada, at, catalog.Read)
	housetest.Must(t, err)
	bob := h.User("bob")
	_, err = h.Catalog.Share(t.Context(), h.ada, at, quern.Share{Username: "bob", Role: quern.Viewer})
	housetest.Must(t, err)
	key, err := h.tables.NewKey(t.Context(), bob, d.ID)
	housetest.Must(t, err)
	other := opentable.New(h.tables.Options) // another server of the same store
	secret, folder, err := other.Open(t.Context(), key.AccessKeyID, key.SessionToken)
	if err != nil || secret != key.SecretAccessKey || folder != "tables/"+string(d.ID)+"/" {
		t.Errorf("Open() = %q, %q, %v, want the secret and the table's folder", secret, folder, err)
	}
	refused := func(what string, kind quern.Kind, id, token string) {
		t.Helper()
		if _, _, err := h.tables.Open(context.Background(), id, token); !quern.Is(err, kind) {
			t.Errorf("Open(%s) = %v, want %v", what, err, kind)
		}
	}
	for i := 0; i < len(key.SessionToken); i += 7 {
		forged := []byte(key.SessionToken)
		forged[i] ^= 1
		refused("forged", quern.Unauthentic, key.AccessKeyID, string(forged))
	}
	refused("another's id", quern.Unauthentic, "QUERN000000000000000", key.SessionToken)
	refused("no token", quern.Unauthentic, key.AccessKeyID, "")
	_, err = h.Catalog.Revoke(t.Context(), h.ada, at, "bob")
	housetest.Must(t, err)
	refused("revoked", quern.NotFound, key.AccessKeyID, key.SessionToken)
	key, err = h.tables.NewKey(t.Context(), h.ada, d.ID)
	housetest.Must(t, err)
	h.now = h.now.Add(opentable.KeyLife)
	refused("expired", quern.Gone, key.AccessKeyID, key.SessionToken)
}

// Objects of a table are listed in the order of their keys, and read in parts, wherever they are kept.
func TestFilesOfATable(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		at := h.Dataset(h.ada, "harbour/ships", `[{"name":"Ariadne"}]`)
		h.mustLoad(at)
		h.Append(h.ada, at, `[{"name":"Boreas"}]`)
		metadata := strings.TrimPrefix(h.location(at), "s3://quern-tables/")
		folder, _, _ := strings.Cut(metadata, "metadata/")
		var keys []string
		for info, err := range h.tables.Files().List(t.Context(), folder) {
			housetest.Must(t, err)
			if stat, err := h.tables.Files().Stat(t.Context(), info.Key); err != nil || stat != info {
				t.Errorf("Stat(%s) = %v, %v, want %v as listed", info.Key, stat, err, info)
			}
			keys = append(keys, info.Key)
		}
		if len(keys) != 8 || !slices.IsSorted(keys) || !slices.Contains(keys, metadata) { // three of each version, two segments
			t.Errorf("List(%s) = %q, want both versions and the segments in order", folder, keys)
		}
		for range h.tables.Files().List(t.Context(), folder) {
			break // nothing goes on
		}
		whole := h.open("s3://quern-tables/" + metadata)
		for _, part := range []struct{ offset, length, from, to int64 }{
			{0, 5, 0, 5}, {3, -1, 3, int64(len(whole))}, {3, 1 << 20, 3, int64(len(whole))}, {1 << 20, 5, int64(len(whole)), int64(len(whole))},
		} {
			r, err := h.tables.Files().Open(t.Context(), metadata, part.offset, part.length)
			housetest.Must(t, err)
			got, err := io.ReadAll(r)
			if err = errors.Join(err, r.Close()); err != nil || !bytes.Equal(got, whole[part.from:part.to]) {
				t.Errorf("Open(%d, %d) = %d bytes, %v, want %d", part.offset, part.length, len(got), err, part.to-part.from)
			}
		}
		if _, err := h.tables.Files().Stat(t.Context(), folder+"metadata/none"); !quern.Is(err, quern.NotFound) {
			t.Errorf("Stat(none) = %v, want not found", err)
		}
	})
}
