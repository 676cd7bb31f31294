package web

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"quern/door"
)

//go:embed all:console/dist
var dist embed.FS

// BuildHeader names the console's build in answers that the console reads, so that a
// page that was opened long ago notices a newer one.
const BuildHeader = "Quern-Build"

// consoleRoots are the first steps of the console's own addresses: what lies under
// them is the page's to make sense of.
var consoleRoots = []string{"ask", "data", "upload", "settings", "answers"}

// console is the page of people who are signed in: one document, and the files that
// it needs under an address that changes with every build.
type console struct {
	build string
	shell *template.Template
	files map[string]*file
	// parts is an origin beside this server's that the page sends parts of files to,
	// and goals returns origins that the sign-out may lead to.
	parts string
	goals func() string
}

// file is one file of the console.
type file struct {
	kind  string
	body  []byte
	small func() []byte // compressed; nil where that does not pay
}

// fileKinds are the media types of the console's files, the same on every machine.
var fileKinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
	".woff2": "font/woff2", ".json": "application/json", ".webmanifest": "application/manifest+json", ".ico": "image/x-icon",
	".txt": "text/plain; charset=utf-8",
}

// shellName is the file of the document itself, which is served under no address of
// its own.
const shellName = "index.html"

func newConsole(files fs.FS) (*console, error) {
	c := &console{files: map[string]*file{}}
	sum := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(body))
		_, _ = sum.Write(body)
		if name == shellName {
			c.shell, err = template.New(name).Parse(string(body))
			return err
		}
		c.files[name] = newFile(name, body)
		return nil
	})
	c.build = hex.EncodeToString(sum.Sum(nil)[:8])
	if err == nil && c.shell == nil {
		err = fmt.Errorf("the console has no %s", shellName)
	}
	return c, err
}

func newFile(name string, body []byte) *file {
	f := &file{kind: fileKinds[path.Ext(name)], body: body}
	if f.kind == "" {
		f.kind = "application/octet-stream"
	}
	isText := strings.HasPrefix(f.kind, "text/") || strings.HasSuffix(f.kind, "json") || f.kind == "image/svg+xml"
	if isText && len(body) > 1<<10 {
		f.small = sync.OnceValue(func() []byte { return compressed(body) })
	}
	return f
}

func compressed(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(body) // memory takes everything
	_ = w.Close()
	return b.Bytes()
}

// owns reports whether an address below the start page is the console's.
func (c *console) owns(address string) bool {
	root, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	return slices.Contains(consoleRoots, root)
}

// policy is what the document may load and where it may send: its own files, with
// styles that carry the nonce, and parts of files to where they are kept.
func (c *console) policy(nonce string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; img-src 'self' data: blob:; font-src 'self'; " +
		"connect-src " + joined("'self'", c.parts) + "; manifest-src 'self'; form-action " + joined("'self'", c.goals()) +
		"; base-uri 'none'; frame-ancestors 'none'"
}

func joined(one, other string) string {
	if other == "" {
		return one
	}
	return one + " " + other
}

// ServeHTTP writes the document.
func (c *console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), "console")
	nonce := rand.Text()
	var body bytes.Buffer
	shown := struct{ Assets, Nonce, Build string }{assetsPath + c.build, nonce, c.build}
	if err := c.shell.Execute(&body, shown); err != nil {
		door.WriteError(w, r, fmt.Errorf("the console's page: %w", err))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", c.policy(nonce))
	h.Set("Cache-Control", "no-store")
	_, _ = body.WriteTo(w) // the client may be gone
}

// serveFile answers with a file of this build.
func (c *console) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	f, ok := c.files[name]
	if !ok {
		door.WriteError(w, r, door.ErrNoRoute)
		return
	}
	h, body := w.Header(), f.body
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if f.small != nil {
		h.Add("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = f.small()
		}
	}
	_, _ = w.Write(body) // the client may be gone
}
