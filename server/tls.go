package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certCheck is how often a handshake looks whether the files changed.
const certCheck = 5 * time.Second

// certificate is a certificate that follows its files, so that renewing it
// needs no restart. A renewal that cannot be read leaves the old one in use.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	now               func() time.Time

	mu      sync.Mutex
	current *tls.Certificate
	checked time.Time
	stamp   string
}

func loadCertificate(certFile, keyFile string, log *slog.Logger, now func() time.Time) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log, now: now}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("read the TLS certificate and key: %w", err)
	}
	c.stamp, c.checked = c.fingerprint(), now()
	return c, nil
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if now.Sub(c.checked) < certCheck {
		return c.current, nil
	}
	c.checked = now
	stamp := c.fingerprint()
	if stamp == c.stamp {
		return c.current, nil
	}
	if err := c.load(); err != nil {
		c.log.Error("the TLS files changed but cannot be used; the old certificate stays", "error", err)
		return c.current, nil
	}
	c.stamp = stamp
	c.log.Info("the TLS certificate was renewed")
	return c.current, nil
}

func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}
	c.current = &pair
	return nil
}

// fingerprint changes when a file does.
func (c *certificate) fingerprint() string {
	stamp := ""
	for _, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			stamp += "missing;"
			continue
		}
		stamp += fmt.Sprintf("%d,%d;", info.ModTime().UnixNano(), info.Size())
	}
	return stamp
}
