package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quern/api"
	"quern/store/storetest"
)

func TestSharingFromGrantToRevocation(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.user("bob")
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":1}]}`)
		for _, c := range []struct{ at, role string }{{"/permissions/datasets/self/ns/ds/shares", "dataset"}, {"/permissions/namespaces/self/ns/shares", "namespace"}} {
			h.want(404, "bob", "GET", "/data/ada/ns/ds", "")
			if got := h.want(200, "ada", "POST", c.at, `{"username":"BOB","role":"viewer"}`).body; got != `{"role":"viewer","username":"bob"}`+"\n" && got != `{"username":"bob","role":"viewer"}`+"\n" {
				t.Errorf("sharing a %s = %s, want bob as viewer", c.role, got)
			}
			h.want(200, "bob", "GET", "/data/ada/ns/ds", "")
			h.want(403, "bob", "POST", "/ingest/ada/ns/ds", `{"data":[{"a":2}]}`)
			h.want(200, "ada", "POST", c.at, `{"username":"bob","role":"editor"}`)
			h.want(200, "bob", "POST", "/ingest/ada/ns/ds", `{"data":[{"a":2}]}`)
			if got := into[[]api.Share](t, h.want(200, "ada", "GET", c.at, "")); len(got) != 1 || got[0] != (api.Share{Username: "bob", Role: "editor"}) {
				t.Errorf("shares of the %s = %v, want bob as editor", c.role, got)
			}
			h.want(403, "bob", "GET", strings.Replace(c.at, "self", "ada", 1), "")
			revoked := into[api.Share](t, h.want(200, "ada", "DELETE", c.at, `{"username":"Bob","role":"viewer"}`))
			if revoked != (api.Share{Username: "bob", Role: "editor"}) {
				t.Errorf("revoking = %v, want the grant that was, whichever role was named", revoked)
			}
			h.want(404, "ada", "DELETE", c.at, `{"username":"bob"}`)
			h.want(404, "bob", "GET", "/data/ada/ns/ds", "")
			audit := into[api.ShareAudit](t, h.want(200, "ada", "GET", c.at+"/audit", ""))
			var steps []string
			for _, e := range audit.Data {
				steps = append(steps, fmt.Sprintf("%s:%s>%s", e.Username, e.Before, e.After))
			}
			if got, want := strings.Join(steps, " "), "bob:editor> bob:viewer>editor bob:>viewer"; got != want {
				t.Errorf("audit of the %s = %s, want %s", c.role, got, want)
			}
			page := into[api.ShareAudit](t, h.want(200, "ada", "GET", c.at+"/audit?limit=2", ""))
			rest := into[api.ShareAudit](t, h.want(200, "ada", "GET", c.at+"/audit?cursor="+page.NextCursor, ""))
			if len(page.Data) != 2 || len(rest.Data) != 1 || rest.NextCursor != "" {
				t.Errorf("audit page by page = %d and %d entries, want 2 and 1", len(page.Data), len(rest.Data))
			}
		}
	})
}

func TestBadSharesAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.user("bob")
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	for _, at := range []string{"/permissions/datasets/self/ns/ds/shares", "/permissions/namespaces/self/ns/shares"} {
		for _, body := range []string{`{}`, `{"username":"bob"}`, `{"role":"viewer"}`, `{"username":"bob","role":"owner"}`, `{"username":"bob","role":"Viewer"}`,
			`{"username":"","role":"viewer"}`, `{"username":5,"role":"viewer"}`, `{"username":null,"role":"viewer"}`, `{"username":"ada","role":"viewer"}`, `{"username":"ADA","role":"viewer"}`,
			`{"username":"nobody","role":"viewer"}`, `{"username":"../x","role":"viewer"}`, `{"username":"self","role":"viewer"}`, `[]`} {
			if a := h.want(422, "ada", "POST", at, body); len(a.failure(t).SubErrors) == 0 {
				t.Errorf("POST %s %s names no field", at, body)
			}
		}
		h.want(400, "ada", "POST", at, `{"username"`)
		h.want(400, "ada", "DELETE", at, "")
		h.want(422, "ada", "DELETE", at, `{"role":"viewer"}`)
		h.want(422, "ada", "DELETE", at, `{"username":"bob","role":"king"}`)
		h.want(404, "ada", "DELETE", at, `{"username":"bob"}`)
		h.want(404, "ada", "DELETE", at, `{"username":"nobody"}`)
		// What the body is worth is not looked at before the right to share.
		h.want(404, "bob", "POST", at, `{"username":"nobody","role":"viewer"}`)
	}
}

func TestRecreatedDatasetInheritsNothing(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.user("bob")
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", `{"dataDescription":"old"}`)
		h.want(200, "ada", "POST", "/permissions/datasets/self/ns/ds/shares", `{"username":"bob","role":"editor"}`)
		h.want(200, "ada", "DELETE", "/data/self/ns/ds/balefire", "")
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		h.want(404, "bob", "GET", "/data/ada/ns/ds", "")
		if got := h.want(200, "ada", "GET", "/permissions/datasets/self/ns/ds/shares", "").body; got != "[]\n" {
			t.Errorf("shares of the new dataset = %s, want none", got)
		}
		if got := h.want(200, "ada", "GET", "/permissions/datasets/self/ns/ds/shares/audit", "").body; !strings.HasPrefix(got, `{"data":[]`) {
			t.Errorf("audit of the new dataset = %s, want none", got)
		}
	})
}

// TestAbsentAndHiddenLookAlike compares bodies exactly and times by their
// medians, with room for a noisy machine: a leak that needs a lookup more shows
// as a multiple.
func TestAbsentAndHiddenLookAlike(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.user("bob")
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		pairs := []struct{ method, hidden, absent, body string }{
			{"GET", "/data/ada/ns/ds", "/data/ada/ns/no", ""},
			{"GET", "/data/ada/ns/ds", "/data/nobody/ns/ds", ""},
			{"GET", "/data/ada/ns/ds/rows", "/data/ada/no/ds/rows", ""},
			{"GET", "/permissions/datasets/ada/ns/ds/shares", "/permissions/datasets/ada/ns/no/shares", ""},
			{"GET", "/permissions/namespaces/ada/ns/shares", "/permissions/namespaces/ada/no/shares", ""},
			{"PUT", "/data/ada/ns/ds/inferDefinition", "/data/ada/ns/no/inferDefinition", "{}"},
			{"DELETE", "/data/ada/ns/balefire", "/data/ada/no/balefire", ""},
		}
		for _, p := range pairs {
			var hidden, absent []time.Duration
			for range 15 {
				start := time.Now()
				a := h.want(404, "bob", p.method, p.hidden, p.body)
				hidden = append(hidden, time.Since(start))
				start = time.Now()
				b := h.want(404, "bob", p.method, p.absent, p.body)
				absent = append(absent, time.Since(start))
				if a.body != b.body {
					t.Fatalf("%s %s answers %s, %s answers %s; want the same", p.method, p.hidden, a.body, p.absent, b.body)
				}
			}
			slices.Sort(hidden)
			slices.Sort(absent)
			if x, y := hidden[7], absent[7]; x > 4*y+5*time.Millisecond || y > 4*x+5*time.Millisecond {
				t.Errorf("%s %s takes %v, %s takes %v: the times tell them apart", p.method, p.hidden, x, p.absent, y)
			}
		}
	})
}

func TestLongExportStopsWhenTheRightGoes(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(*house){
		"grant": func(h *house) {
			h.want(200, "ada", "DELETE", "/permissions/datasets/self/ns/ds/shares", `{"username":"bob"}`)
		},
		"user": func(h *house) { must(h.t, h.auth.DisableUser(h.t.Context(), "bob")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testLongExport(t, take)
		})
	}
}

func testLongExport(t *testing.T, take func(*house)) {
	h := newHouse(t)
	h.user("bob")
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	row := `{"text":"` + strings.Repeat("x", 200) + `"}`
	body := `{"data":[` + strings.Repeat(row+",", 59_999) + row + `]}`
	h.want(200, "ada", "POST", "/ingest/ns/ds", body)
	h.want(200, "ada", "POST", "/permissions/datasets/self/ns/ds/shares", `{"username":"bob","role":"viewer"}`)
	resp := h.open("bob", "/data/ada/ns/ds/export?format=ndjson")
	defer resp.Body.Close()
	first := make([]byte, 1_000)
	if _, err := resp.Body.Read(first); err != nil {
		t.Fatalf("reading the first bytes = %v", err)
	}
	take(h)
	n, err := drain(resp.Body)
	if err == nil {
		t.Errorf("the export went on to its end (%d bytes more), want it broken off", n)
	}
}

func TestRightsCountAtOnceOnEveryServer(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			here, there := newHouseOn(t, o), newHouseOn(t, o)
			here.user("ada")
			here.user("bob")
			there.tokens = here.tokens
			here.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
			const shares = "/permissions/datasets/self/ns/ds/shares"
			for range 5 {
				there.want(404, "bob", "GET", "/data/ada/ns/ds", "")
				here.want(200, "ada", "POST", shares, `{"username":"bob","role":"viewer"}`)
				there.want(200, "bob", "GET", "/data/ada/ns/ds", "")
				there.want(403, "bob", "PUT", "/data/ada/ns/ds/inferDefinition", "{}")
				there.want(200, "ada", "POST", shares, `{"username":"bob","role":"editor"}`)
				here.want(201, "bob", "PUT", "/data/ada/ns/ds/inferDefinition", "{}")
				here.want(200, "ada", "DELETE", shares, `{"username":"bob"}`)
			}
			must(t, there.auth.DisableUser(t.Context(), "bob"))
			here.want(401, "bob", "GET", "/user/me", "")
		})
	}
}
