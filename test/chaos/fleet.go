package chaos

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Options says what a fleet is made of.
type Options struct {
	Binary  string
	Dir     string   // for the servers' own folders and logs
	Servers int      // how many run side by side
	Environ []string // of every server; the data directory and the address are the fleet's
	// Each, unless nil, returns what else the environment of one server holds.
	Each func(number int) []string
	// Join, unless empty, is the file of a control group that servers join as they start.
	Join string
	// Transport carries what the proxy sends on; nil: a plain one.
	Transport http.RoundTripper
}

// Fleet is servers behind a proxy.
type Fleet struct {
	o      Options
	proxy  *proxy
	places []*place

	mu         sync.Mutex
	troubles   []trouble // of what all servers stand on
	jumped     time.Time // when the clock that they go by last jumped
	deaths     int
	generation int
}

// place is where one server after the other runs.
type place struct {
	number  int
	binary  string
	environ []string
	mu      sync.Mutex
	process *process // nil while there is none
}

// process is one running server.
type process struct {
	name string
	cmd  *exec.Cmd
	url  *url.URL
	done chan struct{}

	mu       sync.Mutex
	ready    bool
	troubles []trouble
}

// trouble is a time in which requests may fail, and how long it is felt after that. One
// without an end goes on.
type trouble struct {
	from, to time.Time
	felt     time.Duration
}

// Settling is how long after a trouble a request may still feel it, commonly.
const Settling = 5 * time.Second

// excuses reports whether a request that was under way from a time to now may have
// failed for the trouble.
func (t trouble) excuses(from, now time.Time) bool {
	return !t.from.After(now) && (t.to.IsZero() || from.Before(t.to.Add(t.felt)))
}

// NewFleet starts the proxy; Start starts the servers. Close ends all.
func NewFleet(o Options) (*Fleet, error) {
	f := &Fleet{o: o}
	proxy, err := newProxy(f, o.Transport)
	if err != nil {
		return nil, err
	}
	f.proxy = proxy
	for n := range o.Servers {
		dir := filepath.Join(o.Dir, fmt.Sprintf("server-%d", n))
		environ := append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "QUERN_DATA=" + filepath.Join(dir, "data"),
			"QUERN_LISTEN=127.0.0.1:0", "QUERN_PUBLIC_URL=" + f.URL()}, o.Environ...)
		if o.Each != nil {
			environ = append(environ, o.Each(n)...)
		}
		f.places = append(f.places, &place{number: n, binary: o.Binary, environ: environ})
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// URL is the address of the proxy.
func (f *Fleet) URL() string { return f.proxy.url }

// Servers is how many places there are.
func (f *Fleet) Servers() int { return len(f.places) }

// Deaths counts the servers that were ended from outside so far.
func (f *Fleet) Deaths() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.deaths
}

// Command runs a command of the binary in the first place and returns what it prints.
func (f *Fleet) Command(ctx context.Context, args ...string) (string, error) {
	p := f.places[0]
	p.mu.Lock()
	binary := p.binary
	p.mu.Unlock()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = p.environ
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("quern %v: %w: %s", args, err, failed.Stderr)
	}
	return string(out), err
}

// Start starts a server and waits until it is ready.
func (f *Fleet) Start(ctx context.Context, number int) error {
	p := f.places[number]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process != nil {
		return fmt.Errorf("chaos: server %d runs already", number)
	}
	f.mu.Lock()
	f.generation++
	name := fmt.Sprintf("server-%d-%d", number, f.generation)
	f.mu.Unlock()
	log, err := os.Create(filepath.Join(f.o.Dir, name+".log"))
	if err != nil {
		return err
	}
	one := &process{name: name, done: make(chan struct{})}
	one.cmd = f.serve(p.binary)
	one.cmd.Env = p.environ
	stderr, err := one.cmd.StderrPipe()
	if err == nil {
		err = one.cmd.Start()
	}
	if err != nil {
		return errors.Join(err, log.Close())
	}
	serving := make(chan *url.URL, 1)
	go one.follow(stderr, log, serving)
	if err := one.await(ctx, serving); err != nil {
		one.end()
		return fmt.Errorf("chaos: %s: %w (see %s)", name, err, log.Name())
	}
	p.process = one
	f.proxy.add(one)
	return f.proxy.awaitReady(ctx, one)
}

// serve is the command that serves, in the control group if there is one.
func (f *Fleet) serve(binary string) *exec.Cmd {
	if f.o.Join == "" {
		return exec.Command(binary, "serve")
	}
	return exec.Command("/bin/sh", "-c", `echo $$ >"$0" && exec "$1" serve`, f.o.Join, binary)
}

// StartMissing starts the servers that do not run, those that ended by themselves too.
func (f *Fleet) StartMissing(ctx context.Context) error {
	for n, p := range f.places {
		p.mu.Lock()
		one := p.process
		p.mu.Unlock()
		if one != nil {
			if err := f.proxy.awaitReady(ctx, one); err == nil {
				continue
			}
			if err := f.Kill(n); err != nil {
				return err
			}
		}
		if err := f.Start(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// follow copies the log, finds the address in it, and waits for the end.
func (p *process) follow(stderr io.Reader, log io.WriteCloser, serving chan<- *url.URL) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Fprintln(log, lines.Text())
		var line struct{ Msg, Listen string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" && serving != nil {
			serving <- &url.URL{Scheme: "http", Host: line.Listen}
			serving = nil
		}
	}
	_ = p.cmd.Wait() // a server that was killed did not end well
	_ = log.Close()
	close(p.done)
}

func (p *process) await(ctx context.Context, serving <-chan *url.URL) error {
	select {
	case p.url = <-serving:
		return nil
	case <-p.done:
		return errors.New("the server ended before it served")
	case <-ctx.Done():
		return fmt.Errorf("the server does not serve: %w", ctx.Err())
	}
}

// end kills the process and waits for that.
func (p *process) end() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.done
}

// begin notes a trouble of the process; what it returns ends it.
func (p *process) begin() (over func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.troubles = append(p.troubles, trouble{from: time.Now(), felt: Settling})
	at := len(p.troubles) - 1
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.troubles[at].to = time.Now()
	}
}

// excused reports whether a request to the process that was under way from a time on
// may fail now.
func (f *Fleet) excused(p *process, from time.Time) bool {
	p.mu.Lock()
	own := slices.ContainsFunc(p.troubles, func(t trouble) bool { return t.excuses(from, time.Now()) })
	p.mu.Unlock()
	return own || f.troubled(from)
}

// troubled reports whether something that was under way from a time on may have failed
// for what all servers stand on.
func (f *Fleet) troubled(from time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.troubles, func(t trouble) bool { return t.excuses(from, time.Now()) })
}

// Trouble says that what all servers stand on fails from now on; what it returns ends
// that, which is felt for a while.
func (f *Fleet) Trouble(felt time.Duration) (over func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.troubles = append(f.troubles, trouble{from: time.Now(), felt: felt})
	at := len(f.troubles) - 1
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.troubles[at].to = time.Now()
	}
}

// ClockJumps says that the clock which the servers go by jumps now: runs that are under
// way may be past their life then.
func (f *Fleet) ClockJumps() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.jumped = time.Now()
}

// clockJumped reports whether the clock jumped since a time.
func (f *Fleet) clockJumped(since time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.jumped.After(since)
}

// take returns the process of a place and leaves the place empty.
func (f *Fleet) take(number int) (*process, error) {
	p := f.places[number]
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.process
	if one == nil {
		return nil, fmt.Errorf("chaos: server %d does not run", number)
	}
	p.process = nil
	return one, nil
}

// Kill ends a server as a power cut would.
func (f *Fleet) Kill(number int) error {
	one, err := f.take(number)
	if err != nil {
		return err
	}
	one.begin()
	one.end()
	f.proxy.remove(one)
	f.died()
	return nil
}

// Stop asks a server to stop and waits until it has. Nothing may fail for it.
func (f *Fleet) Stop(ctx context.Context, number int) error {
	one, err := f.take(number)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := one.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	defer f.proxy.remove(one)
	select {
	case <-one.done:
	case <-ctx.Done():
		one.end()
		return fmt.Errorf("chaos: %s does not stop: %w", one.name, ctx.Err())
	}
	if code := one.cmd.ProcessState.ExitCode(); code != 0 && !f.excused(one, began) {
		return fmt.Errorf("chaos: %s ended with code %d when it was asked to stop", one.name, code)
	}
	f.died()
	return nil
}

func (f *Fleet) died() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.deaths++
}

// Freeze lets a server do nothing for a while, as a machine does that swaps or is moved.
func (f *Fleet) Freeze(ctx context.Context, number int, long time.Duration) error {
	p := f.places[number]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return fmt.Errorf("chaos: server %d does not run", number)
	}
	over := p.process.begin()
	defer over()
	if err := p.process.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
	return p.process.cmd.Process.Signal(syscall.SIGCONT)
}

// Use says which binary a place runs from its next start on.
func (f *Fleet) Use(number int, binary string) {
	p := f.places[number]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.binary = binary
}

// Ended reports the servers that ended though nobody ended them.
func (f *Fleet) Ended() (names []string) {
	for _, p := range f.places {
		p.mu.Lock()
		if p.process != nil {
			select {
			case <-p.process.done:
				names = append(names, p.process.name)
			default:
			}
		}
		p.mu.Unlock()
	}
	return names
}

// Processes are the process ids of the servers that run.
func (f *Fleet) Processes() (ids []int) {
	for _, p := range f.places {
		p.mu.Lock()
		if p.process != nil {
			ids = append(ids, p.process.cmd.Process.Pid)
		}
		p.mu.Unlock()
	}
	return ids
}

// Close kills what runs and ends the proxy.
func (f *Fleet) Close() {
	for n := range f.places {
		if one, err := f.take(n); err == nil {
			_ = one.cmd.Process.Signal(syscall.SIGCONT) // it may be frozen
			one.end()
		}
	}
	f.proxy.close()
}
