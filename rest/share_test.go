package rest_test

import (
	"strings"
	"testing"

	"quern/api"
)

func TestSharedAnswers(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(200, "ada", "POST", "/ingest/harbour/ships", `{"data":[{"ship":"Ariadne","cargo":"ore"},{"ship":"Boreas","cargo":"ore"}]}`)
		h.want(200, "ada", "POST", "/ingest/harbour/crew", `{"data":[{"name":"Grace"}]}`)
		asked := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", `{"username":"self","namespace":"harbour","query":"select cargo, count(*) as n from ships group by cargo"}`))
		path := "/query/runs/" + asked.RunID + "/share"
		h.user("bob")
		link := into[api.RunShare](t, h.want(200, "ada", "POST", path, ""))
		if again := into[api.RunShare](t, h.want(200, "ada", "POST", path, "")); again != link || !strings.HasSuffix(link.URL, "/answers/"+link.ShareID) {
			t.Errorf("POST share again = %+v, want the same link %+v", again, link)
		}
		if run := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+asked.RunID, "")); run.Share.ShareID != link.ShareID {
			t.Errorf("GET run has share %+v, want the link", run.Share)
		}
		shared := "/query/shared/" + link.ShareID
		never := h.want(404, "bob", "GET", "/query/shared/AAAAAAAAAAAAAAAAAAAAAAAAAA", "").body
		if denied := h.want(404, "bob", "GET", shared, "").body; denied != never {
			t.Errorf("a link without rights answers %s, want what one that never was does: %s", denied, never)
		}
		// The other dataset's rights are not those of the one that was read.
		h.want(200, "ada", "POST", "/permissions/datasets/ada/harbour/crew/shares", `{"username":"bob","role":"viewer"}`)
		h.want(404, "bob", "GET", shared, "")
		h.want(200, "ada", "POST", "/permissions/datasets/ada/harbour/ships/shares", `{"username":"bob","role":"viewer"}`)
		body := h.want(200, "bob", "GET", shared, "").body
		for _, bad := range []string{asked.RunID, asked.ConversationID, `"words"`} {
			if strings.Contains(body, bad) {
				t.Errorf("the shared answer holds %s: %s", bad, body)
			}
		}
		got := into[api.SharedAnswer](t, h.want(200, "bob", "GET", shared, ""))
		if got.Username != "ada" || got.Namespace != "harbour" || got.Response != asked.Response || len(got.Steps) != 1 || len(got.Steps[0].Data) != 1 {
			t.Errorf("GET shared = %+v, want the answer as it was stored", got)
		}
		h.want(404, "bob", "GET", "/query/runs/"+asked.RunID, "")
		h.want(404, "bob", "POST", path, "")
		h.want(404, "bob", "DELETE", path, "")
		// Rights are asked for at every read, and rows stay as they were stored.
		h.want(200, "ada", "POST", "/data/ada/harbour/ships/clear", "")
		if later := h.want(200, "bob", "GET", shared, "").body; later != body {
			t.Errorf("the shared answer changed with the data: %s", later)
		}
		h.want(200, "ada", "DELETE", "/permissions/datasets/ada/harbour/ships/shares", `{"username":"bob"}`)
		h.want(404, "bob", "GET", shared, "")
		h.want(204, "ada", "DELETE", path, "")
		h.want(204, "ada", "DELETE", path, "")
		h.want(404, "ada", "GET", shared, "")
		if other := into[api.RunShare](t, h.want(200, "ada", "POST", path, "")); other.ShareID == link.ShareID {
			t.Error("a link that was taken back leads somewhere again")
		}
		h.want(204, "ada", "DELETE", "/query/runs/"+asked.RunID, "")
		h.want(404, "ada", "POST", path, "")
		// A dataset that is gone takes its answers with it, also when another gets its name.
		h.want(404, "ada", "GET", "/query/shared/not-a-link", "")
	})
}

func TestOnlyAnswersAreShared(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(200, "ada", "POST", "/ingest/harbour/ds", `{"data":[{"ship":"Ariadne"}]}`)
	fill, end := h.ranRuns("ada", "harbour")
	defer end()
	h.want(422, "ada", "POST", fill.Replace("/query/runs/{w}/share"), "")
}
