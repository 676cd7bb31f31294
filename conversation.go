package quern

import "time"

// ConversationID identifies a conversation.
type ConversationID string

// Conversation is questions that belong together, each a run. Only its owner
// sees it.
type Conversation struct {
	ID    ConversationID
	Owner UserID
	// Token began it, where an API token did: a restricted token reaches what it
	// began and nothing else.
	Token TokenID
	In    NamespacePath
	// Unlisted is one that nobody asked to begin: it is found by its id alone.
	Unlisted  bool
	Title     string
	CreatedAt time.Time
	UpdatedAt time.Time
}
