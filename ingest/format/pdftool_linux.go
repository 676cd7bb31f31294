package format

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endWithParent has the system kill a process when the thread that starts it ends.
func endWithParent(run *exec.Cmd) { run.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// limitProcess bounds what a process may compute and hold.
func limitProcess(pid int, cpu time.Duration, memory uint64) error {
	seconds := uint64(cpu / time.Second)
	err := errors.Join(
		unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: seconds, Max: seconds + 1}, nil),
		unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: memory, Max: memory}, nil),
	)
	if errors.Is(err, unix.ESRCH) {
		return nil // it has ended already
	}
	return err
}

// overCPU reports whether a process was ended for what it computed.
func overCPU(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}
