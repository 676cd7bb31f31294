package fs

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// beginSync has the disk begin to write a range of a file, without waiting for it. What
// fails is what the sync that follows reports, so errors are not looked at here.
func beginSync(f File, from, size int64) {
	c, ok := f.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SyncFileRange(int(fd), from, size, unix.SYNC_FILE_RANGE_WRITE)
	})
}
