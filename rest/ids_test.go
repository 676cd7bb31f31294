package rest_test

import (
	"strings"
	"testing"

	"quern"
	"quern/api"
)

// RFC 9562: what is read is case-insensitive.
func TestIDsAreReadInCapitals(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.haven("ada")
		first := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question("select a from ds")))
		run, conversation := strings.ToUpper(first.RunID), strings.ToUpper(first.ConversationID)
		if run == first.RunID && conversation == first.ConversationID {
			t.Fatalf("the ids %s and %s have no letters", run, conversation)
		}
		h.want(200, "ada", "GET", "/query/runs/"+run, "")
		h.want(200, "ada", "GET", "/query/conversations/"+conversation, "")
		followed := question("select a from ds", `"conversationId":"`+conversation+`"`)
		next := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", followed))
		if next.ConversationID != first.ConversationID {
			t.Errorf("autorag in conversation %s = one in %s, want it there", conversation, next.ConversationID)
		}
		session := strings.ToUpper(h.upload(h.user("ada"), "a.csv", "a\n1\n"))
		h.want(200, "ada", "GET", "/file-upload/"+session, "")
		h.want(202, "ada", "POST", "/data/self/harbour/files/ingest", `{"sessionId":"`+session+`"}`)
	})
}

// A name may look like an id; its spelling is its own.
func TestNamesThatLookLikeIDsKeepTheirSpelling(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.haven("ada")
	name := strings.ToUpper(string(quern.NewID[quern.DatasetID]()))
	h.want(201, "ada", "POST", "/ingest/new/harbour/"+name, "")
	if got := h.want(200, "ada", "GET", "/schema/self/harbour/datasets", ""); !strings.Contains(got.body, name) {
		t.Errorf("datasets = %s, want %s among them", got.body, name)
	}
}
