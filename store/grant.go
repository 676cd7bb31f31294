package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Shares lists who was granted what on a resource, by username.
func (tx *Tx) Shares(ctx context.Context, resource string) ([]quern.Share, error) {
	var all []quern.Share
	err := tx.each(ctx, `SELECT u.username, g.role FROM grants g JOIN users u ON u.id = g.user_id
		WHERE g.resource_id = $1 ORDER BY u.username`,
		[]any{resource}, func(scan func(...any) error) error {
			var s quern.Share
			err := scan(&s.Username, &s.Role)
			all = append(all, s)
			return err
		})
	return all, err
}

// Grant returns the role a user was granted on a resource, Nobody if none, and
// keeps the resource's grants of that user from changing until the end.
func (tx *Tx) Grant(ctx context.Context, resource string, user quern.UserID) (quern.Role, error) {
	var role quern.Role
	err := tx.row(ctx, tx.lock(`SELECT role FROM grants WHERE resource_id = $1 AND user_id = $2`), resource, user)(&role)
	if quern.Is(err, quern.NotFound) {
		return quern.Nobody, nil
	}
	return role, err
}

// PutGrant sets a user's role on a resource, in place of any other.
func (tx *Tx) PutGrant(ctx context.Context, resource string, user quern.UserID, role quern.Role, at time.Time) error {
	_, err := tx.exec(ctx, `INSERT INTO grants (resource_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (resource_id, user_id) DO UPDATE SET role = excluded.role`, resource, user, role, micros(at))
	return err
}

// DeleteGrant takes a user's role on a resource away.
func (tx *Tx) DeleteGrant(ctx context.Context, resource string, user quern.UserID) error {
	_, err := tx.exec(ctx, `DELETE FROM grants WHERE resource_id = $1 AND user_id = $2`, resource, user)
	return err
}

func (tx *Tx) deleteGrants(ctx context.Context, resource string) error {
	_, err := tx.exec(ctx, `DELETE FROM grants WHERE resource_id = $1`, resource)
	return err
}

// GrantChange is an audit entry as it is written.
type GrantChange struct {
	Resource      string
	Actor, User   quern.UserID
	Before, After quern.Role
	At            time.Time
}

// InsertGrantChange records a change of rights.
func (tx *Tx) InsertGrantChange(ctx context.Context, c GrantChange) error {
	_, err := tx.exec(ctx, `INSERT INTO grant_changes (id, resource_id, actor_id, user_id, role_before, role_after, changed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, quern.NewID[string](), c.Resource, c.Actor, c.User, c.Before, c.After, micros(c.At))
	return err
}

// ShareChanges lists a resource's audit, newest first, behind the entry with id
// before (from the newest when empty). It also returns each entry's id.
func (tx *Tx) ShareChanges(ctx context.Context, resource, before string, limit int) (changes []quern.ShareChange, ids []string, err error) {
	err = tx.each(ctx, `SELECT c.id, c.changed_at, a.username, u.username, c.role_before, c.role_after FROM grant_changes c
		JOIN users a ON a.id = c.actor_id JOIN users u ON u.id = c.user_id
		WHERE c.resource_id = $1 AND ($2 = '' OR c.id < $2) ORDER BY c.id DESC LIMIT $3`,
		[]any{resource, before, limit}, func(scan func(...any) error) error {
			var c quern.ShareChange
			var id string
			var at sql.NullInt64
			if err := scan(&id, &at, &c.Actor, &c.Username, &c.Before, &c.After); err != nil {
				return err
			}
			c.At = instant(at)
			changes, ids = append(changes, c), append(ids, id)
			return nil
		})
	return changes, ids, err
}
