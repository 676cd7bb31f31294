package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/backup"
	"quern/store/storetest"
)

// Whatever is wrong with a backup, or with the key, is found before anything is touched.
func TestDamageIsFoundBeforeAnythingIsTouched(t *testing.T) {
	t.Parallel()
	h := newHouse(t, storetest.SQLite(t))
	key := newKey(t)
	lock, unlock := backup.Lock{Recipients: []string{key.Recipient().String()}}, backup.Unlock{Identities: key.String()}
	for name, c := range map[string]struct {
		sealed  bool
		unlock  backup.Unlock
		spoil   func(t *testing.T, dir, id string)
		damaged bool
		want    string
	}{
		"a changed manifest":  {spoil: onFile("backups", flip), damaged: true, want: "its manifest was changed since"},
		"a cut manifest":      {spoil: onFile("backups", cut), damaged: true, want: "its manifest was changed since"},
		"a changed object":    {spoil: onFile("objects", flip), damaged: true, want: "objects/"},
		"a cut object":        {spoil: onFile("objects", cut), damaged: true, want: "objects/"},
		"a missing object":    {spoil: onFile("objects", func(string) error { return nil }), damaged: true, want: "is missing"},
		"changed rows":        {spoil: onFile(".gz", flip), damaged: true, want: ".gz"},
		"missing rows":        {spoil: onFile(".gz", func(string) error { return nil }), damaged: true, want: "is missing"},
		"no key":              {sealed: true, want: "name the key that opens it"},
		"a wrong key":         {sealed: true, unlock: backup.Unlock{Identities: newKey(t).String()}, want: "none of the keys given opens the backup"},
		"no key at all":       {sealed: true, unlock: backup.Unlock{Identities: "hunter2"}, want: "the identities cannot be read"},
		"a passphrase":        {sealed: true, unlock: backup.Unlock{Passphrase: "hunter2"}, want: "the place has no key that a passphrase opens"},
		"a sealed object cut": {sealed: true, unlock: unlock, spoil: onFile("objects", cut), damaged: true, want: "objects/"},
		"another id":          {want: "is no id of a backup", spoil: nil},
	} {
		t.Run(name, func(t *testing.T) {
			place, dir := folderPlace(t)
			sealing := backup.Lock{}
			if c.sealed {
				sealing = lock
			}
			id, _ := h.create(place, sealing)
			if c.spoil != nil {
				c.spoil(t, dir, id)
			}
			if name == "another id" {
				id = "../../etc/passwd"
			}
			g := &target{options: storetest.SQLite(t), dir: filepath.Join(t.TempDir(), "objects")}
			err := g.restore(t, place, c.unlock, id)
			if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, backup.ErrDamaged) != c.damaged {
				t.Errorf("Restore() = %v, want %q, damaged %v", err, c.want, c.damaged)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("Restore() = %v, want no secret in it", err)
			}
			if _, gone := os.Stat(g.dir); g.touched || gone == nil {
				t.Errorf("the target was touched (%v)", gone)
			}
		})
	}
}

// onFile spoils the largest file of a place whose path holds a word; nothing written by
// change removes it.
func onFile(word string, change func(path string) error) func(*testing.T, string, string) {
	return func(t *testing.T, dir, _ string) {
		t.Helper()
		var found string
		var most int64
		err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			compact := strings.Contains(path, ".gz")
			if err == nil && strings.Contains(path, word) && compact == (word == ".gz") && info.Size() > most {
				found, most = path, info.Size()
			}
			return err
		})
		if err != nil || found == "" {
			t.Fatalf("no file %s in %s: %v", word, dir, err)
		}
		before, err := os.ReadFile(found)
		if err == nil {
			err = change(found)
		}
		if err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(found); string(after) == string(before) {
			if err := os.Remove(found); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// flip changes one bit in the middle of a file.
func flip(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text[len(text)/2] ^= 4
	return os.WriteFile(path, text, 0o600)
}

// cut takes away the end of a file.
func cut(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text[:len(text)-5], 0o600)
}

// A file of a place that was cut is written anew by the next backup, as is one that is gone.
func TestTheNextBackupMendsItsPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t, storetest.SQLite(t))
	place, dir := folderPlace(t)
	id, _ := h.create(place, backup.Lock{})
	onFile("objects", cut)(t, dir, "")
	if _, _, err := backup.Verify(t.Context(), place, backup.Unlock{}, id, nil); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("Verify() = %v, want the damage", err)
	}
	h.create(place, backup.Lock{})
	if _, _, err := backup.Verify(t.Context(), place, backup.Unlock{}, id, nil); err != nil {
		t.Errorf("Verify() behind another backup = %v, want nil", err)
	}
}

// An object that is lost, or is not what it was, is named, and the rest is saved.
func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, storetest.SQLite(t))
	first, _ := folderPlace(t)
	h.create(first, backup.Lock{})
	var keys []string
	for info, err := range h.objects.List(t.Context(), "tables/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	if err := h.objects.Delete(t.Context(), keys[0]); err != nil {
		t.Fatal(err)
	}
	spoiled := filepath.Join(h.objects.Dir(), filepath.FromSlash(keys[1]))
	if err := flip(spoiled); err != nil {
		t.Fatal(err)
	}
	place, _ := folderPlace(t)
	_, m, err := backup.Create(t.Context(), h.creation(place, backup.Lock{}))
	if err != nil || len(m.Missing) != 2 || m.Missing[0] != keys[0] && m.Missing[1] != keys[0] || m.Objects.Count == 0 {
		t.Fatalf("Create() = %+v, %v, want %v named as missing", m, err, keys[:2])
	}
	if _, _, err := backup.Verify(t.Context(), place, backup.Unlock{}, "", nil); err != nil {
		t.Errorf("Verify() = %v, want what is there to be whole", err)
	}
}

// A lock that makes no sense is refused, and a passphrase is the place's for good.
func TestLocks(t *testing.T) {
	t.Parallel()
	h := newHouse(t, storetest.SQLite(t))
	place, dir := folderPlace(t)
	h.create(place, backup.Lock{Passphrase: "one"})
	for _, c := range []struct {
		lock backup.Lock
		want string
	}{
		{backup.Lock{Passphrase: "other"}, "the passphrase does not open the place's key"},
		{backup.Lock{Recipients: []string{"age1nonsense"}}, "a recipient cannot be used"},
		{backup.Lock{Passphrase: "one", Recipients: []string{newKey(t).Recipient().String()}}, "not by both"},
	} {
		_, _, err := backup.Create(t.Context(), h.creation(place, c.lock))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Create(%+v) = %v, want %q", c.lock, err, c.want)
		}
	}
	all, err := backup.List(t.Context(), place, backup.Unlock{})
	if err != nil || len(all) != 1 || all[0].Manifest != nil {
		t.Errorf("List() without the key = %+v, %v, want one backup, sealed", all, err)
	}
	if _, err := backup.NewFolder(filepath.Join(dir, "none"), false); err == nil {
		t.Error("NewFolder() of a folder that is not there = nil, want an error")
	}
}
