package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/doctor"
)

// A backup is made, listed, checked, put back and looked over by command lines alone.
func TestBackupCommands(t *testing.T) {
	t.Parallel()
	quern := in(t)
	place, elsewhere := filepath.Join(t.TempDir(), "place"), filepath.Join(t.TempDir(), "data")
	phrase := filepath.Join(t.TempDir(), "phrase")
	if err := os.WriteFile(phrase, []byte("correct horse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := func(code int, text string, args ...string) result {
		t.Helper()
		r := quern("", args...)
		if r.code != code || !strings.Contains(r.out+r.err, text) {
			t.Errorf("quern %s = %+v, want code %d and %q", strings.Join(args, " "), r, code, text)
		}
		return r
	}
	want(1, "there is no server's data", "backup", "create", "--to", place)
	want(1, "there is no server's data", "doctor")
	want(0, "ada added", "user", "add", "ada", "--generate")
	want(1, "there is no folder or archive", "backup", "list", "--from", place)
	id := strings.TrimSpace(want(0, "made: ", "backup", "create", "--to", place).out)
	want(0, id, "backup", "list", "--from", place)
	want(0, "is whole", "backup", "verify", "--from", place)
	want(1, "is no id of a backup", "backup", "verify", "last", "--from", place)
	want(1, "save the archive to a file", "backup", "verify", "--from", "-")
	want(1, "no S3 service is set", "backup", "list", "--from", "s3://bucket/folder")
	want(1, "a recipient cannot be used", "backup", "create", "--to", place, "--recipient", "nonsense")
	want(1, "there are users and data already", "backup", "restore", "--from", place)
	want(0, "revoke them again", "backup", "restore", id, "--from", place, "--data", elsewhere)
	want(0, "ada", "user", "list", "--data", elsewhere)

	sealed := filepath.Join(t.TempDir(), "sealed.tar")
	archive := want(0, "made: ", "backup", "create", "--to", "-", "--passphrase-file", phrase)
	if err := os.WriteFile(sealed, []byte(archive.out), 0o600); err != nil {
		t.Fatal(err)
	}
	want(0, "encrypted", "backup", "list", "--from", sealed)
	want(1, "name the key that opens it", "backup", "restore", "--from", sealed, "--data", elsewhere, "--replace")
	want(0, "is back", "backup", "restore", "--from", sealed, "--passphrase-file", phrase, "--data", elsewhere, "--replace")
	if kept, err := filepath.Glob(filepath.Join(elsewhere, "quern.db.replaced-*")); err != nil || len(kept) != 1 {
		t.Errorf("the former metadata are %v, %v, want them kept", kept, err)
	}

	want(0, "nothing found", "doctor")
	if err := os.Chmod(filepath.Join(elsewhere, "quern.db"), 0o640); err != nil {
		t.Fatal(err)
	}
	r := want(exitFound, "--fix would mend 1 of them", "doctor", "--data", elsewhere, "--json")
	var found []doctor.Finding
	if err := json.Unmarshal([]byte(r.out), &found); err != nil || len(found) != 9 {
		t.Errorf("quern doctor --json = %s, %v, want nine findings", r.out, err)
	}
	want(0, "mended", "doctor", "--data", elsewhere, "--fix")
	want(0, "permissions  nothing found", "doctor", "--data", elsewhere)
}
