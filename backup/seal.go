package backup

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"filippo.io/age"

	"quern"
)

// Lock says whom a backup is encrypted for: recipients, or whoever knows a passphrase.
// The zero value encrypts nothing.
type Lock struct {
	Recipients []string // public keys of age
	Passphrase string
}

// Unlock says with what backups are read.
type Unlock struct {
	Identities string // secret keys of age, as key files have them, one on a line
	Passphrase string
}

// keyFile holds a place's key, sealed by its passphrase. One key for all files keeps
// the passphrase's slow function from being run for each.
const keyFile = "key"

// ageIntro is how every file that age has sealed begins.
const ageIntro = "age-encryption.org/v1\n"

// sealer seals what goes into a place. The zero value leaves it open.
type sealer struct {
	recipients []age.Recipient
	naming     []byte // what names are made with; nobody can tell what a name stands for
	overhead   int64  // what sealing adds to an empty file
}

// newSealer makes what seals for a lock. The secret is the installation's.
func newSealer(ctx context.Context, place Place, lock Lock, secret string) (sealer, error) {
	var s sealer
	switch {
	case len(lock.Recipients) > 0 && lock.Passphrase != "":
		return s, errors.New("a backup is encrypted for recipients or by a passphrase, not by both")
	case lock.Passphrase != "":
		key, err := placeKey(ctx, place, lock.Passphrase, true)
		if err != nil {
			return s, err
		}
		lock.Recipients = []string{key.Recipient().String()}
	case len(lock.Recipients) == 0:
		return s, nil
	}
	names := slices.Sorted(slices.Values(lock.Recipients))
	var err error
	if s.recipients, err = age.ParseRecipients(strings.NewReader(strings.Join(names, "\n"))); err != nil {
		return s, fmt.Errorf("a recipient cannot be used: %w", err)
	}
	naming := hmac.New(sha256.New, []byte(secret))
	naming.Write([]byte(strings.Join(names, "\n")))
	s.naming = naming.Sum(nil)
	empty, err := s.seal(strings.NewReader(""))
	if err != nil {
		return s, err
	}
	n, err := io.Copy(io.Discard, empty)
	s.overhead = n - ageTag
	return s, err
}

// placeKey returns the key of a place with a passphrase, and makes it where there is
// none and it should be made.
func placeKey(ctx context.Context, place Place, passphrase string, create bool) (*age.X25519Identity, error) {
	in, err := place.Open(ctx, keyFile, 0, -1)
	if quern.Is(err, quern.NotFound) && create {
		return makeKey(ctx, place, passphrase)
	}
	if quern.Is(err, quern.NotFound) {
		return nil, errors.New("the place has no key that a passphrase opens: its backups are encrypted for recipients, or not at all")
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, err
	}
	opened, err := age.Decrypt(io.LimitReader(in, 1<<16), identity)
	if err != nil {
		return nil, wrongKey(err, "the passphrase does not open the place's key")
	}
	text, err := io.ReadAll(opened)
	if err != nil {
		return nil, damaged("the place's key cannot be read")
	}
	key, err := age.ParseX25519Identity(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, damaged("the place's key is none")
	}
	return key, nil
}

func makeKey(ctx context.Context, place Place, passphrase string) (*age.X25519Identity, error) {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, err
	}
	by, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, by)
	if err == nil {
		_, err = io.WriteString(w, key.String())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, err
	}
	return key, place.Put(ctx, keyFile, &sealed, int64(sealed.Len()))
}

func (s sealer) sealing() bool { return len(s.recipients) > 0 }

// name is where what has a digest is kept. compact things are not stored as they are.
func (s sealer) name(digest string, compact bool) string {
	end := ""
	if compact {
		end = ".gz"
	}
	if s.sealing() {
		mac := hmac.New(sha256.New, s.naming)
		mac.Write([]byte(digest + end))
		digest, end = hex.EncodeToString(mac.Sum(nil)), end+".age"
	}
	return "objects/" + digest[:2] + "/" + digest + end
}

const (
	ageChunk = 64 << 10
	ageTag   = 16
)

// size is how many bytes the file has that seals n bytes.
func (s sealer) size(n int64) int64 {
	if !s.sealing() {
		return n
	}
	return s.overhead + n + ageTag*max(1, (n+ageChunk-1)/ageChunk)
}

func (s sealer) seal(r io.Reader) (io.Reader, error) {
	if !s.sealing() {
		return r, nil
	}
	return age.EncryptReader(r, s.recipients...)
}

// opener opens what a sealer sealed.
type opener struct{ identities []age.Identity }

func newOpener(ctx context.Context, place Place, unlock Unlock) (o opener, err error) {
	if unlock.Identities != "" {
		if o.identities, err = age.ParseIdentities(strings.NewReader(unlock.Identities)); err != nil {
			// The library's words may repeat a line, which is a secret.
			return o, errors.New("the identities cannot be read: a key file of age has lines that begin with AGE-SECRET-KEY-")
		}
	}
	if unlock.Passphrase != "" {
		key, err := placeKey(ctx, place, unlock.Passphrase, false)
		if err != nil {
			return o, err
		}
		o.identities = append(o.identities, key)
	}
	return o, nil
}

// open reads what was sealed, or what was not, as its beginning tells.
func (o opener) open(r io.Reader) (io.Reader, error) {
	intro := make([]byte, len(ageIntro))
	n, err := io.ReadFull(r, intro)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	whole := io.MultiReader(bytes.NewReader(intro[:n]), r)
	if string(intro[:n]) != ageIntro {
		return whole, nil
	}
	if len(o.identities) == 0 {
		return nil, errors.New("the backup is encrypted: name the key that opens it, with --identity or --passphrase-file")
	}
	opened, err := age.Decrypt(whole, o.identities...)
	if err != nil {
		return nil, wrongKey(err, "none of the keys given opens the backup")
	}
	return opened, nil
}

func wrongKey(err error, words string) error {
	if _, none := errors.AsType[*age.NoIdentityMatchError](err); none {
		return errors.New(words)
	}
	return damaged("what is encrypted cannot be read: %v", err)
}

// checked reads n bytes that have a digest, and fails at their end when they have not.
type checked struct {
	r      io.Reader
	sum    hash.Hash
	left   int64
	digest string
}

func check(r io.Reader, n int64, digest string) *checked {
	return &checked{r: r, sum: sha256.New(), left: n, digest: digest}
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	c.left -= int64(n)
	switch {
	case c.left < 0, err == io.EOF && c.left > 0, err == io.EOF && hex.EncodeToString(c.sum.Sum(nil)) != c.digest:
		return 0, errChanged
	}
	return n, err
}

var errChanged = errors.New("it does not hold what it held when it was first read")

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
