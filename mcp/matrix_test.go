package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/housetest"
	"quern/knowledge"
	"quern/mcp"
)

// actors are the columns of the matrix, the same as those of the REST interface.
// Each stands in its own way to a dataset "ds" in the namespace "shared" of the
// owner's.
var actors = strings.Fields("anonymous owner nsEditor dsEditor nsViewer dsViewer stranger former tokenHere tokenElsewhere disabled readOnly")

// matrix states, for every operation of the protocol, what each actor gets: ok, 401, or
// the code that it fails with. {s} is an upload session of the actor's, {i} an ingestion
// into the dataset, {c} a conversation of the owner's.
var matrix = []struct{ operation, params, outcomes string }{
	//                                                                  anon own nsE dsE nsV dsV stranger former tokenHere tokenElsewhere disabled readOnly
	{"tools/list", `{}`, "                                              401 ok ok ok ok ok ok ok ok ok 401 ok"},
	{"prompts/list", `{}`, "                                            401 ok ok ok ok ok ok ok ok ok 401 ok"},
	{"prompts/get", `{"name":"explore_dataset","arguments":{"dataset":"owner/shared/ds"}}`, "401 ok ok ok ok ok ok ok ok ok 401 ok"},
	{"resources/list", `{}`, "                                          401 ok ok ok ok ok none none ok none 401 ok"},
	{"resources/templates/list", `{}`, "                                401 ok ok ok ok ok ok ok ok ok 401 ok"},
	{"resources/read", `{"uri":"quern://datasets/owner/shared/ds"}`, "  401 ok ok ok ok ok none none ok none 401 ok"},
	{"resources/read", `{"uri":"quern://datasets/owner/shared/ds/columns/n"}`, "401 ok ok ok ok ok none none ok none 401 ok"},
	{"resources/read", `{"uri":"quern://questions/owner/shared"}`, "    401 ok ok ok ok ok none none ok none 401 ok"},
	{"resources/read", `{"uri":"quern://questions/owner/shared/size"}`, "401 ok ok ok ok ok none none ok none 401 ok"},
	{"list_datasets", `{}`, "                                           401 ok ok ok ok ok none none ok none 401 ok"},
	{"list_datasets", `{"namespace":"owner/shared"}`, "                 401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"describe_dataset", `{"dataset":"owner/shared/ds"}`, "             401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"sample_rows", `{"dataset":"owner/shared/ds"}`, "                  401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"run_query", `{"namespace":"owner/shared","query":"select n from ds"}`, "401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"ask", `{"namespace":"owner/shared","question":"How many?"}`, "    401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"ask", `{"namespace":"owner/shared","question":"How many?","conversationId":"{c}"}`,
		"401 ok NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND 401 ok"},
	{"search_rows", `{"dataset":"owner/shared/ds","words":"one"}`, "    401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"search_rows", `{"namespace":"owner/shared","words":"one"}`, "     401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"prepare_upload", `{"files":[{"filename":"a.csv","size":4}]}`, "   401 ok ok ok ok ok ok ok ok ok 401 READ_ONLY"},
	{"ingest", `{"dataset":"owner/shared/ds","sessionId":"{s}"}`, "     401 ok ok ok FORBIDDEN FORBIDDEN NOT_FOUND NOT_FOUND ok NOT_FOUND 401 READ_ONLY"},
	{"ingest", `{"ingestionId":"{i}"}`, "                               401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
	{"read_knowledge", `{"namespace":"owner/shared"}`, "                401 ok ok ok ok ok NOT_FOUND NOT_FOUND ok NOT_FOUND 401 ok"},
}

func TestAccessMatrix(t *testing.T) {
	t.Parallel()
	stated := map[string]bool{}
	for _, row := range matrix {
		stated[row.operation] = true
	}
	if missing := slices.DeleteFunc(mcp.ToolNames(), func(name string) bool { return stated[name] }); len(missing) > 0 {
		t.Errorf("%v have no row in the access matrix: say who may call them", missing)
	}
	h := newHouse(t)
	h.everybody()
	begun := h.connect("owner", "")
	asked, _ := begun.call("ask", map[string]any{"namespace": "shared", "question": "How many?"})
	into := map[string]any{"dataset": "shared/ds", "sessionId": h.uploaded("owner")}
	made, failure := begun.call("ingest", into)
	if made["ingestionId"] == nil || asked["conversationId"] == nil {
		t.Fatalf("the owner's ingestion = %v, %s, and conversation = %v, want both", made, failure, asked)
	}
	for _, row := range matrix {
		for j, want := range strings.Fields(row.outcomes) {
			actor := actors[j]
			params := strings.NewReplacer("{c}", fmt.Sprint(asked["conversationId"]), "{i}", fmt.Sprint(made["ingestionId"])).Replace(row.params)
			if strings.Contains(params, "{s}") && want != "401" {
				uploader := actor
				if actor == "readOnly" {
					uploader = "owner" // it cannot upload
				}
				params = strings.ReplaceAll(params, "{s}", fmt.Sprint(h.uploaded(uploader)))
			}
			if got := h.outcome(actor, row.operation, params); got != want {
				t.Errorf("%s %s as %s = %s, want %s", row.operation, row.params, actor, got, want)
			}
		}
	}
}

// everybody makes the actors and the namespace that they stand to in their own way.
func (h *house) everybody() {
	h.t.Helper()
	for _, actor := range actors {
		if actor != "anonymous" && actor != "readOnly" && !strings.HasPrefix(actor, "token") {
			h.token(actor, h.User(strings.ToLower(actor)), quern.TokenSpec{Name: "test"})
		}
	}
	owner := h.User("owner")
	ds := h.Dataset(owner, "shared/ds", `[{"n":1,"word":"one"}]`)
	all := catalog.Target{Owner: "owner", Namespace: "shared"}
	for _, g := range []struct {
		username string
		on       catalog.Target
		role     quern.Role
	}{{"nseditor", all, quern.Editor}, {"dseditor", ds, quern.Editor}, {"nsviewer", all, quern.Viewer}, {"dsviewer", ds, quern.Viewer},
		{"former", all, quern.Editor}, {"disabled", ds, quern.Editor}} {
		_, err := h.Catalog.Share(h.t.Context(), owner, g.on, quern.Share{Username: g.username, Role: g.role})
		must(h.t, err)
	}
	_, err := h.Catalog.Revoke(h.t.Context(), owner, all, "former")
	must(h.t, err)
	h.token("tokenHere", owner, quern.TokenSpec{Name: "here", Scopes: []quern.Scope{{Username: "owner", Namespace: "shared", Dataset: "ds"}}})
	h.token("tokenElsewhere", owner, quern.TokenSpec{Name: "elsewhere", Scopes: []quern.Scope{{Username: "owner", Namespace: "elsewhere"}}})
	h.token("readOnly", owner, quern.TokenSpec{Name: "read", ReadOnly: true})
	must(h.t, h.Auth.DisableUser(h.t.Context(), "disabled"))
	_, err = h.knowledge.Write(h.t.Context(), owner, housetest.Path("owner", "shared/ds").In(), knowledge.Change{
		Merge: &knowledge.Document{Verified: []knowledge.Verified{{Name: "size", Questions: []string{"How many?"}, Query: "SELECT count(*) AS n FROM ds"}}},
	})
	must(h.t, err)
}

// uploaded returns a session of an actor's whose file has arrived.
func (h *house) uploaded(actor string) any {
	h.t.Helper()
	const content = "n,word\n2,two\n"
	found, failure := h.connect(actor, "").call("prepare_upload",
		map[string]any{"files": []any{map[string]any{"filename": "a.csv", "size": len(content)}}})
	address, _ := at(found, "files", 0, "parts", 0, "url").(string)
	if address == "" {
		h.t.Fatalf("prepare_upload as %s = %v, %s", actor, found, failure)
	}
	h.put(address, content)
	return found["sessionId"]
}

// outcome sends one message as an actor and says in a word what came of it. Whatever
// that is, only who may see the dataset is told of it.
func (h *house) outcome(actor, operation, params string) string {
	h.t.Helper()
	method := operation
	if slices.Contains(mcp.ToolNames(), operation) {
		method, params = "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, operation, params)
	}
	user := actor
	if actor == "anonymous" {
		user = ""
	}
	got := h.post(user, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params))
	if got.status != 200 {
		return fmt.Sprint(got.status)
	}
	_, data, _ := strings.Cut(got.body, "data: ")
	var answer struct {
		Error  *struct{ Message string }
		Result struct {
			IsError   bool
			Content   []struct{ Text string }
			Resources []any
			Contents  []any
			Structure struct{ Datasets []any } `json:"structuredContent"`
		}
	}
	must(h.t, json.Unmarshal([]byte(data), &answer))
	switch r := answer.Result; {
	case answer.Error != nil && strings.Contains(strings.ToLower(answer.Error.Message), "not found"):
		return "none"
	case answer.Error != nil:
		return answer.Error.Message
	case r.IsError:
		var failure errorBody
		must(h.t, json.Unmarshal([]byte(r.Content[0].Text), &failure))
		return failure.ErrorCode
	case operation == "resources/list" && len(r.Resources) == 0, operation == "list_datasets" && len(r.Structure.Datasets) == 0:
		return "none"
	}
	return "ok"
}
