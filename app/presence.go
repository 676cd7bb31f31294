package app

import (
	"context"
	"os"
	"time"

	"quern"
	"quern/store"
)

const (
	// presentEvery is how often a server says that it runs.
	presentEvery = 10 * time.Second
	// presentFor is how long ago a server may have said so that counts as running.
	presentFor = time.Minute
)

// addPresence tells whoever shares the metadata that this server runs. Where they are a
// file, the lock on the data directory tells it.
func (a *App) addPresence(ctx context.Context) error {
	if a.cfg.DatabaseURL == "" {
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	a.presence = store.Server{ID: quern.NewID[string](), Host: host, Release: Version, Knows: store.SchemaVersion(), StartedAt: a.now()}
	if err := a.present(ctx); err != nil {
		return err
	}
	a.onClose(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		// What cannot be taken back now is forgotten after a while.
		_ = a.parts.store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteServer(ctx, a.presence.ID, a.now().Add(-24*time.Hour)) })
		return nil
	})
	return nil
}

func (a *App) present(ctx context.Context) error {
	s := a.presence
	s.SeenAt = a.now()
	return a.parts.store.Update(ctx, func(tx *store.Tx) error { return tx.SeeServer(ctx, s) })
}

// stayPresent says again and again that the server runs, until ctx ends.
func (a *App) stayPresent(ctx context.Context) {
	if a.cfg.DatabaseURL == "" {
		return
	}
	tick := time.NewTicker(presentEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := a.present(ctx); err != nil && ctx.Err() == nil {
			a.log.WarnContext(ctx, "the other servers cannot be told that this one runs", "error", err)
		}
	}
}
