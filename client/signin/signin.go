// Package signin signs a person on this machine in to a server: through a browser, with
// the code flow and PKCE, and keeps what came of it in a file that is renewed as it is
// used.
//
// It owns the way to the provider and back, and the file. It never asks for a password,
// and never sends a token anywhere but to the server that it was made for and to the
// provider that made it.
//
// The failure it is built around is the sign-in that ends up with somebody else: an
// answer counts only with the state that was sent, from the issuer that was asked, for the
// challenge that only this process knows; a file that others may read is not read; and
// what renews a sign-in is used by one process at a time, for a second use ends it.
//
//	Find ──▶ Begin ──▶ browser ──▶ Listen | typed code ──▶ Finish ──▶ File.Keep
//	                                                                      │
//	                                              Source.Token ◀──────────┘ renews
package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// maxAnswer bounds what is read of an answer.
	maxAnswer = 1 << 20
	// answerTime is how long one answer may take.
	answerTime = 30 * time.Second
)

// ErrNoClient says that a server's provider knows no command lines.
var ErrNoClient = errors.New("the server's identity provider has no client for command lines")

// Provider is who signs people in for a server, and as what.
type Provider struct {
	Server   string // as a client reaches it, without a slash at its end
	Issuer   string
	ClientID string
	Scope    string
	CodeURL  string // the redirect address that shows a code
	// Authorize, Token and Revoke are the provider's addresses; Revoke may be empty.
	Authorize, Token, Revoke string
	namesItself              bool // its answers carry iss
}

// Normalize writes a server's address in one way, so that it can be compared. It fails for
// what is no address of a server.
func Normalize(server string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(server))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("the server's address %q does not start with http:// or https://, or holds more than an address", server)
	}
	u.Host = strings.ToLower(u.Host)
	return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(u.String(), "/"), "/api/v1"), "/"), nil
}

// Find asks a server who signs people in for it, and the provider for its addresses.
// ErrNoClient when command lines cannot sign in there.
func Find(ctx context.Context, client *http.Client, server string) (Provider, error) {
	p := Provider{}
	var err error
	if p.Server, err = Normalize(server); err != nil {
		return p, err
	}
	var told struct {
		Issuer   string `json:"issuer"`
		ClientID string `json:"clientId"`
		Scope    string `json:"scope"`
		CodeURL  string `json:"codeUrl"`
	}
	if err := read(ctx, client, p.Server+"/api/v1/user/provider", &told); err != nil {
		return p, fmt.Errorf("%s does not say how to sign in: %w", p.Server, err)
	}
	p.Issuer, p.ClientID, p.Scope, p.CodeURL = told.Issuer, told.ClientID, told.Scope, told.CodeURL
	switch {
	case p.ClientID == "":
		return p, ErrNoClient
	case !asSafe(p.Server, p.Issuer):
		return p, fmt.Errorf("%s names an identity provider that is less protected than itself: %q", p.Server, p.Issuer)
	}
	var document struct {
		Issuer      string `json:"issuer"`
		Authorize   string `json:"authorization_endpoint"`
		Token       string `json:"token_endpoint"`
		Revoke      string `json:"revocation_endpoint"`
		NamesItself bool   `json:"authorization_response_iss_parameter_supported"`
	}
	if err := read(ctx, client, strings.TrimSuffix(p.Issuer, "/")+"/.well-known/openid-configuration", &document); err != nil {
		return p, fmt.Errorf("the identity provider %s cannot be asked: %w", p.Issuer, err)
	}
	p.Authorize, p.Token, p.Revoke, p.namesItself = document.Authorize, document.Token, document.Revoke, document.NamesItself
	switch {
	case document.Issuer != p.Issuer:
		return p, fmt.Errorf("the identity provider %s calls itself %q", p.Issuer, document.Issuer)
	case !asSafe(p.Issuer, p.Authorize) || !asSafe(p.Issuer, p.Token):
		return p, fmt.Errorf("the identity provider %s names no addresses that are as protected as its own", p.Issuer)
	}
	if !asSafe(p.Issuer, p.Revoke) {
		p.Revoke = ""
	}
	return p, nil
}

// Plain reports whether what is sent to a server can be read on its way: it is neither
// encrypted nor on this machine.
func Plain(server string) bool {
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "https" {
		return false
	}
	address := net.ParseIP(u.Hostname())
	return u.Hostname() != "localhost" && (address == nil || !address.IsLoopback())
}

// asSafe reports whether an address is no less protected than the one that names it.
func asSafe(by, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && !strings.HasPrefix(by, "https:")
}

func read(ctx context.Context, client *http.Client, address string, dest any) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	status, body, err := send(client, req)
	switch {
	case err != nil:
		return err
	case status != http.StatusOK:
		return fmt.Errorf("%s answers %d", address, status)
	}
	return json.Unmarshal(body, dest)
}

func send(client *http.Client, req *http.Request) (status int, body []byte, err error) {
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return resp.StatusCode, body, err
}
