package bench_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// cleaning is what to do when all benchmarks are over.
var cleaning []func()

func cleanUp() {
	for _, clean := range cleaning {
		clean()
	}
}

var built = flag.String("binary", "", "a program that is built already")

// binary builds the program once.
var binary = sync.OnceValues(func() (string, error) {
	if *built != "" {
		return *built, nil
	}
	dir, err := os.MkdirTemp("", "quern-bench-*")
	if err != nil {
		return "", err
	}
	cleaning = append(cleaning, func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "quern")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "quern/cmd/quern").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// home is an installation with one user, ada.
type home struct {
	b       *testing.B
	data    string
	environ []string
	token   string
}

func newHome(b *testing.B, environ ...string) *home {
	b.Helper()
	h := &home{b: b, data: filepath.Join(b.TempDir(), "data")}
	h.environ = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "QUERN_DATA=" + h.data,
		"QUERN_LISTEN=127.0.0.1:0", "QUERN_WRITE_TIMEOUT=1h", "QUERN_READ_TIMEOUT=1h", "QUERN_QUERY_TIME=10m"}, environ...)
	h.run("user", "add", "ada", "--generate")
	h.token = h.run("token", "create", "--user", "ada")
	return h
}

func (h *home) command(args ...string) *exec.Cmd {
	path, err := binary()
	if err != nil {
		h.b.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Stderr = h.environ, os.Stderr
	return cmd
}

func (h *home) run(args ...string) string {
	h.b.Helper()
	out, err := h.command(args...).Output()
	if err != nil {
		h.b.Fatalf("quern %s = %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// server is a running `quern serve`.
type server struct {
	*home
	url  string
	pid  int
	stop func()
	// client is whom requests are sent by.
	client *http.Client
	// datasets counts those that were made of files.
	datasets int
	// rested is the processor time that it had used when it was at rest last.
	rested time.Duration
}

// serve starts a server that ends with the benchmark.
func (h *home) serve() *server {
	h.b.Helper()
	cmd := h.command("serve")
	cmd.Stderr = nil
	log, err := cmd.StderrPipe()
	if err != nil {
		h.b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.b.Fatal(err)
	}
	s := &server{home: h, client: http.DefaultClient, pid: cmd.Process.Pid, stop: sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})}
	h.b.Cleanup(s.stop)
	lines := bufio.NewScanner(log)
	for s.url == "" && lines.Scan() {
		var line struct{ Msg, URL string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			s.url = line.URL
		}
	}
	if s.url == "" {
		h.b.Fatal("the server did not start")
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	return s
}

// as returns the server as another user sees it, who is made.
func (s *server) as(user string, client *http.Client) *server {
	s.b.Helper()
	h, other := *s.home, *s
	h.run("user", "add", user, "--generate")
	h.token = h.run("token", "create", "--user", user)
	other.home, other.client = &h, client
	return &other
}

// during has workers do something again and again for a while, and returns how long each
// time took, by worker.
func during(workers int, limit time.Duration, do func(worker, turn int)) [][]time.Duration {
	times := make([][]time.Duration, workers)
	end := time.Now().Add(limit)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for turn := 0; time.Now().Before(end); turn++ {
				start := time.Now()
				do(w, turn)
				times[w] = append(times[w], time.Since(start))
			}
		})
	}
	all.Wait()
	return times
}

// call sends a request that has to succeed and copies the answer to out.
func (s *server) call(method, path string, body []byte, out io.Writer) {
	req, err := http.NewRequest(method, s.url+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		s.b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		s.b.Errorf("%s %s = %v", method, path, err)
		return
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1000))
		s.b.Errorf("%s %s = %d %s", method, path, res.StatusCode, text)
		return
	}
	if _, err := io.Copy(out, res.Body); err != nil {
		s.b.Errorf("%s %s: body = %v", method, path, err)
	}
}

func (s *server) create(dataset string) {
	s.call("POST", "/ingest/new/bench/"+dataset, nil, io.Discard)
}

func (s *server) ingest(dataset string, body []byte) {
	s.call("POST", "/ingest/bench/"+dataset, body, io.Discard)
}

// query returns the rows of the answer as the server writes them.
func (s *server) query(sql string) string {
	body, err := json.Marshal(map[string]string{"username": "self", "namespace": "bench", "query": sql})
	if err != nil {
		s.b.Fatal(err)
	}
	var out bytes.Buffer
	s.call("POST", "/query", body, &out)
	return out.String()
}

// processor returns the processor time that the server and its workers have used.
func (s *server) processor() time.Duration {
	all, ended := processTimes(s.pid)
	if all == 0 {
		s.b.Fatal("no processor time of the server")
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", s.pid))
	if err != nil {
		s.b.Fatal(err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		for _, worker := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(worker)
			own, _ := processTimes(pid)
			all += own
		}
	}
	return all + ended
}

// rest waits until the server has nothing to do any more, such as to index what came in: else it
// would do that in the next turn, or in the one of whom it is held against. It looks for such work every five seconds, so
// one that has worked is at rest when it has looked once more.
func (s *server) rest() {
	const look, pause, idle = 5 * time.Second, 300 * time.Millisecond, 20 * time.Millisecond
	looked, used := time.Now(), s.processor()
	if used-s.rested > idle {
		looked = looked.Add(look + pause)
	}
	for {
		<-time.After(pause)
		now := s.processor()
		if now-used <= idle && time.Now().After(looked) {
			s.rested = now
			return
		}
		used = now
	}
}

// processTimes returns the processor time of a process, and that of those of its workers
// that have ended.
func processTimes(pid int) (own, ended time.Duration) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, behind, _ := strings.Cut(string(text), ") ")
	words := strings.Fields(behind)
	if len(words) < 15 {
		return 0, 0
	}
	var ticks [4]int
	for i := range ticks {
		ticks[i], _ = strconv.Atoi(words[11+i])
	}
	const tick = time.Second / 100
	return time.Duration(ticks[0]+ticks[1]) * tick, time.Duration(ticks[2]+ticks[3]) * tick
}

// memory returns the server's resident memory in MiB, now and at its peak.
func (s *server) memory() (now, peak float64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		s.b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		kib, _ := strconv.ParseFloat(words[1], 64)
		switch words[0] {
		case "VmRSS:":
			now = kib / 1024
		case "VmHWM:":
			peak = kib / 1024
		}
	}
	return now, peak
}

// programPages returns how many MiB of the server's resident memory are pages of files, nearly
// all of them the program's, which its workers share.
func (s *server) programPages() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		s.b.Fatal(err)
	}
	_, behind, _ := strings.Cut(string(text), "RssFile:")
	words := strings.Fields(behind)
	if len(words) == 0 {
		return 0
	}
	kib, _ := strconv.ParseFloat(words[0], 64)
	return kib / 1024
}

// forgetPeak makes the peak start over from now.
func (s *server) forgetPeak() {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.pid), []byte("5"), 0); err != nil {
		s.b.Fatal(err)
	}
}
