package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// fresh is how old the browser's own sign-in may be. What is signed in here ends with it,
// so an old one would not last.
const fresh = 12 * time.Hour

// Flow is one sign-in on its way to the provider and back.
type Flow struct {
	provider        Provider
	client          *http.Client
	agent           string
	state, verifier string
	redirect        string
}

// Begin begins a sign-in whose answer goes to a redirect address. agent is how this
// program calls itself, as lists of sessions show it.
func Begin(p Provider, client *http.Client, agent, redirect string) *Flow {
	return &Flow{provider: p, client: client, agent: agent, state: random(), verifier: random(), redirect: redirect}
}

func random() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

// Address is where a browser signs in.
func (f *Flow) Address() string {
	sum := sha256.Sum256([]byte(f.verifier))
	q := url.Values{
		"response_type": {"code"}, "client_id": {f.provider.ClientID}, "redirect_uri": {f.redirect}, "scope": {f.provider.Scope},
		"state": {f.state}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
		"max_age": {strconv.Itoa(int(fresh.Seconds()))},
	}
	separator := "?"
	if strings.Contains(f.provider.Authorize, "?") {
		separator = "&"
	}
	return f.provider.Authorize + separator + q.Encode()
}

// errState says that an answer belongs to no sign-in that was begun here.
var errState = errors.New("the answer does not belong to this sign-in")

// Refused is a sign-in that the provider, or somebody at the browser, did not allow.
type Refused struct{ Code, Description string }

func (r *Refused) Error() string {
	switch {
	case r.Code == "access_denied":
		return "the sign-in was not allowed"
	case r.Description != "":
		return "the sign-in was refused: " + r.Description
	}
	return "the sign-in was refused: " + r.Code
}

// Finish takes what the provider answered, and returns the sign-in that came of it.
func (f *Flow) Finish(ctx context.Context, answer url.Values) (Login, error) {
	if subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(f.state)) != 1 {
		return Login{}, errState
	}
	if iss := answer.Get("iss"); iss != f.provider.Issuer && (iss != "" || f.provider.namesItself) {
		return Login{}, errors.New("the answer comes from another identity provider")
	}
	if code := answer.Get("error"); code != "" {
		return Login{}, &Refused{code, answer.Get("error_description")}
	}
	if answer.Get("code") == "" {
		return Login{}, errors.New("the answer holds no code")
	}
	l := Login{Server: f.provider.Server, Issuer: f.provider.Issuer, ClientID: f.provider.ClientID, TokenURL: f.provider.Token, RevokeURL: f.provider.Revoke}
	return l.trade(ctx, f.client, f.agent, url.Values{
		"grant_type": {"authorization_code"}, "code": {answer.Get("code")}, "redirect_uri": {f.redirect}, "code_verifier": {f.verifier},
	})
}

// Typed reads what somebody copied from the page that shows a code: the text there, or the
// page's address.
func (f *Flow) Typed(text string) (url.Values, error) {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && strings.HasPrefix(text, f.provider.CodeURL+"?") {
		return u.Query(), nil
	}
	at := strings.LastIndexByte(text, '~')
	if at < 0 {
		return nil, errors.New("that is not a whole code: copy all of it")
	}
	code, err := url.QueryUnescape(text[:at])
	if err != nil {
		return nil, errors.New("that is not a whole code: copy all of it")
	}
	// The page does not repeat who answered: the code is redeemed where it was asked for.
	return url.Values{"code": {code}, "state": {text[at+1:]}, "iss": {f.provider.Issuer}}, nil
}

// errEnded says that a provider takes a refresh token no longer.
var errEnded = errors.New("the provider says that the sign-in has ended")

// trade asks the provider for tokens.
func (l Login) trade(ctx context.Context, client *http.Client, agent string, form url.Values) (Login, error) {
	form.Set("client_id", l.ClientID)
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.TokenURL, strings.NewReader(form.Encode()))
	if err != nil {
		return l, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", agent)
	status, body, err := send(client, req)
	if err != nil {
		return l, err
	}
	var issued struct {
		Access      string  `json:"access_token"`
		Refresh     string  `json:"refresh_token"`
		ExpiresIn   float64 `json:"expires_in"`
		Error       string  `json:"error"`
		Description string  `json:"error_description"`
	}
	unreadable := json.Unmarshal(body, &issued) != nil
	switch {
	case issued.Error == "invalid_grant" && form.Get("grant_type") == "refresh_token":
		return l, errEnded
	case status != http.StatusOK && issued.Error != "":
		return l, &Refused{issued.Error, issued.Description}
	case status != http.StatusOK || unreadable || issued.Access == "":
		return l, fmt.Errorf("the identity provider answers %d without a token", status)
	}
	l.Access, l.ExpiresAt = issued.Access, time.Time{}
	if issued.Refresh != "" {
		l.Refresh = issued.Refresh
	}
	if issued.ExpiresIn > 0 {
		l.ExpiresAt = time.Now().Add(time.Duration(issued.ExpiresIn * float64(time.Second))).UTC().Truncate(time.Second)
	}
	return l, nil
}

// End tells the provider that the sign-in is over, where it takes such news.
func (l Login) End(ctx context.Context, client *http.Client) error {
	if l.RevokeURL == "" || l.Refresh == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	form := url.Values{"token": {l.Refresh}, "token_type_hint": {"refresh_token"}, "client_id": {l.ClientID}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.RevokeURL, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	status, _, err := send(client, req)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the identity provider answers %d", status)
	}
	return err
}
