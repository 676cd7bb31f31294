package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// storedSums adds up, for the user u.id, the bytes and the rows that it stores.
const storedSums = `CAST((SELECT coalesce(sum(s.bytes), 0) FROM namespaces n JOIN datasets d ON d.namespace_id = n.id
		JOIN segments s ON s.dataset_id = d.id WHERE n.owner_id = u.id)
	+ (SELECT coalesce(sum(d.journal_bytes), 0) FROM namespaces n JOIN datasets d ON d.namespace_id = n.id WHERE n.owner_id = u.id)
	+ (SELECT coalesce(sum(f.size), 0) FROM upload_sessions o JOIN upload_files f ON f.session_id = o.id
		WHERE o.owner_id = u.id AND f.status IN ('preparing', 'completed')) AS BIGINT),
	CAST((SELECT coalesce(sum(d.row_count), 0) FROM namespaces n JOIN datasets d ON d.namespace_id = n.id
		WHERE n.owner_id = u.id) AS BIGINT)`

const quotaColumns = `quota_bytes, quota_rows, quota_questions`

// Quota returns a user's own quota; NotFound when there is no such user.
func (tx *Tx) Quota(ctx context.Context, user quern.UserID) (q quern.Quota, err error) {
	err = tx.row(ctx, `SELECT `+quotaColumns+` FROM users WHERE id = $1`, user)(&q.Bytes, &q.Rows, &q.Questions)
	return q, err
}

// SetQuota replaces a user's own quota.
func (tx *Tx) SetQuota(ctx context.Context, user quern.UserID, q quern.Quota) error {
	_, err := tx.exec(ctx, `UPDATE users SET quota_bytes = $2, quota_rows = $3, quota_questions = $4 WHERE id = $1`,
		user, q.Bytes, q.Rows, q.Questions)
	return err
}

// WithinQuota fails with TooLarge when, with what this transaction has stored, a user has
// more than its quota allows, or else the one of all users. Until the transaction ends
// nobody else who asks gets an answer, so that two who store at once are both counted.
func (tx *Tx) WithinQuota(ctx context.Context, user quern.UserID, others quern.Quota) error {
	q, has, err := tx.Room(ctx, user, others)
	if err != nil {
		return err
	}
	return q.Check(has)
}

// Room returns the quota of a user, or else the one of all users, and what the user
// stores, with what this transaction has stored, if the quota is about that. Until the
// transaction ends nobody else who asks gets an answer then.
func (tx *Tx) Room(ctx context.Context, user quern.UserID, others quern.Quota) (q quern.Quota, has quern.Stored, err error) {
	own, err := tx.Quota(ctx, user)
	if err != nil {
		return q, has, err
	}
	q = own.Or(others)
	has, err = tx.StoredUnder(ctx, user, q)
	return q, has, err
}

// StoredUnder is Room under a quota that is known.
func (tx *Tx) StoredUnder(ctx context.Context, user quern.UserID, q quern.Quota) (has quern.Stored, err error) {
	if q.Bytes == nil && q.Rows == nil {
		return has, nil
	}
	if err := tx.LockRuns(ctx, user); err != nil {
		return has, err
	}
	err = tx.row(ctx, `SELECT `+storedSums+` FROM users u WHERE u.id = $1`, user)(&has.Bytes, &has.Rows)
	return has, err
}

// Questions counts the questions that a user has asked on a day.
func (tx *Tx) Questions(ctx context.Context, user quern.UserID, day string) (n int64, err error) {
	err = tx.row(ctx, `SELECT questions FROM question_days WHERE user_id = $1 AND day = $2`, user, day)(&n)
	if quern.Is(err, quern.NotFound) {
		return 0, nil
	}
	return n, err
}

// CountQuestions counts questions of a user's on a day.
func (tx *Tx) CountQuestions(ctx context.Context, user quern.UserID, day string, n int64) error {
	_, err := tx.exec(ctx, `INSERT INTO question_days (user_id, day, questions) VALUES ($1, $2, $3)
		ON CONFLICT (user_id, day) DO UPDATE SET questions = question_days.questions + excluded.questions`, user, day, n)
	return err
}

const managedUserColumns = `SELECT u.id, u.username, u.created_at, u.disabled_at, u.admin, u.deleting_at, ` + quotaColumns + `, ` + storedSums + `,
	coalesce((SELECT q.questions FROM question_days q WHERE q.user_id = u.id AND q.day = $1), 0) FROM users u`

func scanManagedUser(scan func(...any) error) (a quern.ManagedUser, err error) {
	a.User, err = scanUser(func(dest ...any) error {
		return scan(append(dest, &a.Quota.Bytes, &a.Quota.Rows, &a.Quota.Questions, &a.Stored.Bytes, &a.Stored.Rows, &a.Questions)...)
	})
	return a, err
}

// ManagedUser returns a user with what it uses, and how often it asked on a day; NotFound
// when there is none.
func (tx *Tx) ManagedUser(ctx context.Context, username, day string) (quern.ManagedUser, error) {
	return scanManagedUser(tx.row(ctx, managedUserColumns+` WHERE u.username = $2`, day, username))
}

// ManagedUsers lists users behind a name, by name, as ManagedUser does.
func (tx *Tx) ManagedUsers(ctx context.Context, day, after string, limit int) (all []quern.ManagedUser, err error) {
	err = tx.each(ctx, managedUserColumns+` WHERE u.username > $2 ORDER BY u.username LIMIT $3`, []any{day, after, limit},
		func(scan func(...any) error) error {
			a, err := scanManagedUser(scan)
			all = append(all, a)
			return err
		})
	return all, err
}

// Work lists the runs and ingestions that have not ended, oldest first.
func (tx *Tx) Work(ctx context.Context, limit int) (all []quern.Work, err error) {
	err = tx.each(ctx, `SELECT 'run', r.id, u.id, u.username, r.holder, r.attempt, r.created_at, 0, 0, 0 FROM runs r
			JOIN users u ON u.id = r.actor_id WHERE r.status = 'running'
		UNION ALL SELECT 'ingestion', i.id, u.id, u.username, i.holder, i.attempt, i.created_at, i.processed_bytes, i.processed_rows, i.expected_bytes
			FROM ingestions i JOIN users u ON u.id = i.actor_id WHERE i.status IN ('pending', 'processing')
		ORDER BY 7, 2 LIMIT $1`, []any{limit}, func(scan func(...any) error) error {
		var w quern.Work
		var holder string
		var created sql.NullInt64
		err := scan(&w.Kind, &w.ID, &w.User, &w.Username, &holder, &w.Attempt, &created, &w.Bytes, &w.Rows, &w.Expected)
		w.Held, w.CreatedAt = holder != "", instant(created)
		all = append(all, w)
		return err
	})
	return all, err
}

// Retention returns how long something is kept, as administrators said or else as the
// settings do; 0 is for good.
func (tx *Tx) Retention(ctx context.Context, kind quern.RetentionKind, set time.Duration) (time.Duration, error) {
	var life int64
	err := tx.row(ctx, `SELECT life FROM retention WHERE kind = $1`, kind)(&life)
	if quern.Is(err, quern.NotFound) {
		return set, nil
	}
	return time.Duration(life) * time.Microsecond, err
}

// SetRetention says how long something is kept; nil: as the settings say.
func (tx *Tx) SetRetention(ctx context.Context, kind quern.RetentionKind, keep *time.Duration) error {
	if keep == nil {
		_, err := tx.exec(ctx, `DELETE FROM retention WHERE kind = $1`, kind)
		return err
	}
	_, err := tx.exec(ctx, `INSERT INTO retention (kind, life) VALUES ($1, $2) ON CONFLICT (kind) DO UPDATE SET life = excluded.life`,
		kind, keep.Microseconds())
	return err
}

// Backlog counts what waits in the metadata or is being worked on, on all servers.
func (tx *Tx) Backlog(ctx context.Context) (map[string]int64, error) {
	all := map[string]int64{}
	for what, query := range map[string]string{
		"runs":        `SELECT count(*) FROM runs WHERE status = 'running'`,
		"ingestions":  `SELECT count(*) FROM ingestions WHERE status IN ('pending', 'processing')`,
		"evaluations": `SELECT count(*) FROM evaluations WHERE status NOT IN ('completed', 'failed')`,
		"push":        `SELECT count(*) FROM push_configs WHERE due_at IS NOT NULL`,
		"garbage":     `SELECT count(*) FROM garbage`,
		"deletions":   `SELECT count(*) FROM users WHERE deleting_at IS NOT NULL`,
		"audit":       `SELECT count(*) FROM audit WHERE stretch IS NULL`,
	} {
		var n int64
		if err := tx.row(ctx, query)(&n); err != nil {
			return nil, err
		}
		all[what] = n
	}
	return all, nil
}
