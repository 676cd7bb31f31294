package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"quern"
)

const (
	// startTime is how long a worker may take to become ready.
	startTime = time.Minute
	// maxLastWords bounds what is kept of a worker's standard error.
	maxLastWords = 8 << 10
)

// Spec says what a worker is for and what it may use.
type Spec struct {
	Name   string   // of its work, as Main knows it
	Dir    string   // where each worker has a folder of its own while it lives
	Memory int64    // the bytes it may take once it is ready; 0: no limit
	Read   []string // files and folders that it may read beside its own
	Env    []string // all of its environment: none of the server's is passed on
}

// Process is a worker as the program that started it sees it.
type Process struct {
	net.Conn // to the worker

	spec     Spec
	command  *exec.Cmd
	home     homeFolders
	guards   Guards
	baseline int64 // private memory when it was ready
	words    *lastWords
	ended    chan struct{}
	failure  Failure // once it has ended

	mu     sync.Mutex
	killed bool
	shown  int // files so far
	hidden int // of those
	uses   int
	whose  string // who had it last, as the pool knows
}

// Failure says how a worker ended.
type Failure struct {
	Killed bool   // by Kill
	Memory bool   // because it had no more memory
	Taken  bool   // by a SIGKILL that is not ours: the kernel's, when the machine had no more memory
	Text   string // for the log: its exit, and what it said last
}

// homeFolders are the parts of a worker's own folder.
type homeFolders struct{ home, shown, work, scratch string }

func folders(home string) homeFolders {
	return homeFolders{home, filepath.Join(home, "shown"), filepath.Join(home, "work"), filepath.Join(home, "scratch")}
}

func (f homeFolders) make() error {
	for _, folder := range []string{f.home, f.shown, f.work, f.scratch} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// rules writes what enter_linux.c reads.
func (f homeFolders) rules(read []string) (string, error) {
	lines := []string{"r" + f.shown, "n" + f.work, "w" + f.scratch}
	for _, path := range read {
		lines = append(lines, "r"+path)
	}
	for _, line := range lines {
		if strings.Contains(line, "\n") || !filepath.IsAbs(line[1:]) {
			return "", fmt.Errorf("sandbox: %q cannot be opened for a worker", line[1:])
		}
	}
	return strings.Join(lines, "\n"), nil
}

// Start starts a worker and waits until it is ready.
func Start(ctx context.Context, s Spec) (*Process, error) {
	if !Able() {
		// It would start the whole program, and that one again.
		return nil, errors.New("sandbox: this program does not call Main")
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, err
	}
	p := &Process{spec: s, home: folders(filepath.Join(dir, quern.NewID[string]())), words: &lastWords{}, ended: make(chan struct{})}
	if err := p.home.make(); err != nil {
		return nil, err
	}
	if err := p.launch(); err != nil {
		return nil, errors.Join(fmt.Errorf("sandbox: start: %w", err), os.RemoveAll(p.home.home))
	}
	go p.await()
	if err := p.greet(ctx); err != nil {
		p.discard()
		failure := p.Wait()
		return nil, fmt.Errorf("sandbox: the worker did not become ready: %w: %s", err, failure.Text)
	}
	return p, nil
}

func (p *Process) launch() error {
	rules, err := p.home.rules(p.spec.Read)
	if err != nil {
		return err
	}
	self, err := executable()
	if err != nil {
		return err
	}
	ours, theirs, err := socketPair()
	if err != nil {
		return err
	}
	defer theirs.Close()
	//nolint:noctx,gosec // the program itself; a worker outlives the call that starts it, and is killed by Kill
	p.command = exec.Command(self)
	p.command.Args = []string{os.Args[0], "worker:" + p.spec.Name}
	p.command.Env = append([]string{envRules + "=" + rules, envName + "=" + p.spec.Name, envHome + "=" + p.home.home}, p.spec.Env...)
	p.command.Dir = p.home.scratch
	p.command.ExtraFiles = []*os.File{theirs}
	p.command.Stderr = p.words
	p.command.SysProcAttr = attributes()
	if err := p.command.Start(); err != nil {
		ours.Close()
		return err
	}
	p.Conn = ours
	return nil
}

// socketPair makes a socket with an end for either side.
func socketPair() (ours net.Conn, theirs *os.File, err error) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|closeOnExec, 0)
	if err != nil {
		return nil, nil, err
	}
	syscall.CloseOnExec(ends[0])
	syscall.CloseOnExec(ends[1])
	mine := os.NewFile(uintptr(ends[0]), "worker")
	theirs = os.NewFile(uintptr(ends[1]), "server")
	defer mine.Close()
	if ours, err = net.FileConn(mine); err != nil {
		theirs.Close()
	}
	return ours, theirs, err
}

// greet waits until the worker is ready and limits its memory from there on.
func (p *Process) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = p.SetReadDeadline(time.Unix(1, 0)) })
	guards, err := readGreeting(p)
	if !stop() {
		return errors.Join(ctx.Err(), err)
	}
	if err != nil {
		return err
	}
	p.guards = guards
	pid := p.command.Process.Pid
	p.baseline, _ = privateMemory(pid)
	if p.guards.Memory = 1; p.spec.Memory > 0 {
		p.guards.Memory, _ = limitMemory(pid, p.spec.Memory)
	}
	return nil
}

// await collects the worker when it ends, and removes its folder.
func (p *Process) await() {
	err := p.command.Wait()
	p.mu.Lock()
	p.failure.Killed = p.killed
	p.mu.Unlock()
	words := p.words.String()
	p.failure.Text = strings.TrimSpace(fmt.Sprintf("%v: %s", err, words))
	outOfMemory := speaksOfMemory(words) || peakMemory(p.command.ProcessState) > p.spec.Memory
	p.failure.Memory = p.spec.Memory > 0 && outOfMemory
	p.failure.Taken = !p.failure.Killed && !p.failure.Memory && killed(p.command.ProcessState)
	_ = os.RemoveAll(p.home.home)
	close(p.ended)
}

// speaksOfMemory recognizes the last words of a process that got no memory: the
// Go runtime's and the C++ library's.
func speaksOfMemory(words string) bool {
	for _, sign := range []string{"out of memory", "annot allocate memory", "bad_alloc", "failed to create new OS thread",
		"pthread_create failed"} {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}

// Guards reports what holds the worker.
func (p *Process) Guards() Guards { return p.guards }

// PID is the process's number.
func (p *Process) PID() int { return p.command.Process.Pid }

// Kill ends the worker, whatever it does. Killing twice is harmless.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	_ = p.command.Process.Kill()
}

// discard ends a worker that nobody talks to any more.
func (p *Process) discard() {
	p.Kill()
	p.Close()
}

// Ended is closed when the worker has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Wait waits until the worker has ended and says how.
func (p *Process) Wait() Failure {
	<-p.ended
	return p.failure
}

// dying is how long a worker that does not speak any more has to end by itself: one that the
// kernel ends takes long on a machine without memory.
const dying = 3 * time.Second

// Bury waits for the end of a worker that does not speak any more, which it brings about
// when it does not come, and says how the worker ended.
func (p *Process) Bury() Failure {
	select {
	case <-p.ended:
	case <-time.After(dying):
		p.Kill()
	}
	return p.Wait()
}

// Show lets the worker read a file, under a name that no other file has had. It
// fails where the file cannot be linked, such as across file systems.
func (p *Process) Show(path string) (name string, err error) {
	p.mu.Lock()
	p.shown++
	name = filepath.Join(p.home.shown, strconv.Itoa(p.shown)+filepath.Ext(path))
	p.mu.Unlock()
	return name, os.Link(path, name)
}

// hide takes back all files that the worker was shown.
func (p *Process) hide() error {
	p.mu.Lock()
	nothing := p.shown == p.hidden
	p.hidden = p.shown
	p.mu.Unlock()
	if nothing {
		return nil
	}
	entries, err := os.ReadDir(p.home.shown)
	for _, entry := range entries {
		err = errors.Join(err, os.Remove(filepath.Join(p.home.shown, entry.Name())))
	}
	return err
}

// grown reports whether the worker holds on to more memory than is worth keeping.
func (p *Process) grown() bool {
	const worthKeeping = 256 << 20
	now, err := privateMemory(p.PID())
	return err == nil && now > p.baseline+min(worthKeeping, max(p.spec.Memory/2, worthKeeping/4))
}

// lastWords keeps the beginning of what a worker writes to its standard error.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

// Write keeps what still fits.
func (w *lastWords) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, text[:min(len(text), maxLastWords-len(w.text))]...)
	return len(text), nil
}

// String is what was kept.
func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}
