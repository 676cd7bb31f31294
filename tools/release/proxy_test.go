//go:build packages

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// host is the name that the guide to proxies uses.
const host = "quern.example"

// proxy is one of those in docs/proxy.md, with what its file becomes here: the addresses
// of this machine, and certificates that nobody has to ask for.
type proxy struct {
	title   string
	port    string
	file    string // in the root
	command []string
	adapt   func(text string) string
}

var proxies = []proxy{
	{"nginx", "18481", "/etc/nginx/guide.conf", []string{"nginx", "-c", "/etc/nginx/guide.conf", "-g", "daemon off;"}, func(text string) string {
		return "error_log stderr;\npid /run/guide.pid;\nevents {}\nhttp {\naccess_log off;\n" + strings.Replace(text, "listen 443 ", "listen 127.0.0.1:18481 ", 1) + "}\n"
	}},
	{"Caddy", "18482", "/etc/caddy/guide", []string{"caddy", "run", "--config", "/etc/caddy/guide", "--adapter", "caddyfile"}, func(text string) string {
		return "{\nadmin off\nauto_https disable_redirects\n}\n" +
			strings.Replace(text, host+" {", host+":18482 {\ntls /etc/ssl/quern.pem /etc/ssl/quern.key", 1)
	}},
	{"Traefik", "18483", "/etc/traefik.yaml", []string{
		"traefik", "--entryPoints.websecure.address=127.0.0.1:18483", "--providers.file.filename=/etc/traefik.yaml", "--global.checkNewVersion=false",
	}, adaptTraefik},
}

// configuration is the file of a proxy as the guide has it, with these servers in the
// place of its two: one that runs, and one that does not.
func (p proxy) configuration(t *testing.T) string {
	t.Helper()
	guide, err := os.ReadFile(filepath.Join(repository(t), "docs/proxy.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)\n## " + p.title + "\n.*?```[a-z]*\n(.*?)```").FindSubmatch(guide)
	if found == nil {
		t.Fatalf("docs/proxy.md has no file for %s", p.title)
	}
	text := string(found[1])
	for from, to := range map[string]string{"10.0.0.5:8080": address, "10.0.0.6:8080": "127.0.0.1:9"} {
		if !strings.Contains(text, from) {
			t.Fatalf("the file for %s does not name %s", p.title, from)
		}
		text = strings.ReplaceAll(text, from, to)
	}
	adapted := p.adapt(text)
	if !strings.Contains(adapted, p.port) {
		t.Fatalf("the file for %s is not what the test knows how to move: %s", p.title, text)
	}
	return adapted
}

// certify makes a certificate of the host in the root, and returns who believes it.
func (b *bare) certify() *x509.CertPool {
	b.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		b.t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		b.t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made})
	b.write("/etc/ssl/quern.pem", string(certificate))
	b.write("/etc/ssl/quern.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	b.write("/etc/hosts", "127.0.0.1 localhost "+host+"\n")
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	return pool
}

func (b *bare) write(path, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.root+path, []byte(text), 0o644); err != nil { //nolint:gosec // the root is the test's own
		b.t.Fatal(err)
	}
}

// silentModel is a model's service that says nothing until it is released: a question is
// under way for as long as the test wants.
func silentModel(t *testing.T) (url string, asked <-chan struct{}, release func()) {
	t.Helper()
	begun, end := make(chan struct{}, 100), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		select {
		case <-end:
		case <-r.Context().Done():
		}
		http.Error(w, "not now", http.StatusBadRequest)
	}))
	t.Cleanup(s.Close)
	return s.URL, begun, func() { close(end) }
}

// behindProxies asks the installed server through each proxy, set up as the guide says.
func (b *bare) behindProxies(token string) {
	b.t.Helper()
	trusted := b.certify()
	b.installTraefik()
	for _, p := range proxies {
		b.behind(p, token, trusted)
	}
}

func (b *bare) behind(p proxy, token string, trusted *x509.CertPool) {
	b.t.Helper()
	model, asked, release := silentModel(b.t)
	url := "https://" + host + ":" + p.port
	stop := b.serve("QUERN_PUBLIC_URL="+url, "QUERN_TRUSTED_PROXIES=127.0.0.0/8", "QUERN_LLM_PROVIDER=openai", "QUERN_LLM_BASE_URL="+model,
		"QUERN_LLM_MODEL=silent", "QUERN_LLM_RETRIES=0", "QUERN_LLM_TIMEOUT=5m")
	defer stop()
	b.write(p.file, p.configuration(b.t))
	defer b.startProxy(p)()
	c := &caller{t: b.t, url: url, token: token, http: &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:"+p.port)
		},
	}}}
	defer c.http.CloseIdleConnections()
	c.awaitAnswers()
	for _, inside := range []string{"/healthz", "/readyz", "/metrics"} {
		if status, _ := c.call("GET", inside, ""); status != http.StatusNotFound {
			b.t.Errorf("%s passes %s on: %d, want 404", p.title, inside, status)
		}
	}
	rows := strings.Repeat(`{"id":1,"amount":0,"note":"`+strings.Repeat("x", 1000)+`"},`, 4000)
	if status, text := c.call("POST", "/api/v1/ingest/shop/large_"+strings.ToLower(p.title), `{"data":[`+strings.TrimSuffix(rows, ",")+`]}`); status != http.StatusOK {
		b.t.Errorf("4 MB of rows through %s = %d %.300s, want 200", p.title, status, text)
	}
	b.write("/tmp/sent.csv", "id,amount\n"+strings.Repeat("1,2\n", 3_000_000))
	upload := b.command("quern:quern", "quern", "upload", "--server", url, "--token", token, "--to", "shop/sent_"+strings.ToLower(p.title), "/tmp/sent.csv")
	upload.Env = append(upload.Env, "SSL_CERT_FILE=/etc/ssl/quern.pem", "HOME=/tmp")
	if text, err := upload.CombinedOutput(); err != nil {
		b.t.Errorf("quern upload through %s = %v\n%s", p.title, err, text)
	}
	c.wantStream(p.title, asked, release)
}

// startProxy starts a proxy in the root, and returns what ends it.
func (b *bare) startProxy(p proxy) (end func()) {
	b.t.Helper()
	cmd := b.command("root:root", p.command...)
	cmd.Env = append(cmd.Env, "HOME=/root", "XDG_DATA_HOME=/tmp", "XDG_CONFIG_HOME=/tmp")
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	return func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		if b.t.Failed() {
			b.t.Logf("%s says: %s", p.title, log.String())
		}
	}
}

// caller asks a server through a proxy.
type caller struct {
	t          *testing.T
	url, token string
	http       *http.Client
}

func (c *caller) request(method, path, body string) *http.Request {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

func (c *caller) call(method, path, body string) (status int, text string) {
	c.t.Helper()
	resp, err := c.http.Do(c.request(method, path, body))
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil || resp.ProtoMajor != 2 {
		c.t.Errorf("%s %s was answered with %s, %v, want HTTP/2", method, path, resp.Proto, err)
	}
	return resp.StatusCode, string(all)
}

// awaitAnswers waits until the proxy knows which of its servers runs: ten answers in a row.
func (c *caller) awaitAnswers() {
	c.t.Helper()
	good, status, text := 0, 0, ""
	for deadline := time.Now().Add(time.Minute); good < 10; {
		if time.Now().After(deadline) {
			c.t.Fatalf("the proxy has not answered ten times in a row: %d %s", status, text)
		}
		if status, text = c.call("GET", "/api/v1/data", ""); status == http.StatusOK {
			good++
			continue
		}
		good = 0
		time.Sleep(200 * time.Millisecond)
	}
}

// wantStream asks a question whose model is silent. The events so far, and the line that
// keeps the stream alive, have to come through meanwhile; the answer when the model is done.
func (c *caller) wantStream(proxy string, asked <-chan struct{}, release func()) {
	c.t.Helper()
	req := c.request("POST", "/api/v1/query/ask", `{"username":"self","namespace":"shop","query":"How many orders are there?"}`)
	req.Header.Set("Accept", "text/event-stream")
	resp, err := c.http.Do(req)
	if err != nil {
		c.t.Fatalf("asking through %s = %v", proxy, err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	var seen []string
	until := func(what string) {
		c.t.Helper()
		for lines.Scan() {
			seen = append(seen, lines.Text())
			if strings.HasPrefix(lines.Text(), what) {
				return
			}
		}
		c.t.Fatalf("the stream through %s ended with %v before %q:\n%s", proxy, lines.Err(), what, strings.Join(seen, "\n"))
	}
	until("event: ")
	<-asked
	began := time.Now()
	until(":") // nothing happens: the line that keeps it alive
	fmt.Fprintf(os.Stderr, "%s: an idle stream was heard of after %v\n", proxy, time.Since(began).Round(time.Second))
	release()
	until("event: answer")
}
