package quern

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// AuditAction is what was done, as the audit trail names it.
type AuditAction string

// What the audit trail tells of.
const (
	AuditSignIn          AuditAction = "signIn"
	AuditSignInFailed    AuditAction = "signInFailed"
	AuditCreateToken     AuditAction = "createToken"
	AuditRevokeToken     AuditAction = "revokeToken"
	AuditShare           AuditAction = "share"
	AuditDeleteDataset   AuditAction = "deleteDataset"
	AuditDeleteNamespace AuditAction = "deleteNamespace"
	AuditDeleteOriginal  AuditAction = "deleteOriginal"
	AuditAddUser         AuditAction = "addUser"
	AuditDisableUser     AuditAction = "disableUser"
	AuditEnableUser      AuditAction = "enableUser"
	AuditGrantRole       AuditAction = "grantRole"
	AuditRevokeRole      AuditAction = "revokeRole"
	AuditSetPassword     AuditAction = "setPassword"
	AuditSetQuota        AuditAction = "setQuota"
	AuditSetRetention    AuditAction = "setRetention"
	AuditCancelWork      AuditAction = "cancelWork"
	AuditDeleteUser      AuditAction = "deleteUser"
	AuditUserDeleted     AuditAction = "userDeleted"
)

// AuditEntry is one thing that was done. It names people and things by id, and holds no
// secret.
type AuditEntry struct {
	ID     string      `json:"id"`
	At     time.Time   `json:"at"`
	Actor  UserID      `json:"actor,omitempty"` // empty: the operator, or the server itself
	Action AuditAction `json:"action"`
	User   UserID      `json:"user,omitempty"`   // whom it is about
	Object string      `json:"object,omitempty"` // what it is about: the id of a token, a dataset, a namespace, a file or work
	// Detail is how it was before and is now, where that can be said in a word.
	Detail map[string]string `json:"detail,omitempty"`
}

// AuditSeal closes a stretch of the audit trail: what was in it, and what came before,
// cannot change without its digest.
type AuditSeal struct {
	Stretch  int64     `json:"stretch"` // from 1, without gaps
	Entries  int64     `json:"entries"`
	FirstAt  time.Time `json:"firstAt"`
	LastAt   time.Time `json:"lastAt"`
	Before   string    `json:"before"` // the digest of the stretch before; empty for the first
	Digest   string    `json:"digest"`
	SealedAt time.Time `json:"sealedAt"`
	Cut      bool      `json:"cut,omitempty"` // its entries are past their retention, and gone
}

// AuditLine is a line of the audit trail as it is exported: the entries of a stretch, then
// its seal, and last the entries that are not sealed yet.
type AuditLine struct {
	Entry *AuditEntry `json:"entry,omitempty"`
	Seal  *AuditSeal  `json:"seal,omitempty"`
}

// AuditChain computes the digest of a stretch: SHA-256 in hexadecimal, over the digest so
// far, a line feed and the entry as JSON, entry by entry.
type AuditChain struct{ digest string }

// NewAuditChain begins behind a digest.
func NewAuditChain(before string) AuditChain { return AuditChain{before} }

// Add goes on with an entry.
func (c *AuditChain) Add(e AuditEntry) {
	e.At = e.At.UTC()
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts and a time
	}
	sum := sha256.Sum256(append([]byte(c.digest+"\n"), line...))
	c.digest = hex.EncodeToString(sum[:])
}

// Digest is that of all so far.
func (c *AuditChain) Digest() string { return c.digest }

// AuditVerifier checks an audit trail, line by line, from any of its stretches on.
type AuditVerifier struct {
	Stretches, Cut, Entries, Open int64 // what was there; Open are entries that are not sealed yet
	Last                          string

	number  int64 // of the stretch before
	pending []AuditEntry
}

// Line checks the next line; it fails when the trail was changed.
func (v *AuditVerifier) Line(l AuditLine) error {
	switch {
	case l.Entry != nil:
		v.pending = append(v.pending, *l.Entry)
		return nil
	case l.Seal == nil:
		return fmt.Errorf("a line is neither an entry nor a seal")
	}
	s := *l.Seal
	if v.Stretches > 0 && s.Stretch != v.number+1 {
		return fmt.Errorf("stretch %d follows stretch %d", s.Stretch, v.number)
	}
	if v.Stretches > 0 && s.Before != v.Last || s.Stretch == 1 && s.Before != "" {
		return fmt.Errorf("stretch %d does not go on from the one before it", s.Stretch)
	}
	if err := v.check(s); err != nil {
		return err
	}
	v.number, v.Last, v.pending = s.Stretch, s.Digest, nil
	v.Stretches++
	return nil
}

func (v *AuditVerifier) check(s AuditSeal) error {
	if s.Cut {
		v.Cut++
		if len(v.pending) > 0 {
			return fmt.Errorf("stretch %d was cut and has entries", s.Stretch)
		}
		return nil
	}
	if int64(len(v.pending)) != s.Entries {
		return fmt.Errorf("stretch %d has %d entries and was sealed with %d", s.Stretch, len(v.pending), s.Entries)
	}
	chain := NewAuditChain(s.Before)
	for _, e := range v.pending {
		chain.Add(e)
	}
	if chain.Digest() != s.Digest {
		return fmt.Errorf("stretch %d has another digest than it was sealed with", s.Stretch)
	}
	v.Entries += s.Entries
	return nil
}

// End ends the trail.
func (v *AuditVerifier) End() { v.Open = int64(len(v.pending)) }
