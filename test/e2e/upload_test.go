package e2e_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quern/blob/blobtest"
	"quern/blob/s3"
	"quern/client/clienttest"
)

// site is an installation whose server keeps its address through restarts, with
// a bad network in front of whatever takes parts.
type site struct {
	*home
	server  *server
	network *clienttest.Proxy
	token   string
	size    int64 // of a file of some parts
	// restart ends the object store, if it is not the server itself, and starts it.
	restart func()
	open    func(key string) (io.ReadCloser, error)
}

// eachStore runs fn on an installation that keeps objects in files and on one
// that keeps them in S3. Parts are small, or as small as S3 takes them.
func eachStore(t *testing.T, fn func(*testing.T, *site)) {
	t.Run("files", func(t *testing.T) {
		t.Parallel()
		fn(t, newFilesSite(t))
	})
	t.Run("s3", func(t *testing.T) {
		t.Parallel()
		g := blobtest.StartGateway(t)
		network := clienttest.StartProxy(t, strings.TrimPrefix(g.Endpoint, "http://"))
		listen := blobtest.FreeAddress(t)
		s := &site{network: network, size: 40 << 20, restart: func() { g.Kill(); g.Start() }, home: newHome(t, "QUERN_LISTEN="+listen,
			"QUERN_S3_ENDPOINT="+g.Endpoint, "QUERN_S3_PUBLIC_ENDPOINT="+network.URL(), "QUERN_S3_BUCKET="+g.Bucket,
			"QUERN_S3_REGION="+g.Region, "QUERN_S3_ACCESS_KEY_ID="+g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY="+g.SecretKey,
			"QUERN_UPLOAD_PART_SIZE=5MiB")}
		kept, err := s3.New(s3.Options{Endpoint: g.Endpoint, Bucket: g.Bucket, AccessKeyID: g.AccessKey, SecretAccessKey: g.SecretKey})
		if err != nil {
			t.Fatal(err)
		}
		s.open = func(key string) (io.ReadCloser, error) { return kept.Open(t.Context(), key, 0, -1) }
		s.begin()
		fn(t, s)
	})
}

func newFilesSite(t *testing.T, environ ...string) *site {
	t.Helper()
	listen := blobtest.FreeAddress(t)
	network := clienttest.StartProxy(t, listen)
	s := &site{network: network, size: 8 << 20, restart: func() {}, home: newHome(t, append([]string{
		"QUERN_LISTEN=" + listen, "QUERN_PUBLIC_URL=" + network.URL(), "QUERN_UPLOAD_PART_SIZE=256KiB"}, environ...)...)}
	s.open = func(key string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(s.data, "objects", "objects", filepath.FromSlash(key)))
	}
	s.begin()
	return s
}

// begin starts the server and gives the commands what they need to call it.
func (s *site) begin() {
	s.t.Helper()
	s.must("", "user", "add", "ada", "--generate")
	s.server = s.serve()
	s.token = s.must("", "token", "create", "--user", "ada")
	front := newChecker(s.t) // nothing passes where a test runs no commands
	front.forServer(s.t, s.server.url)
	s.environ = append(s.environ, "QUERN_SERVER="+front.url, "QUERN_TOKEN="+s.token)
}

// crash ends the server as a power cut would and starts it again.
func (s *site) crash() {
	s.t.Helper()
	s.server.kill()
	s.server = s.serve()
}

// file makes a file of random bytes.
func (s *site) file(size int64) (path string) {
	s.t.Helper()
	path = filepath.Join(s.t.TempDir(), "file.bin")
	f, err := os.Create(path)
	if err == nil {
		_, err = io.CopyN(f, rand.Reader, size)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func digest(t *testing.T, r io.ReadCloser, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// uploaded is what `quern upload --json` prints.
type uploaded struct {
	SessionID, SessionStatus string
	Files                    []struct{ FileID, Filename, Path, Key string }
}

// holds wants every uploaded object to be the file that it was made of.
func (s *site) holds(out string) uploaded {
	s.t.Helper()
	var u uploaded
	if err := json.Unmarshal([]byte(out), &u); err != nil || u.SessionStatus != "completed" || len(u.Files) == 0 {
		s.t.Fatalf("upload --json = %q, %v, want a completed session", out, err)
	}
	for _, f := range u.Files {
		file, err := os.Open(f.Path)
		want := digest(s.t, file, err)
		object, err := s.open(f.Key)
		if got := digest(s.t, object, err); got != want {
			s.t.Errorf("SHA-256 of %s = %s, want that of the file, %s", f.Key, got, want)
		}
	}
	return u
}

// command is a running command of the binary.
type command struct {
	t        *testing.T
	patience time.Duration // how long its end may take
	cmd      *exec.Cmd
	out, err bytes.Buffer
}

// start runs a command in the background. It is killed with the test.
func (h *home) start(args ...string) *command {
	h.t.Helper()
	c := &command{t: h.t, patience: 2 * patience, cmd: exec.Command(binary, args...)}
	c.cmd.Env, c.cmd.Stdout, c.cmd.Stderr = h.environ, &c.out, &c.err
	if err := c.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.cmd.Process.Kill() })
	return c
}

// end sends a signal, unless it is 0, and returns what the command left.
func (c *command) end(sig syscall.Signal) result {
	c.t.Helper()
	if sig != 0 {
		if err := c.cmd.Process.Signal(sig); err != nil {
			c.t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(c.patience):
		c.t.Fatalf("%v does not end: %s", c.cmd.Args, c.err.String())
	}
	return result{c.out.String(), c.err.String(), c.cmd.ProcessState.ExitCode()}
}

func TestUploadSurvivesEverything(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, s *site) {
		size := s.size
		path := s.file(size + 12345)
		s.network.Throttle(2 << 10)
		c := s.start("upload", "--json", path)
		s.network.Await(size / 8)
		s.crash()
		s.network.Await(size / 8)
		s.network.CutAll()
		s.network.Throttle(16 << 10)
		s.network.Await(size / 8)
		s.restart()
		s.network.CutAll()
		s.network.Await(size / 8)
		s.network.Throttle(0)
		s.network.CutAll()
		r := c.end(0)
		if r.code != 0 {
			t.Fatalf("quern upload = %+v, want code 0", r)
		}
		s.holds(r.out)
	})
}

func TestUploadResumes(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, s *site) {
		path := s.file(30 << 20)
		s.network.Throttle(8 << 10)
		// One part after the other, so that some have arrived whatever their size.
		c := s.start("upload", "--parallel", "1", path)
		s.network.Await(12 << 20)
		c.end(syscall.SIGKILL)
		c = s.start("upload", "--parallel", "1", "--resume", path)
		s.network.Await(2 << 20)
		if r := c.end(syscall.SIGINT); r.code != 3 || !strings.Contains(r.err, "--resume") {
			t.Errorf("interrupted upload = %+v, want code 3 and what to do", r)
		}
		s.crash()
		s.network.Throttle(0)
		s.network.CutAll() // what the old connections still hold does not count
		before, _ := s.network.Passed()
		s.holds(s.must("", "upload", "--resume", "--json"))
		if after, _ := s.network.Passed(); after-before > 26<<20 {
			t.Errorf("resuming sent %d bytes, want only what was missing", after-before)
		}
		if r := s.run("", "upload", "--resume"); r.code != 0 || r.out != "" || !strings.Contains(r.err, "no unfinished upload") {
			t.Errorf("resuming nothing = %+v, want code 0 and a word", r)
		}
	})
}

func TestUploadStartsAgainWhenItMust(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t)
	path := s.file(8 << 20)
	s.network.Throttle(4 << 10)
	cut := func() uploaded {
		c := s.start("upload", path)
		s.network.Await(2 << 20)
		c.end(syscall.SIGINT)
		s.network.Throttle(0)
		notes, err := filepath.Glob(s.environment("HOME") + "/.local/state/quern/uploads/*.json")
		if err != nil || len(notes) != 1 {
			t.Fatalf("notes on unfinished uploads = %v, %v, want one", notes, err)
		}
		text, err := os.ReadFile(notes[0])
		var u uploaded
		if err := errors.Join(err, json.Unmarshal(text, &u)); err != nil || strings.Contains(string(text), s.token) {
			t.Fatalf("note = %s, %v, want a session and no token", text, err)
		}
		return u
	}
	former := cut()
	if err := os.WriteFile(path, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := s.run("", "upload", "--resume", "--json", path)
	if u := s.holds(r.out); u.SessionID == former.SessionID || !strings.Contains(r.err, "changed") {
		t.Errorf("resuming changed files = %+v, want another session and a word", r)
	}
	if r := s.server.call("GET", "/api/v1/file-upload/"+former.SessionID, s.token, ""); r.json(t)["sessionStatus"] != "aborted" {
		t.Errorf("the former session = %s, want it aborted", r.body)
	}
	path = s.file(8 << 20)
	s.network.Throttle(4 << 10)
	former = cut()
	s.server.call("POST", "/api/v1/file-upload/"+former.SessionID+"/abort", s.token, "")
	r = s.run("", "upload", "--resume", "--json")
	if u := s.holds(r.out); u.SessionID == former.SessionID || !strings.Contains(r.err, "starts again") {
		t.Errorf("resuming an aborted session = %+v, want another session and a word", r)
	}
}

// environment returns a variable of the installation.
func (h *home) environment(name string) (value string) {
	for _, entry := range h.environ {
		if text, ok := strings.CutPrefix(entry, name+"="); ok {
			value = text
		}
	}
	return value
}

func TestUploadExitCodes(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t)
	path := s.file(1)
	bad := filepath.Join(t.TempDir(), "two\nlines")
	if err := os.WriteFile(bad, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, err string
		code      int
	}{
		{"upload", "FILE is missing", 2},
		{"upload --parallel 0 " + path, "--parallel", 2},
		{"upload --server quern.example " + path, "http", 2},
		{"upload " + t.TempDir(), "not a file", 2},
		{"upload /does/not/exist", "no such file", 1},
		{"upload --token garbage " + path, "token", 1},
		{"upload --patience 1ms --server http://127.0.0.1:1 " + path, "refused", 1},
	} {
		if r := s.run("", strings.Fields(tt.args)...); r.code != tt.code || !strings.Contains(r.err, tt.err) {
			t.Errorf("quern %s = %+v, want code %d and %q", tt.args, r, tt.code, tt.err)
		}
	}
	if r := s.run("", "upload", bad); r.code != 1 || !strings.Contains(r.err, "filesToUpload[0].filename") {
		t.Errorf("quern upload of a bad name = %+v, want code 1 and the reason", r)
	}
	if out := s.must("", "upload", path, path); strings.Count(out, "file.bin") != 2 {
		t.Errorf("quern upload of two files = %s, want a line for each", out)
	}
}

func TestServerKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, h *home) {
		listen := blobtest.FreeAddress(t)
		h.environ = append(h.environ, "QUERN_LISTEN="+listen, "QUERN_UPLOAD_PART_SIZE=10")
		h.must("", "user", "add", "ada", "--generate")
		s := &site{home: h, server: h.serve()}
		s.token = h.must("", "token", "create", "--user", "ada")
		api := func(method, path, body string, out any) {
			t.Helper()
			s.crash()
			r := s.server.call(method, "/api/v1/file-upload/"+path, s.token, body)
			if r.status != 200 {
				t.Fatalf("%s %s = %d %s, want 200", method, path, r.status, r.body)
			}
			if err := json.Unmarshal([]byte(r.body), out); err != nil {
				t.Fatal(err)
			}
		}
		var session struct {
			SessionID string
			Files     []struct {
				FileID, UploadID, Key string
				PresignedURLs         []struct{ URL string } `json:"presignedUrls"`
			}
		}
		api("POST", "prepare", `{"filesToUpload":[{"filename":"a","size":15}]}`, &session)
		f := session.Files[0]
		for i, text := range []string{"0123456789", "abcde"} {
			s.crash()
			req, err := http.NewRequestWithContext(t.Context(), "PUT", f.PresignedURLs[i].URL, strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil || res.StatusCode != 200 {
				t.Fatalf("PUT part %d = %v, %v, want 200", i+1, res, err)
			}
			res.Body.Close()
		}
		var done struct{ SessionStatus, FileStatus string }
		for range 2 {
			api("POST", session.SessionID+"/files/"+f.FileID+"/finish", fmt.Sprintf(`{"uploadId":%q,"key":%q}`, f.UploadID, f.Key), &done)
			if done.SessionStatus != "completed" || done.FileStatus != "completed" {
				t.Errorf("finish = %+v, want completed", done)
			}
		}
		var stored struct{ Files []struct{ S3Key string } }
		api("GET", session.SessionID+"/files", "", &stored)
		text, err := os.ReadFile(filepath.Join(h.data, "objects", "objects", stored.Files[0].S3Key))
		if err != nil || string(text) != "0123456789abcde" {
			t.Errorf("object = %q, %v, want what was sent", text, err)
		}
	})
}

func TestUploadSessionsExpire(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t, "QUERN_UPLOAD_SESSION_LIFE=1s")
	r := s.server.call("POST", "/api/v1/file-upload/prepare", s.token, `{"filesToUpload":[{"filename":"a","size":1}]}`)
	if r.status != 200 {
		t.Fatalf("prepare = %d %s, want 200", r.status, r.body)
	}
	s.server.await("an upload session has ended")
	if left, err := filepath.Glob(filepath.Join(s.data, "objects", "staging", "*")); err != nil || len(left) != 0 {
		t.Errorf("staged uploads after the session's life = %v, %v, want none", left, err)
	}
}
