package app_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern/app"
	"quern/config"
	"quern/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main(app.Works())
	goleak.VerifyTestMain(m)
}

// journal is a log that can be read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func settings(t *testing.T, more map[string]string) *config.Config {
	t.Helper()
	flags := map[string]string{"data": filepath.Join(t.TempDir(), "data"), "listen": "127.0.0.1:0"}
	for name, value := range more {
		flags[name] = value
	}
	cfg, err := config.Load(config.Inputs{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// start runs an app; the function it returns stops it and returns Run's error.
func start(t *testing.T, cfg *config.Config, log io.Writer) (*app.App, func() error) {
	t.Helper()
	return startWith(t, cfg, app.Options{Log: log})
}

func startWith(t *testing.T, cfg *config.Config, o app.Options) (*app.App, func() error) {
	t.Helper()
	a, err := app.New(t.Context(), cfg, o)
	if err != nil {
		t.Fatalf("New() = %v, want an app", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	return a, sync.OnceValue(func() error {
		cancel()
		err := <-ended
		if closeErr := a.Close(); closeErr != nil {
			t.Errorf("Close() = %v, want nil", closeErr)
		}
		return err
	})
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(url)
	if err != nil {
		t.Fatalf("GET %s = %v", url, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestRunsAndCloses(t *testing.T) {
	t.Parallel()
	cfg := settings(t, nil)
	log := &journal{}
	for range 2 {
		a, stop := start(t, cfg, log)
		if status, body := get(t, a.URL()+"/readyz"); status != 200 || strings.Count(body, `"ok":true`) != 6 {
			t.Errorf("GET /readyz = %d %s, want 200 and six checks", status, body)
		}
		if status, body := get(t, a.URL()+"/metrics"); status != 200 || !strings.Contains(body, `quern_queries_total{outcome="entered"}`) {
			t.Errorf("GET /metrics = %d, want how queries fared", status)
		}
		if err := stop(); err != nil {
			t.Errorf("Run() = %v, want nil after a stop", err)
		}
		if err := a.Close(); err != nil {
			t.Errorf("Close() again = %v, want nil", err)
		}
	}
	if text := log.String(); !strings.Contains(text, `"msg":"serving"`) || !strings.Contains(text, `"took":"`) && strings.Contains(text, `"took":`) {
		t.Errorf("log = %s, want JSON with readable durations", text)
	}
}

// TestAFullDiskIsNotReady runs the server on a disk that is nearly full, one that is
// not, and one that does not say.
func TestAFullDiskIsNotReady(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		free   int64
		err    error
		status int
		want   string
	}{
		"full":   {1 << 20, nil, 503, `{"name":"free space","ok":false,"error":"the disk of the data directory has 1 MiB left, less than 64"}`},
		"roomy":  {1 << 30, nil, 200, `{"name":"free space","ok":true}`},
		"broken": {0, syscall.EIO, 503, `{"name":"free space","ok":false,"error":"does not work"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings(t, nil)
			a, stop := startWith(t, cfg, app.Options{Log: io.Discard, Free: func(dir string) (int64, error) {
				if dir != cfg.Data {
					t.Errorf("the disk of %s was looked at, want that of %s", dir, cfg.Data)
				}
				return c.free, c.err
			}})
			if status, body := get(t, a.URL()+"/readyz"); status != c.status || !strings.Contains(body, c.want) {
				t.Errorf("GET /readyz = %d %s, want %d and %s", status, body, c.status, c.want)
			}
			if status, _ := get(t, a.URL()+"/healthz"); status != 200 {
				t.Errorf("GET /healthz = %d, want 200: the server lives", status)
			}
			if err := stop(); err != nil {
				t.Errorf("Run() = %v, want nil after a stop", err)
			}
		})
	}
}

func TestFirstUserIsMadeOnce(t *testing.T) {
	t.Parallel()
	a, stop := start(t, settings(t, nil), io.Discard)
	first, err := a.FirstUser(t.Context(), "ada")
	if err != nil || len(first) != 19 {
		t.Errorf("FirstUser(ada) = %q, %v, want a password", first, err)
	}
	if again, err := a.FirstUser(t.Context(), "eve"); err != nil || again != "" {
		t.Errorf("FirstUser(eve) = %q, %v, want none: there is a user", again, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestNewUndoesWhatItCouldNotFinish(t *testing.T) {
	t.Parallel()
	cfg := settings(t, map[string]string{"tls_cert": "/nowhere.pem", "tls_key": "/nowhere.pem"})
	for range 2 { // the second would find the lock taken
		if _, err := app.New(t.Context(), cfg, app.Options{Log: io.Discard}); err == nil || !strings.Contains(err.Error(), "nowhere.pem") {
			t.Errorf("New() without its certificate = %v, want an error that names it", err)
		}
	}
}

func TestAddressInUse(t *testing.T) {
	t.Parallel()
	a, stop := start(t, settings(t, nil), io.Discard)
	taken := strings.TrimPrefix(a.URL(), "http://")
	if _, err := app.New(t.Context(), settings(t, map[string]string{"listen": taken}), app.Options{Log: io.Discard}); err == nil || !strings.Contains(err.Error(), taken) {
		t.Errorf("New() on a taken address = %v, want an error that names it", err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// Not parallel: the collector's address is a variable of the process.
func TestSpansNeverHoldUpRequests(t *testing.T) {
	hold := make(chan struct{})
	asked := make(chan string, 100)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		<-hold
	}))
	defer collector.Close()
	defer close(hold)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
	a, stop := start(t, settings(t, nil), io.Discard)
	for range 50 {
		if status, _ := get(t, a.URL()+"/healthz"); status != 200 {
			t.Errorf("GET /healthz = %d, want 200", status)
		}
	}
	if path := <-asked; path != "/v1/traces" {
		t.Errorf("the collector was asked for %s, want /v1/traces", path)
	}
	before := time.Now()
	if err := stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(before); took > 10*time.Second {
		t.Errorf("stopping took %v, want it not to wait for the collector", took)
	}
}
