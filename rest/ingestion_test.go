package rest_test

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/api"
	"quern/api/apitest"
	"quern/catalog"
	"quern/store"
)

// upload sends a file in the name of a bearer and returns its session.
func (h *house) upload(bearer, filename, content string) string {
	h.t.Helper()
	ask := func(path, body string) answer {
		return h.do(ask{method: "POST", path: "/api/v1" + path, token: bearer, body: body})
	}
	prepared := ask("/file-upload/prepare", fmt.Sprintf(`{"filesToUpload":[{"filename":%q,"size":%d}]}`, filename, len(content)))
	if prepared.StatusCode != 200 {
		return quern.NewID[string]() // of a caller who cannot have any
	}
	session := into[api.PreparedFileUpload](h.t, prepared)
	f := session.Files[0]
	if a := ask("/file-upload/"+session.SessionID+"/files/"+f.FileID+"/finish", h.sendParts(f, content)); a.StatusCode != 200 {
		h.t.Errorf("finish = %d %s, want 200", a.StatusCode, a.body)
	}
	return session.SessionID
}

// ingestions fills {own}, {g} and {h} in requests about a dataset "ds".
func (h *house) ingestions(ns, bearer string, fill *strings.Replacer) *strings.Replacer {
	h.t.Helper()
	p, err := h.auth.As(h.t.Context(), "owner")
	must(h.t, err)
	d, err := h.catalog.Dataset(h.t.Context(), p, quern.DatasetPath{Owner: "owner", Namespace: ns, Dataset: "ds"}, catalog.Read)
	must(h.t, err)
	ids := [2]quern.IngestionID{}
	must(h.t, h.store.Update(h.t.Context(), func(tx *store.Tx) error {
		for i := range ids {
			ids[i] = quern.NewID[quern.IngestionID]()
			if err := tx.InsertIngestion(h.t.Context(), quern.Ingestion{ID: ids[i], Dataset: d.ID, Actor: p.User.ID, Files: []quern.IngestionFile{}, CreatedAt: time.Now()}); err != nil {
				return err
			}
		}
		_, err := tx.AbortIngestion(h.t.Context(), ids[1], time.Now())
		return err
	}))
	return strings.NewReplacer("{o}", "owner", "{n}", ns, "{own}", h.upload(bearer, "a.csv", "a\n1\n"), "{g}", string(ids[0]), "{h}", string(ids[1]))
}

func TestFilesBecomeRows(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		session := h.upload(h.user("ada"), "people.csv", "id,name\n1,Ada\n2,Bo\n")
		queued := into[api.IngestionRef](t, h.want(202, "ada", "POST", "/data/self/files/people/ingest", `{"sessionId":"`+session+`"}`))
		h.user("bob")
		for who, want := range map[string]int{"ada": 1, "bob": 0} {
			if open := into[[]api.Ingestion](t, h.want(200, who, "GET", "/ingestionTracking", "")); len(open) != want ||
				want == 1 && (open[0].ID != queued.ID || open[0].Status != "pending" || open[0].Attributes.Dataset != "people") {
				t.Errorf("under way for %s = %+v, want %d, the queued one", who, open, want)
			}
		}
		stream := h.follow("ada", queued.ID)
		defer stream.Body.Close()
		if took, err := h.ingest.WorkOnce(t.Context()); !took || err != nil {
			t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
		}
		if last := lastEvent(t, stream); !strings.HasPrefix(last, "event: completed") || !strings.Contains(last, `"processedRows":2`) {
			t.Errorf("the stream ends with %q, want the completed ingestion", last)
		}
		done := into[api.Ingestion](t, h.want(200, "ada", "GET", "/ingestionTracking/"+queued.ID, ""))
		if done.Status != "completed" || done.ProcessedBytes != done.ExpectedTotalBytes || len(done.Attributes.Tables) != 1 || done.Attributes.Tables[0].Detail != "UTF-8, comma, header" {
			t.Errorf("ingestion = %+v, want it completed, with one table", done)
		}
		if open := h.want(200, "ada", "GET", "/ingestionTracking", ""); strings.TrimSpace(open.body) != "[]" {
			t.Errorf("under way after the end = %s, want none", open.body)
		}
		rows := h.want(200, "ada", "GET", "/data/self/files/people/rows?metadata=true", "")
		if want := `{"id":2,"name":"Bo","__metadata":{"row":1,"source":{"file":"people.csv","row":2}}}`; !strings.Contains(rows.body, want) {
			t.Errorf("rows = %s, want %s among them", rows.body, want)
		}
		page := into[api.IngestionPage](t, h.want(200, "ada", "GET", "/data/self/files/people/ingest/attempts?pageSize=1", ""))
		if len(page.Data) != 1 || page.Data[0].ID != queued.ID || !page.Metadata.BeforeCreatedAt.IsZero() {
			t.Errorf("attempts = %+v, want the one ingestion", page)
		}
		h.want(409, "ada", "POST", "/ingestionTracking/"+queued.ID+"/retry", "")
		h.want(409, "ada", "POST", "/ingestionTracking/"+queued.ID+"/cancel", "")
		h.want(204, "ada", "POST", "/ingestionTracking/"+queued.ID+"/seen", "")
		if seen := into[api.Ingestion](t, h.want(200, "ada", "GET", "/ingestionTracking/"+queued.ID, "")); seen.Attributes.SeenAt.IsZero() {
			t.Errorf("ingestion after seen = %+v, want it seen", seen)
		}
	})
}

func TestRejectedRowsAreDownloaded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const odd = 1200
	session := h.upload(h.user("ada"), "a.csv", "id,name\n=1+1,a,b\n"+strings.Repeat("1,2,3\n", odd-1)+"7,Ada\n")
	queued := into[api.IngestionRef](t, h.want(202, "ada", "POST", "/data/self/files/odd/ingest", `{"sessionId":"`+session+`","onError":"quarantine"}`))
	path := "/ingestionTracking/" + queued.ID + "/rejected"
	if a := h.want(200, "ada", "GET", path+"?format=ndjson", ""); a.body != "" || a.Header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("rejected rows before the work = %q as %s, want none", a.body, a.Header.Get("Content-Type"))
	}
	if took, err := h.ingest.WorkOnce(t.Context()); !took || err != nil {
		t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
	}
	a := h.want(200, "ada", "GET", path, "")
	lines, err := csv.NewReader(strings.NewReader(a.body)).ReadAll()
	must(t, err)
	if want := []string{"a.csv", "", "1", "2", "has 3 cells where there are 2 columns", "'=1+1,a,b"}; len(lines) != odd+1 || !slices.Equal(lines[1], want) || lines[odd][2] != fmt.Sprint(odd) {
		t.Errorf("rejected rows = %d lines, the second %q, want %d and %q", len(lines), lines[1], odd+1, want)
	}
	if name := a.Header.Get("Content-Disposition"); !strings.Contains(name, queued.ID+".csv") {
		t.Errorf("the download is %q, want it named after the ingestion", name)
	}
	a = h.want(200, "ada", "GET", path+"?format=ndjson", "")
	if first, _, _ := strings.Cut(a.body, "\n"); strings.Count(a.body, "\n") != odd || !strings.Contains(first, `"text":"=1+1,a,b"`) {
		t.Errorf("rejected rows as NDJSON begin with %s, want %d, as written", first, odd)
	}
	if list := into[api.RejectedRows](t, h.want(200, "ada", "GET", path+"?format=json", "")); len(list.Data) != odd {
		t.Errorf("rejected rows as JSON = %d, want %d", len(list.Data), odd)
	}
	h.want(400, "ada", "GET", path+"?format=xml", "")
}

func TestIngestionsThatCannotBe(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	session := h.upload(h.user("ada"), "a.csv", "a\n1\n")
	other := h.upload(h.user("bo"), "b.csv", "a\n1\n")
	for name, body := range map[string]string{
		"no session":      `{}`,
		"unknown session": `{"sessionId":"` + quern.NewID[string]() + `"}`,
		"foreign session": `{"sessionId":"` + other + `"}`,
		"unknown file":    `{"sessionId":"` + session + `","fileIds":["` + quern.NewID[string]() + `"]}`,
		"no files":        `{"sessionId":"` + session + `","fileIds":[]}`,
		"unknown format":  `{"sessionId":"` + session + `","format":"xml"}`,
		"unknown choice":  `{"sessionId":"` + session + `","onError":"ignore"}`,
	} {
		if a := h.as("ada", "POST", "/data/self/files/none/ingest", body); a.StatusCode != 422 {
			t.Errorf("ingest with %s = %d %s, want 422", name, a.StatusCode, a.body)
		}
	}
	h.want(404, "ada", "GET", "/data/self/files/none", "")
	h.want(404, "ada", "POST", "/data/bo/files/none/ingest", `{"sessionId":"`+session+`"}`)
	h.want(422, "ada", "POST", "/data/self/files/-bad-/ingest", `{"sessionId":"`+session+`"}`)
}

func TestPreviewAndOriginals(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		const content = "id,when,price\n1,01/02/2024,$5.00\n2,03/04/2024,$6.50\n"
		session := h.upload(h.user("ada"), "orders é.csv", content)
		body := `{"sessionId":"` + session + `","columns":{"when":{"type":"date","dateOrder":"dmy"}},"mode":"replace","sameFile":"refuse"}`
		seen := into[api.IngestPreview](t, h.want(200, "ada", "POST", "/data/self/shop/orders/ingest/preview", body))
		if len(seen.Tables) != 1 || seen.Tables[0].Columns[1].Type != "date" || seen.Tables[0].Columns[2].Unit != "$" || len(seen.Tables[0].Sample) != 2 || seen.Tables[0].Dataset != "orders" {
			t.Errorf("preview = %+v, want one table with a date and dollars", seen)
		}
		h.want(404, "ada", "GET", "/data/self/shop/orders", "")
		queued := into[api.IngestionRef](t, h.want(202, "ada", "POST", "/data/self/shop/orders/ingest", body))
		h.want(404, "ada", "GET", "/data/self/shop/orders", "")
		if took, err := h.ingest.WorkOnce(t.Context()); !took || err != nil {
			t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
		}
		about := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/shop/orders", ""))
		if c := about.Metadata.Columns[2]; c.Unit != "$" || c.Type != "double" {
			t.Errorf("price = %+v, want dollars", c)
		}
		list := into[api.Originals](t, h.want(200, "ada", "GET", "/data/self/shop/orders/files", ""))
		if len(list.Data) != 1 || !list.Data[0].Stored || list.Data[0].IngestionID != queued.ID {
			t.Fatalf("originals = %+v, want the one", list)
		}
		path := "/data/self/shop/orders/files/" + list.Data[0].FileID
		if a := h.want(200, "ada", "GET", path, ""); a.body != content || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("the original = %q %v, want it as it was sent", a.body, a.Header)
		}
		h.want(204, "ada", "DELETE", path, "")
		h.want(404, "ada", "GET", path, "")
		h.want(404, "ada", "DELETE", path, "")
		if list = into[api.Originals](t, h.want(200, "ada", "GET", "/data/self/shop/orders/files", "")); len(list.Data) != 1 || list.Data[0].Stored {
			t.Errorf("originals = %+v, want the one as gone", list)
		}
		h.want(422, "ada", "POST", "/data/self/shop/orders/ingest/preview", body)
		for _, wrong := range []string{`"mode":"merge"`, `"columns":{"a":{"type":"money"}}`, `"columns":{"a":{"decimal":";"}}`, `"into":"many"`, `"totals":1`} {
			h.want(422, "ada", "POST", "/data/self/shop/orders/ingest/preview", `{"sessionId":"`+session+`",`+wrong+`}`)
		}
	})
}

// follow asks for the stream of an ingestion's progress.
func (h *house) follow(name, id string) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), "GET", h.url+"/api/v1/ingestionTracking/"+id, nil)
	must(h.t, err)
	r.Header.Set("Authorization", "Bearer "+h.user(name))
	r.Header.Set("Accept", "text/event-stream")
	resp, err := apitest.Transport(h.t, nil).RoundTrip(r)
	must(h.t, err)
	if media := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || media != "text/event-stream" {
		h.t.Fatalf("GET stream = %d %s, want 200 and a stream", resp.StatusCode, media)
	}
	return resp
}

// lastEvent reads a stream to its end.
func lastEvent(t *testing.T, resp *http.Response) string {
	t.Helper()
	var last, now strings.Builder
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if lines.Text() != "" {
			now.WriteString(lines.Text() + "\n")
			continue
		}
		last.Reset()
		last.WriteString(now.String())
		now.Reset()
	}
	must(t, lines.Err())
	return last.String()
}

// Clients wait for one of two ends and know no third.
func TestAnAbortedIngestionHasFailed(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		session := h.upload(h.user("ada"), "people.csv", "id\n1\n")
		queued := into[api.IngestionRef](t, h.want(202, "ada", "POST", "/data/self/files/people/ingest", `{"sessionId":"`+session+`"}`))
		stream := h.follow("ada", queued.ID)
		defer stream.Body.Close()
		cancelled := into[api.Ingestion](t, h.want(200, "ada", "POST", "/ingestionTracking/"+queued.ID+"/cancel", ""))
		page := into[api.IngestionPage](t, h.want(200, "ada", "GET", "/data/self/files/people/ingest/attempts", ""))
		if len(page.Data) != 1 {
			t.Fatalf("attempts = %+v, want one", page.Data)
		}
		for _, i := range []api.Ingestion{cancelled, page.Data[0]} {
			if i.Status != "failed" || !i.Aborted || i.StatusMessage == "" {
				t.Errorf("a cancelled ingestion = %+v, want it failed, aborted, with a message", i)
			}
		}
		if last := lastEvent(t, stream); !strings.HasPrefix(last, "event: failed") || !strings.Contains(last, `"aborted":true`) {
			t.Errorf("its stream ends with %q, want it failed and aborted", last)
		}
	})
}
