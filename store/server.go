package store

import (
	"context"
	"database/sql"
	"time"
)

// Server is a server that shares the metadata with others.
type Server struct {
	ID, Host, Release string
	Knows             int // the schema version of its program
	StartedAt, SeenAt time.Time
}

// SeeServer notes that a server runs.
func (tx *Tx) SeeServer(ctx context.Context, s Server) error {
	_, err := tx.exec(ctx, `INSERT INTO servers (id, host, server_release, knows, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
		s.ID, s.Host, s.Release, s.Knows, micros(s.StartedAt), micros(s.SeenAt))
	return err
}

// DeleteServer forgets a server that has stopped, and those not seen since a time.
func (tx *Tx) DeleteServer(ctx context.Context, id string, since time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM servers WHERE id = $1 OR seen_at < $2`, id, micros(since))
	return err
}

// Servers lists the servers that were seen since a time.
func (tx *Tx) Servers(ctx context.Context, since time.Time) (all []Server, err error) {
	err = tx.each(ctx, `SELECT id, host, server_release, knows, started_at, seen_at FROM servers WHERE seen_at >= $1 ORDER BY host, id`,
		[]any{micros(since)}, func(scan func(...any) error) error {
			var s Server
			var started, seen sql.NullInt64
			err := scan(&s.ID, &s.Host, &s.Release, &s.Knows, &started, &seen)
			s.StartedAt, s.SeenAt = instant(started), instant(seen)
			all = append(all, s)
			return err
		})
	return all, err
}
