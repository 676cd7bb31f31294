package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/api"
	"quern/feedback"
	"quern/rest"
	"quern/store"
	"quern/store/storetest"
	"quern/trace"
	"quern/trace/langfuse"
	"quern/trace/langfuse/langfusetest"
)

// addTraces gives the house a Langfuse, and traces that go there and stay here.
func (h *house) addTraces() {
	h.t.Helper()
	h.langfuse = langfusetest.New(h.t)
	h.traces = trace.New(trace.Options{Content: true, Destinations: []trace.Destination{
		{Name: trace.EmbeddedName, Sink: trace.NewEmbedded(h.store, time.Now)}, {Name: "langfuse", Sink: h.keeper()},
	}})
	h.t.Cleanup(func() { must(h.t, h.traces.Close()) })
}

func (h *house) keeper() *langfuse.Keeper {
	k := langfuse.New(langfuse.Options{
		URL: h.langfuse.URL, PublicKey: langfusetest.PublicKey, SecretKey: langfusetest.SecretKey, Resource: map[string]string{"service.name": "quern"},
	})
	h.t.Cleanup(func() { must(h.t, k.Close()) })
	return k
}

// ended records the span of a whole run.
func (h *house) ended(_ context.Context, r quern.Run) {
	h.traces.Ended(r, quern.User{ID: r.Actor, Username: r.In.Owner})
	close(h.over(r.ID))
}

// over is closed when the span of a whole run is recorded.
func (h *house) over(id quern.RunID) chan struct{} {
	over, _ := h.ends.LoadOrStore(id, make(chan struct{}))
	return over.(chan struct{})
}

// addFeedback lets runs be rated.
func (h *house) addFeedback(to *rest.Deps) {
	h.t.Helper()
	to.Feedbacks = feedback.New(feedback.Options{Store: h.store, Runs: h.runs, Keeper: h.keeper(), Timeout: time.Second})
	to.Traces = trace.Archive{Kept: trace.NewEmbedded(h.store, time.Now), Recorder: h.traces}
}

// ran returns the id of a run of a user's that is over, or as its status says.
func (h *house) ran(name string, r quern.Run) quern.RunID {
	h.t.Helper()
	h.user(name)
	p, err := h.auth.As(h.t.Context(), name)
	must(h.t, err)
	return storetest.Run(h.t, h.store, p.User, r).ID
}

func feedbackPath(id quern.RunID) string { return "/query/runs/" + string(id) + "/feedback" }

func TestFeedbackIsGivenReadAndTakenBack(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.ran("ada", quern.Run{})
		path := feedbackPath(id)
		h.want(404, "ada", "GET", path, "")
		if a := h.want(204, "ada", "POST", path, `{"thumbsUp":true,"comment":"right","unknown":1}`); a.body != "" || a.Header.Get("Content-Type") != "" {
			t.Errorf("the answer to a rating is %q, want none", a.body)
		}
		if got := into[api.RunFeedback](t, h.want(200, "ada", "GET", path, "")); !got.ThumbsUp || got.Comment != "right" || got.GivenAt.IsZero() {
			t.Errorf("the rating is %+v", got)
		}
		// Rating again overwrites, the comment included.
		h.want(204, "ada", "POST", path, `{"thumbsUp":false}`)
		if got := into[api.RunFeedback](t, h.want(200, "ada", "GET", path, "")); got.ThumbsUp || got.Comment != "" {
			t.Errorf("the rating after another is %+v", got)
		}
		if score, ok := h.langfuse.Score(id.ScoreID()); !ok || score.Value != 0 || score.Comment != "" || score.Requests != 2 || h.langfuse.Scores() != 1 {
			t.Errorf("the score there is %+v", score)
		}
		if got := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+string(id), "")).Feedback; got.ThumbsUp || got.GivenAt.IsZero() {
			t.Errorf("the run shows %+v", got)
		}
		h.want(204, "ada", "DELETE", path, "")
		h.want(204, "ada", "DELETE", path, "")
		h.want(404, "ada", "GET", path, "")
		if a := h.want(200, "ada", "GET", "/query/runs/"+string(id), ""); strings.Contains(a.body, "feedback") {
			t.Errorf("a run whose rating was taken back shows %s", a.body)
		}
		if h.langfuse.Scores() != 0 {
			t.Errorf("%d scores are there, want none", h.langfuse.Scores())
		}
	})
}

// TestFeedbackThatIsNotTaken walks the order of checks: token, body parses, body
// valid, run visible, state, outside world. Each case fails at one check and
// would fail at all that follow, so that a check out of order shows.
func TestFeedbackThatIsNotTaken(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		completed, running := h.ran("ada", quern.Run{}), h.ran("ada", quern.Run{Status: quern.RunRunning})
		theirs := h.ran("bob", quern.Run{Status: quern.RunRunning})
		h.langfuse.Cut()
		const good = `{"thumbsUp":true}`
		for _, c := range []struct {
			name   string
			id     quern.RunID
			body   string
			status int
			sub    string // what the sub errors say
		}{
			{"broken JSON", "garbage", `{"thumbsUp":tr`, 400, ""},
			{"no body", "garbage", ``, 400, ""},
			{"two values", "garbage", good + good, 400, ""},
			{"a member twice", "garbage", `{"thumbsUp":true,"thumbsUp":false}`, 400, ""},
			{"missing thumbsUp", "garbage", `{}`, 422, "thumbsUp: a value is required"},
			{"null thumbsUp", "garbage", `{"thumbsUp":null}`, 422, "thumbsUp: must be true or false, not null"},
			{"text for thumbsUp", "garbage", `{"thumbsUp":"true"}`, 422, "thumbsUp: must be true or false"},
			{"number for thumbsUp", "garbage", `{"thumbsUp":1}`, 422, "thumbsUp: must be true or false"},
			{"null comment", "garbage", `{"thumbsUp":true,"comment":null}`, 422, "comment: must be a string or be left out, not null"},
			{"number for comment", "garbage", `{"thumbsUp":true,"comment":7}`, 422, "comment: must be a string"},
			{"long comment", "garbage", `{"thumbsUp":true,"comment":"` + strings.Repeat("é", 10_001) + `"}`, 422, "comment: must have at most 10000 characters"},
			{"two faults", "garbage", `{"thumbsUp":0,"comment":0}`, 422, "comment: must be a string; thumbsUp: must be true or false"},
			{"array", "garbage", `[true]`, 422, "body: must be an object"},
			{"text", "garbage", `"up"`, 422, "body: must be an object"},
			{"garbage id", "garbage", good, 404, ""},
			{"unknown run", quern.NewID[quern.RunID](), good, 404, ""},
			{"someone else's run", theirs, good, 404, ""},
			{"running run", running, good, 422, ""},
			{"failed run", h.ran("ada", quern.Run{Status: quern.RunFailed}), good, 422, ""},
			{"cancelled run", h.ran("ada", quern.Run{Status: quern.RunCancelled}), good, 422, ""},
			{"expired run", h.ran("ada", quern.Run{Status: quern.RunExpired}), good, 422, ""},
			{"tracing store away", completed, good, 502, ""},
		} {
			a := h.want(c.status, "ada", "POST", feedbackPath(c.id), c.body)
			e := a.failure(t)
			var subs []string
			for _, sub := range e.SubErrors {
				subs = append(subs, sub.Message)
			}
			if got := strings.Join(subs, "; "); got != c.sub {
				t.Errorf("%s: sub errors %q, want %q", c.name, got, c.sub)
			}
		}
		if a := h.do(ask{method: "POST", path: "/api/v1" + feedbackPath("garbage"), body: `{`}); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("without a token = %d, want 401", a.StatusCode)
		}
		h.langfuse.Recover()
		h.want(404, "ada", "GET", feedbackPath(completed), "")
		if h.langfuse.Scores() != 0 {
			t.Errorf("%d scores are there, want none", h.langfuse.Scores())
		}
	})
}

func TestAnothersRunIsLikeNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	theirs, none := h.ran("bob", quern.Run{}), quern.NewID[quern.RunID]()
	h.want(204, "bob", "POST", feedbackPath(theirs), `{"thumbsUp":true}`)
	for _, request := range []string{"POST %s/feedback", "GET %s/feedback", "DELETE %s/feedback", "GET %s/trace"} {
		var bodies []string
		for _, id := range []quern.RunID{theirs, none, "garbage"} {
			method, path, _ := strings.Cut(fmt.Sprintf(request, "/query/runs/"+string(id)), " ")
			body := ""
			if method == "POST" {
				body = `{"thumbsUp":false}`
			}
			bodies = append(bodies, h.want(404, "ada", method, path, body).body)
		}
		if bodies[0] != bodies[1] || bodies[0] != bodies[2] {
			t.Errorf("%s tells them apart: %q", request, bodies)
		}
	}
	if score, ok := h.langfuse.Score(theirs.ScoreID()); !ok || score.Value != 1 {
		t.Errorf("bob's score is %+v", score)
	}
}

func TestFeedbackWithTheLongestComment(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id, comment := h.ran("ada", quern.Run{}), strings.Repeat("界", 10_000)
	h.want(204, "ada", "POST", feedbackPath(id), `{"thumbsUp":true,"comment":"`+comment+`"}`)
	if got := into[api.RunFeedback](t, h.want(200, "ada", "GET", feedbackPath(id), "")); got.Comment != comment {
		t.Errorf("the comment has %d bytes, want %d", len(got.Comment), len(comment))
	}
}

func TestFeedbackOnARunThatIsBeingDeleted(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.ran("ada", quern.Run{})
		asked, release := h.langfuse.Slow()
		rated := make(chan answer)
		h.user("ada")
		go func() { rated <- h.as("ada", "POST", feedbackPath(id), `{"thumbsUp":true}`) }()
		<-asked
		h.want(204, "ada", "DELETE", "/query/runs/"+string(id), "")
		release()
		if a := <-rated; a.StatusCode != 404 {
			t.Errorf("rating a run that is gone = %d %s, want 404", a.StatusCode, a.body)
		}
		if h.langfuse.Scores() != 0 {
			t.Errorf("%d scores are there, want none", h.langfuse.Scores())
		}
	})
}

// TestFeedbackBesideAnothers has a run rated while another server is at it.
func TestFeedbackBesideAnothers(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.ran("ada", quern.Run{})
		h.want(204, "ada", "POST", feedbackPath(id), `{"thumbsUp":true}`)
		const other = "another server"
		must(t, h.store.Update(t.Context(), func(tx *store.Tx) error {
			taken, err := tx.LeaseFeedback(t.Context(), id, other, time.Now(), time.Now().Add(time.Hour))
			if err == nil && !taken {
				err = errors.New("the feedback is held already")
			}
			return err
		}))
		for method, body := range map[string]string{"POST": `{"thumbsUp":false}`, "DELETE": ""} {
			if e := h.want(409, "ada", method, feedbackPath(id), body).failure(t); e.ErrorCode != string(quern.CodeConflict) {
				t.Errorf("%s beside another's rating = %+v, want %s", method, e, quern.CodeConflict)
			}
		}
		if got := into[api.RunFeedback](t, h.want(200, "ada", "GET", feedbackPath(id), "")); !got.ThumbsUp {
			t.Errorf("the rating is %+v, want what it was", got)
		}
		must(t, h.store.Update(t.Context(), func(tx *store.Tx) error { return tx.ReleaseFeedback(t.Context(), id, other) }))
		h.want(204, "ada", "POST", feedbackPath(id), `{"thumbsUp":false}`)
	})
}

func TestRatedRunsAreListedAndExported(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		for i := range 5 {
			id := h.ran("ada", quern.Run{Task: quern.Task{Question: fmt.Sprint("q", i)}, Steps: []quern.Step{{Query: fmt.Sprint("select ", i), Data: []json.RawMessage{[]byte(`{"a":1}`)}}}})
			h.want(204, "ada", "POST", feedbackPath(id), fmt.Sprintf(`{"thumbsUp":%t,"comment":"c%d"}`, i%2 == 0, i))
		}
		page := into[api.RatedRunPage](t, h.want(200, "ada", "GET", "/query/feedback?rating=up&limit=2", ""))
		if len(page.Data) != 2 || page.Data[0].Question != "q4" || page.Data[1].Queries[0] != "select 2" || page.NextCursor == "" {
			t.Fatalf("the first page is %+v", page)
		}
		page = into[api.RatedRunPage](t, h.want(200, "ada", "GET", "/query/feedback?rating=up&limit=2&cursor="+page.NextCursor, ""))
		if len(page.Data) != 1 || page.Data[0].Feedback.Comment != "c0" || page.NextCursor != "" {
			t.Errorf("the last page is %+v", page)
		}
		for query, want := range map[string]int{"": 5, "?rating=down": 2, "?namespace=harbour": 5, "?namespace=mill": 0, "?username=bob&namespace=harbour": 0, "?username=self&namespace=Harbour": 5} {
			if page := into[api.RatedRunPage](t, h.want(200, "ada", "GET", "/query/feedback"+query, "")); len(page.Data) != want {
				t.Errorf("%s lists %d runs, want %d", query, len(page.Data), want)
			}
		}
		h.want(400, "ada", "GET", "/query/feedback?rating=sideways", "")
		h.want(400, "ada", "GET", "/query/feedback?cursor=x", "")
		a := h.want(200, "ada", "GET", "/query/feedback/export?rating=down", "")
		lines := strings.Split(strings.TrimSpace(a.body), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[0], `{"db":"harbour","question":"q3","sql":"select 3","rating":"down","comment":"c3","runId":"`) {
			t.Errorf("the export is %s", a.body)
		}
		if a := h.want(200, "bob", "GET", "/query/feedback/export", ""); a.body != "" {
			t.Errorf("bob's export is %s, want nothing", a.body)
		}
	})
}

func TestATraceIsATreeWithTimes(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.ran("ada", quern.Run{Status: quern.RunRunning})
		path := "/query/runs/" + string(id) + "/trace"
		got := into[api.RunTrace](t, h.want(200, "ada", "GET", path, ""))
		if got.TraceID != strings.ReplaceAll(string(id), "-", "") || got.Root.Name != "invoke_agent nl2ql" || got.Root.DurationMs != nil || len(got.Root.Children) != 0 {
			t.Errorf("the trace of a run that has begun is %+v", got)
		}
		run := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+string(id), ""))
		at := func(ms int) time.Time { return run.CreatedAt.Add(time.Duration(ms) * time.Millisecond) }
		must(t, trace.NewEmbedded(h.store, time.Now).Record(t.Context(), []quern.Span{
			{Run: id, ID: "00000000000000ab", Parent: "00000000000000aa", Kind: quern.SpanQuery, Name: "query", Start: at(12), End: at(15), Input: "select 1", Attributes: map[string]any{"db.response.returned_rows": 7}},
			{Run: id, ID: "00000000000000aa", Parent: id.SpanID(), Kind: quern.SpanStep, Name: "step 0", Start: at(10), End: at(20), Failure: quern.CodeTimeout},
			{Run: id, ID: id.SpanID(), Kind: quern.SpanRun, Name: "invoke_agent nl2ql", Start: at(0), End: at(30), Output: "7"},
		}))
		got = into[api.RunTrace](t, h.want(200, "ada", "GET", path, ""))
		step := got.Root.Children[0]
		query := step.Children[0]
		if *got.Root.DurationMs != 30 || got.Root.Output != "7" || step.Error != "TIMEOUT" || step.OffsetMs != 10 || *query.DurationMs != 3 ||
			query.Input != "select 1" || query.Attributes["db.response.returned_rows"] != 7.0 {
			t.Errorf("the trace is %+v", got)
		}
	})
}

// named writes a trace as the names of its spans.
func named(s api.TraceSpan) string {
	var inner []string
	for _, c := range s.Children {
		inner = append(inner, named(c))
	}
	if inner == nil {
		return s.Name
	}
	return s.Name + "(" + strings.Join(inner, ", ") + ")"
}

func TestAQuestionIsTracedFromItsWordsToItsRating(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/harbour/ds", "")
		h.want(200, "ada", "POST", "/ingest/harbour/ds", `{"data":[{"a":"a needle"}]}`)
		done := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", `{"username":"self","namespace":"harbour","query":"select a from ds"}`))
		h.want(204, "ada", "POST", "/query/runs/"+done.RunID+"/feedback", `{"thumbsUp":false,"comment":"not that one"}`)
		<-h.over(quern.RunID(done.RunID))
		got := into[api.RunTrace](t, h.want(200, "ada", "GET", "/query/runs/"+done.RunID+"/trace", ""))
		if named(got.Root) != "invoke_agent assistant(plan, step 0(translate, query), answer)" {
			t.Errorf("the trace is %s", named(got.Root))
		}
		query := got.Root.Children[1].Children[1]
		if !strings.HasPrefix(query.Input, `SELECT "ds"."a"`) || query.Attributes[trace.ReturnedRows] != 1.0 || *query.DurationMs <= 0 {
			t.Errorf("the query's span is %+v", query)
		}
		// Rows are in no span; an answer in words may tell of them.
		steps, err := json.Marshal(got.Root.Children[:2])
		must(t, err)
		if strings.Contains(string(steps), "needle") || !strings.Contains(got.Root.Output, "needle") {
			t.Errorf("rows are in the trace: %s", steps)
		}
		must(t, h.traces.Flush(t.Context()))
		spans := h.langfuse.Spans(got.TraceID)
		if score, ok := h.langfuse.Score(done.RunID + "-feedback"); !ok || score.TraceID != got.TraceID || score.Value != 0 || len(spans) != 6 {
			t.Errorf("there the trace has %d spans and the score %+v, want 6 and thumbs down", len(spans), score)
		}
		for _, s := range spans {
			if s.Attributes["langfuse.session.id"] != done.ConversationID || s.Attributes["langfuse.user.id"] != "ada" {
				t.Errorf("the span %s there has %v", s.Name, s.Attributes)
			}
		}
		for _, r := range h.langfuse.Log() {
			t.Log(r)
		}
	})
}
