package duckdb

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"quern/engine"
)

// storageFaults are the types of fault that files bring about.
var storageFaults = map[string]bool{"IO": true, "Invalid Input": true, "Serialization": true, "INTERNAL": true, "Not implemented": true,
	"Invalid": true}

// storageError explains an error that neither the caller nor the engine made: a full
// disk, or a segment that is missing or damaged. It returns nil for others.
func (j *job) storageError(err error) error {
	text := err.Error()
	if errors.Is(err, syscall.ENOSPC) || strings.Contains(text, "No space left on device") {
		return engine.DiskFull(err)
	}
	if errors.Is(err, syscall.EIO) || strings.Contains(text, "Input/output error") {
		return engine.BadDisk(err)
	}
	f, ok := errors.AsType[*fault](err)
	if own, isOwn := errors.AsType[*ownFault](err); isOwn {
		f, ok = own.fault, true
	}
	if !ok || !storageFaults[f.Type] {
		return nil
	}
	if speaksOfParquet(f.Message) && len(j.tables) > 0 {
		return engine.LostSegment(err)
	}
	for _, path := range j.tables {
		if !soundParquet(path, j.isSparse(path)) {
			return engine.LostSegment(err)
		}
	}
	return nil
}

// speaksOfParquet recognizes what the engine says of a damaged file.
func speaksOfParquet(text string) bool {
	for _, sign := range []string{"arquet file", "TProtocolException", "don't know what type", "No magic bytes", "ecompression failure"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// soundParquet reports whether a file is there and has the head and the foot of a
// Parquet file; a sparse one need not have the head.
func soundParquet(path string, sparse bool) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	magic, ends := []byte("PAR1"), make([]byte, 8)
	if _, err := io.ReadFull(file, ends[:4]); err != nil {
		return false
	}
	if _, err := file.Seek(-4, io.SeekEnd); err != nil {
		return false
	}
	_, err = io.ReadFull(file, ends[4:])
	return err == nil && (sparse || bytes.Equal(ends[:4], magic)) && bytes.Equal(ends[4:], magic)
}
