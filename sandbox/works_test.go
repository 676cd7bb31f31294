package sandbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"quern/sandbox"
)

// The works of the workers that these tests start: this same test program.
func TestMain(m *testing.M) {
	sandbox.Main(map[string]sandbox.Work{"echo": echo, "try": try, "eat": eat, "spin": spin, "fail": fail, "wait": wait})
	if dir, ok := os.LookupEnv(serverVariable); ok {
		serve(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// serverVariable has this program be a server with one worker that nothing ends.
const serverVariable = "QUERN_TEST_SERVER"

func serve(dir string) {
	p, err := sandbox.Start(context.Background(), sandbox.Spec{Name: "spin", Dir: dir})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(p.PID())
	p.Wait()
}

func echo(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	_, err := io.Copy(w, w)
	return err
}

// spin never ends by itself, nor by a closed socket.
func spin(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	for n := 0; ; n++ {
		runtime.KeepAlive(n)
	}
}

func wait(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, w)
	return err
}

func fail(*sandbox.Worker) error { return io.ErrUnexpectedEOF }

// eat takes memory until there is no more.
func eat(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	var all [][]byte
	for {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		all = append(all, block)
		if len(all) == 4096 {
			return nil
		}
	}
}

// try does what the test names and reports what came of each.
func try(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	var given struct {
		Shown, Secret, Readable string
		Parent                  int
	}
	if err := json.NewDecoder(w).Decode(&given); err != nil {
		return err
	}
	out := map[string]string{}
	for name, attempt := range attempts(w, given.Shown, given.Secret, given.Readable, given.Parent) {
		if out[name] = "done"; attempt() != nil {
			out[name] = "refused"
		}
	}
	return json.NewEncoder(w).Encode(out)
}

func attempts(w *sandbox.Worker, shown, secret, readable string, parent int) map[string]func() error {
	read := func(path string) func() error {
		return func() error { _, err := os.ReadFile(path); return err }
	}
	write := func(path string) func() error {
		return func() error { return os.WriteFile(path, []byte("x"), 0o600) }
	}
	return map[string]func() error{
		"may read what is shown":      read(shown),
		"may read what is named":      read(readable),
		"may link what is shown":      func() error { return os.Link(shown, filepath.Join(w.Work, "linked")) },
		"may write into scratch":      write(filepath.Join(w.Scratch, "new")),
		"may make folders":            func() error { return os.MkdirAll(filepath.Join(w.Work, "a", "b"), 0o700) },
		"read another file":           read(secret),
		"read a system file":          read("/etc/passwd"),
		"read its environment":        read("/proc/self/environ"),
		"list a folder":               func() error { _, err := os.ReadDir("/"); return err },
		"write to what is shown":      write(shown),
		"truncate what is shown":      func() error { return os.Truncate(shown, 0) },
		"remove what is shown":        func() error { return os.Remove(shown) },
		"link it where it may write":  func() error { return os.Link(shown, filepath.Join(w.Scratch, "mine")) },
		"chmod what is shown":         func() error { return os.Chmod(shown, 0o777) },
		"date what is shown":          func() error { return os.Chtimes(shown, time.Unix(1, 0), time.Unix(1, 0)) },
		"write into work":             write(filepath.Join(w.Work, "new")),
		"write elsewhere":             write(filepath.Join(os.TempDir(), "quern-sandbox-escape")),
		"link out of a symbolic link": func() error { return os.Symlink(secret, filepath.Join(w.Scratch, "out")) },
		"open a connection":           func() error { c, err := net.Dial("tcp", "127.0.0.1:1"); _ = c; return err },
		"listen":                      func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"open a socket": func() error {
			_, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
			return err
		},
		"run a program":          func() error { return exec.Command("/bin/true").Run() },
		"signal the server":      func() error { return syscall.Kill(parent, 0) },
		"raise its memory limit": func() error { return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: 1 << 40, Max: 1 << 40}) },
		"make hidden memory":     func() error { _, err := unix.MemfdCreate("x", 0); return err },
		"trace the server":       func() error { return syscall.PtraceAttach(parent) },
		"mount":                  func() error { return syscall.Mount("none", w.Scratch, "tmpfs", 0, "") },
	}
}
