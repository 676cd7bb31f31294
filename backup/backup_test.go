package backup_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"quern/backup"
	"quern/blob"
	"quern/blob/fs"
	"quern/store"
	"quern/store/storetest"
	"quern/test/upgrade"
)

// house is an installation: what a released binary left, brought up to date.
type house struct {
	t       *testing.T
	store   *store.Store
	objects *fs.Store
}

// newHouse makes an installation with its metadata in the database that o names.
func newHouse(t *testing.T, o store.Options) *house {
	t.Helper()
	dir, _ := upgrade.Unpack(t, "schema-10")
	old := storetest.Open(t, store.Options{File: filepath.Join(dir, "quern.db"), AsIs: true})
	if err := store.Load(t.Context(), o, store.Loading{Schema: 10, Now: time.Now(), Rows: rowsOf(t, old)}); err != nil {
		t.Fatalf("Load() = %v, want nil", err)
	}
	objects, err := fs.New(fs.Options{Dir: filepath.Join(dir, "objects"), PublicURL: "http://quern.example"})
	if err != nil {
		t.Fatal(err)
	}
	return &house{t: t, store: storetest.Open(t, o), objects: objects}
}

// rowsOf gives all rows of a store, as a backup does.
func rowsOf(t *testing.T, s *store.Store) func(func(store.Table, [][]any) error) error {
	return func(put func(store.Table, [][]any) error) error {
		return s.View(t.Context(), func(tx *store.Tx) error {
			tables, err := tx.Tables(t.Context())
			for _, table := range tables {
				var rows [][]any
				if err == nil {
					err = tx.Dump(t.Context(), table, func(row []any) error {
						rows = append(rows, row)
						return nil
					})
				}
				if err == nil {
					err = put(table, rows)
				}
			}
			return err
		})
	}
}

// everything is all rows of a store by table, in an order that both databases have.
func everything(t *testing.T, s *store.Store) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := rowsOf(t, s)(func(table store.Table, rows [][]any) error {
		var lines []string
		for _, row := range rows {
			named := map[string]any{}
			for i, c := range table.Columns {
				named[c] = row[i]
			}
			var line bytes.Buffer
			for _, c := range slices.Sorted(maps.Keys(named)) {
				line.WriteString(c + "=" + show(named[c]) + " ")
			}
			lines = append(lines, line.String())
		}
		slices.Sort(lines)
		all[table.Name] = lines
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func show(v any) string { return fmt.Sprintf("%T:%q", v, fmt.Sprint(v)) }

// content returns every object with what it holds.
func content(t *testing.T, objects *fs.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	for info, err := range objects.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		in, err := objects.Open(t.Context(), info.Key, 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		all[info.Key] = string(text)
	}
	return all
}

func (h *house) creation(place backup.Place, lock backup.Lock) backup.Creation {
	return backup.Creation{Store: h.store, Objects: h.objects, Place: place, Lock: lock, Release: "test", Now: time.Now, Progress: &backup.Progress{}}
}

func (h *house) create(place backup.Place, lock backup.Lock) (id string, added int64) {
	h.t.Helper()
	c := h.creation(place, lock)
	id, m, err := backup.Create(h.t.Context(), c)
	if err != nil || len(m.Missing) > 0 || m.Objects.Count == 0 || m.Rows() == 0 {
		h.t.Fatalf("Create() = %+v, %v, want a whole backup", m, err)
	}
	added, _ = c.Progress.Added()
	return id, added
}

// target is where a backup is put back.
type target struct {
	options store.Options
	dir     string
	touched bool
}

func (g *target) restore(t *testing.T, place backup.Place, unlock backup.Unlock, id string) error {
	_, _, err := backup.Restore(t.Context(), backup.Restoring{
		Place: place, Unlock: unlock, ID: id,
		Ready: func(*backup.Manifest) (blob.Store, error) {
			g.touched = true
			return fs.New(fs.Options{Dir: g.dir, PublicURL: "http://quern.example"})
		},
		Load: func(m *backup.Manifest, rows func(func(store.Table, [][]any) error) error) error {
			return store.Load(t.Context(), g.options, store.Loading{Schema: m.Schema, Now: time.Now(), Rows: rows})
		},
	})
	return err
}

func folderPlace(t *testing.T) (*backup.Folder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "backups")
	place, err := backup.NewFolder(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	return place, dir
}

func newKey(t *testing.T) *age.X25519Identity {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Every row, every permission and every object comes back, into either database,
// whichever it came from; and a second backup copies almost nothing.
func TestABackupComesBackWhole(t *testing.T) {
	t.Parallel()
	other := map[string]string{"sqlite": "postgres", "postgres": "sqlite"}
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, options(t))
			key, second := newKey(t), newKey(t)
			for form, c := range map[string]struct {
				lock   backup.Lock
				unlock backup.Unlock
				to     string
			}{
				"open":       {to: name},
				"recipients": {backup.Lock{Recipients: []string{key.Recipient().String(), second.Recipient().String()}}, backup.Unlock{Identities: second.String()}, other[name]},
			} {
				place, dir := folderPlace(t)
				first, _ := h.create(place, c.lock)
				before, held := everything(t, h.store), content(t, h.objects)
				id, added := h.create(place, c.lock)
				// The digests that the first one learned are rows of the second.
				if added > 2 {
					t.Errorf("%s: a second backup added %d files, want only what is new", form, added)
				}
				all, err := backup.List(t.Context(), place, c.unlock)
				if err != nil || len(all) != 2 || all[0].ID != first || all[1].ID != id || all[1].Manifest == nil {
					t.Errorf("%s: List() = %+v, %v, want both backups", form, all, err)
				}
				if form == "recipients" {
					wantSealed(t, dir)
				}
				g := &target{options: storetest.Databases()[c.to](t), dir: filepath.Join(t.TempDir(), "objects")}
				if err := g.restore(t, place, c.unlock, id); err != nil {
					t.Fatalf("%s: Restore() = %v, want nil", form, err)
				}
				if got := everything(t, storetest.Open(t, g.options)); !reflect.DeepEqual(got, before) {
					t.Errorf("%s: the metadata are\n%v\nwant\n%v", form, got, before)
				}
				restored, err := fs.New(fs.Options{Dir: g.dir, PublicURL: "http://quern.example"})
				if err != nil {
					t.Fatal(err)
				}
				if got := content(t, restored); !maps.Equal(got, held) {
					t.Errorf("%s: the objects are %q, want %q", form, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(held)))
				}
			}
		})
	}
}

// wantSealed wants that no file of a place can be read as what it holds.
func wantSealed(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && !strings.HasPrefix(string(text), "age-encryption.org/v1\n") {
			t.Errorf("%s is not encrypted", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An archive and a passphrase: one backup in one stream.
func TestAnArchiveHoldsABackup(t *testing.T) {
	t.Parallel()
	h := newHouse(t, storetest.SQLite(t))
	path := filepath.Join(t.TempDir(), "backup.tar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	stream := backup.NewStream(file, time.Now)
	h.create(stream, backup.Lock{Passphrase: "correct horse"})
	if err := errors.Join(stream.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	archive, err := backup.OpenArchive(path)
	if err != nil {
		t.Fatalf("OpenArchive() = %v, want nil", err)
	}
	defer archive.Close()
	for phrase, want := range map[string]string{"": "the backup is encrypted", "wrong": "the passphrase does not open", "correct horse": ""} {
		_, _, err := backup.Verify(t.Context(), archive, backup.Unlock{Passphrase: phrase}, "", nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Verify() with the passphrase %q = %v, want %q", phrase, err, want)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{len(whole) / 2, len(whole) - 3000, 700} {
		cut := filepath.Join(t.TempDir(), "cut.tar")
		if err := os.WriteFile(cut, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		archive, err := backup.OpenArchive(cut)
		if err == nil {
			_, _, err = backup.Verify(t.Context(), archive, backup.Unlock{Passphrase: "correct horse"}, "", nil)
			archive.Close()
		}
		if err == nil {
			t.Errorf("an archive cut to %d of %d bytes is whole, want it refused", size, len(whole))
		}
	}
}
