package client_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/blob/fs"
	"quern/client"
	"quern/client/clienttest"
	"quern/rest"
	"quern/upload"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const partSize = 64 << 10

// site is a server behind a bad network, and a client on the other side of it.
type site struct {
	t       *testing.T
	proxy   *clienttest.Proxy
	objects *fs.Store
	token   string
	client  *client.Client
	clock   *authtest.Clock
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, clock: authtest.StoppedClock()}
	mux := http.NewServeMux()
	listening := httptest.NewServer(mux)
	t.Cleanup(listening.Close)
	s.proxy = clienttest.StartProxy(t, listening.Listener.Addr().String())
	var err error
	s.objects, err = fs.New(fs.Options{Dir: t.TempDir(), PublicURL: s.proxy.URL(), Now: s.clock.Now})
	authtest.Must(t, err)
	log := slog.New(slog.DiscardHandler)
	identity := authtest.New(t, auth.Options{PublicURL: s.proxy.URL()})
	_, s.token = identity.NewToken(identity.Principal("ada"), quern.TokenSpec{})
	uploads := upload.New(upload.Options{Store: identity.Store, Objects: s.objects, Now: s.clock.Now, Log: log, Limits: upload.Limits{
		PartSize: partSize, FileSize: 1 << 30, OpenBytes: 1 << 30, Files: 100, OpenSessions: 100, URLLife: time.Hour, SessionLife: 24 * time.Hour,
	}})
	mux.Handle(fs.PathPrefix, s.objects.Handler())
	mux.Handle("/", rest.New(rest.Deps{Auth: identity, Tokens: identity, Usage: identity, Upload: uploads, PublicURL: s.proxy.URL()}))
	s.client = s.newClient(s.token)
	return s
}

func (s *site) newClient(token string) *client.Client {
	s.t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 8, ResponseHeaderTimeout: 20 * time.Second}
	s.t.Cleanup(transport.CloseIdleConnections)
	c, err := client.New(client.Options{Server: s.proxy.URL(), Token: token, HTTP: &http.Client{Transport: transport}, Patience: 30 * time.Second})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func random(size int) []byte {
	data := make([]byte, size)
	_, _ = rand.Read(data) // never fails
	return data
}

func file(name string, data []byte) client.File {
	return client.File{Name: name, Size: int64(len(data)), Content: bytes.NewReader(data)}
}

// holds wants a completed session whose objects are the contents.
func (s *site) holds(session client.Session, contents ...[]byte) {
	s.t.Helper()
	if session.Status != client.Completed || len(session.Files) != len(contents) {
		s.t.Fatalf("session = %+v, want %d files, completed", session, len(contents))
	}
	for i, f := range session.Files {
		body, err := s.objects.Open(s.t.Context(), f.Key, 0, -1)
		if err != nil {
			s.t.Fatal(err)
		}
		digest := sha256.New()
		_, err = io.Copy(digest, body)
		body.Close()
		if want := sha256.Sum256(contents[i]); err != nil || !bytes.Equal(digest.Sum(nil), want[:]) {
			s.t.Errorf("object of file %d = other bytes, %v, want those sent", i, err)
		}
	}
}

func TestUploadThroughACuttingNetwork(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.proxy.CutAfter(3 * partSize)
	s.proxy.Throttle(8 << 10)
	contents := [][]byte{random(40*partSize + 17), nil, random(1), random(partSize), random(3*partSize - 1)}
	var files []client.File
	for _, c := range contents {
		files = append(files, file("same name", c))
	}
	progress := &client.Progress{}
	session, err := s.client.Upload(t.Context(), files, client.UploadOptions{Progress: progress})
	if err != nil {
		t.Fatalf("Upload() = %v, want nil", err)
	}
	s.holds(session, contents...)
	if done, total := progress.Bytes(); done != total || total != 44*partSize+17 {
		t.Errorf("Progress = %d of %d, want all of %d", done, total, 44*partSize+17)
	}
	if _, cuts := s.proxy.Passed(); cuts < 5 {
		t.Errorf("the network was cut %d times, want it often", cuts)
	}
	listed, err := s.client.Files(t.Context(), session.ID)
	if err != nil || len(listed) != len(contents) || listed[0].Size != int64(len(contents[0])) {
		t.Errorf("Files() = %+v, %v, want all", listed, err)
	}
}

// interrupted uploads until some bytes have passed and returns the session.
func (s *site) interrupted(files []client.File, after int64) string {
	s.t.Helper()
	s.proxy.Throttle(16 << 10)
	defer s.proxy.Throttle(0)
	ctx, cancel := context.WithCancel(s.t.Context())
	defer cancel()
	id := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		_, err := s.client.Upload(ctx, files, client.UploadOptions{Parallel: 2, Started: func(session string) error {
			id <- session
			return nil
		}})
		ended <- err
	}()
	session := <-id
	s.proxy.Await(after)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		s.t.Fatalf("Upload() that is interrupted = %v, want context canceled", err)
	}
	s.proxy.CutAll() // what the old connections still hold does not count
	return session
}

func TestUploadGoesOn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	data := random(30 * partSize)
	files := []client.File{file("a", data[:10*partSize]), file("b", data[10*partSize:])}
	id := s.interrupted(files, 20*partSize)
	before, _ := s.proxy.Passed()
	session, err := s.client.Upload(t.Context(), files, client.UploadOptions{Session: id})
	if err != nil || session.ID != id {
		t.Fatalf("Upload(%s) = %+v, %v, want it to go on", id, session, err)
	}
	s.holds(session, data[:10*partSize], data[10*partSize:])
	if after, _ := s.proxy.Passed(); after-before > 16*partSize {
		t.Errorf("going on sent %d bytes, want only what was missing", after-before)
	}
	again, err := s.client.Upload(t.Context(), files, client.UploadOptions{Session: id})
	if err != nil || again.Status != client.Completed {
		t.Errorf("Upload() of a completed session = %+v, %v, want nothing to do", again, err)
	}
}

func TestUploadGoesOnWithChangedBytes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	data := random(20 * partSize)
	id := s.interrupted([]client.File{file("a", data)}, 10*partSize)
	for i := 0; i < len(data); i += partSize {
		data[i]++
	}
	session, err := s.client.Upload(t.Context(), []client.File{file("a", data)}, client.UploadOptions{Session: id})
	if err != nil {
		t.Fatalf("Upload() = %v, want nil", err)
	}
	s.holds(session, data)
}

func TestExpiredURLsAreRenewed(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	data := random(20 * partSize)
	s.proxy.Throttle(16 << 10)
	session, err := s.client.Upload(t.Context(), []client.File{file("a", data)}, client.UploadOptions{
		Started: func(string) error { s.clock.Add(2 * time.Hour); return nil },
	})
	if err != nil {
		t.Fatalf("Upload() with expired URLs = %v, want nil", err)
	}
	s.holds(session, data)
}

func TestUploadRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	one := []client.File{file("a", random(2*partSize))}
	_, err := s.newClient("garbage").Upload(t.Context(), one, client.UploadOptions{})
	if !client.IsStatus(err, 401) {
		t.Errorf("Upload() with a bad token = %v, want status 401", err)
	}
	_, err = s.client.Upload(t.Context(), []client.File{file("../x", nil), file("", nil)}, client.UploadOptions{})
	if refused, ok := errors.AsType[*client.Error](err); !ok || refused.Status != 422 || len(refused.Sub) != 2 || !strings.Contains(err.Error(), "filesToUpload[1]") {
		t.Errorf("Upload() of bad names = %v, want status 422 with two sub errors", err)
	}
	_, err = s.client.Upload(t.Context(), one, client.UploadOptions{Session: quern.NewID[string]()})
	if !errors.Is(err, client.ErrEnded) {
		t.Errorf("Upload() into no session = %v, want ErrEnded", err)
	}
	prepared, err := s.client.Prepare(t.Context(), []client.NewFile{{Filename: "b", Size: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.Upload(t.Context(), one, client.UploadOptions{Session: prepared.SessionID}); !errors.Is(err, client.ErrOtherFiles) {
		t.Errorf("Upload() into another session = %v, want ErrOtherFiles", err)
	}
	if err := s.client.Abort(t.Context(), prepared.SessionID); err != nil {
		t.Errorf("Abort() = %v, want nil", err)
	}
	changed := errors.New("the file has changed")
	one[0].Check = func() error { return changed }
	if _, err := s.client.Upload(t.Context(), one, client.UploadOptions{}); !errors.Is(err, changed) {
		t.Errorf("Upload() of a changed file = %v, want what Check said", err)
	}
	one[0].Check, one[0].Size = nil, one[0].Size+partSize
	if _, err := s.client.Upload(t.Context(), one, client.UploadOptions{}); err == nil || !strings.Contains(err.Error(), "shorter") {
		t.Errorf("Upload() of a file that became shorter = %v, want an error that says so", err)
	}
}

func TestBusyServerIsAskedAgain(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch asked.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			panic(http.ErrAbortHandler)
		case 3:
			_, _ = io.WriteString(w, `{"sessionId":`) // half of an answer
		default:
			_, _ = io.WriteString(w, `{"sessionId":"1","sessionStatus":"completed"}`)
		}
	}))
	defer server.Close()
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	c, err := client.New(client.Options{Server: server.URL, Token: "t", HTTP: server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := c.Session(t.Context(), "1"); err != nil || s.Status != client.Completed || asked.Load() != 4 {
		t.Errorf("Session() = %+v, %v after %d requests, want completed after 4", s, err, asked.Load())
	}
	for _, address := range []string{"", "quern.example", "ftp://quern.example"} {
		if _, err := client.New(client.Options{Server: address, Token: "t"}); err == nil {
			t.Errorf("New(%q) = nil, want an error", address)
		}
	}
}

// TestServersThatNeverAnsweredAreGivenUpSooner has an address where nobody listens: before the
// server was ever reached a request fails early and says so, afterwards with the whole patience.
func TestServersThatNeverAnsweredAreGivenUpSooner(t *testing.T) {
	t.Parallel()
	const first, patience = 50 * time.Millisecond, 600 * time.Millisecond
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[]`) }))
	transport := &http.Transport{DisableKeepAlives: true}
	c, err := client.New(client.Options{
		Server: server.URL, Token: "t", HTTP: &http.Client{Transport: transport}, Patience: patience, FirstPatience: first,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.IngestionsUnderWay(t.Context()); err != nil {
		t.Fatal(err)
	}
	server.Close()
	fails := func(c *client.Client) (took time.Duration, unreached bool) {
		started := time.Now()
		_, err := c.IngestionsUnderWay(t.Context())
		if err == nil {
			t.Fatal("a request without a server succeeds")
		}
		_, unreached = errors.AsType[*client.UnreachedError](err)
		return time.Since(started), unreached
	}
	if took, unreached := fails(c); unreached || took < patience/3 {
		t.Errorf("a server that went away is given up after %s, unreached %t; want patience", took, unreached)
	}
	fresh, err := client.New(client.Options{Server: server.URL, Token: "t", Patience: time.Minute, FirstPatience: first})
	if err != nil {
		t.Fatal(err)
	}
	if took, unreached := fails(fresh); !unreached || took > time.Minute/2 {
		t.Errorf("a server that never answered is given up after %s, unreached %t; want it soon", took, unreached)
	}
}
