package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quern/client"
)

// stateDir is a folder of notes, one for each unfinished upload. A note holds
// no secret, and losing one costs only what was already sent.
type stateDir string

// uploadNote is what is needed to go on with an upload.
type uploadNote struct {
	Server  string      `json:"server"`
	Session string      `json:"sessionId"`
	Started time.Time   `json:"started"`
	Files   []notedFile `json:"files"`
	// To and Ask say what becomes of the files.
	To  string               `json:"to,omitempty"`
	Ask client.IngestRequest `json:"ask,omitzero"`
}

type notedFile struct {
	Path     string    `json:"path"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

func (n uploadNote) paths() []string {
	paths := make([]string, len(n.Files))
	for i, f := range n.Files {
		paths[i] = f.Path
	}
	return paths
}

// same reports whether two notes are about the same files in the same state.
func (n uploadNote) same(m uploadNote) bool {
	return n.Server == m.Server && slices.EqualFunc(n.Files, m.Files, func(a, b notedFile) bool {
		return a.Path == b.Path && a.Size == b.Size && a.Modified.Equal(b.Modified)
	})
}

// defaultStateDir is where programs of a user keep such notes.
func defaultStateDir(sh shell) (stateDir, error) {
	base := sh.variable("XDG_STATE_HOME")
	if !filepath.IsAbs(base) {
		home := sh.variable("HOME")
		if home == "" {
			return "", errors.New("HOME is not set: name a folder for notes on unfinished uploads with --state")
		}
		base = filepath.Join(home, ".local", "state")
	}
	return stateDir(filepath.Join(base, "quern", "uploads")), nil
}

// file is where the note on an upload of these files to this server lies.
func (d stateDir) file(n uploadNote) string {
	sum := sha256.Sum256([]byte(n.Server + "\x00" + strings.Join(n.paths(), "\x00")))
	return filepath.Join(string(d), hex.EncodeToString(sum[:12])+".json")
}

// load returns the note on an earlier upload of the same paths.
func (d stateDir) load(n uploadNote) (uploadNote, bool, error) {
	return readNote(d.file(n))
}

func readNote(file string) (n uploadNote, found bool, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return n, false, nil
	}
	if err != nil {
		return n, false, err
	}
	// What cannot be read is not one of ours.
	readable := json.Unmarshal(text, &n) == nil
	return n, readable && n.Session != "" && len(n.Files) > 0, nil
}

// all returns the notes on unfinished uploads to a server, oldest first.
func (d stateDir) all(server string) ([]uploadNote, error) {
	files, err := filepath.Glob(filepath.Join(string(d), "*.json"))
	if err != nil {
		return nil, err
	}
	var notes []uploadNote
	for _, file := range files {
		n, found, err := readNote(file)
		if err != nil {
			return nil, err
		}
		if found && n.Server == server {
			notes = append(notes, n)
		}
	}
	slices.SortFunc(notes, func(a, b uploadNote) int { return a.Started.Compare(b.Started) })
	return notes, nil
}

// save writes a note down in one step.
func (d stateDir) save(n uploadNote) error {
	text, err := json.MarshalIndent(n, "", "  ")
	if err == nil {
		err = os.MkdirAll(string(d), 0o700)
	}
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(string(d), "*.tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(text, '\n'))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), d.file(n))
	}
	if err != nil {
		return fmt.Errorf("the upload cannot be noted down: %w", errors.Join(err, os.Remove(tmp.Name())))
	}
	return nil
}

// remove strikes a note.
func (d stateDir) remove(n uploadNote) error {
	if err := os.Remove(d.file(n)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
