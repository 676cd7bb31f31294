//go:build packages

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Debian does not have Traefik: it is built from this version of its source.
const (
	traefik    = "github.com/traefik/traefik/v3@v3.6.12"
	traefikSum = "h1:6pe4s7aaDTQs+AsF7KP3sM/xnq7zOVvibRQe5tw9eFo="
)

// installTraefik builds Traefik into the root. The first time that takes some ten minutes.
func (b *bare) installTraefik() {
	b.t.Helper()
	fmt.Fprintln(os.Stderr, "building Traefik")
	b.t.Setenv("CGO_ENABLED", "0")
	var module struct{ Dir, Sum string }
	if text := must(b.t, "go", "mod", "download", "-json", traefik); json.Unmarshal([]byte(text), &module) != nil || module.Sum != traefikSum {
		b.t.Fatalf("go mod download %s = %s, want the sum %s", traefik, text, traefikSum)
	}
	source := filepath.Join(b.t.TempDir(), "traefik") // its go.mod holds for the main module only
	must(b.t, "cp", "-r", "--no-preserve=mode", module.Dir, source)
	must(b.t, "go", "build", "-C", source, "-trimpath", "-o", filepath.Join(b.root, "usr/bin/traefik"), "./cmd/traefik")
}

// adaptTraefik gives the guide's routes the certificate of the root in the place of one that
// is asked for.
func adaptTraefik(text string) string {
	return "# port 18483\n" + strings.Replace(text, "tls: { certResolver: letsencrypt }", "tls: {}", 1) +
		"tls:\n  stores:\n    default:\n      defaultCertificate: { certFile: /etc/ssl/quern.pem, keyFile: /etc/ssl/quern.key }\n"
}
