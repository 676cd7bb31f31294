package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/api"
	"quern/run"
)

// questionIn asks over POST /query as ada and returns the answer.
func questionIn(t *testing.T, h *house, q api.QueryRequest) api.QueryResponse {
	t.Helper()
	q.Namespace = "harbour"
	return into[api.QueryResponse](t, h.want(200, "ada", "POST", "/query", questionBody(t, q)))
}

// TestAQuestionIsARun that is found by its id, traced and rated, and in no list.
func TestAQuestionIsARun(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		fleet(t, h)
		m := questionIn(t, h, api.QueryRequest{NaturalLanguageQuery: "Which ships are there?"}).Metadata
		if m.RunID == "" || m.ConversationID != "" {
			t.Fatalf("metadata = %+v, want a run, and no conversation that nobody asked for", m)
		}
		<-h.over(quern.RunID(m.RunID))
		at := "/query/runs/" + m.RunID
		found := h.want(200, "ada", "GET", at, "")
		if !strings.Contains(found.body, `"status":"completed"`) || !strings.Contains(found.body, `"Boreas"`) {
			t.Errorf("GET %s = %s, want the run completed, with its rows", at, found.body)
		}
		if trace := h.want(200, "ada", "GET", at+"/trace", ""); !strings.Contains(trace.body, "translate") {
			t.Errorf("trace = %s, want the translation in it", trace.body)
		}
		h.want(204, "ada", "POST", at+"/feedback", `{"thumbsUp":true}`)
		h.want(404, "bob", "GET", at, "")
		if list := into[api.ConversationPage](t, h.want(200, "ada", "GET", "/query/conversations", "")); len(list.Conversations) != 0 {
			t.Errorf("conversations = %+v, want none", list.Conversations)
		}
		p, err := h.auth.As(t.Context(), "ada")
		must(t, err)
		if page, err := h.runs.Runs(t.Context(), p, run.Filter{Limit: 10}); err != nil || page.Total != 0 {
			t.Errorf("Runs() = %+v, %v, want none", page, err)
		}
	})
}

// TestAQuestionOfAConversation is one of its turns, and knows those before it.
func TestAQuestionOfAConversation(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	fleet(t, h)
	begun := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", `{"username":"self","namespace":"harbour","query":"select count(*) from ships"}`))
	m := questionIn(t, h, api.QueryRequest{NaturalLanguageQuery: "Which ships are there?", ConversationID: begun.ConversationID}).Metadata
	if m.ConversationID != begun.ConversationID || m.RunID == "" {
		t.Errorf("metadata = %+v, want the conversation %s", m, begun.ConversationID)
	}
	asked := h.script.Asked()
	if before := asked[len(asked)-1].Previous; before == nil || before.Question != "select count(*) from ships" {
		t.Errorf("the question was read after %+v, want the turn before it", before)
	}
	c := into[api.Conversation](t, h.want(200, "ada", "GET", "/query/conversations/"+begun.ConversationID, ""))
	if len(c.Turns) != 2 || c.Turns[1].RunID != m.RunID {
		t.Errorf("turns = %+v, want the question among them", c.Turns)
	}
	h.want(201, "ada", "POST", "/ingest/new/other/things", "")
	a := h.want(422, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "other", NaturalLanguageQuery: "Which?", ConversationID: begun.ConversationID}))
	if !strings.Contains(a.body, "conversationId: is a conversation about ada/harbour") {
		t.Errorf("a conversation about another namespace = %s, want it named", a.body)
	}
}

// TestAnAnswerHasMoreRowsThanItsRunKeeps up to what a query may return.
func TestAnAnswerHasMoreRowsThanItsRunKeeps(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	fleet(t, h)
	h.want(201, "ada", "POST", "/ingest/new/harbour/days", "")
	rows := make([]string, 1500)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"day":%d}`, i)
	}
	h.want(200, "ada", "POST", "/ingest/harbour/days", `{"data":[`+strings.Join(rows, ",")+`]}`)
	h.script.Knows("All days?", "select day from days order by day")
	r := questionIn(t, h, api.QueryRequest{NaturalLanguageQuery: "All days?"})
	if len(r.Data) != 1500 || r.Metadata.Count != 1500 || r.Metadata.Truncated {
		t.Errorf("answer has %d rows, %+v, want 1500", len(r.Data), r.Metadata)
	}
	kept := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+r.Metadata.RunID, "")).Result.Steps[0]
	if len(kept.Data) != 1000 || kept.TotalCount != 1500 || !kept.Truncated {
		t.Errorf("the run keeps %d of %d rows, want the first 1000 of 1500", len(kept.Data), kept.TotalCount)
	}
}

// TestQuestionsAreLimited as all questions of a user are.
func TestQuestionsAreLimited(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	fleet(t, h)
	h.want(201, "ada", "POST", "/ingest/new/harbour/ds", "")
	release := h.reader.hold()
	defer release()
	for range run.DefaultLimits().PerUser {
		p, err := h.auth.As(t.Context(), "ada")
		must(t, err)
		_, err = h.runs.Start(t.Context(), p, run.Ask{
			In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, Agent: quern.AgentAssistant, Task: quern.Task{Question: "wait: select 1"},
		})
		must(t, err)
	}
	a := h.want(429, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: "Which ships are there?"}))
	if a.Header.Get("Retry-After") == "" {
		t.Errorf("answer = %v, want it to say when to try again", a.Header)
	}
}
