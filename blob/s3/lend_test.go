package s3_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob/s3"
)

// lendingStore is a store whose security token service is scripted.
func lendingStore(t *testing.T, answer http.HandlerFunc) *s3.Store {
	t.Helper()
	service := httptest.NewServer(answer)
	t.Cleanup(service.Close)
	return open(t, s3.Options{
		Endpoint: service.URL, Bucket: "objects", AccessKeyID: "quern", SecretAccessKey: "secret",
		Lending: s3.Lending{Role: "arn:aws:iam::1:role/readers", Endpoint: service.URL}, Transport: service.Client().Transport,
	})
}

func TestLend(t *testing.T) {
	t.Parallel()
	const answer = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>A</AccessKeyId>` +
		`<SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken><Expiration>2030-01-02T03:04:05Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`
	var asked url.Values
	s := lendingStore(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked, _ = url.ParseQuery(string(body))
		fmt.Fprint(w, answer)
	})
	key, err := s.Lend(t.Context(), "tables/one", 15*time.Minute)
	if err != nil || key.AccessKeyID != "A" || key.SecretAccessKey != "S" || key.SessionToken != "T" || key.ExpiresAt.Year() != 2030 {
		t.Errorf("Lend() = %+v, %v, want the key of the answer", key, err)
	}
	policy := asked.Get("Policy")
	if asked.Get("RoleArn") != "arn:aws:iam::1:role/readers" || asked.Get("DurationSeconds") != "900" || !strings.Contains(policy, `arn:aws:s3:::objects/tables/one/*`) ||
		strings.Contains(policy, "Put") || strings.Contains(policy, "s3:*") {
		t.Errorf("Lend() asked for %v, want the role for 900 s, reading the folder alone", asked)
	}
}

func TestLendRefused(t *testing.T) {
	t.Parallel()
	fault := func(code string) string {
		return `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Code>` + code + `</Code><Message>no 10.0.0.7</Message></Error></ErrorResponse>`
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   quern.Kind
	}{
		{"a role that is not ours", 403, fault("AccessDenied"), quern.Internal},
		{"an overloaded service", 503, fault("ServiceUnavailable"), quern.Unreachable},
		{"a proxy's page", 502, "<html>bad gateway", quern.Unreachable},
		{"an answer without a key", 200, `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"></AssumeRoleResponse>`, quern.Internal},
		{"an answer cut short", 200, `<AssumeRoleResponse`, quern.Unreachable},
	} {
		s := lendingStore(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		key, err := s.Lend(t.Context(), "tables/one", 15*time.Minute)
		e, _ := errors.AsType[*quern.Error](err)
		if e == nil || e.Kind != c.want || key.SecretAccessKey != "" || strings.Contains(e.Detail, "10.0.0.7") {
			t.Errorf("Lend() from %s = %+v, %v, want kind %v", c.name, key, err, c.want)
		}
	}
	s := lendingStore(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the client went
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Lend(ctx, "tables/one", 15*time.Minute); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lend() of a service that does not answer = %v, want the caller's deadline", err)
	}
}
