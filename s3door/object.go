package s3door

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quern/blob"
	"quern/door"
)

// object answers with an object or a part of it, or to HEAD with what it is.
func (f *Face) object(w http.ResponseWriter, r *http.Request, c call) error {
	if !strings.HasPrefix(c.key, c.folder) {
		return errDenied
	}
	if err := blob.CheckKey(c.key); err != nil {
		return errNoObject.because(err) // no object can have it, and the store is not asked
	}
	info, err := f.objects.Stat(r.Context(), c.key)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("ETag", etag(info))
	h.Set("Last-Modified", info.Modified.UTC().Format(http.TimeFormat))
	h.Set("Accept-Ranges", "bytes")
	switch checkConditions(r.Header, info) {
	case http.StatusNotModified:
		w.WriteHeader(http.StatusNotModified)
		return nil
	case http.StatusPreconditionFailed:
		return errPrecondition
	}
	span, partial, ok := parseRange(r.Header.Get("Range"), info.Size)
	if !ok {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", info.Size))
		return errRange
	}
	return f.send(w, r, c.key, answer{span: span, partial: partial, size: info.Size})
}

// answer says which bytes of an object are sent.
type answer struct {
	span
	partial bool
	size    int64 // of the object
}

func (f *Face) send(w http.ResponseWriter, r *http.Request, key string, a answer) error {
	body := io.NopCloser(http.NoBody)
	if r.Method != http.MethodHead {
		opened, err := f.objects.Open(r.Context(), key, a.offset, a.length)
		if err != nil {
			return err
		}
		body = opened
	}
	defer body.Close()
	h := w.Header()
	h.Set("Content-Type", "binary/octet-stream")
	h.Set("Content-Length", strconv.FormatInt(a.length, 10))
	status := http.StatusOK
	if a.partial {
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", a.offset, a.offset+a.length-1, a.size))
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	piece, _ := f.pieces.Get().(*[]byte)
	defer f.pieces.Put(piece)
	// The bare reader and writer keep the copy to pieces, each with a deadline of its own.
	sent, err := io.CopyBuffer(door.Patient{W: w}, struct{ io.Reader }{body}, *piece)
	if err == nil && sent != a.length {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// etag names the content of an object: objects of tables are never replaced by others
// of the same size in the same second. It has the form of an object that came in parts,
// so that no client takes it for the MD5 of the content.
func etag(info blob.Info) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%d", info.Key, info.Size, info.Modified.Unix()))
	return `"` + hex.EncodeToString(sum[:16]) + `-1"`
}

// checkConditions returns the status that the conditions of a request call for, 200 when
// they hold. A condition on the tag goes before one on the time.
func checkConditions(h http.Header, info blob.Info) int {
	modified := info.Modified.Truncate(time.Second)
	since := func(name string) (at time.Time, ok bool) {
		at, err := http.ParseTime(h.Get(name))
		return at, err == nil
	}
	if tags := h.Get("If-Match"); tags != "" {
		if !matches(tags, etag(info)) {
			return http.StatusPreconditionFailed
		}
	} else if at, ok := since("If-Unmodified-Since"); ok && modified.After(at) {
		return http.StatusPreconditionFailed
	}
	if tags := h.Get("If-None-Match"); tags != "" {
		if matches(tags, etag(info)) {
			return http.StatusNotModified
		}
	} else if at, ok := since("If-Modified-Since"); ok && !modified.After(at) {
		return http.StatusNotModified
	}
	return http.StatusOK
}

// matches reports whether a list of tags has the tag, or all of them. Clients leave
// the quotes out at times.
func matches(tags, tag string) bool {
	for one := range strings.SplitSeq(tags, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.Trim(one, `"`) == strings.Trim(tag, `"`) {
			return true
		}
	}
	return false
}

// span is a run of bytes.
type span struct{ offset, length int64 }

// parseRange returns the part of an object of some size that a Range header asks for.
// What is no range, and several of them, ask for the whole object. ok is false when
// the range lies beyond the end.
func parseRange(header string, size int64) (part span, partial, ok bool) {
	whole := span{0, size}
	text, isBytes := strings.CutPrefix(header, "bytes=")
	first, last, isRange := strings.Cut(strings.TrimSpace(text), "-")
	from, fromOK := parseOffset(first)
	to, toOK := parseOffset(last)
	switch {
	case !isBytes || !isRange || !fromOK || !toOK || first == "" && last == "":
		return whole, false, true
	case first == "": // the last bytes
		length := min(to, size)
		return span{size - length, length}, true, length > 0
	case last == "":
		to = size - 1
	case to < from:
		return whole, false, true
	}
	if from >= size {
		return span{}, false, false
	}
	return span{from, min(to, size-1) - from + 1}, true, true
}

// parseOffset reads a number of digits only, and none as 0; what is too large for an
// offset is the largest.
func parseOffset(digits string) (n int64, ok bool) {
	if strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	if digits == "" {
		return 0, true
	}
	n, _ = strconv.ParseInt(digits, 10, 64) // the largest, where it does not fit
	return n, true
}
