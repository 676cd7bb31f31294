package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// InboxItem is something that the people who teach about a namespace may want to
// know.
type InboxItem struct {
	ID        string
	Namespace quern.NamespaceID
	Kind, Key string
	Times     int64
	Told      string // JSON; empty: none
	LastAt    time.Time
}

// PutInboxItem adds an item, or counts one more of what is there already and tells
// what was told last. One that was dismissed stays so.
func (tx *Tx) PutInboxItem(ctx context.Context, i InboxItem) error {
	_, err := tx.exec(ctx, `INSERT INTO knowledge_inbox (id, namespace_id, kind, item_key, times, told, last_at) VALUES ($1, $2, $3, $4, 1, $5, $6)
		ON CONFLICT (namespace_id, kind, item_key) DO UPDATE SET times = knowledge_inbox.times + 1, told = excluded.told, last_at = excluded.last_at`,
		i.ID, i.Namespace, i.Kind, i.Key, orNull(i.Told), micros(i.LastAt))
	return err
}

// InboxItems lists the items of a namespace that were not dismissed, the most
// frequent first, and of these the latest.
func (tx *Tx) InboxItems(ctx context.Context, id quern.NamespaceID, limit int) ([]InboxItem, error) {
	var all []InboxItem
	err := tx.each(ctx, `SELECT id, kind, item_key, times, told, last_at FROM knowledge_inbox
		WHERE namespace_id = $1 AND dismissed = 0 ORDER BY times DESC, last_at DESC, id LIMIT $2`, []any{id, limit}, func(scan func(...any) error) error {
		i := InboxItem{Namespace: id}
		var told sql.NullString
		var last sql.NullInt64
		err := scan(&i.ID, &i.Kind, &i.Key, &i.Times, &told, &last)
		i.Told, i.LastAt = told.String, instant(last)
		all = append(all, i)
		return err
	})
	return all, err
}

// CountInboxItems counts the items of a namespace, dismissed ones included.
func (tx *Tx) CountInboxItems(ctx context.Context, id quern.NamespaceID) (n int64, err error) {
	err = tx.row(ctx, `SELECT count(*) FROM knowledge_inbox WHERE namespace_id = $1`, id)(&n)
	return n, err
}

// DismissInboxItem dismisses an item for good, with what was told in it. NotFound
// when there is none.
func (tx *Tx) DismissInboxItem(ctx context.Context, id quern.NamespaceID, item string) error {
	n, err := tx.exec(ctx, `UPDATE knowledge_inbox SET dismissed = 1, told = NULL WHERE namespace_id = $1 AND id = $2 AND dismissed = 0`, id, item)
	if err == nil && n == 0 {
		err = notFound(sql.ErrNoRows)
	}
	return err
}

// DeleteInboxItem removes the item of a kind and key.
func (tx *Tx) DeleteInboxItem(ctx context.Context, id quern.NamespaceID, kind, key string) error {
	_, err := tx.exec(ctx, `DELETE FROM knowledge_inbox WHERE namespace_id = $1 AND kind = $2 AND item_key = $3 AND dismissed = 0`, id, kind, key)
	return err
}

// SweepInbox deletes the items of a namespace from before a time that were not
// dismissed.
func (tx *Tx) SweepInbox(ctx context.Context, id quern.NamespaceID, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM knowledge_inbox WHERE namespace_id = $1 AND dismissed = 0 AND last_at < $2`, id, micros(before))
	return err
}
