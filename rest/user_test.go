package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/api"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := w.do(ask{method: "POST", path: "/api/v1/user/token", token: "ada", body: `{"name":"<nightly> & co",
		"expires_at":"2031-01-31T01:00:00+01:00","accessRestrictedTo":[{"username":"ada","namespace":"harbour","dataset":"arrivals"}],"unknown":1}`})
	token := into[api.CreatedToken](t, made)
	if made.StatusCode != http.StatusOK || token.Token != "secret" || token.ID == "" {
		t.Fatalf("createToken = %d %s, want 200 with the secret", made.StatusCode, made.body)
	}
	if !strings.Contains(made.body, "<nightly> & co") {
		t.Errorf("createToken = %s, want text that is not escaped for HTML", made.body)
	}
	if !strings.Contains(made.body, `"2031-01-31T00:00:00Z"`) {
		t.Errorf("createToken = %s, want times in UTC", made.body)
	}
	want := quern.Scope{Username: "ada", Namespace: "harbour", Dataset: "arrivals"}
	if got := w.auth.spec.Scopes; len(got) != 1 || got[0] != want {
		t.Errorf("createToken passed on %v, want %v", got, want)
	}
	plain := into[api.CreatedToken](t, w.do(ask{method: "POST", path: "/api/v1/user/token", token: "ada", body: `{"name":"plain","expires_at":null}`}))
	if w.auth.spec.Scopes != nil || !w.auth.spec.ExpiresAt.IsZero() {
		t.Errorf("createToken passed on %+v, want neither scopes nor expiry", w.auth.spec)
	}
	if list := into[[]api.Token](t, w.do(ask{method: "GET", path: "/api/v1/user/tokens", token: "ada"})); len(list) != 2 {
		t.Errorf("listTokens = %d tokens, want 2", len(list))
	}
	reach := into[api.TokenPermissions](t, w.do(ask{method: "GET", path: "/api/v1/user/tokens/" + token.ID + "/permissions", token: "ada"}))
	if !reach.Restricted || len(reach.AccessRestrictedTo) != 1 {
		t.Errorf("tokenPermissions = %+v, want the one dataset", reach)
	}
	reach = into[api.TokenPermissions](t, w.do(ask{method: "GET", path: "/api/v1/user/tokens/" + plain.ID + "/permissions", token: "ada"}))
	if reach.Restricted || reach.AccessRestrictedTo == nil {
		t.Errorf("tokenPermissions = %+v, want not restricted and an empty list", reach)
	}
	gone := w.do(ask{method: "DELETE", path: "/api/v1/user/token/" + token.ID, token: "ada"})
	if gone.StatusCode != http.StatusNoContent || gone.body != "" {
		t.Errorf("revokeToken = %d %q, want 204 and nothing", gone.StatusCode, gone.body)
	}
	if list := into[[]api.Token](t, w.do(ask{method: "GET", path: "/api/v1/user/tokens", token: "ada"})); len(list) != 1 {
		t.Errorf("listTokens after revoking = %d tokens, want 1", len(list))
	}
	if got := w.do(ask{method: "POST", path: "/api/v1/user/token", token: "ada-restricted", body: `{"name":"n"}`}); got.StatusCode != http.StatusForbidden {
		t.Errorf("createToken with a restricted token = %d, want 403", got.StatusCode)
	}
}

func TestCurrentUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me := into[api.CurrentUser](t, w.do(ask{method: "GET", path: "/api/v1/user/me", token: "ada"}))
	if me.Username != "ada" || me.Restricted || me.TokenID != "" {
		t.Errorf("currentUser = %+v, want ada, not restricted", me)
	}
	me = into[api.CurrentUser](t, w.do(ask{method: "GET", path: "/api/v1/user/me", token: "ada-restricted"}))
	if !me.Restricted || me.TokenID == "" || len(me.AccessRestrictedTo) != 1 {
		t.Errorf("currentUser = %+v, want ada, restricted, with the token", me)
	}
	head := w.do(ask{method: "HEAD", path: "/api/v1/user/me", token: "ada"})
	if head.StatusCode != http.StatusOK || head.body != "" {
		t.Errorf("HEAD currentUser = %d %q, want 200 and nothing", head.StatusCode, head.body)
	}
	lower := w.do(ask{method: "GET", path: "/api/v1/user/me", header: http.Header{"Authorization": {"bearer ada"}}})
	if lower.StatusCode != http.StatusOK {
		t.Errorf("currentUser with the scheme in lowercase = %d, want 200", lower.StatusCode)
	}
}

func TestUsageHistoryPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 4 {
		w.do(ask{method: "GET", path: "/api/v1/user/me", token: "ada"})
	}
	path, seen := "/api/v1/user/usage/history?limit=2", map[string]int{}
	for range 10 {
		page := into[api.UsageHistory](t, w.do(ask{method: "GET", path: path, token: "ada"}))
		for _, e := range page.Data {
			seen[e.ID]++
			if e.Operation != "currentUser" && e.Operation != "usageHistory" {
				t.Errorf("usageHistory operation = %q, want an operationId", e.Operation)
			}
		}
		if page.NextCursor == "" {
			break
		}
		path = "/api/v1/user/usage/history?limit=2&cursor=" + page.NextCursor
	}
	if len(seen) < 5 {
		t.Errorf("usageHistory pages held %d requests, want every one", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("usageHistory showed %s %d times, want once", id, n)
		}
	}
	if page := into[api.UsageHistory](t, w.do(ask{method: "GET", path: "/api/v1/user/usage/history", token: "ada"})); len(page.Data) < 5 || page.NextCursor != "" {
		t.Errorf("usageHistory without limit = %d requests, want all on one page", len(page.Data))
	}
}

func TestUsageByDay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query    string
		status   int
		from, to string
	}{
		{"", 200, "2030-11-02", "2030-12-01"},
		{"?from=2030-11-30", 200, "2030-11-30", "2030-12-01"},
		{"?to=2030-01-31", 200, "2030-01-02", "2030-01-31"},
		{"?from=2028-01-01&to=2028-12-31", 200, "2028-01-01", "2028-12-31"},
		{"?from=2028-01-01&to=2029-01-01", 422, "", ""},
		{"?from=2030-02-01&to=2030-01-01", 422, "", ""},
		{"?from=yesterday", 400, "", ""},
		{"?from=2030-02-30", 400, "", ""},
	} {
		t.Run(tt.query, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			got := w.do(ask{method: "GET", path: "/api/v1/user/usage/by-day" + tt.query, token: "ada"})
			if got.StatusCode != tt.status || w.auth.days != [2]string{tt.from, tt.to} {
				t.Errorf("usageByDay(%s) = %d for %v, want %d for %s to %s", tt.query, got.StatusCode, w.auth.days, tt.status, tt.from, tt.to)
			}
		})
	}
}

func TestUsageIsRecordedAtTheInjectedTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := into[api.UsageHistory](t, w.do(ask{method: "GET", path: "/api/v1/user/usage/history", token: "ada"}))
	if len(page.Data) != 1 || !page.Data[0].At.Equal(noon) || page.Data[0].At.Location() != time.UTC {
		t.Errorf("usageHistory = %+v, want this request at %v", page.Data, noon)
	}
}

func TestUsageByDayTellsWhatModelsTook(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.user("ada")
		p, err := h.auth.As(t.Context(), "ada")
		must(t, err)
		for range 2 {
			must(t, h.auth.SpendModel(t.Context(), p.User.ID, quern.ModelUsage{
				Day: "2030-12-01", Provider: "openai", Model: "big", Requests: 1, InputTokens: 1560, OutputTokens: 82, Cost: 2770,
			}))
		}
		const path = "/user/usage/by-day?from=2030-12-01&to=2030-12-02"
		got := into[api.UsageByDay](t, h.want(200, "ada", "GET", path, ""))
		want := api.ModelUsageDay{Day: "2030-12-01", Provider: "openai", Model: "big", Requests: 2, InputTokens: 3120, OutputTokens: 164, Cost: 0.00554}
		if len(got.Models) != 1 || got.Models[0] != want {
			t.Errorf("usageByDay models = %+v, want %+v", got.Models, want)
		}
		if got := into[api.UsageByDay](t, h.want(200, "grace", "GET", path, "")); len(got.Models) != 0 {
			t.Errorf("usageByDay models of another user = %+v, want none", got.Models)
		}
	})
}
