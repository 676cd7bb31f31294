package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// The variables by which a worker knows itself and its home. The first is read
// in enter_linux.c as well.
const (
	envRules = "QUERN_SANDBOX"
	envName  = "QUERN_SANDBOX_WORK"
	envHome  = "QUERN_SANDBOX_HOME"
)

// socketFD is where a worker finds its end of the socket: the first file after
// the standard ones.
const socketFD = 3

// Worker is a worker as it sees itself.
type Worker struct {
	net.Conn // to the program that started it

	// Shown holds the files that the worker was given, Work files that it may
	// make, link and remove, Scratch those that it may write as well.
	Shown, Work, Scratch string
}

// Work is what a worker does. It ends when the other side hangs up.
type Work func(*Worker) error

// able is set once this program is known to become a worker when it is asked to.
var able atomic.Bool

// Able reports whether this program can start workers: whether it called Main.
func Able() bool { return able.Load() }

// Main runs the work that this process was started for and does not return; in
// a process that is not a worker it returns at once. The program calls it before
// anything else.
func Main(works map[string]Work) {
	name, ok := os.LookupEnv(envName)
	if !ok {
		able.Store(true)
		return
	}
	err := fmt.Errorf("sandbox: no work %q", name)
	if work := works[name]; work != nil {
		err = enter(work)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func enter(work Work) error {
	// The server decides when a worker ends: a query in flight may go on while the
	// server is being stopped.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	home := os.Getenv(envHome)
	for _, name := range []string{envRules, envName, envHome} {
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	file := os.NewFile(socketFD, "socket")
	if file == nil {
		return errors.New("sandbox: no socket")
	}
	conn, err := net.FileConn(file)
	if err != nil {
		return err
	}
	file.Close()
	return work(newWorker(conn, home))
}

func newWorker(conn net.Conn, home string) *Worker {
	f := folders(home)
	return &Worker{Conn: conn, Shown: f.shown, Work: f.work, Scratch: f.scratch}
}

// Ready says that the worker has made itself ready. Memory that it takes from
// now on counts towards its limit.
func (w *Worker) Ready() error {
	text, err := json.Marshal(ownGuards())
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// maxGreeting bounds what a worker says when it is ready.
const maxGreeting = 4096

// readGreeting waits for a worker's Ready.
func readGreeting(r io.Reader) (g Guards, err error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return g, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxGreeting {
		return g, errors.New("sandbox: a worker's greeting is too long")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return g, err
	}
	return g, json.Unmarshal(text, &g)
}
