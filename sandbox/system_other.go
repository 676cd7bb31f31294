//go:build !linux

package sandbox

import (
	"os"
	"syscall"
)

// closeOnExec is not a flag of sockets here; it is set right after.
const closeOnExec = 0

func ownGuards() Guards {
	none := -int(syscall.ENOSYS)
	return Guards{Landlock: none, Seccomp: none, Capabilities: none}
}

func executable() (string, error) { return os.Executable() }

func attributes() *syscall.SysProcAttr { return nil }

func limitMemory(int, int64) (int, error) { return -int(syscall.ENOSYS), syscall.ENOSYS }

func privateMemory(int) (int64, error) { return 0, syscall.ENOSYS }

func peakMemory(*os.ProcessState) int64 { return 0 }

func killed(*os.ProcessState) bool { return false }
