package quern

import "time"

// Role is what a grant lets its grantee do.
type Role string

// The roles, weakest first. Owner and Nobody are never granted.
const (
	Nobody Role = ""
	Viewer Role = "viewer"
	Editor Role = "editor"
	Owner  Role = "owner"
)

// rank orders the roles.
var rank = map[Role]int{Nobody: 0, Viewer: 1, Editor: 2, Owner: 3}

// AtLeast reports whether r allows all that other allows.
func (r Role) AtLeast(other Role) bool { return rank[r] >= rank[other] }

// Stronger returns the role of the two that allows more.
func (r Role) Stronger(other Role) Role {
	if other.AtLeast(r) {
		return other
	}
	return r
}

// Grantable reports whether r can be given to somebody.
func (r Role) Grantable() bool { return r == Viewer || r == Editor }

// Share is a grant as its owner sees it.
type Share struct {
	Username string
	Role     Role
}

// ShareChange is one entry of a resource's audit: who changed whose role, when,
// from what to what.
type ShareChange struct {
	At            time.Time
	Actor         string
	Username      string
	Before, After Role // Nobody: no grant
}
