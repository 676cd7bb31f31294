package ingest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"quern/ingest"
)

// TestDigestOfContent holds that files keep the digest that they have in the metadata: that of
// the sums of every mebibyte and of what is behind the last whole one, and of the size.
func TestDigestOfContent(t *testing.T) {
	t.Parallel()
	const block = 1 << 20
	path := filepath.Join(t.TempDir(), "a")
	for _, size := range []int{0, 1, block - 1, block, block + 1, 5*block + 7} {
		text := bytes.Repeat([]byte("some text, "), size/11+1)[:size]
		must(t, os.WriteFile(path, text, 0o600))
		var sums []byte
		for at := 0; at <= size; at += block {
			sums = binary.BigEndian.AppendUint32(sums, crc32.Checksum(text[at:min(at+block, size)], crc32.MakeTable(crc32.Castagnoli)))
		}
		whole := sha256.Sum256(binary.BigEndian.AppendUint64(sums, uint64(size)))
		got, err := ingest.ContentDigest(path)
		if want := hex.EncodeToString(whole[:16]); err != nil || got != want {
			t.Errorf("contentDigest(%d bytes) = %s, %v, want %s", size, got, err, want)
		}
	}
}
