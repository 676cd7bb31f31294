package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"quern"
)

// The bounds of a password, in characters and in bytes.
const (
	MinPassword = 8
	maxPassword = 1024
)

// Cost is the work put into the hash of a password. Hashes made at another cost
// are made anew when their password is next given.
type Cost struct {
	Memory  uint32 // KiB
	Time    uint32 // passes
	Threads uint8
}

var defaultCost = Cost{Memory: 64 << 10, Time: 2, Threads: 1}

// hashers bounds how many passwords are hashed at once, and so the memory that
// a crowd at the login page can take.
const hashers = 4

const (
	saltBytes = 16
	hashBytes = 32
)

type hasher struct {
	cost  Cost
	slots chan struct{}
	decoy string // stands in for the hash of a user that is not there
}

func newHasher(c Cost) *hasher {
	if c == (Cost{}) {
		c = defaultCost
	}
	h := &hasher{cost: c, slots: make(chan struct{}, hashers)}
	h.decoy = encodeHash(c, make([]byte, saltBytes), make([]byte, hashBytes))
	return h
}

func (h *hasher) derive(ctx context.Context, c Cost, password string, salt []byte, size int) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, c.Time, c.Memory, c.Threads, uint32(size)), nil
}

// hash makes the stored form of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt)
	sum, err := h.derive(ctx, h.cost, password, salt, hashBytes)
	if err != nil {
		return "", err
	}
	return encodeHash(h.cost, salt, sum), nil
}

// matches reports whether a password fits a stored form, and whether that form
// was made at another cost than today's. An empty form fits none, after the
// same work.
func (h *hasher) matches(ctx context.Context, stored, password string) (match, outdated bool, err error) {
	genuine := stored != "" && len(password) <= maxPassword
	if !genuine {
		stored, password = h.decoy, ""
	}
	c, salt, want, err := decodeHash(stored)
	if err != nil {
		return false, false, err
	}
	got, err := h.derive(ctx, c, password, salt, len(want))
	if err != nil {
		return false, false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && genuine, c != h.cost, nil
}

func encodeHash(c Cost, salt, sum []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.Memory, c.Time, c.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

var errHash = errors.New("auth: a stored password hash cannot be read")

func decodeHash(stored string) (c Cost, salt, sum []byte, err error) {
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return c, nil, nil, errHash
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.Memory, &c.Time, &c.Threads); err != nil || n != 3 {
		return c, nil, nil, errHash
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	sum, sumErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || sumErr != nil || len(sum) == 0 || c.Time == 0 || c.Threads == 0 {
		return c, nil, nil, errHash
	}
	return c, salt, sum, nil
}

func validPassword(password string) error {
	switch {
	case !utf8.ValidString(password):
		return invalid("password", "format", "must be valid UTF-8")
	case utf8.RuneCountInString(password) < MinPassword:
		return invalid("password", "too_short", fmt.Sprintf("must have at least %d characters", MinPassword))
	case len(password) > maxPassword:
		return invalid("password", "too_long", fmt.Sprintf("must have at most %d bytes", maxPassword))
	}
	return nil
}

// invalid refuses one field of a request.
func invalid(field, code, reason string) *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "%s %s", field, reason).
		With(quern.SubError{Code: code, Message: field + ": " + reason})
}
