package rest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
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
	if plain.ExpiresAt.Year() != 9999 {
		t.Errorf("createToken without expiry = %v, want a time that never comes", plain.ExpiresAt)
	}
	listed := w.do(ask{method: "GET", path: "/api/v1/user/tokens", token: "ada"})
	if list := into[[]api.Token](t, listed); len(list) != 2 || strings.Count(listed.body, `"token":null`) != 2 || strings.Count(listed.body, `"expires_at":"`) != 2 {
		t.Errorf("listTokens = %s, want 2 tokens, each with an expiry and without its secret", listed.body)
	}
	reach := into[api.TokenPermissions](t, w.do(ask{method: "GET", path: "/api/v1/user/tokens/" + token.ID + "/permissions", token: "ada"}))
	if !reach.Restricted || len(reach.Permissions) != 1 {
		t.Errorf("tokenPermissions = %+v, want the one dataset", reach)
	}
	reach = into[api.TokenPermissions](t, w.do(ask{method: "GET", path: "/api/v1/user/tokens/" + plain.ID + "/permissions", token: "ada"}))
	if reach.Restricted || reach.Permissions == nil {
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
	path, seen := "/api/v1/user/usage/history?pageSize=2", map[string]int{}
	for range 10 {
		page := into[api.UsageHistory](t, w.do(ask{method: "GET", path: path, token: "ada"}))
		for _, e := range page.Data {
			seen[e.ID]++
			if e.Operation != "currentUser" && e.Operation != "usageHistory" {
				t.Errorf("usageHistory operation = %q, want an operationId", e.Operation)
			}
		}
		if page.Meta.PageCursor.LastObservationID == "" {
			break
		}
		cursor, err := json.Marshal(page.Meta.PageCursor)
		must(t, err)
		path = "/api/v1/user/usage/history?pageSize=2&pageCursor=" + url.QueryEscape(string(cursor))
	}
	if len(seen) < 5 {
		t.Errorf("usageHistory pages held %d requests, want every one", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("usageHistory showed %s %d times, want once", id, n)
		}
	}
	if page := into[api.UsageHistory](t, w.do(ask{method: "GET", path: "/api/v1/user/usage/history", token: "ada"})); len(page.Data) < 5 || page.Meta.PageSize != 25 {
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
		{"?onOrAfter=2030-11-30T00:00:00Z", 200, "2030-11-30", "2030-12-01"},
		{"?before=2030-02-01T00:00:00Z", 200, "2030-01-02", "2030-01-31"},
		{"?onOrAfter=2028-01-01T00:00:00Z&before=2029-01-01T00:00:00Z", 200, "2028-01-01", "2028-12-31"},
		{"?onOrAfter=2028-01-01T00:00:00Z&before=2029-01-01T00:00:01Z", 422, "", ""},
		{"?onOrAfter=2030-02-01T00:00:00Z&before=2030-01-01T00:00:00Z", 422, "", ""},
		{"?onOrAfter=yesterday", 400, "", ""},
		{"?onOrAfter=2030-02-30T00:00:00Z", 400, "", ""},
		{"?timeZoneForAggregation=Europe/Lisbon", 200, "2030-11-02", "2030-12-01"},
		{"?timeZoneForAggregation=Mars/Olympus", 400, "", ""},
		{"?timeZoneForAggregation=Local", 400, "", ""},
		{"?timeZoneForAggregation=..%2F..%2Fetc%2Fpasswd", 400, "", ""},
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
	if len(page.Data) != 1 || !page.Data[0].Timestamp.Equal(noon) || page.Data[0].Timestamp.Location() != time.UTC {
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
				At: time.Date(2030, 12, 1, 23, 30, 0, 0, time.UTC), Day: "2030-12-01", Provider: "openai", Model: "big", Requests: 1, InputTokens: 1560, OutputTokens: 82, Cost: 2770,
			}))
		}
		const path = "/user/usage/by-day?onOrAfter=2030-12-01T00:00:00Z&before=2030-12-03T00:00:00Z"
		got := into[api.UsageByDay](t, h.want(200, "ada", "GET", path, ""))
		want := api.ModelUsageDay{Day: "2030-12-01", Provider: "openai", Model: "big", Requests: 2, InputTokens: 3120, OutputTokens: 164, Cost: 0.00554}
		if len(got.Models) != 1 || got.Models[0] != want {
			t.Errorf("usageByDay models = %+v, want %+v", got.Models, want)
		}
		if sum := (api.UsageSum{Date: "2030-12-01", TokensUsed: 3284, CostUSD: 0.00554}); len(got.Data) != 1 || got.Data[0] != sum {
			t.Errorf("usageByDay = %+v, want %+v", got.Data, sum)
		}
		berlin := into[api.UsageByDay](t, h.want(200, "ada", "GET", path+"&timeZoneForAggregation=Europe/Berlin", ""))
		if len(berlin.Data) != 1 || berlin.Data[0].Date != "2030-12-02" || berlin.Meta.TimeZoneForAggregation != "Europe/Berlin" {
			t.Errorf("usageByDay in Berlin = %+v, want the day after", berlin)
		}
		history := into[api.UsageHistory](t, h.want(200, "ada", "GET", "/user/usage/history?before=2030-12-03T00:00:00Z&onOrAfter=2030-12-01T00:00:00Z", ""))
		call := api.UsageEvent{Operation: "modelCall", Units: 1, Provider: "openai", Model: "big", TokensUsed: 1642, CostUSD: 0.00277}
		call.ID, call.Timestamp = history.Data[0].ID, time.Date(2030, 12, 1, 23, 30, 0, 0, time.UTC)
		if len(history.Data) != 2 || history.Data[0] != call {
			t.Errorf("usageHistory = %+v, want two of %+v", history.Data, call)
		}
		if got := into[api.UsageByDay](t, h.want(200, "grace", "GET", path, "")); len(got.Models) != 0 {
			t.Errorf("usageByDay models of another user = %+v, want none", got.Models)
		}
	})
}
