package quern

import "time"

// BrowserID identifies a session of a browser.
type BrowserID string

// Session is a browser that is signed in. Its cookie's secret, and the tokens of
// the provider, are the server's alone.
type Session struct {
	ID        BrowserID
	User      User
	UserAgent string // as the browser called itself when it signed in
	CreatedAt time.Time
	SeenAt    time.Time // when it was last used, to the minute
	ExpiresAt time.Time
}
