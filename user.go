package quern

import (
	"strings"
	"time"
)

// User is a person or a program that signs in.
type User struct {
	ID        UserID
	Username  string // lowercase
	Disabled  bool
	CreatedAt time.Time
	Admin     bool // may administer the server
	// DeletingAt is since when the user is being deleted; zero: it is not.
	DeletingAt time.Time
}

// Principal is who a request acts for, as its token proved.
type Principal struct {
	User User
	// Token is the API token used; empty when the user signed in.
	Token TokenID
	// Session is the browser's or the command line's session that the request came
	// from; empty when it came with another token.
	Session BrowserID
	// Scopes narrows what the principal sees; nil means everything of the user's.
	Scopes []Scope
	// ReadOnly narrows what the principal does: see MayChange.
	ReadOnly bool
	// Admin lets the principal administer the server: see MayAdminister.
	Admin bool
	// Datasets narrows what the principal sees to these; nil means that nothing does.
	Datasets []DatasetID
	// Until is when the principal ends by itself; zero means not before its proof does.
	Until time.Time
}

// MayChange fails with Forbidden for a read-only principal. This is the one rule of
// read-only tokens: they read all that their user reads, and ask. They change
// nothing but the questions that they asked themselves, which they may end and rate
// (MayTend). Every verb that changes something asks here, once the thing is visible
// and the role allows it, so that the rule holds at every door.
func (p Principal) MayChange() error {
	if !p.ReadOnly {
		return nil
	}
	return E(Forbidden, CodeReadOnly, "the token is read-only: it may read and ask, and change nothing but the questions that it asked itself")
}

// MayAdminister fails with Forbidden for a principal without the role admin. The role is
// a user's; an API token has it only when it was made with it.
func (p Principal) MayAdminister() error {
	if p.Admin {
		return nil
	}
	return E(Forbidden, CodeForbidden, "this needs the role admin, and with an API token one that was made with it")
}

// MayTend fails as MayChange does, but for a question that the principal itself
// asked, with what its Proof says.
func (p Principal) MayTend(asked TokenID) error {
	if asked != "" && asked == p.Proof() {
		return nil
	}
	return p.MayChange()
}

// Restricted reports whether the principal sees less than its user does.
func (p Principal) Restricted() bool { return p.Scopes != nil }

// Proof is what work is kept with that the principal asks for: the id of its API
// token or of its session, whose end is the end of the work; empty where the user
// alone stands for it.
func (p Principal) Proof() TokenID {
	if p.Session != "" {
		return TokenID(p.Session)
	}
	return p.Token
}

// OnlyToken is the token whose work the principal may know of; empty when it may
// know of all that its user began.
func (p Principal) OnlyToken() TokenID {
	if p.Restricted() {
		return p.Token
	}
	return ""
}

// Began reports whether something that owner began, with token if with any, is
// within the principal's reach: what its user began and, under a restricted
// token, what that token began.
func (p Principal) Began(owner UserID, token TokenID) bool {
	only := p.OnlyToken()
	return owner == p.User.ID && (only == "" || only == token)
}

// Scope is one namespace, or one dataset of it, that a restricted token reaches.
type Scope struct {
	Username  string `json:"username"`
	Namespace string `json:"namespace"`
	Dataset   string `json:"dataset,omitempty"`
}

// Token is an API token, without its secret.
type Token struct {
	ID         TokenID
	User       UserID
	Name       string
	Scopes     []Scope // nil: unrestricted
	ReadOnly   bool
	Admin      bool   // it may administer while its user may
	Resource   string // the path below the public URL that it is good at; empty: everywhere
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: in force
	LastUsedAt time.Time // zero: never used
}

// TokenSpec is what a caller asks of a new API token.
type TokenSpec struct {
	Name      string
	ExpiresAt time.Time // zero: never
	Scopes    []Scope   // nil: unrestricted
	ReadOnly  bool
	Admin     bool // only for a principal that may administer
}

// reservedUsernames stand for something else where a path names a user.
var reservedUsernames = map[string]bool{Self: true, "new": true, "datasets": true, "namespaces": true, "preview": true, "by-id": true}

// Username returns the canonical form of a username: lowercase. ok is false when
// it is not 1 to 64 letters, digits, '.', '_', '@', '+' and '-' starting with a
// letter or digit, or is reserved.
func Username(s string) (name string, ok bool) {
	name = strings.ToLower(s)
	if len(name) == 0 || len(name) > 64 || reservedUsernames[name] {
		return "", false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		inside := i > 0 && strings.IndexByte("._@+-", c) >= 0
		if !alnum && !inside {
			return "", false
		}
	}
	return name, true
}
