package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"quern"
	"quern/api"
)

// teach writes what is taught about a namespace of ada's, over a version.
func (h *house) teach(method, path, version, body string) answer {
	h.t.Helper()
	header := http.Header{}
	if version != "" {
		header.Set("If-Match", version)
	}
	return h.do(ask{method: method, path: "/api/v1/knowledge/" + path, token: h.user("ada"), body: body, header: header})
}

func TestKnowledgeIsTaughtAndUndone(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.harbour("harbour")
		empty := h.want(200, "ada", "GET", "/knowledge/self/harbour", "")
		if got := into[api.KnowledgeState](t, empty); got.Version != 0 || empty.Header.Get("ETag") != `"0"` {
			t.Errorf("GET before anything is taught = %+v with ETag %s, want version 0", got, empty.Header.Get("ETag"))
		}
		lesson := `{"words":[{"word":"vessels","means":"ships"}],"measures":[{"name":"depth","dataset":"arrivals","expression":"draught * 2","aggregate":"avg"}]}`
		for _, version := range []string{"", `"7"`, "x"} {
			if got := h.teach("PUT", "ada/harbour", version, lesson); got.StatusCode != http.StatusConflict {
				t.Errorf("PUT with If-Match %q = %d, want 409", version, got.StatusCode)
			}
		}
		put := h.teach("PUT", "ada/harbour", `"0"`, lesson)
		if put.StatusCode != 200 || put.Header.Get("ETag") != `"1"` {
			t.Fatalf("PUT = %d %s, ETag %s; want 200 and version 1", put.StatusCode, put.body, put.Header.Get("ETag"))
		}
		bad := h.teach("PUT", "ada/harbour", `"1"`, `{"measures":[{"name":"m","dataset":"arrivals","expression":"(select 1 from ships)"}]}`)
		if bad.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(bad.body, "no query inside") {
			t.Errorf("PUT of an expression that reads another dataset = %d %s, want 422 that says so", bad.StatusCode, bad.body)
		}
		patched := h.teach("PATCH", "ada/harbour", `"1"`, `{"merge":{"words":[{"word":"boats","means":"ships"}]},"remove":{"words":[{"word":"vessels","means":"ships"}]}}`)
		if got := into[api.KnowledgeState](t, patched); len(got.Knowledge.Words) != 1 || got.Knowledge.Words[0].Word != "boats" || len(got.Knowledge.Measures) != 1 {
			t.Errorf("PATCH = %s, want boats for vessels", patched.body)
		}
		versions := into[[]api.KnowledgeVersion](t, h.want(200, "ada", "GET", "/knowledge/ada/harbour/versions?limit=1", ""))
		if len(versions) != 1 || versions[0].Version != 2 || versions[0].By != "ada" || len(versions[0].Changes) != 2 {
			t.Errorf("GET versions = %+v, want the second of ada's with two changes", versions)
		}
		if all := into[[]api.KnowledgeVersion](t, h.want(200, "ada", "GET", "/knowledge/ada/harbour/versions", "")); len(all) != 2 {
			t.Errorf("GET versions without a limit = %+v, want both", all)
		}
		first := into[api.KnowledgeState](t, h.want(200, "ada", "GET", "/knowledge/ada/harbour/versions/1", ""))
		if len(first.Knowledge.Words) != 1 || first.Knowledge.Words[0].Word != "vessels" {
			t.Errorf("GET of version 1 = %+v, want vessels", first)
		}
	})
}

// TestRatingsTeachWhoWantsTo sends ratings with and without a word to the owner.
func TestRatingsTeachWhoWantsTo(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.harbour("harbour")
		h.user("bob")
		h.want(200, "ada", "POST", "/permissions/namespaces/ada/harbour/shares", `{"username":"bob","role":"viewer"}`)
		id := h.ran("bob", quern.Run{In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, Task: quern.Task{Question: "how many vessels are there?"}})
		inbox := func() []api.KnowledgeItem {
			return into[[]api.KnowledgeItem](t, h.want(200, "ada", "GET", "/knowledge/ada/harbour/inbox", ""))
		}
		h.want(204, "bob", "POST", feedbackPath(id), `{"thumbsUp":false,"meant":"secret"}`)
		if got := inbox(); len(got) != 0 {
			t.Errorf("the inbox after a rating that is nobody's business has %+v, want nothing", got)
		}
		h.want(204, "bob", "POST", feedbackPath(id), `{"thumbsUp":false,"tellOwner":true,"meant":"ships","correctedQuery":"SELECT count(*) FROM \"ada/harbour/ships\""}`)
		got := inbox()
		if len(got) != 1 || got[0].Told.Question != "how many vessels are there?" || got[0].Told.Meant != "ships" || len(got[0].Proposal.Verified) != 1 {
			t.Fatalf("the inbox has %+v, want what bob told and a verified question", got)
		}
		merge, err := json.Marshal(map[string]any{"merge": got[0].Proposal})
		must(t, err)
		if a := h.teach("PATCH", "ada/harbour", `"0"`, string(merge)); a.StatusCode != 200 {
			t.Errorf("teaching what was proposed = %d %s, want 200", a.StatusCode, a.body)
		}
		h.want(403, "bob", "GET", "/knowledge/ada/harbour/inbox", "")
		other := h.ran("bob", quern.Run{In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, Task: quern.Task{Question: "who is the pilot?"}})
		h.want(204, "bob", "POST", feedbackPath(other), `{"thumbsUp":false,"tellOwner":true}`)
		for _, item := range inbox() {
			if item.Told.Question == "who is the pilot?" {
				h.want(204, "ada", "DELETE", "/knowledge/ada/harbour/inbox/"+item.ID, "")
			}
		}
		if got := inbox(); len(got) != 1 {
			t.Errorf("the inbox after one was dismissed has %+v, want the other", got)
		}
		h.want(204, "bob", "DELETE", feedbackPath(id), "")
		if got := inbox(); len(got) != 0 {
			t.Errorf("the inbox after bob took it back has %+v, want nothing", got)
		}
	})
}
