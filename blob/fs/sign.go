package fs

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/blob"
)

// PathPrefix is where the server that owns the store mounts Handler.
const PathPrefix = "/blob/"

const secretSize = 32

// PresignPart implements blob.Multipart. The signature covers neither host nor
// scheme nor what a proxy puts before PathPrefix.
func (s *Store) PresignPart(ctx context.Context, slot blob.Slot, life time.Duration) (string, error) {
	if err := errors.Join(ctx.Err(), slot.Check(life)); err != nil {
		return "", err
	}
	expires := s.now().Add(life).Unix()
	u := *s.public
	u.Path = strings.TrimSuffix(u.Path, "/") + PathPrefix + slot.Key
	u.RawPath = ""
	u.RawQuery = url.Values{
		"uploadId":   {slot.UploadID},
		"partNumber": {strconv.Itoa(slot.Number)},
		"offset":     {strconv.FormatInt(slot.Offset, 10)},
		"size":       {strconv.FormatInt(slot.Size, 10)},
		"expires":    {strconv.FormatInt(expires, 10)},
		"signature":  {hex.EncodeToString(s.sign(slot, expires))},
	}.Encode()
	return u.String(), nil
}

// sign covers all that a URL says. Keys and ids have no line breaks, so no two
// slots read the same.
func (s *Store) sign(slot blob.Slot, expires int64) []byte {
	mac := hmac.New(sha256.New, s.secret)
	fmt.Fprintf(mac, "PUT\n%s\n%s\n%d\n%d\n%d\n%d", slot.Key, slot.UploadID, slot.Number, slot.Offset, slot.Size, expires)
	return mac.Sum(nil)
}

var (
	errTampered = quern.E(quern.Forbidden, quern.CodeForbidden, "the URL is not one that this server signed")
	errExpired  = quern.E(quern.Forbidden, quern.CodeForbidden, "the URL has expired")
)

// verify returns the slot that a URL was signed for.
func (s *Store) verify(u *url.URL) (blob.Slot, error) {
	path := strings.TrimPrefix(u.Path, strings.TrimSuffix(s.public.Path, "/"))
	key, ok := strings.CutPrefix(path, PathPrefix)
	if !ok {
		return blob.Slot{}, errTampered
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return blob.Slot{}, errTampered.Because(err)
	}
	number := func(name string) int64 {
		n, parseErr := strconv.ParseInt(query.Get(name), 10, 64)
		err = errors.Join(err, parseErr)
		return n
	}
	slot := blob.Slot{
		Key: key, UploadID: query.Get("uploadId"), Number: int(number("partNumber")),
		Offset: number("offset"), Size: number("size"),
	}
	expires := number("expires")
	given, hexErr := hex.DecodeString(query.Get("signature"))
	if err := errors.Join(err, hexErr); err != nil {
		return blob.Slot{}, errTampered.Because(err)
	}
	// Line breaks in a key or id would let one signed text be read as another.
	if strings.ContainsAny(slot.Key+slot.UploadID, "\n") || !hmac.Equal(given, s.sign(slot, expires)) {
		return blob.Slot{}, errTampered
	}
	if s.now().Unix() >= expires {
		return blob.Slot{}, errExpired
	}
	return slot, nil
}

// loadSecret reads the signing key, or makes one that lasts.
func (s *Store) loadSecret(name string) ([]byte, error) {
	f, err := s.disk.Open(name, os.O_RDONLY)
	if err == nil {
		defer f.Close()
		secret, err := io.ReadAll(io.LimitReader(f, secretSize+1))
		if err == nil && len(secret) != secretSize {
			err = fmt.Errorf("the signing key in %s has %d bytes, want %d", name, len(secret), secretSize)
		}
		return secret, err
	}
	if !errors.Is(err, iofs.ErrNotExist) {
		return nil, err
	}
	secret := make([]byte, secretSize)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	tmp, err := s.writeTemp(func(f File) error { _, err := f.Write(secret); return err })
	if err != nil {
		return nil, err
	}
	if err := s.disk.Rename(tmp, name); err != nil {
		return nil, err
	}
	return secret, s.disk.SyncDir(filepath.Dir(name))
}
