package app

import (
	"context"
	"syscall"

	"quern"
)

// leastSpace is the free space below which a server that keeps its data on its
// own disk is not ready: enough for what is in flight to end well.
const leastSpace = 64 << 20

// keepsHere reports whether metadata or objects are in the data directory.
func (a *App) keepsHere() bool { return a.cfg.DatabaseURL == "" || a.cfg.S3.Endpoint == "" }

// room fails when the data directory's disk is nearly full.
func (a *App) room(context.Context) error {
	free, err := a.free(a.cfg.Data)
	if err != nil {
		return err
	}
	if free < leastSpace {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the disk of the data directory has %d MiB left, less than %d", free>>20, leastSpace>>20)
	}
	return nil
}

// freeSpace returns how many bytes a file system has left for this process.
func freeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // the types differ by system
}
