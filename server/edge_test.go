package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/server"
)

func TestReadyNamesWhatFails(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	t.Cleanup(func() { close(stuck) })
	r := start(t, server.Options{Handler: hello, Checks: []server.Check{
		{Name: "database", Probe: func(context.Context) error { return nil }},
		{Name: "objects", Probe: func(context.Context) error { return errors.New("dial tcp 10.0.0.7: secret driver text") }},
		{Name: "identity", Probe: func(context.Context) error {
			return quern.E(quern.Unreachable, quern.CodeUnreachable, "The issuer does not answer.")
		}},
		{Name: "broken", Probe: func(context.Context) error { panic("oops") }},
		{Name: "stuck", Probe: func(context.Context) error { <-stuck; return nil }},
	}})
	resp, body := r.do(t, "GET", "/readyz", nil)
	var got server.Readiness
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusServiceUnavailable || got.Ready || got.Draining || resp.Header.Get("Retry-After") == "" {
		t.Errorf("GET /readyz = %d %s, want 503, not ready", resp.StatusCode, body)
	}
	want := []server.CheckResult{
		{Name: "database", OK: true}, {Name: "objects", Error: "does not work"},
		{Name: "identity", Error: "The issuer does not answer."}, {Name: "broken", Error: "does not work"},
		{Name: "stuck", Error: "did not answer in time"},
	}
	for i, c := range got.Checks {
		if c != want[i] {
			t.Errorf("check = %+v, want %+v", c, want[i])
		}
	}
}

// A database that has just been stopped is away in the next answer.
func TestReadinessIsNotRemembered(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	r := start(t, server.Options{Handler: hello, Checks: []server.Check{{Name: "database", Probe: func(context.Context) error {
		if away.Load() {
			return errors.New("connection refused")
		}
		return nil
	}}}})
	for i, want := range []int{200, 503, 200, 503} {
		away.Store(i%2 == 1)
		if resp, body := r.do(t, "GET", "/readyz", nil); resp.StatusCode != want {
			t.Errorf("GET /readyz with the database away: %v = %d %s, want %d", away.Load(), resp.StatusCode, body, want)
		}
	}
}

func TestChecksRunOneRoundAtATime(t *testing.T) {
	t.Parallel()
	var running, rounds atomic.Int32
	r := start(t, server.Options{Handler: hello, Checks: []server.Check{{Name: "database", Probe: func(context.Context) error {
		defer running.Add(-1)
		rounds.Add(1)
		if running.Add(1) > 1 {
			return errors.New("two rounds at once")
		}
		return nil
	}}}})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if resp, body := r.do(t, "GET", "/readyz", nil); resp.StatusCode != http.StatusOK {
				t.Errorf("GET /readyz = %d %s, want 200", resp.StatusCode, body)
			}
		})
	}
	all.Wait()
	if n := rounds.Load(); n < 1 || n > 50 {
		t.Errorf("50 questions ran %d rounds, want 1 to 50", n)
	}
}

// TestRoundsFollowEachOther asks again as soon as there is an answer: a check that has
// answered is not taken for one that has not.
func TestRoundsFollowEachOther(t *testing.T) {
	t.Parallel()
	works := func(context.Context) error { return nil }
	var checks []server.Check
	for range 16 {
		checks = append(checks, server.Check{Name: "works", Probe: works})
	}
	s, err := server.New(server.Options{Handler: hello, Checks: checks, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for range 60_000 {
		answer := httptest.NewRecorder()
		if s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil)); answer.Code != http.StatusOK {
			t.Fatalf("GET /readyz = %d %s, want 200", answer.Code, answer.Body)
		}
	}
}

func TestReadyUntilDraining(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: hello, Limits: server.Limits{Drain: 1500 * time.Millisecond}})
	if resp, body := r.do(t, "GET", "/readyz", nil); resp.StatusCode != http.StatusOK || !strings.Contains(body, `"ready":true`) {
		t.Errorf("GET /readyz = %d %s, want 200", resp.StatusCode, body)
	}
	if resp, _ := r.do(t, "POST", "/readyz", nil); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST /readyz = %d, want 405", resp.StatusCode)
	}
	r.stop()
	eventually(t, "readyz says draining", func() bool {
		resp, body := r.do(t, "GET", "/readyz", nil)
		return resp.StatusCode == http.StatusServiceUnavailable && strings.Contains(body, `"draining":true`)
	})
	if resp, _ := r.do(t, "GET", "/work", nil); resp.StatusCode != http.StatusOK {
		t.Errorf("GET while draining = %d, want 200", resp.StatusCode)
	}
	r.stopped(t)
}

func TestCORS(t *testing.T) {
	t.Parallel()
	listed := start(t, server.Options{Handler: hello, Origins: []string{"https://app.example"}})
	anyone := start(t, server.Options{Handler: hello, Origins: []string{"*"}})
	none := start(t, server.Options{Handler: hello})
	for _, tt := range []struct {
		name         string
		r            *running
		method       string
		origin, want string
	}{
		{"listed", listed, "GET", "https://app.example", "https://app.example"},
		{"listed, preflight", listed, "OPTIONS", "https://app.example", "https://app.example"},
		{"other", listed, "GET", "https://evil.example", ""},
		{"look-alike", listed, "OPTIONS", "https://app.example.evil", ""},
		{"none given", listed, "GET", "", ""},
		{"anyone", anyone, "GET", "https://evil.example", "*"},
		{"default", none, "GET", "https://app.example", ""},
	} {
		header := http.Header{}
		if tt.origin != "" {
			header.Set("Origin", tt.origin)
		}
		if tt.method == "OPTIONS" {
			header.Set("Access-Control-Request-Method", "PUT")
		}
		resp, _ := tt.r.do(t, tt.method, "/", header)
		if got := resp.Header.Get("Access-Control-Allow-Origin"); got != tt.want {
			t.Errorf("%s: Access-Control-Allow-Origin = %q, want %q", tt.name, got, tt.want)
		}
		if resp.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: credentials are allowed, want never", tt.name)
		}
		switch {
		case tt.want != "" && tt.method == "GET":
			for _, exposed := range []string{"ETag", "X-Next-Cursor", "Retry-After", "X-Request-Id"} {
				if !strings.Contains(resp.Header.Get("Access-Control-Expose-Headers"), exposed) {
					t.Errorf("%s: %s is not exposed", tt.name, exposed)
				}
			}
		case tt.want != "":
			if resp.StatusCode != http.StatusNoContent || !strings.Contains(resp.Header.Get("Access-Control-Allow-Methods"), "PUT") {
				t.Errorf("%s: preflight = %d %v, want 204 that allows PUT", tt.name, resp.StatusCode, resp.Header)
			}
			for _, allowed := range []string{"Authorization", "Idempotency-Key", "Last-Event-ID"} {
				if !strings.Contains(resp.Header.Get("Access-Control-Allow-Headers"), allowed) {
					t.Errorf("%s: %s is not allowed", tt.name, allowed)
				}
			}
		}
		if tt.r == listed && resp.Header.Get("Vary") != "Origin" {
			t.Errorf("%s: Vary = %q, want Origin", tt.name, resp.Header.Get("Vary"))
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	r := start(t, server.Options{Handler: hello})
	resp, _ := r.do(t, "GET", "/", nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Strict-Transport-Security": "",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestTLSFollowsItsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if _, err := server.New(server.Options{Handler: hello, CertFile: cert, KeyFile: key}); err == nil {
		t.Error("New() with missing TLS files = nil, want an error")
	}
	writeCertificate(t, cert, key, "first")
	var now atomic.Int64
	r := start(t, server.Options{Handler: hello, CertFile: cert, KeyFile: key, Now: func() time.Time { return time.Unix(now.Load(), 0) }})
	if got := nameOf(t, r.addr); got != "first" {
		t.Errorf("certificate = %q, want first", got)
	}
	if err := os.WriteFile(key, []byte("not a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	now.Add(60)
	if got := nameOf(t, r.addr); got != "first" {
		t.Errorf("certificate after a broken renewal = %q, want first", got)
	}
	writeCertificate(t, cert, key, "second")
	now.Add(60)
	if got := nameOf(t, r.addr); got != "second" {
		t.Errorf("certificate after a renewal = %q, want second", got)
	}
	old := &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	if c, err := tls.Dial("tcp", r.addr, old); err == nil {
		_ = c.Close()
		t.Error("TLS 1.1 was accepted, want it refused")
	}
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer client.CloseIdleConnections()
	resp, err := client.Get("https://" + r.addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	if resp.Header.Get("Strict-Transport-Security") == "" || resp.ProtoMajor != 2 {
		t.Errorf("GET over TLS = HTTP/%d, %v, want HTTP/2 with Strict-Transport-Security", resp.ProtoMajor, resp.Header)
	}
}

func nameOf(t *testing.T, addr string) string {
	t.Helper()
	c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	return c.ConnectionState().PeerCertificates[0].Subject.CommonName
}

func writeCertificate(t *testing.T, certFile, keyFile, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
