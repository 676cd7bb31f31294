package doctor_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob/fs"
	"quern/doctor"
	"quern/store"
	"quern/store/storetest"
	"quern/test/upgrade"
)

// ward is an installation to be looked over.
type ward struct {
	t       *testing.T
	dir     string
	store   *store.Store
	options doctor.Options
}

// newWard makes an installation out of what a released binary left.
func newWard(t *testing.T) *ward {
	t.Helper()
	dir, _ := upgrade.Unpack(t, "schema-10")
	s := storetest.Open(t, store.Options{File: filepath.Join(dir, "quern.db")})
	return &ward{t: t, dir: dir, store: s, options: doctor.Options{
		Store: s, Objects: fs.NewReader(filepath.Join(dir, "objects")), Dir: dir, Files: []string{"quern.db", "none"}, Local: true,
		Free: func(string) (int64, error) { return 2 << 30, nil }, Now: time.Now, Prefixes: []string{"tables/", "uploads/"}, Grace: time.Hour,
	}}
}

// levels returns the worst level of each check, and the findings.
func (w *ward) levels() (map[string]doctor.Level, []doctor.Finding) {
	w.t.Helper()
	found, err := doctor.Examine(w.t.Context(), w.options)
	if err != nil {
		w.t.Fatalf("Examine() = %v, want nil", err)
	}
	rank := []doctor.Level{doctor.OK, doctor.Note, doctor.Problem}
	all := map[string]doctor.Level{}
	for _, f := range found {
		if slices.Index(rank, f.Level) >= slices.Index(rank, all[f.Check]) {
			all[f.Check] = f.Level
		}
	}
	return all, found
}

// want wants these checks to find something of these levels, and all others nothing.
func (w *ward) want(when string, want map[string]doctor.Level, texts ...string) []doctor.Finding {
	w.t.Helper()
	whole := map[string]doctor.Level{"checksums": doctor.Note}
	for _, check := range []string{"versions", "metadata", "clock", "permissions", "free space", "rows", "objects", "orphans"} {
		whole[check] = doctor.OK
	}
	maps.Copy(whole, want)
	got, found := w.levels()
	if !maps.Equal(got, whole) {
		w.t.Errorf("%s: Examine() = %v, want %v: %+v", when, got, whole, found)
	}
	var text strings.Builder
	for _, f := range found {
		text.WriteString(f.Text + "\n" + strings.Join(f.Keys, "\n") + "\n")
	}
	for _, one := range texts {
		if !strings.Contains(text.String(), one) {
			w.t.Errorf("%s: Examine() says %s, want %q in it", when, text.String(), one)
		}
	}
	return found
}

func (w *ward) keys() (keys []string) {
	w.t.Helper()
	for info, err := range w.options.Objects.List(w.t.Context(), "tables/") {
		if err != nil {
			w.t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

func (w *ward) path(key string) string { return filepath.Join(w.dir, "objects", "objects", key) }

// Everything that can be wrong is found, and only that; what is safe is mended.
func TestTheDoctorFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.want("a sound installation", nil, "objects are there")

	w.options.Free = func(string) (int64, error) { return 1 << 20, nil }
	w.want("a full disk", map[string]doctor.Level{"free space": doctor.Problem}, "1 MiB left")
	w.options.Free = func(string) (int64, error) { return 2 << 30, nil }

	w.options.Now = func() time.Time { return time.Now().Add(-30 * time.Minute) }
	w.want("a clock that is late", map[string]doctor.Level{"clock": doctor.Problem}, "differ by 30m0s")
	w.options.Now = time.Now

	if err := os.Chmod(filepath.Join(w.dir, "quern.db"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.want("an open file", map[string]doctor.Level{"permissions": doctor.Problem}, "mode 0644")
	w.options.Fix = true
	found := w.want("an open file, mended", map[string]doctor.Level{"permissions": doctor.Problem})
	if n := doctor.Problems(found); n != 0 {
		t.Errorf("Problems() = %d, want all mended", n)
	}
	w.options.Fix = false
	w.want("after that", nil)
}

func TestTheDoctorFindsLostObjectsAndOrphans(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	keys := w.keys()
	orphan := filepath.Dir(w.path(keys[0])) + "/orphan.parquet"
	if err := os.WriteFile(orphan, []byte("nobody's"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.want("an object on its way in", nil)
	old := time.Now().Add(-72 * time.Hour)
	if err := os.Chtimes(orphan, old, old); err != nil {
		t.Fatal(err)
	}
	w.want("an orphan", map[string]doctor.Level{"orphans": doctor.Problem}, "orphan.parquet", "1 objects of 8 bytes")
	w.options.Fix = true
	w.want("an orphan, mended", map[string]doctor.Level{"orphans": doctor.Problem}, "will be swept by a server after 1h0m0s")
	w.options.Fix = false
	w.want("after that", nil)

	w.record(keys[1])
	w.options.Checksums = true
	w.want("with checksums", map[string]doctor.Level{"checksums": doctor.OK}, "1 objects were read")
	text, err := os.ReadFile(w.path(keys[1]))
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(w.path(keys[1]), text, 0o600); err != nil {
		t.Fatal(err)
	}
	w.want("a changed object", map[string]doctor.Level{"checksums": doctor.Problem}, keys[1])
	if err := os.Truncate(w.path(keys[1]), 3); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(w.path(keys[0])); err != nil {
		t.Fatal(err)
	}
	w.want("a cut and a lost object", map[string]doctor.Level{"checksums": doctor.Problem, "objects": doctor.Problem}, keys[0], keys[1],
		"are missing", "do not have the size")
}

// record notes what an object holds, as a backup does.
func (w *ward) record(key string) {
	w.t.Helper()
	in, err := w.options.Objects.Open(w.t.Context(), key, 0, -1)
	if err != nil {
		w.t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		w.t.Fatal(err)
	}
	err = w.store.Update(w.t.Context(), func(tx *store.Tx) error {
		return tx.RecordDigests(w.t.Context(), []store.Object{{Key: key, Bytes: int64(len(text)), Digest: sum(text)}})
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// Rows that the metadata count and nobody has, in segments or in the journal, are found.
func TestTheDoctorCountsRows(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	ctx := t.Context()
	update := func(fn func(*store.Tx) error) {
		t.Helper()
		if err := w.store.Update(ctx, fn); err != nil {
			t.Fatal(err)
		}
	}
	var d quern.Dataset
	update(func(tx *store.Tx) error {
		var id quern.DatasetID
		err := tx.NeededObjects(ctx, func(o store.Object) error {
			if rest, ok := strings.CutPrefix(o.Key, "tables/"); ok {
				id = quern.DatasetID(rest[:strings.IndexByte(rest, '/')])
			}
			return nil
		})
		if err != nil {
			return err
		}
		if d, err = tx.DatasetByID(ctx, id); err != nil {
			return err
		}
		lines := []byte("{}\n")
		if err := tx.InsertJournal(ctx, []store.JournalEntry{{Dataset: d.ID, FirstRow: d.NextRow, Rows: 1, At: time.Now(), Types: []quern.Type{}, Lines: lines}}); err != nil {
			return err
		}
		d.Rows, d.NextRow, d.Journal = d.Rows+1, d.NextRow+1, quern.Stored{Rows: 1, Bytes: int64(len(lines))}
		return tx.UpdateData(ctx, d)
	})
	w.want("a row in the journal", nil)
	update(func(tx *store.Tx) error { return tx.DeleteJournal(ctx, d.ID, 0, d.NextRow) })
	w.want("a row that is nowhere", map[string]doctor.Level{"rows": doctor.Problem}, string(d.ID), "1 datasets do not have the rows")
}

// Metadata of an earlier release are left as they are, and said to be.
func TestTheDoctorLeavesOldMetadataAlone(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	dir, _ := upgrade.Unpack(t, "schema-10")
	w.options.Store = storetest.Open(t, store.Options{File: filepath.Join(dir, "quern.db"), AsIs: true})
	w.want("old metadata", map[string]doctor.Level{"versions": doctor.Note, "rows": doctor.Note, "objects": doctor.Note, "orphans": doctor.Note},
		"at schema version 10, this program makes version")
	if version, err := w.options.Store.Schema(t.Context()); err != nil || version != 10 {
		t.Errorf("Schema() = %d, %v, want 10 still", version, err)
	}
}

// Metadata that are damaged or gone are found, and no object is taken for nobody's then.
func TestTheDoctorFindsDamagedMetadata(t *testing.T) {
	t.Parallel()
	for damage, do := range map[string]func(file string) error{
		"cut off": func(file string) error { return os.Truncate(file, 90_000) },
		"gone":    func(file string) error { return os.Truncate(file, 0) },
		"foreign": func(file string) error {
			return os.WriteFile(file, []byte(strings.Repeat("something else\n", 5000)), 0o600)
		},
	} {
		w := newWard(t)
		if err := w.store.Close(); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(w.dir, "quern.db")
		if err := do(file); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), store.Options{File: file, AsIs: true})
		if err != nil {
			t.Fatal(err)
		}
		w.options.Store, w.options.Fix = s, true
		want, text := map[string]doctor.Level{"rows": doctor.Note, "objects": doctor.Note, "orphans": doctor.Note}, "the metadata are damaged"
		if damage == "gone" {
			want["versions"], text = doctor.Problem, "there are objects and no metadata"
		} else {
			want["metadata"], want["versions"], want["clock"] = doctor.Problem, doctor.Note, doctor.Note
		}
		w.want(damage, want, text)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTheDoctorOnBothDatabases(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWard(t)
		w.options.Store, w.options.Prefixes = s, nil
		w.want("an empty installation", nil)
	})
}

func sum(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}
