package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"quern"
)

// tokens is what an outside provider gives for a code or a refresh token.
type tokens struct {
	Access    string  `json:"access_token"`
	ID        string  `json:"id_token"`
	Refresh   string  `json:"refresh_token"`
	ExpiresIn float64 `json:"expires_in"` // seconds
}

// discovered returns what the issuer says of itself; Unavailable when it never did,
// or names no place to sign in.
func (i *issuer) discovered(ctx context.Context) (discovered, error) {
	if err := i.ready(ctx); err != nil {
		return discovered{}, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.found.authorize == "" || i.found.token == "" {
		return discovered{}, quern.E(quern.Unavailable, quern.CodeUnavailable, "the identity provider does not sign people in").
			Because(errors.New("discovery names no authorization or token endpoint that is as secure as the issuer"))
	}
	return i.found, nil
}

// scope is what a sign-in asks for: who it is, and what renews it, as far as the
// provider knows these words.
func (d discovered) scope() string {
	asked := []string{"openid"}
	for _, scope := range []string{"profile", "email", "offline_access"} {
		silent := len(d.scopes) == 0 && scope == "profile"
		if silent || slices.Contains(d.scopes, scope) {
			asked = append(asked, scope)
		}
	}
	return strings.Join(asked, " ")
}

// trade asks the provider for tokens. Unauthentic when it says that the code or the
// refresh token is not good, Unavailable when it says anything else, or nothing.
func (i *issuer) trade(ctx context.Context, found discovered, form url.Values) (tokens, error) {
	var issued tokens
	byForm := !slices.Contains(found.clientAuth, "client_secret_basic") && slices.Contains(found.clientAuth, "client_secret_post")
	if i.clientSecret == "" || byForm {
		form.Set("client_id", i.clientID)
	}
	if i.clientSecret != "" && byForm {
		form.Set("client_secret", i.clientSecret)
	}
	ctx, cancel := context.WithTimeout(ctx, issuerTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, found.token, strings.NewReader(form.Encode()))
	if err != nil {
		return issued, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if i.clientSecret != "" && !byForm {
		r.SetBasicAuth(url.QueryEscape(i.clientID), url.QueryEscape(i.clientSecret))
	}
	status, body, err := i.ask(r)
	if err != nil {
		return issued, i.silent(err)
	}
	if status != http.StatusOK {
		return issued, i.refused(status, body)
	}
	if err := json.Unmarshal(body, &issued); err != nil {
		return issued, i.silent(errors.New("the answer to a code is not JSON"))
	}
	return issued, nil
}

// refused is the error of a trade that the provider did not make.
func (i *issuer) refused(status int, body []byte) error {
	var told struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(body, &told) // a provider that does not say is not believed to have refused
	cause := fmt.Errorf("the identity provider answered %d %q", status, quern.Clip(told.Error, 100))
	if told.Error == "invalid_grant" {
		return refuse("the code is not valid").Because(cause)
	}
	return i.silent(cause)
}

func (i *issuer) silent(cause error) error {
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "the identity provider does not answer").Because(cause)
}

// signedClaims are what is read of an ID token.
type signedClaims struct {
	claims
	Nonce      string `json:"nonce"`
	Authorized string `json:"azp"`
}

// identity believes an ID token of the provider and returns its claims and the
// username, which the provider is asked for where the token does not have it.
func (i *issuer) identity(ctx context.Context, found discovered, issued tokens) (c signedClaims, username string, err error) {
	e, err := open(issued.ID)
	if err != nil {
		return c, "", refuse(detailInvalid).Because(err)
	}
	key, err := i.key(ctx, e.header)
	if err != nil {
		return c, "", err
	}
	var all map[string]json.RawMessage
	if err := e.verify(key, &c, &all); err != nil {
		return c, "", refuse(detailInvalid).Because(err)
	}
	want := expectation{issuer: found.name, audience: i.clientID, now: i.now(), skew: skew}
	if err := believe(c.check(want)); err != nil {
		return c, "", err
	}
	ofOther := c.Authorized != "" && c.Authorized != i.clientID
	unsaid := c.Authorized == "" && len(c.Audience) > 1
	if ofOther || unsaid {
		return c, "", refuse(detailInvalid).Because(errors.New("ID token for another client"))
	}
	if _, has := all[i.usernameClaim]; !has && found.userinfo != "" {
		if all, err = i.about(ctx, found, issued.Access, c.Subject); err != nil {
			return c, "", err
		}
	}
	username, err = claimed(all, i.usernameClaim, c.claims)
	if err != nil {
		return c, "", refuse(detailInvalid).Because(err)
	}
	return c, username, nil
}

// about asks the provider what it tells of an account.
func (i *issuer) about(ctx context.Context, found discovered, access, subject string) (map[string]json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, issuerTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, found.userinfo, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+access)
	r.Header.Set("Accept", "application/json")
	status, body, err := i.ask(r)
	if err != nil || status != http.StatusOK {
		return nil, i.silent(errors.Join(err, fmt.Errorf("the answer about an account was %d", status)))
	}
	var all map[string]json.RawMessage
	var who string
	if json.Unmarshal(body, &all) != nil || json.Unmarshal(all["sub"], &who) != nil || who != subject {
		return nil, refuse(detailInvalid).Because(errors.New("the provider tells of another account"))
	}
	return all, nil
}

// ask sends a request to the provider and reads its answer, up to a bound.
func (i *issuer) ask(r *http.Request) (status int, body []byte, err error) {
	resp, err := i.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, issuerBody+1))
	if err == nil && len(body) > issuerBody {
		err = fmt.Errorf("%s answered with too large a body", r.URL.Redacted())
	}
	return resp.StatusCode, body, err
}

// SignOutOrigin is where signing out leads beside this server: the origin of the
// outside provider's sign-out, once it has said; empty otherwise.
func (s *Service) SignOutOrigin() string {
	if s.issuer == nil || s.issuer.clientID == "" {
		return ""
	}
	s.issuer.mu.Lock()
	defer s.issuer.mu.Unlock()
	u, err := url.Parse(s.issuer.found.endSession)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// goodbye is where the provider signs people out; empty when it does not say.
func (i *issuer) goodbye(idToken, backTo string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.found.endSession == "" {
		return ""
	}
	separator := "?"
	if strings.Contains(i.found.endSession, "?") {
		separator = "&"
	}
	return i.found.endSession + separator + url.Values{
		"id_token_hint": {idToken}, "post_logout_redirect_uri": {backTo}, "client_id": {i.clientID},
	}.Encode()
}
