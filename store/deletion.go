package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"quern"
)

// BeginDeletion notes that a user is to be deleted, and ends all that it is signed in
// with. A user who is being deleted already stays so.
func (tx *Tx) BeginDeletion(ctx context.Context, user quern.UserID, at time.Time) error {
	if _, err := tx.exec(ctx, `UPDATE users SET deleting_at = coalesce(deleting_at, $2), disabled_at = coalesce(disabled_at, $2), admin = 0
		WHERE id = $1`, user, micros(at)); err != nil {
		return err
	}
	return tx.EndSessions(ctx, user, at)
}

// UsersInDeletion lists the users that are to be deleted since before a time.
func (tx *Tx) UsersInDeletion(ctx context.Context, before time.Time) (all []quern.User, err error) {
	err = tx.each(ctx, `SELECT `+userColumns+` FROM users WHERE deleting_at <= $1 ORDER BY deleting_at`, []any{micros(before)},
		func(scan func(...any) error) error {
			u, err := scanUser(scan)
			all = append(all, u)
			return err
		})
	return all, err
}

// WorkOf lists the runs and ingestions of a user that have not ended.
func (tx *Tx) WorkOf(ctx context.Context, user quern.UserID) (all []quern.Work, err error) {
	err = tx.each(ctx, `SELECT 'run', id FROM runs WHERE actor_id = $1 AND status = 'running'
		UNION ALL SELECT 'ingestion', id FROM ingestions WHERE actor_id = $1 AND status IN ('pending', 'processing')`, []any{user},
		func(scan func(...any) error) error {
			w := quern.Work{User: user}
			err := scan(&w.Kind, &w.ID)
			all = append(all, w)
			return err
		})
	return all, err
}

// SomeNamespace returns one of a user's namespaces; NotFound when there is none.
func (tx *Tx) SomeNamespace(ctx context.Context, user quern.UserID) (id quern.NamespaceID, err error) {
	err = tx.row(ctx, `SELECT id FROM namespaces WHERE owner_id = $1 ORDER BY id LIMIT 1`, user)(&id)
	return id, err
}

// SomeUploads lists some of a user's upload sessions, whatever their status.
func (tx *Tx) SomeUploads(ctx context.Context, user quern.UserID, limit int) ([]quern.SessionID, error) {
	return tx.sessionIDs(ctx, `SELECT id FROM upload_sessions WHERE owner_id = $1 ORDER BY id LIMIT $2`, user, limit)
}

// DeleteUploadSession forgets a session of which nothing is stored any more.
func (tx *Tx) DeleteUploadSession(ctx context.Context, id quern.SessionID) error {
	if _, err := tx.exec(ctx, `DELETE FROM object_digests WHERE object_key IN (SELECT object_key FROM upload_files WHERE session_id = $1)`,
		id); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `DELETE FROM upload_sessions WHERE id = $1`, id)
	return err
}

// GarbageFor gives the garbage of a dataset the id of the user whose deletion waits for
// it. What was to be kept for longer goes at a time.
func (tx *Tx) GarbageFor(ctx context.Context, user quern.UserID, id quern.DatasetID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE garbage SET user_id = $1, delete_after = CASE WHEN delete_after > $3 THEN $3 ELSE delete_after END
		WHERE object_key LIKE 'tables/' || $2 || '/%' OR EXISTS (
			SELECT 1 FROM ingestions i WHERE i.dataset_id = $2 AND object_key LIKE 'answers/' || i.id || '/%')`, user, string(id), micros(at))
	return err
}

// CountGarbageFor counts the objects that a user's deletion waits for.
func (tx *Tx) CountGarbageFor(ctx context.Context, user quern.UserID) (n int, err error) {
	err = tx.row(ctx, `SELECT count(*) FROM garbage WHERE user_id = $1`, user)(&n)
	return n, err
}

// DeleteSomeConversations removes some conversations of a user, and of others about its
// namespaces, whose answers hold its rows. It returns how many.
func (tx *Tx) DeleteSomeConversations(ctx context.Context, u quern.User, limit int) (int64, error) {
	if _, err := tx.exec(ctx, `DELETE FROM knowledge_inbox WHERE kind = 'told' AND item_key IN (SELECT id FROM runs WHERE actor_id = $1)`,
		u.ID); err != nil {
		return 0, err
	}
	return tx.exec(ctx, `DELETE FROM conversations WHERE id IN (SELECT id FROM conversations WHERE owner_id = $1 OR namespace_owner = $2 LIMIT $3)`,
		u.ID, u.Username, limit)
}

// leftovers are what is removed of a user at the end, and the user, given its id. What it did in the
// datasets of others stays, as their owner's.
var leftovers = []string{
	`DELETE FROM runs WHERE actor_id = $1`,
	`DELETE FROM push_configs WHERE owner_id = $1`,
	`UPDATE ingestions SET token_id = '', scopes = NULL, actor_id = (SELECT n.owner_id FROM datasets d
		JOIN namespaces n ON n.id = d.namespace_id WHERE d.id = ingestions.dataset_id) WHERE actor_id = $1`,
	`UPDATE evaluations SET token_id = '', actor_id = (SELECT n.owner_id FROM namespaces n WHERE n.id = evaluations.namespace_id)
		WHERE actor_id = $1`,
	`DELETE FROM grants WHERE user_id = $1`,
	`DELETE FROM grant_changes WHERE user_id = $1 OR actor_id = $1`,
	`DELETE FROM idempotency_keys WHERE user_id = $1`,
	`DELETE FROM tokens WHERE user_id = $1`,
	`DELETE FROM sessions WHERE user_id = $1`,
	`DELETE FROM logins WHERE user_id = $1`,
	`DELETE FROM user_identities WHERE user_id = $1`,
	`DELETE FROM users WHERE id = $1`,
	// Who counts requests keeps the user until they are written: they go after it.
	`DELETE FROM usage_events WHERE user_id = $1`,
	`DELETE FROM usage_days WHERE user_id = $1`,
	`DELETE FROM model_usage WHERE user_id = $1`,
	`DELETE FROM question_days WHERE user_id = $1`,
}

// DeleteUser removes a user of whom nothing else is left, and what is kept about it.
// Conflict when something is left after all.
func (tx *Tx) DeleteUser(ctx context.Context, u quern.User) error {
	if err := tx.forgetScopes(ctx, u.Username); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `UPDATE knowledge SET author = '' WHERE author = $1`, u.Username); err != nil {
		return err
	}
	for _, statement := range leftovers {
		if _, err := tx.exec(ctx, statement, u.ID); err != nil {
			return err
		}
	}
	return nil
}

// forgetScopes takes what a user owned out of the reach of others' tokens, so that it
// does not become the reach to whoever gets the name next. A token that reached nothing
// else is revoked.
func (tx *Tx) forgetScopes(ctx context.Context, username string) error {
	for _, table := range []string{"tokens", "runs", "ingestions"} {
		changed := map[string][]quern.Scope{}
		if err := tx.each(ctx, `SELECT id, scopes FROM `+table+` WHERE scopes LIKE '%"username":"' || $1 || '"%'`, []any{username},
			func(scan func(...any) error) error {
				var id string
				var text sql.NullString
				var scopes []quern.Scope
				if err := scan(&id, &text); err != nil {
					return err
				}
				if err := decode(text, &scopes); err != nil {
					return err
				}
				kept := slices.DeleteFunc(scopes, func(s quern.Scope) bool { return s.Username == username })
				changed[id] = kept
				return nil
			}); err != nil {
			return err
		}
		for id, scopes := range changed {
			text, err := encode(scopes) // of none: [], which reaches nothing
			if err != nil {
				return err
			}
			if _, err := tx.exec(ctx, `UPDATE `+table+` SET scopes = $2 WHERE id = $1`, id, text); err != nil {
				return err
			}
			if table == "tokens" && len(scopes) == 0 {
				if _, err := tx.exec(ctx, `UPDATE tokens SET revoked_at = coalesce(revoked_at, created_at) WHERE id = $1`, id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
