package quern

import "time"

// BrowserID identifies a session of a browser or a command line.
type BrowserID string

// Session is a browser, or a command line, that is signed in. Its secrets, and the tokens
// of the provider, are the server's alone.
type Session struct {
	ID        BrowserID
	User      User
	Client    string // of the embedded provider; empty for a browser
	UserAgent string // as it called itself when it signed in
	CreatedAt time.Time
	SeenAt    time.Time // when it was last used, to the minute
	ExpiresAt time.Time
}
