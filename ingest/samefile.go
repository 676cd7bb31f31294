package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"sync"
	"time"

	"quern"
	"quern/ingest/format"
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

// contentDigest sums a file up, by the sums of its pieces, fast rather than safe from those who would make two
// files look the same: it is used to remark on files that come twice.
func contentDigest(path string) (string, error) {
	table := crc32.MakeTable(crc32.Castagnoli)
	var mu sync.Mutex
	var size uint64
	sums := map[int64]uint32{}
	pieces, err := format.EachPiece(path, 0, func(p format.Piece) error {
		sum := crc32.Checksum(p.Bytes, table)
		mu.Lock()
		defer mu.Unlock()
		sums[p.Number] = sum
		size += uint64(len(p.Bytes))
		return nil
	})
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for n := range pieces {
		sum.Write(binary.BigEndian.AppendUint32(nil, sums[n]))
	}
	sum.Write(binary.BigEndian.AppendUint64(nil, size))
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
