package rest_test

import (
	"strings"
	"testing"

	"quern"
	"quern/api"
	"quern/run"
)

// A read-only token asks, and ends and rates what it asked, while it leaves alone what
// its user asked otherwise.
func TestReadOnlyTokenTendsItsOwnQuestions(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(200, "ada", "POST", "/ingest/lab/ds", `{"data":[{"a":1}]}`)
		made := into[api.CreatedToken](t, h.want(200, "ada", "POST", "/user/token", `{"name":"reader","readOnly":true}`))
		if !made.ReadOnly {
			t.Errorf("createToken = %+v, want it to say readOnly", made)
		}
		listed := h.want(200, "ada", "GET", "/user/tokens", "").body
		if strings.Count(listed, `"readOnly":true`) != 1 {
			t.Errorf("listTokens = %s, want one that is read-only", listed)
		}
		reading := func(method, path, body string) answer {
			return h.do(ask{method: method, path: "/api/v1" + path, token: made.Token, body: body})
		}
		expect := func(want int, method, path, body string) {
			t.Helper()
			if a := reading(method, path, body); a.StatusCode != want {
				t.Errorf("%s %s with a read-only token = %d %s, want %d", method, path, a.StatusCode, a.body, want)
			}
		}
		if me := into[api.CurrentUser](t, reading("GET", "/user/me", "")); !me.ReadOnly || me.Restricted {
			t.Errorf("currentUser = %+v, want read-only and not restricted", me)
		}
		question := `{"username":"self","namespace":"lab","query":"select count(*) from ds"}`
		own := into[api.Answer](t, reading("POST", "/query/autorag", question)).RunID
		others := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question)).RunID
		expect(204, "POST", "/query/runs/"+own+"/feedback", `{"thumbsUp":true}`)
		expect(204, "DELETE", "/query/runs/"+own+"/feedback", "")
		expect(403, "DELETE", "/query/runs/"+own, "")
		expect(200, "GET", "/query/runs/"+others, "")
		h.refusedReadOnly("rating another's run", reading("POST", "/query/runs/"+others+"/feedback", `{"thumbsUp":true}`))

		p, err := h.auth.Authenticate(t.Context(), made.Token)
		must(t, err)
		release := h.reader.hold()
		waiting, err := h.runs.Start(t.Context(), p, run.Ask{
			In: quern.NamespacePath{Owner: "ada", Namespace: "lab"}, Agent: quern.AgentAssistant,
			Task: quern.Task{Question: "wait: select count(*) from ds"},
		})
		must(t, err)
		<-h.reader.came
		expect(200, "POST", "/query/runs/"+string(waiting.ID)+"/cancel", "")
		release()

		// What its user does not see stays unknown, and bad input is said first.
		expect(404, "POST", "/data/ada/lab/none/clear", "")
		expect(422, "POST", "/user/token", `{"name":""}`)
	})
}
