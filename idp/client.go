package idp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/auth"
)

const (
	// documentTime and documentBytes bound the reading of a client's document.
	documentTime  = 5 * time.Second
	documentBytes = 16 << 10
	// documentsAtOnce bounds how many are read at the same moment.
	documentsAtOnce = 4
	// documentFresh is how long what was read is used, failures included;
	// documentsKept how many are kept.
	documentFresh = 5 * time.Minute
	documentsKept = 64
	// maxClientName and maxClientURIs bound what a client says of itself.
	maxClientName = 80
	maxClientURIs = 10
)

// errUnknownClient is why an application is not let in. What it says about itself is
// shown to nobody.
var errUnknownClient = errors.New("idp: the client is not known")

// client returns the client that an id names: the command line, an application of somebody
// else that was registered here, or one that a document at its id describes.
func (p *Provider) client(ctx context.Context, id string) (auth.Client, error) {
	if id == auth.CommandLineID {
		return p.commandLine(), nil
	}
	if strings.HasPrefix(id, "https://") {
		return p.documents.client(ctx, id)
	}
	c, err := p.auth.RegisteredClient(ctx, id)
	if quern.Is(err, quern.NotFound) {
		return c, errUnknownClient
	}
	return c, err
}

// mayBeClient reports whether an id is one that an application of somebody else can
// have, without asking anybody else.
func (p *Provider) mayBeClient(ctx context.Context, id string) (bool, error) {
	if p.resource == "" || documentAddress(id) {
		return p.resource != "", nil
	}
	_, err := p.auth.RegisteredClient(ctx, id)
	if quern.Is(err, quern.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// documents are what clients say of themselves at the addresses that are their ids
// (client id metadata documents).
type documents struct {
	http  *http.Client // connects to public addresses only; nil: none are read
	now   func() time.Time
	turns chan struct{}

	mu   sync.Mutex
	kept map[string]document
}

// document is what was read, and when.
type document struct {
	client auth.Client
	err    error
	at     time.Time
}

func newDocuments(client *http.Client, now func() time.Time) *documents {
	return &documents{http: client, now: now, turns: make(chan struct{}, documentsAtOnce), kept: map[string]document{}}
}

// Documents is how many documents of clients are read, and how many are kept.
func (p *Provider) Documents() (read, kept quern.Room) {
	d := p.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	return quern.Places(d.turns), quern.Room{Taken: int64(len(d.kept)), Limit: documentsKept}
}

// client returns the client that the document at id describes.
func (d *documents) client(ctx context.Context, id string) (auth.Client, error) {
	if d.http == nil || !documentAddress(id) {
		return auth.Client{}, errUnknownClient
	}
	d.mu.Lock()
	known, ok := d.kept[id]
	d.mu.Unlock()
	if ok && d.now().Sub(known.at) < documentFresh {
		return known.client, known.err
	}
	select {
	case d.turns <- struct{}{}:
		defer func() { <-d.turns }()
	case <-ctx.Done():
		return auth.Client{}, ctx.Err()
	}
	c, err := d.read(ctx, id)
	if err != nil {
		if ctx.Err() != nil {
			return c, ctx.Err()
		}
		err = fmt.Errorf("%w: %w", errUnknownClient, err)
	}
	d.keep(id, document{c, err, d.now()})
	return c, err
}

// keep remembers a document, in the place of the oldest when there are too many.
func (d *documents) keep(id string, read document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.kept[id]; !known && len(d.kept) >= documentsKept {
		var oldest string
		for other, kept := range d.kept {
			if oldest == "" || kept.at.Before(d.kept[oldest].at) {
				oldest = other
			}
		}
		delete(d.kept, oldest)
	}
	d.kept[id] = read
}

// documentAddress reports whether an id has the form of a document's address: https,
// with a path, only one way to write it, and a host of letters that look like no others.
func documentAddress(id string) bool {
	u, err := url.Parse(id)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && isASCII(u.Host) && u.User == nil && !strings.ContainsAny(id, "?#") &&
		len(u.Path) > 1 && path.Clean(u.Path) == strings.TrimSuffix(u.Path, "/") && u.String() == id
}

// read gets the document at an id, which must speak of itself.
func (d *documents) read(ctx context.Context, id string) (auth.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, documentTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, id, nil) //nolint:gosec // the client connects to public addresses only
	if err != nil {
		return auth.Client{}, err
	}
	r.Header.Set("Accept", "application/json")
	resp, err := d.http.Do(r) //nolint:gosec // see above
	if err != nil {
		return auth.Client{}, err
	}
	defer resp.Body.Close()
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return auth.Client{}, fmt.Errorf("the document is %d %s", resp.StatusCode, kind)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, documentBytes+1))
	if err != nil || len(body) > documentBytes {
		return auth.Client{}, fmt.Errorf("the document cannot be read, or is too large: %w", err)
	}
	var said struct {
		ID string `json:"client_id"`
		clientMetadata
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return auth.Client{}, err
	}
	if said.ID != id {
		return auth.Client{}, errors.New("the document is about another client")
	}
	c, code, reason := said.client()
	if code != "" {
		return c, errors.New(reason)
	}
	c.ID = id
	return c, nil
}

// clientMetadata is what an application says of itself, as RFC 7591 names it.
type clientMetadata struct {
	Name          string   `json:"client_name"`
	RedirectURIs  []string `json:"redirect_uris"`
	AuthMethod    string   `json:"token_endpoint_auth_method"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
}

// client holds what an application says of itself against what is supported here: a
// public client that uses the code flow. It returns the code of what is wrong.
func (m clientMetadata) client() (c auth.Client, code, reason string) {
	const bad = "invalid_client_metadata"
	c.Name = strings.TrimSpace(printable(m.Name))
	switch {
	case utf8.RuneCountInString(c.Name) > maxClientName:
		return c, bad, fmt.Sprintf("client_name must have at most %d characters", maxClientName)
	case m.AuthMethod != "" && m.AuthMethod != "none":
		return c, bad, "token_endpoint_auth_method must be none"
	case m.GrantTypes != nil && !slices.Contains(m.GrantTypes, "authorization_code"):
		return c, bad, "grant_types must have authorization_code"
	case m.ResponseTypes != nil && !slices.Contains(m.ResponseTypes, "code"):
		return c, bad, "response_types must have code"
	case len(m.RedirectURIs) == 0 || len(m.RedirectURIs) > maxClientURIs:
		return c, "invalid_redirect_uri", fmt.Sprintf("redirect_uris must name 1 to %d addresses", maxClientURIs)
	}
	for _, address := range m.RedirectURIs {
		if !clientAddress(address) {
			return c, "invalid_redirect_uri", "redirect_uris must begin with https://, or with http:// on the client's own machine: " +
				quern.Clip(printable(address), 200)
		}
	}
	c.RedirectURIs = m.RedirectURIs
	return c, "", ""
}

// clientAddress reports whether answers may go to an address of somebody else's: one
// that is protected on its way, or on the machine of who is asked.
func clientAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || registrable(address) != nil || !isASCII(u.Host) || len(address) > maxParameter || address != printable(address) {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u)
}

// isASCII reports whether a host is written as it is looked up, so that what is shown is
// where it leads.
func isASCII(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII })
}

func isLoopback(u *url.URL) bool {
	return slices.Contains([]string{"127.0.0.1", "::1", "localhost"}, u.Hostname())
}

// answersTo reports whether a client named an address, letter by letter. A program on
// the user's own machine listens on any port (RFC 8252).
func answersTo(c auth.Client, address string) bool {
	if !clientAddress(address) {
		return false
	}
	return slices.ContainsFunc(c.RedirectURIs, func(named string) bool {
		return named == address || portless(named) != "" && portless(named) == portless(address)
	})
}

// portless is an http address on the user's own machine without its port; empty for
// others.
func portless(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || !isLoopback(u) {
		return ""
	}
	u.Host = u.Hostname()
	return u.String()
}
