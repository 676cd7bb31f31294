package blob

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"iter"
	"strings"
	"time"

	"quern"
)

// MaxParts is the most parts an upload can have.
const MaxParts = 10000

// MaxPartSize is the most bytes one part can have.
const MaxPartSize = 5 << 30

// MaxPartLife is the longest time a part's URL can be valid.
const MaxPartLife = 7 * 24 * time.Hour

// Multipart is the ability to take an object in parts, which clients send to
// presigned URLs in any order, several at a time, and again when they like.
//
//	Begin ──▶ open ──Complete──▶ object
//	            └────Abort─────▶ nothing
//
// An upload that is not open any more, or never was, fails with quern.NotFound. Keys
// are checked as in Store. No upload should share its key with another one.
type Multipart interface {
	// Begin opens an upload for key and returns its id. It is durable when Begin
	// returns; nothing is visible under key.
	Begin(ctx context.Context, key string) (uploadID string, err error)
	// PresignPart returns the URL that takes one part by PUT for as long as life.
	// The body must be exactly slot.Size bytes, else the request is refused and
	// the part stays what it was; the answer carries the part's ETag. A part is
	// durable once the request is answered, and sending it again replaces it in
	// one step. Any change to the URL, another method, or the end of its life
	// makes it useless. Fails with quern.Invalid for a slot or life out of bounds; it
	// need not notice that the upload is gone, but the URL will be refused.
	PresignPart(ctx context.Context, slot Slot, life time.Duration) (url string, err error)
	// Parts yields the parts that have arrived, ordered by number.
	Parts(ctx context.Context, key, uploadID string) iter.Seq2[Part, error]
	// Complete joins the named parts, in order, into the object, which is then
	// durable, and closes the upload. Parts that are not named are dropped. A part
	// that is missing, has another ETag or, where one is named, another size, a wrong
	// order, an empty list, or a part below MinPart that is not the last fails with
	// quern.Invalid and a sub error for each, and the upload stays open with all it has.
	// Completing again with the same parts after a success, or after a crash in the
	// middle, succeeds.
	Complete(ctx context.Context, key, uploadID string, parts []Part) error
	// Abort drops an open upload and its parts; one that is completed, aborted or
	// unknown is left as it is, without an error. It never removes an object.
	Abort(ctx context.Context, key, uploadID string) error
	// Uploads yields the open uploads whose keys start with prefix, in no
	// particular order, so that forgotten ones can be found.
	Uploads(ctx context.Context, prefix string) iter.Seq2[Upload, error]
	// MinPart is the fewest bytes that every part but the last must have.
	MinPart() int64
}

// Slot is the place of one part in an upload.
type Slot struct {
	Key, UploadID string
	Number        int   // from 1 to MaxParts
	Offset        int64 // where the part begins in the object, if all parts before it arrive
	Size          int64 // how many bytes it has
}

// Check fails with quern.Invalid unless s is within bounds and life between a second
// and MaxPartLife.
func (s Slot) Check(life time.Duration) error {
	if err := CheckKey(s.Key); err != nil {
		return err
	}
	var fault string
	switch {
	case s.Number < 1 || s.Number > MaxParts:
		fault = "its number is out of bounds"
	case s.Size < 0 || s.Size > MaxPartSize:
		fault = "its size is out of bounds"
	case s.Offset < 0 || s.Offset > MaxParts*MaxPartSize:
		fault = "its offset is out of bounds"
	case life < time.Second || life > MaxPartLife:
		fault = "its life is out of bounds"
	default:
		return nil
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "part %d is invalid: %s", s.Number, fault)
}

// Part is a part that has arrived. ETag is as CleanETag returns it.
type Part struct {
	Number int
	Size   int64
	ETag   string
}

// Upload is an open upload.
type Upload struct {
	Key, ID string
	Began   time.Time
}

// The codes of the sub errors that Complete returns.
const (
	PartMissing  = "PART_MISSING"
	PartChanged  = "PART_ETAG_MISMATCH"
	PartSize     = "PART_SIZE"
	PartOrder    = "PART_ORDER"
	PartTooSmall = "PART_TOO_SMALL"
)

// maxFaults bounds the sub errors of one answer.
const maxFaults = 100

// CleanETag takes the quotes off an entity tag, so that one sent by a client
// compares with one that was stored.
func CleanETag(tag string) string { return strings.ToLower(strings.Trim(strings.TrimSpace(tag), `"`)) }

// Match checks the named parts against those that arrived, by number, as
// Complete promises, and returns the arrived ones in the order named.
func Match(named []Part, arrived map[int]Part, minPart int64) ([]Part, error) {
	if len(named) == 0 || len(named) > MaxParts {
		return nil, quern.E(quern.Invalid, quern.CodeInvalid, "an upload is completed with 1 to %d parts", MaxParts)
	}
	var faults []quern.SubError
	chosen, last := make([]Part, 0, len(named)), 0
	for i, n := range named {
		have, ok := arrived[n.Number]
		code, reason := "", ""
		switch {
		case n.Number <= last:
			code, reason = PartOrder, "is out of order"
		case !ok:
			code, reason = PartMissing, "has not arrived"
		case CleanETag(n.ETag) != have.ETag:
			code, reason = PartChanged, "has another ETag"
		case n.Size != 0 && n.Size != have.Size:
			code, reason = PartSize, fmt.Sprintf("has %d bytes instead of %d", have.Size, n.Size)
		case i < len(named)-1 && have.Size < minPart:
			code, reason = PartTooSmall, "is too small to be followed by another"
		}
		if code != "" && len(faults) < maxFaults {
			faults = append(faults, quern.SubError{Code: code, Message: fmt.Sprintf("part %d %s", n.Number, reason)})
		}
		chosen, last = append(chosen, have), n.Number
	}
	if len(faults) > 0 {
		return nil, quern.E(quern.Invalid, quern.CodeInvalid, "the parts do not make up the upload").With(faults...)
	}
	return chosen, nil
}

// JoinedETag is the entity tag of an object made of the parts, in the form that
// S3 computes it: the digest of the parts' digests, and their number.
func JoinedETag(parts []Part) string {
	sum := md5.New()
	for _, p := range parts {
		raw, err := hex.DecodeString(CleanETag(p.ETag))
		if err != nil {
			raw = []byte(CleanETag(p.ETag))
		}
		sum.Write(raw)
	}
	return fmt.Sprintf("%x-%d", sum.Sum(nil), len(parts))
}
