package fs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	iofs "io/fs"
	"os"
	"strings"
	"time"

	"quern/blob"
)

// record is one line of an upload's journal: the first says what the upload is,
// the others what has become of it. Later lines about a part replace earlier
// ones.
type record struct {
	Key    string      `json:"key,omitempty"`
	Began  *time.Time  `json:"began,omitempty"`
	Part   *partRecord `json:"part,omitempty"`
	Intent *intent     `json:"intent,omitempty"`
}

// partRecord is a part that has arrived, and where its bytes are.
type partRecord struct {
	blob.Part
	Offset int64  `json:"offset"`
	File   string `json:"file"`
}

// intent says that the upload is to become an object: by renaming File, whose
// content lasts. Once File is gone, it has.
type intent struct {
	File string `json:"file"`
	ETag string `json:"etag"`
}

// line is a record as it is written. It begins with a line break, which ends a
// line that a cut left unfinished, and carries a checksum, which tells such a
// line from a whole one.
func (r record) line() ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "\n%08x %s\n", crc32.ChecksumIEEE(body), body), nil
}

var errTorn = errors.New("torn line")

func parseLine(line string) (record, error) {
	sum, body, ok := strings.Cut(line, " ")
	if !ok || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) {
		return record{}, errTorn
	}
	var r record
	err := json.Unmarshal([]byte(body), &r)
	return r, err
}

// readJournal returns a journal's whole records, at most limit of them when that
// is positive.
func (s *Store) readJournal(name string, limit int) ([]record, error) {
	f, err := s.disk.Open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, 16<<10)
	var all []record
	for {
		line, err := lines.ReadBytes('\n')
		if r, parseErr := parseLine(string(bytes.TrimSuffix(line, []byte("\n")))); err == nil && parseErr == nil {
			all = append(all, r)
		}
		full := limit > 0 && len(all) == limit
		if err == io.EOF || full {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// neverBegan reports whether a journal that was read is none of an upload: it is not
// there, or was cut before its first line.
func neverBegan(records []record, err error) bool {
	if err != nil {
		return errors.Is(err, iofs.ErrNotExist)
	}
	return len(records) == 0 || records[0].Began == nil
}

// writeJournal adds a record for good.
func (s *Store) writeJournal(name string, flag int, r record) error {
	line, err := r.line()
	if err != nil {
		return err
	}
	f, err := s.disk.Open(name, os.O_WRONLY|os.O_APPEND|flag)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
