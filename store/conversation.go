package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

const conversationColumns = `id, owner_id, token_id, namespace_owner, namespace, title, created_at, updated_at, unlisted`

// InsertConversation adds a conversation.
func (tx *Tx) InsertConversation(ctx context.Context, c quern.Conversation) error {
	_, err := tx.exec(ctx, `INSERT INTO conversations (id, owner_id, token_id, namespace_owner, namespace, namespace_key, title,
		created_at, updated_at, unlisted)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, c.ID, c.Owner, c.Token, c.In.Owner, c.In.Namespace, quern.NameKey(c.In.Namespace),
		c.Title, micros(c.CreatedAt), micros(c.UpdatedAt), truth(c.Unlisted))
	return err
}

func scanConversation(scan func(...any) error) (c quern.Conversation, err error) {
	var created, updated sql.NullInt64
	var unlisted int
	err = scan(&c.ID, &c.Owner, &c.Token, &c.In.Owner, &c.In.Namespace, &c.Title, &created, &updated, &unlisted)
	c.CreatedAt, c.UpdatedAt, c.Unlisted = instant(created), instant(updated), unlisted == 1
	return c, err
}

// Conversation returns a conversation, or NotFound.
func (tx *Tx) Conversation(ctx context.Context, id quern.ConversationID) (quern.Conversation, error) {
	return scanConversation(tx.row(ctx, `SELECT `+conversationColumns+` FROM conversations WHERE id = $1`, id))
}

// ConversationFilter narrows a list of conversations. Members after Owner do not
// narrow when they are empty.
type ConversationFilter struct {
	Owner quern.UserID
	Token quern.TokenID       // only those that this token began
	In    quern.NamespacePath // only in this namespace, or only of this owner's namespaces
	// Before is the last entry of the page before.
	Before Position
	Limit  int
}

// Position is a place in a list that is in the order of times.
type Position struct {
	At time.Time
	ID string
}

// Conversations lists conversations but those that are unlisted, latest change
// first.
func (tx *Tx) Conversations(ctx context.Context, f ConversationFilter) (all []quern.Conversation, err error) {
	var w where
	w.add("owner_id = ", f.Owner)
	w.also("unlisted = 0")
	if f.Token != "" {
		w.add("token_id = ", f.Token)
	}
	if f.In.Owner != "" {
		w.add("namespace_owner = ", f.In.Owner)
	}
	if f.In.Namespace != "" {
		w.add("namespace_key = ", quern.NameKey(f.In.Namespace))
	}
	w.before(f.Before)
	err = tx.each(ctx, `SELECT `+conversationColumns+` FROM conversations`+w.text+` ORDER BY updated_at DESC, id DESC`+w.limit(f.Limit),
		w.args,
		func(scan func(...any) error) error {
			c, err := scanConversation(scan)
			all = append(all, c)
			return err
		})
	return all, err
}

// where gathers the conditions of a list and their arguments.
type where struct {
	text string
	args []any
}

func (w *where) arg(v any) string {
	w.args = append(w.args, v)
	return "$" + itoa(len(w.args))
}

func (w *where) also(condition string) {
	word := " AND "
	if w.text == "" {
		word = " WHERE "
	}
	w.text += word + condition
}

func (w *where) add(condition string, v any) { w.also(condition + w.arg(v)) }

// before goes on behind a position in a list that has the latest change first.
func (w *where) before(p Position) {
	if p.ID != "" {
		w.also("(updated_at, id) < (" + w.arg(micros(p.At)) + ", " + w.arg(p.ID) + ")")
	}
}

func (w *where) limit(n int) string { return " LIMIT " + w.arg(n) }

// RenameConversation sets the title of a conversation.
func (tx *Tx) RenameConversation(ctx context.Context, id quern.ConversationID, title string) error {
	_, err := tx.exec(ctx, `UPDATE conversations SET title = $2 WHERE id = $1`, id, title)
	return err
}

// TouchConversation notes that something happened in a conversation, which is
// listed from then on.
func (tx *Tx) TouchConversation(ctx context.Context, id quern.ConversationID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE conversations SET updated_at = $2, unlisted = 0 WHERE id = $1 AND updated_at < $2`, id, micros(at))
	return err
}

// DeleteConversation removes a conversation with its runs.
func (tx *Tx) DeleteConversation(ctx context.Context, id quern.ConversationID) error {
	_, err := tx.exec(ctx, `DELETE FROM conversations WHERE id = $1`, id)
	return err
}
