package idp_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"quern/store"
	"quern/store/storetest"
)

func TestCodeFlowWithARealClient(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		s := newSite(t, st)
		b := s.browser(t)
		ctx := oidc.ClientContext(t.Context(), &http.Client{Transport: &http.Transport{DisableKeepAlives: true}})
		provider, err := oidc.NewProvider(ctx, s.URL)
		if err != nil {
			t.Fatalf("NewProvider(%s) = %v, want nil", s.URL, err)
		}
		config := oauth2.Config{
			ClientID: "quern-console", Endpoint: provider.Endpoint(), RedirectURL: "http://127.0.0.1:49152/callback",
			Scopes: []string{oidc.ScopeOpenID, "profile", "offline_access"},
		}
		pkce := oauth2.GenerateVerifier()
		login := b.get(config.AuthCodeURL("the state", oauth2.S256ChallengeOption(pkce), oidc.Nonce("the nonce")))
		got := b.signIn(login, "ada").answer(t, config.RedirectURL+"?")
		if got.Get("state") != "the state" || got.Get("iss") != s.URL {
			t.Fatalf("answer = %v, want state and issuer", got)
		}
		token, err := config.Exchange(ctx, got.Get("code"), oauth2.VerifierOption(pkce))
		if err != nil {
			t.Fatalf("Exchange() = %v, want tokens", err)
		}
		raw, _ := token.Extra("id_token").(string)
		// The keys are replaced before the client reads them.
		if err := s.auth.RotateKey(ctx); err != nil {
			t.Fatal(err)
		}
		id, err := provider.Verifier(&oidc.Config{ClientID: "quern-console"}).Verify(ctx, raw)
		if err != nil || id.Nonce != "the nonce" {
			t.Fatalf("Verify(id_token) = %+v, %v, want it good with the nonce", id, err)
		}
		if err := id.VerifyAccessToken(token.AccessToken); err != nil {
			t.Errorf("VerifyAccessToken() = %v, want nil", err)
		}
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil || info.Subject != id.Subject {
			t.Errorf("UserInfo() = %+v, %v, want subject %s", info, err, id.Subject)
		}
		who, err := s.auth.Authenticate(ctx, token.AccessToken)
		if err != nil || who.User.Username != "ada" || string(who.User.ID) != id.Subject {
			t.Errorf("Authenticate(access token) = %+v, %v, want ada", who, err)
		}
		if left := time.Until(token.Expiry); left < 59*time.Minute || left > time.Hour {
			t.Errorf("the token lives %v more, want an hour", left)
		}
		// Signed in already, so the next answer comes at once.
		again := b.get(config.AuthCodeURL("2", oauth2.S256ChallengeOption(pkce))).answer(t, config.RedirectURL)
		if again.Get("code") == "" {
			t.Errorf("second answer = %v, want a code", again)
		}
	})
}

func TestImplicitFlows(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	b.signIn(b.get(s.authorize()), "ada")
	for _, c := range []struct {
		types      string
		access, id bool
	}{{"token", true, false}, {"id_token", false, true}, {"id_token token", true, true}, {"token id_token", true, true}} {
		got := b.get(s.authorize("response_type", c.types, "code_challenge", "", "code_challenge_method", "")).answer(t, s.URL+"/callback#")
		if got.Has("access_token") != c.access || got.Has("id_token") != c.id || got.Has("code") || got.Get("state") != "a state & more" {
			t.Errorf("response_type=%s answers %v, want access token %v, ID token %v", c.types, got, c.access, c.id)
		}
		if !c.access {
			continue
		}
		if got.Get("token_type") != "Bearer" || got.Get("expires_in") != "3600" {
			t.Errorf("response_type=%s answers %v, want a bearer token for an hour", c.types, got)
		}
		if who, err := s.auth.Authenticate(t.Context(), got.Get("access_token")); err != nil || who.User.Username != "ada" {
			t.Errorf("Authenticate(token of %s) = %+v, %v, want ada", c.types, who, err)
		}
	}
}

func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	b.signIn(b.get(s.authorize()), "ada")
	implicit := []string{"code_challenge", "", "code_challenge_method", ""}
	for name, c := range map[string]struct {
		changes []string
		want    string
	}{
		"no response type":      {[]string{"response_type", ""}, "unsupported_response_type"},
		"hybrid":                {[]string{"response_type", "code token"}, "unsupported_response_type"},
		"no challenge":          {[]string{"code_challenge", ""}, "invalid_request"},
		"no method":             {[]string{"code_challenge_method", ""}, "invalid_request"},
		"plain method":          {[]string{"code_challenge_method", "plain", "code_challenge", verifier}, "invalid_request"},
		"short challenge":       {[]string{"code_challenge", "abc"}, "invalid_request"},
		"padded challenge":      {[]string{"code_challenge", challenge + "="}, "invalid_request"},
		"id_token, no nonce":    {append([]string{"response_type", "id_token", "nonce", ""}, implicit...), "invalid_request"},
		"id_token, no openid":   {append([]string{"response_type", "id_token token", "scope", "profile"}, implicit...), "invalid_scope"},
		"implicit in the query": {append([]string{"response_type", "token", "response_mode", "query"}, implicit...), "invalid_request"},
		"implicit on loopback":  {append([]string{"response_type", "token", "redirect_uri", "http://127.0.0.1:5000/callback"}, implicit...), "unauthorized_client"},
		"form post":             {[]string{"response_mode", "form_post"}, "invalid_request"},
		"request object":        {[]string{"request", "x"}, "request_not_supported"},
		"request address":       {[]string{"request_uri", "https://x.example"}, "request_uri_not_supported"},
		"prompt none and login": {[]string{"prompt", "none login"}, "invalid_request"},
		"max_age not a number":  {[]string{"max_age", "soon"}, "invalid_request"},
		"nul in the nonce":      {[]string{"nonce", "a\x00b"}, "invalid_request"},
		"not UTF-8":             {[]string{"nonce", "a\xffb"}, "invalid_request"},
		"long state":            {[]string{"state", strings.Repeat("x", 2049)}, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.get(s.authorize(c.changes...)).answer(t, "http://127.0.0.1:")
			if got.Get("error") != c.want || got.Get("state") == "" || got.Has("code") || got.Has("access_token") {
				t.Errorf("authorize(%v) = %v, want error %s with the state", c.changes, got, c.want)
			}
		})
	}
	twice := b.get(s.authorize()+"&scope=openid").answer(t, s.URL+"/callback")
	if twice.Get("error") != "invalid_request" {
		t.Errorf("authorize(scope twice) = %v, want invalid_request", twice)
	}
}

func TestNothingGoesToAnUnregisteredAddress(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	b.signIn(b.get(s.authorize()), "ada")
	host := strings.TrimPrefix(s.URL, "http://")
	for _, address := range []string{
		"", "/", "/callback", "https://attacker.example/", "//attacker.example/callback", "javascript:alert(1)",
		s.URL, s.URL + "/Callback", s.URL + "/callback/", s.URL + "/callback?x=1", s.URL + "/callback#x", s.URL + "/callback/../callback",
		s.URL + "/callback%2f", s.URL + "/callback ", s.URL + "\\callback", "https://" + host + "/callback",
		"http://" + host + "@attacker.example/callback", "http://attacker.example/" + host + "/callback",
		s.URL + ".attacker.example/callback", "HTTP://" + host + "/callback",
		"http://127.0.0.1/callback", "http://127.0.0.1:0/callback", "http://127.0.0.1:99999/callback", "http://127.0.0.1:05000/callback",
		"http://127.0.0.1:5000/callback?x", "http://127.0.0.1:5000/other", "http://127.0.0.1:5000@attacker.example/callback",
		"http://127.0.0.1:5000/callback/callback", "https://127.0.0.1:5000/callback", "http://localhost:5000/callback",
		"http://127.0.0.1.attacker.example:5000/callback", "http://127.1:5000/callback", "http://127.0.0.1:+500/callback",
		"https://app.example/cb", "https://app.example/cb?tenant=2",
	} {
		p := b.get(s.authorize("redirect_uri", address))
		if p.StatusCode != http.StatusBadRequest || p.Header.Get("Location") != "" || strings.Contains(p.body, "attacker") {
			t.Errorf("authorize(redirect_uri=%q) = %s to %q, want 400 and no redirect", address, p.Status, p.Header.Get("Location"))
		}
	}
	for _, changes := range [][]string{{"client_id", "other"}, {"client_id", ""}} {
		if p := b.get(s.authorize(changes...)); p.StatusCode != http.StatusBadRequest || p.Header.Get("Location") != "" {
			t.Errorf("authorize(%v) = %s, want 400 and no redirect", changes, p.Status)
		}
	}
	twice := s.authorize() + "&" + url.Values{"redirect_uri": {"https://attacker.example/"}}.Encode()
	if p := b.get(twice); p.StatusCode != http.StatusBadRequest {
		t.Errorf("authorize(two redirect_uris) = %s, want 400", p.Status)
	}
	for _, address := range []string{s.URL + "/", "http://[::1]:5000/callback", "https://app.example/cb?tenant=1"} {
		if got := b.get(s.authorize("redirect_uri", address)).answer(t, address); got.Get("code") == "" {
			t.Errorf("authorize(redirect_uri=%s) = %v, want a code", address, got)
		}
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	silent := func(changes ...string) string {
		return b.get(s.authorize(append(changes, "prompt", "none")...)).answer(t, s.URL+"/callback").Get("error")
	}
	if got := silent(); got != "login_required" {
		t.Errorf("prompt=none when nobody is signed in = %q, want login_required", got)
	}
	b.signIn(b.get(s.authorize()), "ada")
	if got := silent(); got != "" {
		t.Errorf("prompt=none when signed in = %q, want a code", got)
	}
	s.clock.Add(time.Minute)
	if got := silent("max_age", "59"); got != "login_required" {
		t.Errorf("max_age=59 after a minute = %q, want login_required", got)
	}
	if got := silent("max_age", "61"); got != "" {
		t.Errorf("max_age=61 after a minute = %q, want a code", got)
	}
	for _, changes := range [][]string{{"prompt", "login"}, {"max_age", "0"}, {"max_age", "59"}, {"prompt", "select_account"}} {
		s.clock.Add(time.Minute)
		if got := b.signIn(b.get(s.authorize(changes...)), "ada").answer(t, s.URL+"/callback"); got.Get("code") == "" {
			t.Errorf("authorize(%v) and signing in again = %v, want a code", changes, got)
		}
	}
	// Someone else signs in in the same browser: the first one's tokens end.
	first := b.get(s.authorize("response_type", "token")).answer(t, s.URL+"/callback").Get("access_token")
	b.signIn(b.get(s.authorize("prompt", "login")), "bob")
	if _, err := s.auth.Authenticate(t.Context(), first); err == nil {
		t.Error("Authenticate(ada's token) after bob signed in = nil, want a refusal")
	}
}

func TestTokenEndpoint(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	code := b.signIn(b.get(s.authorize()), "ada").answer(t, s.URL+"/callback").Get("code")
	ask := func(changes ...string) (int, map[string]any) {
		form := url.Values{
			"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {s.URL + "/callback"},
			"client_id": {"quern-console"}, "code_verifier": {verifier},
		}
		for i := 0; i < len(changes); i += 2 {
			if form.Set(changes[i], changes[i+1]); changes[i+1] == "" {
				form.Del(changes[i])
			}
		}
		p := b.post(s.URL+"/oauth2/token", form)
		var body map[string]any
		if err := json.Unmarshal([]byte(p.body), &body); err != nil || p.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("token(%v) = %s, want JSON that is not stored", changes, p.body)
		}
		return p.StatusCode, body
	}
	for name, c := range map[string]struct {
		changes []string
		status  int
		want    string
	}{
		"another client":       {[]string{"client_id", "other"}, 401, "invalid_client"},
		"no client":            {[]string{"client_id", ""}, 401, "invalid_client"},
		"a secret":             {[]string{"client_secret", "x"}, 401, "invalid_client"},
		"password grant":       {[]string{"grant_type", "password"}, 400, "unsupported_grant_type"},
		"refresh":              {[]string{"grant_type", "refresh_token"}, 400, "unsupported_grant_type"},
		"no code":              {[]string{"code", ""}, 400, "invalid_request"},
		"no verifier":          {[]string{"code_verifier", ""}, 400, "invalid_request"},
		"challenge sent again": {[]string{"code_verifier", challenge}, 400, "invalid_grant"},
		"another verifier":     {[]string{"code_verifier", strings.Repeat("x", 43)}, 400, "invalid_grant"},
		"another redirect":     {[]string{"redirect_uri", s.URL + "/"}, 400, "invalid_grant"},
		"no redirect":          {[]string{"redirect_uri", ""}, 400, "invalid_grant"},
		"unknown code":         {[]string{"code", "x"}, 400, "invalid_grant"},
	} {
		if status, body := ask(c.changes...); status != c.status || body["error"] != c.want {
			t.Errorf("token(%s) = %d %v, want %d %s", name, status, body, c.status, c.want)
		}
	}
	status, body := ask()
	access, _ := body["access_token"].(string)
	if status != 200 || body["token_type"] != "Bearer" || body["id_token"] == nil {
		t.Fatalf("token() = %d %v, want tokens", status, body)
	}
	if _, err := s.auth.Authenticate(t.Context(), access); err != nil {
		t.Fatalf("Authenticate() = %v, want nil", err)
	}
	if status, body := ask(); status != 400 || body["error"] != "invalid_grant" {
		t.Errorf("second token() = %d %v, want invalid_grant", status, body)
	}
	if _, err := s.auth.Authenticate(t.Context(), access); err == nil {
		t.Error("Authenticate() after the code was used twice = nil, want a refusal")
	}
	for kind, text := range map[string]string{"application/json": "{}", "application/x-www-form-urlencoded": strings.Repeat("x", 70<<10), "": ""} {
		p := b.read(b.Post(s.URL+"/oauth2/token", kind, strings.NewReader(text)))
		if p.StatusCode != 400 || !strings.Contains(p.body, "invalid_request") {
			t.Errorf("token(%s) = %s %s, want invalid_request", kind, p.Status, p.body)
		}
	}
}
