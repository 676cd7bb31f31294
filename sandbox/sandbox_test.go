package sandbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"quern/sandbox"
)

func start(t *testing.T, s sandbox.Spec) *sandbox.Process {
	t.Helper()
	if s.Dir == "" {
		s.Dir = t.TempDir()
	}
	p, err := sandbox.Start(t.Context(), s)
	if err != nil {
		t.Fatalf("Start(%+v) = %v, want a worker", s, err)
	}
	t.Cleanup(func() {
		p.Kill()
		p.Wait()
		p.Close()
	})
	return p
}

func TestWorkersMayDoTheirWorkAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := map[string]string{}
	for _, name := range []string{"segment", "secret", "readable"} {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := start(t, sandbox.Spec{Name: "try", Memory: 256 << 20, Read: []string{paths["readable"]}})
	if missing := p.Guards().Missing(); len(missing) > 0 {
		t.Fatalf("Guards().Missing() = %v, want all guards on this machine", missing)
	}
	shown, err := p.Show(paths["segment"])
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]any{"Shown": shown, "Secret": paths["secret"], "Readable": paths["readable"], "Parent": os.Getpid()}
	if err := json.NewEncoder(p).Encode(given); err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.NewDecoder(p).Decode(&got); err != nil {
		t.Fatalf("the worker's answer = %v (%s)", err, p.Wait().Text)
	}
	t.Logf("guards: %v", p.Guards())
	for name, outcome := range got {
		want := "refused"
		if strings.HasPrefix(name, "may ") {
			want = "done"
		}
		if outcome != want {
			t.Errorf("a worker that tries to %s is %s, want %s", name, outcome, want)
		}
	}
	if text, err := os.ReadFile(paths["segment"]); err != nil || string(text) != "segment" {
		t.Errorf("after all, the shown file holds %q, %v, want what it held", text, err)
	}
}

func TestMemoryOfAWorkerIsLimited(t *testing.T) {
	t.Parallel()
	failure := start(t, sandbox.Spec{Name: "eat", Memory: 200 << 20}).Wait()
	if !failure.Memory || failure.Killed {
		t.Errorf("a worker that eats memory ends with %+v, want it to be for want of memory", failure)
	}
}

func TestKillEndsWhatNothingElseEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, sandbox.Spec{Name: "spin", Dir: dir})
	p.Kill()
	if failure := p.Wait(); !failure.Killed || failure.Memory {
		t.Errorf("a killed worker ends with %+v, want Killed alone", failure)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("after its worker the folder holds %v, %v, want nothing", left, err)
	}
}

func TestStartReportsWhatTheWorkerSaid(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"fail": "unexpected EOF", "none": `no work "none"`} {
		if _, err := sandbox.Start(t.Context(), sandbox.Spec{Name: name, Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Start(%s) = %v, want an error that says %q", name, err, want)
		}
	}
}

func newPool(t *testing.T, o sandbox.PoolOptions) *sandbox.Pool {
	t.Helper()
	o.Spec.Dir, o.Log = t.TempDir(), slog.New(slog.NewTextHandler(io.Discard, nil))
	p := sandbox.NewPool(o)
	p.Begin()
	t.Cleanup(p.Close)
	return p
}

func take(t *testing.T, p *sandbox.Pool) *sandbox.Process {
	t.Helper()
	w, err := p.Take(t.Context(), sandbox.For{})
	if err != nil {
		t.Fatalf("Take() = %v, want a worker", err)
	}
	return w
}

// say has the worker repeat a word, which shows that it is alive.
func say(t *testing.T, w *sandbox.Process, word string) {
	t.Helper()
	got := make([]byte, len(word))
	if _, err := fmt.Fprint(w, word); err != nil {
		t.Fatalf("a worker of the pool does not listen: %v", err)
	}
	if _, err := io.ReadFull(w, got); err != nil || string(got) != word {
		t.Fatalf("a worker of the pool says %q, %v, want %q", got, err, word)
	}
}

func TestPoolHandsOutEachWorkerOnce(t *testing.T) {
	t.Parallel()
	p := newPool(t, sandbox.PoolOptions{Spec: sandbox.Spec{Name: "echo"}, Keep: 2, Uses: 3})
	seen := map[int]int{}
	for range 4 {
		one, other := take(t, p), take(t, p)
		if one.PID() == other.PID() {
			t.Errorf("Take() twice = the same worker %d", one.PID())
		}
		for _, w := range []*sandbox.Process{one, other} {
			say(t, w, "hello")
			seen[w.PID()]++
			p.Give(w, true)
		}
	}
	for pid, n := range seen {
		if n > 3 {
			t.Errorf("worker %d served %d times, want at most 3", pid, n)
		}
	}
	if err := p.Ready(); err != nil {
		t.Errorf("Ready() = %v, want no error", err)
	}
}

// Workers that come and go while as many as are kept are busy are the same few.
func TestPoolKeepsWorkersWhileAllAreBusy(t *testing.T) {
	t.Parallel()
	p := newPool(t, sandbox.PoolOptions{Spec: sandbox.Spec{Name: "echo"}, Keep: 2})
	busy := take(t, p)
	seen := map[int]bool{busy.PID(): true}
	for range 20 {
		w := take(t, p)
		seen[w.PID()] = true
		for p.Counts().Starting > 0 { // the one that is ready beside them
			runtime.Gosched()
		}
		p.Give(w, true)
	}
	p.Give(busy, true)
	if len(seen) > 3 {
		t.Errorf("20 times two busy workers were %d different ones, want at most 3", len(seen))
	}
	if c := p.Counts(); c.Idle > 2 || c.Busy != 0 {
		t.Errorf("Counts() with nobody there = %+v, want at most 2 idle", c)
	}
}

// Who asks for the worker that they had last gets it, if it is idle.
func TestPoolHandsBackTheSameWorker(t *testing.T) {
	t.Parallel()
	p := newPool(t, sandbox.PoolOptions{Spec: sandbox.Spec{Name: "echo"}, Keep: 3})
	get := func(whose string, again bool) *sandbox.Process {
		w, err := p.Take(t.Context(), sandbox.For{Whose: whose, Again: again})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Kill)
		return w
	}
	ada, eve := get("ada", false), get("eve", true)
	p.Give(ada, true)
	p.Give(eve, true)
	for range 3 {
		if w := get("eve", true); w != eve {
			t.Errorf("Take() of eve = worker %d, want hers, %d", w.PID(), eve.PID())
		} else {
			p.Give(w, true)
		}
	}
	if w := get("eve", false); w == eve {
		t.Errorf("Take() of eve, who wants none in particular, = worker %d, want the one idle for longest", w.PID())
	}
	taken := get("eve", true)
	if taken != eve {
		t.Errorf("Take() of eve = worker %d, want hers, %d", taken.PID(), eve.PID())
	}
	if w := get("eve", true); w == eve {
		t.Error("Take() of eve, whose worker is busy, = that one, want another")
	}
}

func TestPoolReplacesWorkersThatFailed(t *testing.T) {
	t.Parallel()
	p := newPool(t, sandbox.PoolOptions{Spec: sandbox.Spec{Name: "echo"}, Keep: 1})
	w := take(t, p)
	w.Kill()
	w.Wait()
	p.Give(w, false)
	next := take(t, p)
	say(t, next, "still here")
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	name, err := next.Show(path)
	if err != nil {
		t.Fatal(err)
	}
	p.Give(next, true)
	if _, err := os.Stat(name); err == nil {
		t.Error("a file that was shown to a worker is there after it was given back, want it gone")
	}
}

func TestPoolSaysThatNothingStarts(t *testing.T) {
	t.Parallel()
	p := newPool(t, sandbox.PoolOptions{Spec: sandbox.Spec{Name: "fail"}, Keep: 1})
	if _, err := p.Take(t.Context(), sandbox.For{}); err == nil {
		t.Error("Take() = a worker, want an error")
	}
	if err := p.Ready(); err == nil {
		t.Error("Ready() = nil, want an error")
	}
}

// A worker ends with its server, however that ended: its socket closes.
func TestWorkersEndWithTheSocket(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Spec{Name: "wait"})
	p.Close()
	if failure := p.Wait(); failure.Killed {
		t.Errorf("a worker whose socket closed ends with %+v, want it to end by itself", failure)
	}
}

// A worker that listens to nothing ends as well when its server is killed.
func TestWorkersEndWithAKilledServer(t *testing.T) {
	t.Parallel()
	server := exec.CommandContext(t.Context(), os.Args[0])
	server.Env = append(os.Environ(), serverVariable+"="+t.TempDir())
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatalf("the server's worker = %v, want its number", err)
	}
	worker, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatalf("the worker %d = %v, want it to run", pid, err)
	}
	defer unix.Close(worker)
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	const patience = 60_000 // milliseconds
	ended := []unix.PollFd{{Fd: int32(worker), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(ended, patience)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n != 1 || err != nil {
			t.Errorf("a minute after its server was killed the worker still runs (%v)", err)
		}
		return
	}
}
