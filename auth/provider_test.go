package auth_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

func machineToken(t *testing.T, issuer string) string {
	t.Helper()
	c := clientcredentials.Config{
		ClientID: "machine", ClientSecret: "machine-secret", TokenURL: issuer + "/token", Scopes: []string{"data"},
		EndpointParams: url.Values{"resource": {audience}},
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	token, err := c.Token(context.WithValue(t.Context(), oauth2.HTTPClient, client))
	if err != nil {
		t.Fatalf("Token() of the provider = %v, want one", err)
	}
	return token.AccessToken
}

func TestRealProviderDownThenUpThenRotated(t *testing.T) {
	t.Parallel()
	port, c := authtest.FreePort(t), authtest.StoppedClock()
	issuer := fmt.Sprintf("http://127.0.0.1:%d", port)
	svc := start(t, onSQLite(t), c, func(o *auth.Options) { o.Issuer = auth.Issuer{URL: issuer, Audience: audience} })
	wantKind(t, "Ready() with the provider down", svc.Ready(t.Context()), quern.Unavailable)

	stop := authtest.StartProvider(t, port, "http://127.0.0.1")
	c.Add(2 * time.Second)
	if err := svc.Ready(t.Context()); err != nil {
		t.Fatalf("Ready() with the provider up = %v, want nil", err)
	}
	first := machineToken(t, issuer)
	who, err := svc.Authenticate(t.Context(), first)
	if err != nil || who.User.Username != "machine" {
		t.Fatalf("Authenticate(client credentials) = %+v, %v, want machine", who, err)
	}
	stop()
	if _, err := svc.Authenticate(t.Context(), first); err != nil {
		t.Errorf("Authenticate() with the provider gone = %v, want nil", err)
	}

	authtest.StartProvider(t, port, "http://127.0.0.1")
	c.Add(15 * time.Second)
	again, err := svc.Authenticate(t.Context(), machineToken(t, issuer))
	if err != nil || again.User.ID != who.User.ID {
		t.Errorf("Authenticate() after rotation = %+v, %v, want machine", again, err)
	}
	wantRefused(t, svc, "token of the withdrawn key", first)
}

// signIn walks through the provider's development pages as a browser would and
// returns the code at the end.
func signIn(t *testing.T, address, name string) string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var code string
	client := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/callback" {
			code = r.URL.Query().Get("code")
			return http.ErrUseLastResponse
		}
		return nil
	}
	resp, err := client.Get(address)
	form := regexp.MustCompile(`<form[^>]*action="([^"]+)"`)
	prompt := regexp.MustCompile(`name="prompt" value="([^"]+)"`)
	for range 4 {
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if code != "" {
			return code
		}
		action, asks := form.FindSubmatch(body), prompt.FindSubmatch(body)
		if action == nil || asks == nil {
			t.Fatalf("the provider shows no form: %s", body)
		}
		resp, err = client.PostForm(string(action[1]), url.Values{"prompt": {string(asks[1])}, "login": {name}, "password": {"x"}})
	}
	t.Fatal("the provider gave no code")
	return ""
}

func TestRealProviderSignIn(t *testing.T) {
	t.Parallel()
	port := authtest.FreePort(t)
	issuer := fmt.Sprintf("http://127.0.0.1:%d", port)
	authtest.StartProvider(t, port, "http://127.0.0.1")
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := authtest.StoppedClock()
		svc := start(t, s, c, func(o *auth.Options) { o.Issuer = auth.Issuer{URL: issuer + "/", Audience: audience} })
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		ctx := oidc.ClientContext(t.Context(), client)
		found, err := oidc.NewProvider(ctx, issuer)
		if err != nil {
			t.Fatalf("NewProvider() = %v, want nil", err)
		}
		config := oauth2.Config{
			ClientID: "page", Endpoint: found.Endpoint(), RedirectURL: "http://127.0.0.1/callback", Scopes: []string{"openid", "data"},
		}
		pkce := oauth2.GenerateVerifier()
		resource := oauth2.SetAuthURLParam("resource", audience)
		code := signIn(t, config.AuthCodeURL("state", oauth2.S256ChallengeOption(pkce), resource), "Grace")
		token, err := config.Exchange(ctx, code, oauth2.VerifierOption(pkce), resource)
		if err != nil {
			t.Fatalf("Exchange() = %v, want tokens", err)
		}
		who, err := svc.Authenticate(ctx, token.AccessToken)
		if err != nil || who.User.Username != "grace" {
			t.Errorf("Authenticate(access token) = %+v, %v, want grace", who, err)
		}
		id, _ := token.Extra("id_token").(string)
		wantRefused(t, svc, "ID token", id)
		c.Add(time.Hour)
		wantRefused(t, svc, "expired access token", token.AccessToken)
	})
}
