package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"os"
	"time"

	"quern"
	"quern/store"
)

// compare notes what the file's content is and whether the dataset has its rows
// already, which the request may refuse.
func (r *reading) compare(ctx context.Context, path string) error {
	var err error
	if r.file.Digest, err = contentDigest(path); err != nil {
		return err
	}
	r.file.SameAs = ""
	if r.replaces() {
		return nil
	}
	var before quern.Ingestion
	err = r.service.store.View(ctx, func(tx *store.Tx) error {
		before, err = tx.IngestedFile(ctx, r.targets[0].dataset.ID, r.file.Digest)
		return err
	})
	if quern.Is(err, quern.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	r.file.SameAs = before.ID
	if r.job.Options.SameFile == quern.RefuseSame && r.preview == nil {
		return refused("the same file was ingested before, on %s, and its rows are still there (ingestion %s)",
			before.EndedAt.UTC().Format(time.DateOnly), before.ID)
	}
	return nil
}

// digestBlock is how much of a file one sum is over.
const digestBlock = 1 << 20

// contentDigest sums a file up, fast rather than safe from those who would make two
// files look the same: it is used to remark on files that come twice.
func contentDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	table, sum, block := crc32.MakeTable(crc32.Castagnoli), sha256.New(), make([]byte, digestBlock)
	var size uint64
	for {
		n, err := io.ReadFull(f, block)
		size += uint64(n)
		sum.Write(binary.BigEndian.AppendUint32(nil, crc32.Checksum(block[:n], table)))
		switch err {
		case nil:
			continue
		case io.EOF, io.ErrUnexpectedEOF:
			sum.Write(binary.BigEndian.AppendUint64(nil, size))
			return hex.EncodeToString(sum.Sum(nil)[:16]), nil
		}
		return "", err
	}
}
