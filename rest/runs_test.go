package rest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/api"
)

// event is a server-sent event as a reader sees it.
type event struct{ id, name, data string }

// events reads a stream to its end, or to the event named last, ":" for a comment.
func events(t *testing.T, body *bufio.Scanner, last string) (all []event, comments int) {
	t.Helper()
	var e event
	for body.Scan() {
		field, value, _ := strings.Cut(body.Text(), ": ")
		switch {
		case strings.HasPrefix(body.Text(), ":"):
			if comments++; last == ":" {
				return all, comments
			}
		case field == "id":
			e.id = value
		case field == "event":
			e.name = value
		case field == "data":
			e.data = value
		case e.name != "":
			all = append(all, e)
			if e.name == last {
				return all, comments
			}
			e = event{}
		}
	}
	must(t, body.Err())
	return all, comments
}

// lines reads a stream, whose lines may be long.
func lines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 16<<20)
	return s
}

func story(all []event) string {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.id + " " + e.name
	}
	return strings.Join(names, ", ")
}

func scan(text string) *bufio.Scanner { return lines(strings.NewReader(text)) }

// haven gives a user a namespace with a dataset.
func (h *house) haven(name string) {
	h.t.Helper()
	h.want(201, name, "POST", "/ingest/new/harbour/ds", "")
	h.want(200, name, "POST", "/ingest/harbour/ds", `{"data":[{"a":1,"b":"x < y"},{"a":2,"b":"z"}]}`)
}

func question(text string, more ...string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return `{"username":"self","namespace":"harbour","query":` + string(quoted) + strings.Join(append([]string{""}, more...), ",") + `}`
}

func TestAskStreamsTheRun(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		a := h.want(200, "ada", "POST", "/query/ask", question("select a, b from ds where a = 1"))
		all, _ := events(t, scan(a.body), "")
		want := "1 run-started, 2 planningStarted, 3 plan, 4 stepStarted, 5 queryExecuting, 6 step, 7 answerStarted, 8 answer"
		if got := story(all); got != want {
			t.Fatalf("events = %s, want %s", got, want)
		}
		var begun struct{ RunID, ConversationID string }
		must(t, json.Unmarshal([]byte(all[0].data), &begun))
		var step api.AnswerStep
		must(t, json.Unmarshal([]byte(all[5].data), &step))
		if len(step.Data) != 1 || string(step.Data[0]) != `{"a":1,"b":"x < y","__metadata":{"score":1.0}}` || step.Query == "" || step.Instruction == "" {
			t.Errorf("step = %s, want the query and its row", all[5].data)
		}
		if all[1].data != "{}" || all[3].data != `{"index":0,"instruction":"select a, b from ds where a = 1"}` || all[4].data != `{"index":0}` {
			t.Errorf("events = %v, want their data as the contract has them", all)
		}
		h.resumed("ada", begun.RunID, all)
		r := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+begun.RunID, ""))
		if r.Status != "completed" || r.CanResume || r.LastNodeID != "answer" || r.AgentKind != "assistant" || r.Result.RunID != r.RunID || len(r.Result.Steps) != 1 {
			t.Errorf("run = %+v, want it completed, with its result", r)
		}
		c := into[api.Conversation](t, h.want(200, "ada", "GET", "/query/conversations/"+begun.ConversationID, ""))
		if c.Title != "select a, b from ds where a = 1" || len(c.Turns) != 1 || c.Turns[0].RunID != r.RunID || c.Turns[0].Result.Response != r.Result.Response || c.Username != "ada" {
			t.Errorf("conversation = %+v, want one turn with its result", c)
		}
		h.want(204, "ada", "DELETE", "/query/runs/"+begun.RunID, "")
		h.want(404, "ada", "GET", "/query/runs/"+begun.RunID, "")
	})
}

// resumed reads the events of a run that has ended, from each on.
func (h *house) resumed(name, id string, all []event) {
	h.t.Helper()
	for after := range len(all) + 1 {
		a := h.do(ask{method: "GET", path: "/api/v1/query/runs/" + id + "/events", token: h.user(name), header: http.Header{"Last-Event-Id": {fmt.Sprint(after)}}})
		rest, _ := events(h.t, scan(a.body), "")
		if got, want := fmt.Sprint(rest), fmt.Sprint(all[after:]); got != want {
			h.t.Errorf("events behind %d = %s, want %s", after, got, want)
		}
	}
	for _, bad := range []string{"x", "-1", "1.5"} {
		if a := h.do(ask{method: "GET", path: "/api/v1/query/runs/" + id + "/events", token: h.user(name), header: http.Header{"Last-Event-Id": {bad}}}); a.StatusCode != 400 {
			h.t.Errorf("events behind %s = %d, want 400", bad, a.StatusCode)
		}
	}
	gone := into[api.EndedRun](h.t, h.want(410, name, "POST", "/query/runs/"+id+"/resume", ""))
	if gone.ErrorCode != "GONE" || gone.Question == "" || len(gone.Result.Steps) != 1 {
		h.t.Errorf("resume of an ended run = %+v, want its question and result", gone)
	}
}

func TestAutoragAnswersOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		first := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("what?")))
		if first.Clarification.Question != "What do you mean?" || len(first.Clarification.Choices) != 1 || first.Clarification.Choices[0].Label != "all of ds" {
			t.Errorf("answer = %+v, want a question back", first)
		}
		if a := h.want(200, "ada", "GET", "/query/runs/"+first.RunID, ""); strings.Contains(a.body, "SELECT a FROM ds") {
			t.Errorf("run = %s, want no query of a choice in it", a.body)
		}
		second := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("all of ds", `"conversationId":"`+first.ConversationID+`"`)))
		if len(second.Steps) != 1 || len(second.Steps[0].Data) != 2 || second.ConversationID != first.ConversationID {
			t.Errorf("answer = %+v, want the rows of the choice", second)
		}
		c := into[api.Conversation](t, h.want(200, "ada", "GET", "/query/conversations/"+first.ConversationID, ""))
		if len(c.Turns) != 2 || c.Turns[0].RunID != first.RunID || c.Turns[1].RunID != second.RunID {
			t.Errorf("conversation = %+v, want both turns, oldest first", c)
		}
	})
}

func TestQuestionsThatAreRefused(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		h.haven("bo")
		h.want(201, "ada", "POST", "/data/other", "")
		foreign := into[api.Answer](t, h.want(200, "bo", "POST", "/query/autorag", question("select a from ds")))
		own := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("select a from ds")))
		for _, path := range []string{"/query/ask", "/query/autorag"} {
			for body, want := range map[string]int{
				`{`:                                   400,
				`{}`:                                  422,
				question(""):                          422,
				question("  \n"):                      422,
				question("a", `"model":7`):            422,
				question("a", `"model":"m"`):          422,
				question("a", `"provider":""`):        200,
				question(strings.Repeat("ü", 10_001)): 422,
				question("a", `"conversationId":"x"`): 422,
				question("a", `"conversationId":"`+quern.NewID[string]()+`"`):                                       404,
				question("a", `"conversationId":"`+foreign.ConversationID+`"`):                                      404,
				`{"username":"self","namespace":"none","query":"a"}`:                                                404,
				`{"username":"bo","namespace":"harbour","query":"a"}`:                                               404,
				`{"username":"self","namespace":"other","query":"a","conversationId":"` + own.ConversationID + `"}`: 422,
			} {
				h.want(want, "ada", "POST", path, body)
			}
		}
	})
}

// TestWhatIsNotYoursIsNotThere compares the answers about what others have with
// those about what nobody has.
func TestWhatIsNotYoursIsNotThere(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("bo")
		foreign := into[api.Answer](t, h.want(200, "bo", "POST", "/query/autorag", question("select a from ds")))
		for _, c := range []struct{ method, path, id, body string }{
			{"GET", "/query/runs/{id}", foreign.RunID, ""},
			{"GET", "/query/runs/{id}/events", foreign.RunID, ""},
			{"POST", "/query/runs/{id}/resume", foreign.RunID, ""},
			{"POST", "/query/runs/{id}/cancel", foreign.RunID, ""},
			{"DELETE", "/query/runs/{id}", foreign.RunID, ""},
			{"GET", "/query/conversations/{id}", foreign.ConversationID, ""},
			{"PATCH", "/query/conversations/{id}", foreign.ConversationID, `{"title":"mine"}`},
			{"DELETE", "/query/conversations/{id}", foreign.ConversationID, ""},
		} {
			theirs := h.want(404, "ada", c.method, strings.Replace(c.path, "{id}", c.id, 1), c.body)
			for _, id := range []string{quern.NewID[string](), "x", foreign.RunID + "0"} {
				nobodys := h.want(404, "ada", c.method, strings.Replace(c.path, "{id}", id, 1), c.body)
				if theirs.body != nobodys.body {
					t.Errorf("%s %s = %s for somebody else's, %s for %s", c.method, c.path, theirs.body, nobodys.body, id)
				}
			}
		}
		h.want(200, "bo", "GET", "/query/runs/"+foreign.RunID, "")
	})
}

func TestRunsThatAreUnderWay(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		release := h.reader.hold()
		defer release()
		resp := h.post("ada", "/query/ask", question("wait: select a from ds"))
		defer resp.Body.Close()
		first := lines(resp.Body)
		begun, _ := events(t, first, "queryExecuting")
		var ids struct{ RunID, ConversationID string }
		must(t, json.Unmarshal([]byte(begun[0].data), &ids))
		if _, comments := events(t, first, ":"); comments == 0 {
			t.Error("an idle stream says nothing, want a comment")
		}
		<-h.reader.came
		r := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+ids.RunID, ""))
		if r.Status != "running" || !r.CanResume || r.LastNodeID != "plan" {
			t.Errorf("run = %+v, want it running, and planned", r)
		}
		second := h.post("ada", "/query/runs/"+ids.RunID+"/resume", "")
		defer second.Body.Close()
		again := lines(second.Body)
		if got, _ := events(t, again, "queryExecuting"); len(got) != 5 {
			t.Errorf("resume of a run without steps = %v, want all five events", got)
		}
		for range 7 {
			defer h.post("ada", "/query/ask", question("wait: select a from ds")).Body.Close()
		}
		if a := h.want(429, "ada", "POST", "/query/ask", question("select a from ds")); a.Header.Get("Retry-After") == "" {
			t.Error("429 has no Retry-After")
		}
		cancelled := into[api.Run](t, h.want(200, "ada", "POST", "/query/runs/"+ids.RunID+"/cancel", ""))
		if cancelled.Status != "failed" || !cancelled.Cancelled || cancelled.CanResume || cancelled.ErrorMessage != "the run was cancelled" {
			t.Errorf("run = %+v, want it cancelled", cancelled)
		}
		for _, l := range []*bufio.Scanner{first, again} {
			last, _ := events(t, l, "")
			if len(last) != 1 || last[0] != (event{"6", "error", `{"message":"the run was cancelled","error_code":"CANCELLED"}`}) {
				t.Errorf("the stream ends with %v, want the error", last)
			}
		}
		h.want(200, "ada", "POST", "/query/runs/"+ids.RunID+"/cancel", "")
		ended := into[api.EndedRun](t, h.want(410, "ada", "POST", "/query/runs/"+ids.RunID+"/resume", ""))
		if ended.ErrorCode != "GONE" || ended.Question != r.Question {
			t.Errorf("resume of a cancelled run = %+v, want it gone, with its question", ended)
		}
		turns := into[api.Conversation](t, h.want(200, "ada", "GET", "/query/conversations/"+r.ConversationID, "")).Turns
		if len(turns) != 1 || turns[0].Status != "failed" || !turns[0].Cancelled || turns[0].ErrorMessage == "" {
			t.Errorf("turns of a conversation with a cancelled run = %+v, want it failed and cancelled", turns)
		}
	})
}

func TestARunThatFailsIsAnErrorOfAutorag(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		release := h.reader.hold()
		answers := make(chan answer, 1)
		go func() { answers <- h.as("ada", "POST", "/query/autorag", question("wait: select a from ds")) }()
		<-h.reader.came
		h.want(200, "ada", "DELETE", "/data/self/harbour/balefire?deleteDatasets=true", "")
		release()
		if a := <-answers; a.StatusCode != 404 {
			t.Errorf("autorag of a namespace that goes = %d %s, want 404", a.StatusCode, a.body)
		}
		h.want(404, "ada", "GET", "/query/conversations?username=self&namespace=harbour", "")
		page := into[api.ConversationPage](t, h.want(200, "ada", "GET", "/query/conversations", ""))
		c := into[api.Conversation](t, h.want(200, "ada", "GET", "/query/conversations/"+page.Conversations[0].ID, ""))
		if c.Turns[0].Status != "failed" || c.Turns[0].Cancelled || !strings.Contains(c.Turns[0].ErrorMessage, "ada/harbour is gone") {
			t.Errorf("turn = %+v, want it failed for its namespace", c.Turns[0])
		}
		h.want(422, "ada", "POST", "/query/runs/"+c.Turns[0].RunID+"/resume", "")
		h.want(409, "ada", "POST", "/query/runs/"+c.Turns[0].RunID+"/cancel", "")
	})
}

func TestConversationsAreListedRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		var ids []string
		for _, text := range []string{"one", "two", "three"} {
			ids = append(ids, into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question(text))).ConversationID)
		}
		var titles []string
		for cursor := ""; ; {
			page := into[api.ConversationPage](t, h.want(200, "ada", "GET", "/query/conversations?username=self&namespace=harbour&limit=2&cursor="+cursor, ""))
			for _, c := range page.Conversations {
				titles = append(titles, c.Title)
				if c.CreatedAt < 1e12 || c.UpdatedAt < c.CreatedAt || c.Namespace != "harbour" {
					t.Errorf("conversation = %+v, want times in milliseconds", c)
				}
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if got := strings.Join(titles, " "); got != "three two one" {
			t.Errorf("conversations = %s, want the latest first", got)
		}
		for query, want := range map[string]int{"": 3, "?namespace=harbour": 3, "?username=ada": 3, "?username=bo": 0} {
			page := into[api.ConversationPage](t, h.want(200, "ada", "GET", "/query/conversations"+query, ""))
			if len(page.Conversations) != want {
				t.Errorf("conversations%s = %+v, want %d", query, page, want)
			}
		}
		h.want(400, "ada", "GET", "/query/conversations?cursor=x", "")
		renamed := into[api.ConversationEntry](t, h.want(200, "ada", "PATCH", "/query/conversations/"+ids[0], `{"title":" Eins "}`))
		if renamed.Title != "Eins" {
			t.Errorf("renamed = %+v, want Eins", renamed)
		}
		for _, body := range []string{`{}`, `{"title":""}`, `{"title":"  "}`, `{"title":null}`, `{"title":"` + strings.Repeat("x", 201) + `"}`} {
			h.want(422, "ada", "PATCH", "/query/conversations/"+ids[0], body)
		}
		h.want(204, "ada", "DELETE", "/query/conversations/"+ids[0], "")
		h.want(404, "ada", "GET", "/query/conversations/"+ids[0], "")
	})
}

// TestAConversationTurnByTurn reads a conversation in parts, and whole where none
// are asked for.
func TestAConversationTurnByTurn(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		first := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("select 1 as a from ds")))
		path := "/query/conversations/" + first.ConversationID
		asked := []string{first.RunID}
		for range 4 {
			next := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("select a from ds", `"conversationId":"`+first.ConversationID+`"`)))
			asked = append(asked, next.RunID)
		}
		read := func(query string) (ids []string, next string) {
			c := into[api.Conversation](t, h.want(200, "ada", "GET", path+query, ""))
			for _, turn := range c.Turns {
				ids = append(ids, turn.RunID)
			}
			return ids, c.NextCursor
		}
		if ids, next := read(""); !slices.Equal(ids, asked) || next != "" {
			t.Errorf("turns = %v and %q, want all and no cursor", ids, next)
		}
		var parts []string
		for cursor, pages := "", 1; ; pages++ {
			ids, next := read("?limit=2&cursor=" + cursor)
			parts = append(parts, ids...)
			if cursor = next; cursor == "" {
				if pages != 3 {
					t.Errorf("five turns in twos = %d parts, want 3", pages)
				}
				break
			}
		}
		if !slices.Equal(parts, asked) {
			t.Errorf("turns in parts = %v, want %v", parts, asked)
		}
		if ids, next := read("?limit=5"); len(ids) != 5 || next != "" {
			t.Errorf("the first five of five = %v and %q, want all and no cursor", ids, next)
		}
		for _, query := range []string{"?cursor=x", "?limit=0", "?limit=1001", "?limit=x"} {
			h.want(400, "ada", "GET", path+query, "")
		}
	})
}

// TestASlowReaderHoldsNobodyUp leaves streams unread that hold more than the
// network takes.
func TestASlowReaderHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/harbour/ds", "")
	row := `{"a":"` + strings.Repeat("x", 4000) + `"}`
	h.want(200, "ada", "POST", "/ingest/harbour/ds", `{"data":[`+strings.Repeat(row+",", 999)+row+`]}`)
	var unread []*http.Response
	for range 5 {
		resp := h.post("ada", "/query/ask", question("select a from ds"))
		defer resp.Body.Close()
		unread = append(unread, resp)
	}
	if done := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("select a from ds"))); len(done.Steps[0].Data) == 0 {
		t.Errorf("answer beside slow readers = %+v, want rows", done)
	}
	for _, resp := range unread {
		all, _ := events(t, lines(resp.Body), "")
		if got := story(all); !strings.HasSuffix(got, "8 answer") {
			t.Errorf("a slow reader got %s, want all of it", got)
		}
	}
}

// post begins a request whose answer is read bit by bit.
func (h *house) post(name, path, body string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), "POST", h.url+"/api/v1"+path, strings.NewReader(body))
	must(h.t, err)
	r.Header.Set("Authorization", "Bearer "+h.user(name))
	resp, err := h.http.Do(r)
	must(h.t, err)
	if resp.StatusCode != 200 {
		h.t.Fatalf("POST %s = %d, want a stream; the log says:\n%s", path, resp.StatusCode, h.log)
	}
	return resp
}

func TestConversationsOfANamespaceThatIsNotSeen(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		h.want(200, "ada", "GET", "/query/conversations?username=self&namespace=harbour", "")
		foreign := h.want(404, "bob", "GET", "/query/conversations?username=ada&namespace=harbour", "")
		unknown := h.want(404, "bob", "GET", "/query/conversations?username=ada&namespace=nowhere", "")
		if foreign.body != unknown.body {
			t.Errorf("a foreign namespace is answered with %s, an unknown one with %s, want no difference", foreign.body, unknown.body)
		}
		h.want(404, "bob", "GET", "/query/conversations?namespace=harbour", "")
		h.want(200, "bob", "GET", "/query/conversations", "")
	})
}
