package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"quern"
)

// OpenUploads is what a user has on its way in.
type OpenUploads struct {
	Sessions int
	Bytes    int64
}

// LockUploads keeps other transactions that lock a user's uploads waiting until
// the end of this one.
func (tx *Tx) LockUploads(ctx context.Context, user quern.UserID) error {
	var id quern.UserID
	return tx.row(ctx, tx.lock(`SELECT id FROM users WHERE id = $1`), user)(&id)
}

// OpenUploads counts a user's sessions in preparation whose life has not ended.
func (tx *Tx) OpenUploads(ctx context.Context, user quern.UserID, now time.Time) (open OpenUploads, err error) {
	err = tx.row(ctx, `SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM upload_sessions
		WHERE owner_id = $1 AND status = $2 AND expires_at > $3`,
		user, quern.UploadPreparing, micros(now))(&open.Sessions, &open.Bytes)
	return open, err
}

// uploadRows bounds the rows of one INSERT, well under both databases' limits on
// placeholders.
const uploadRows = 200

// InsertUploadSession adds a session with its files.
func (tx *Tx) InsertUploadSession(ctx context.Context, s quern.UploadSession) error {
	var bytes int64
	for _, f := range s.Files {
		bytes += f.Size
	}
	_, err := tx.exec(ctx, `INSERT INTO upload_sessions (id, owner_id, token_id, status, bytes, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, s.ID, s.Owner, s.Token, s.Status, bytes, micros(s.CreatedAt), micros(s.ExpiresAt))
	for start := 0; err == nil && start < len(s.Files); start += uploadRows {
		err = tx.insertUploadFiles(ctx, start, s.Files[start:min(start+uploadRows, len(s.Files))])
	}
	return err
}

func (tx *Tx) insertUploadFiles(ctx context.Context, first int, files []quern.UploadFile) error {
	values, args := make([]string, 0, len(files)), make([]any, 0, 9*len(files))
	for i, f := range files {
		n := len(args)
		values = append(values, fmt.Sprintf("($%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d, $%d)", n+1, n+2, n+3, n+4, n+5, n+6, n+7, n+8, n+9))
		args = append(args, f.ID, f.Session, first+i, f.Name, f.Size, f.PartSize, f.Key, f.UploadID, f.Status)
	}
	_, err := tx.exec(ctx, `INSERT INTO upload_files (id, session_id, position, filename, size, part_size, object_key, upload_id, status)
		VALUES `+strings.Join(values, ", "), args...)
	return err
}

const uploadColumns = `id, owner_id, token_id, status, created_at, expires_at, ended_at`

// UploadSession returns a session with its files, or NotFound.
func (tx *Tx) UploadSession(ctx context.Context, id quern.SessionID) (quern.UploadSession, error) {
	return tx.uploadSession(ctx, `SELECT `+uploadColumns+` FROM upload_sessions WHERE id = $1`, id)
}

// LockUploadSession is UploadSession, and keeps the session from changing until
// the end of the transaction.
func (tx *Tx) LockUploadSession(ctx context.Context, id quern.SessionID) (quern.UploadSession, error) {
	return tx.uploadSession(ctx, tx.lock(`SELECT `+uploadColumns+` FROM upload_sessions WHERE id = $1`), id)
}

func (tx *Tx) uploadSession(ctx context.Context, query string, id quern.SessionID) (s quern.UploadSession, err error) {
	var created, expires, ended sql.NullInt64
	if err := tx.row(ctx, query, id)(&s.ID, &s.Owner, &s.Token, &s.Status, &created, &expires, &ended); err != nil {
		return s, err
	}
	s.CreatedAt, s.ExpiresAt, s.EndedAt = instant(created), instant(expires), instant(ended)
	err = tx.each(ctx, `SELECT id, filename, size, part_size, object_key, upload_id, status FROM upload_files
		WHERE session_id = $1 ORDER BY position`, []any{id}, func(scan func(...any) error) error {
		f := quern.UploadFile{Session: id}
		err := scan(&f.ID, &f.Name, &f.Size, &f.PartSize, &f.Key, &f.UploadID, &f.Status)
		s.Files = append(s.Files, f)
		return err
	})
	return s, err
}

// CompleteUploadFile moves a file from preparing to completed and reports
// whether it was preparing.
func (tx *Tx) CompleteUploadFile(ctx context.Context, id quern.FileID) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE upload_files SET status = $1 WHERE id = $2 AND status = $3`,
		quern.UploadCompleted, id, quern.UploadPreparing)
	return n == 1, err
}

// CompleteUploadSession moves a session from preparing to completed if all of
// its files are, and reports whether it did.
func (tx *Tx) CompleteUploadSession(ctx context.Context, id quern.SessionID, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE upload_sessions SET status = $1, ended_at = $2 WHERE id = $3 AND status = $4
		AND NOT EXISTS (SELECT 1 FROM upload_files f WHERE f.session_id = upload_sessions.id AND f.status <> $1)`,
		quern.UploadCompleted, micros(at), id, quern.UploadPreparing)
	return n == 1, err
}

// EndUploadSession moves a session, and all of its files, from one status to
// aborted or removed, and reports whether it had that status.
func (tx *Tx) EndUploadSession(ctx context.Context, id quern.SessionID, from, to quern.UploadStatus, at time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE upload_sessions SET status = $1, ended_at = $2 WHERE id = $3 AND status = $4`,
		to, micros(at), id, from)
	if err != nil || n == 0 {
		return false, err
	}
	_, err = tx.exec(ctx, `UPDATE upload_files SET status = $1 WHERE session_id = $2`, to, id)
	return true, err
}

// ExpiredUploadSessions lists sessions in preparation whose life has ended.
func (tx *Tx) ExpiredUploadSessions(ctx context.Context, now time.Time, limit int) ([]quern.SessionID, error) {
	return tx.sessionIDs(ctx, `SELECT id FROM upload_sessions WHERE status = $1 AND expires_at <= $2 ORDER BY expires_at LIMIT $3`,
		quern.UploadPreparing, micros(now), limit)
}

// CompletedUploadSessions lists sessions that were completed before a time.
func (tx *Tx) CompletedUploadSessions(ctx context.Context, before time.Time, limit int) ([]quern.SessionID, error) {
	return tx.sessionIDs(ctx, `SELECT id FROM upload_sessions WHERE status = $1 AND ended_at < $2 ORDER BY ended_at LIMIT $3`,
		quern.UploadCompleted, micros(before), limit)
}

// UnfreedUploadSessions lists sessions that were aborted or removed before a
// time and may still have something stored.
func (tx *Tx) UnfreedUploadSessions(ctx context.Context, before time.Time, limit int) ([]quern.SessionID, error) {
	return tx.sessionIDs(ctx, `SELECT id FROM upload_sessions WHERE status IN ($1, $2) AND ended_at < $3 AND freed_at IS NULL
		ORDER BY ended_at LIMIT $4`,
		quern.UploadAborted, quern.UploadRemoved, micros(before), limit)
}

func (tx *Tx) sessionIDs(ctx context.Context, query string, args ...any) (ids []quern.SessionID, err error) {
	err = tx.each(ctx, query, args, func(scan func(...any) error) error {
		var id quern.SessionID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// FreeUploadSession notes that nothing of a session is stored any more.
func (tx *Tx) FreeUploadSession(ctx context.Context, id quern.SessionID, at time.Time) error {
	if _, err := tx.exec(ctx, `DELETE FROM object_digests WHERE object_key IN (SELECT object_key FROM upload_files WHERE session_id = $1)`,
		id); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE upload_sessions SET freed_at = $1 WHERE id = $2 AND status IN ($3, $4)`,
		micros(at), id, quern.UploadAborted, quern.UploadRemoved)
	return err
}

// DeleteFreedUploadSessions forgets sessions that were freed before a time.
func (tx *Tx) DeleteFreedUploadSessions(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM upload_sessions WHERE status IN ($1, $2) AND freed_at < $3`,
		quern.UploadAborted, quern.UploadRemoved, micros(before))
	return err
}

// StoredUploadFiles tells which of some files are completed and not removed.
func (tx *Tx) StoredUploadFiles(ctx context.Context, ids []quern.FileID) (map[quern.FileID]bool, error) {
	stored := map[quern.FileID]bool{}
	for len(ids) > 0 {
		some := ids[:min(uploadRows, len(ids))]
		ids = ids[len(some):]
		args := []any{quern.UploadCompleted}
		for _, id := range some {
			args = append(args, id)
		}
		err := tx.each(ctx, `SELECT id FROM upload_files WHERE status = $1 AND id IN (`+marks(2, len(some), "$%")+`)`, args,
			func(scan func(...any) error) error {
				var id quern.FileID
				err := scan(&id)
				stored[id] = true
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	return stored, nil
}

// RemoveUploadFile moves a completed file to removed: nobody finds it any more.
func (tx *Tx) RemoveUploadFile(ctx context.Context, id quern.FileID) error {
	_, err := tx.exec(ctx, `UPDATE upload_files SET status = $1 WHERE id = $2 AND status = $3`,
		quern.UploadRemoved, id, quern.UploadCompleted)
	return err
}

// KnowsUpload reports whether an upload of the object store belongs to a session
// that is still in preparation.
func (tx *Tx) KnowsUpload(ctx context.Context, key, uploadID string) (bool, error) {
	var n int
	err := tx.row(ctx, `SELECT COUNT(*) FROM upload_files WHERE object_key = $1 AND upload_id = $2 AND status = $3`,
		key, uploadID, quern.UploadPreparing)(&n)
	return n > 0, err
}
