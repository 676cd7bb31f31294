package quern

import (
	"strings"

	"github.com/google/uuid"
)

// The ids of the nouns, one type each, so that one can never stand for another.
type (
	// UserID identifies a user.
	UserID string
	// TokenID identifies an API token; it is the token's jti.
	TokenID string
	// NamespaceID identifies a namespace.
	NamespaceID string
	// DatasetID identifies a dataset.
	DatasetID string
	// SegmentID identifies one immutable piece of a table.
	SegmentID string
)

// NewID makes an id of any kind. Ids sort by the time they were made.
func NewID[T ~string]() T { return T(uuid.Must(uuid.NewV7()).String()) }

// ValidID reports whether s has the form of an id.
func ValidID(s string) bool {
	_, err := uuid.Parse(s)
	return err == nil && len(s) == 36
}

// CanonicalID returns an id as it is stored, in small letters: what callers send
// may be in capitals. Text that is no id is returned as it is.
func CanonicalID(s string) string {
	if !ValidID(s) {
		return s
	}
	return strings.ToLower(s)
}
