package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// closeOnExec keeps a socket out of other programs from its first moment.
const closeOnExec = syscall.SOCK_CLOEXEC

// executable is this program's file, also after another took its name.
func executable() (string, error) { return "/proc/self/exe", nil }

// attributes end a worker with the thread that started it. The runtime's threads
// live as long as the process, so this is the death of the server. What a terminal
// sends to the server's group is not for workers.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// limitMemory bounds the private writable memory of a process to what it has now
// and more bytes.
func limitMemory(pid int, more int64) (int, error) {
	now, err := privateMemory(pid)
	if err != nil {
		return -int(syscall.ENOSYS), err
	}
	limit := unix.Rlimit{Cur: uint64(now + more), Max: uint64(now + more)}
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil); err != nil {
		errno, _ := errors.AsType[syscall.Errno](err)
		return -int(errno), err
	}
	return 1, nil
}

// privateMemory is what RLIMIT_DATA counts, the private writable mappings, and
// the stack.
func privateMemory(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	const data = 5 // the column of the file
	fields := bytes.Fields(text)
	if len(fields) <= data {
		return 0, errors.New("sandbox: no size in the memory of the worker")
	}
	pages, err := strconv.ParseInt(string(fields[data]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// peakMemory is the most memory that an ended process held at once.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}

// killed reports whether an ended process was ended by SIGKILL.
func killed(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
