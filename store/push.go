package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

const pushColumns = `run_id, id, owner_id, token_id, url, token, scheme, credentials, created_at`

func scanPush(scan func(...any) error, more ...any) (c quern.PushConfig, err error) {
	var created sql.NullInt64
	err = scan(append([]any{&c.Run, &c.ID, &c.Owner, &c.ActorToken, &c.URL, &c.Token, &c.Scheme, &c.Credentials, &created}, more...)...)
	c.CreatedAt = instant(created)
	return c, err
}

// PutPushConfig adds a configuration, due at once, or replaces the one of its id.
func (tx *Tx) PutPushConfig(ctx context.Context, c quern.PushConfig) error {
	_, err := tx.exec(ctx, `INSERT INTO push_configs (`+pushColumns+`, due_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
		ON CONFLICT (run_id, id) DO UPDATE SET owner_id = excluded.owner_id, token_id = excluded.token_id,
			url = excluded.url, token = excluded.token,
		scheme = excluded.scheme, credentials = excluded.credentials, cursor = '', attempt = 0, holder = '', due_at = excluded.due_at`,
		c.Run, c.ID, c.Owner, c.ActorToken, c.URL, c.Token, c.Scheme, c.Credentials, micros(c.CreatedAt))
	return err
}

// PushConfigs lists the configurations of a thread, oldest first.
func (tx *Tx) PushConfigs(ctx context.Context, run quern.RunID) (all []quern.PushConfig, err error) {
	err = tx.each(ctx, `SELECT `+pushColumns+` FROM push_configs WHERE run_id = $1 ORDER BY created_at, id`, []any{run},
		func(scan func(...any) error) error {
			c, err := scanPush(scan)
			all = append(all, c)
			return err
		})
	return all, err
}

// DeletePushConfig removes a configuration, if it is there.
func (tx *Tx) DeletePushConfig(ctx context.Context, run quern.RunID, id string) error {
	_, err := tx.exec(ctx, `DELETE FROM push_configs WHERE run_id = $1 AND id = $2`, run, id)
	return err
}

// PushJob is a configuration with what was sent of it.
type PushJob struct {
	quern.PushConfig
	Cursor  string
	Attempt int // failures in a row
}

// NextPush returns when the next configuration is due; zero when none is.
func (tx *Tx) NextPush(ctx context.Context) (time.Time, error) {
	var due sql.NullInt64
	err := tx.row(ctx, `SELECT min(due_at) FROM push_configs`)(&due)
	return instant(due), err
}

// TakePush takes for the holder the configuration that has been due longest. NotFound
// when none is due.
func (tx *Tx) TakePush(ctx context.Context, l quern.Lease, now time.Time) (j PushJob, err error) {
	j.PushConfig, err = scanPush(tx.row(ctx, `UPDATE push_configs SET holder = $1, due_at = $2
		WHERE (run_id, id) = (SELECT run_id, id FROM push_configs WHERE due_at <= $3 ORDER BY due_at, run_id, id LIMIT 1`+tx.dialect.skipLocked+`)
		AND due_at <= $3 RETURNING `+pushColumns+`, cursor, attempt`, l.Holder, micros(l.Until), micros(now)), &j.Cursor, &j.Attempt)
	return j, err
}

// AdvancePush notes what was sent and extends the lease. It reports whether the
// lease still held.
func (tx *Tx) AdvancePush(ctx context.Context, j PushJob, l quern.Lease) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE push_configs SET cursor = $4, attempt = 0, due_at = $5 WHERE run_id = $1 AND id = $2 AND holder = $3`,
		j.Run, j.ID, l.Holder, j.Cursor, micros(l.Until))
	return n == 1, err
}

// PutBackPush ends a lease. The configuration is due again at a time, or, when
// that is zero, no more.
func (tx *Tx) PutBackPush(ctx context.Context, j PushJob, holder string, due time.Time) error {
	_, err := tx.exec(ctx, `UPDATE push_configs SET holder = '', attempt = $4, due_at = $5 WHERE run_id = $1 AND id = $2 AND holder = $3`,
		j.Run, j.ID, holder, j.Attempt, micros(due))
	return err
}

// DropPush removes a configuration that the holder still has.
func (tx *Tx) DropPush(ctx context.Context, j PushJob, holder string) error {
	_, err := tx.exec(ctx, `DELETE FROM push_configs WHERE run_id = $1 AND id = $2 AND holder = $3`, j.Run, j.ID, holder)
	return err
}

// FreePush ends all leases, for a server that knows that it is alone.
func (tx *Tx) FreePush(ctx context.Context, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE push_configs SET holder = '', due_at = $1 WHERE holder <> '' AND due_at > $1`, micros(now))
	return err
}

// WakePush makes the configurations of a thread that nobody holds due now, those
// excepted that try again after a failure.
func (tx *Tx) WakePush(ctx context.Context, run quern.RunID, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE push_configs SET due_at = $2 WHERE run_id = $1 AND holder = '' AND attempt = 0 AND due_at > $2`,
		run, micros(now))
	return err
}
