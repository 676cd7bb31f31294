package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quern"
	"quern/api"
	"quern/catalog"
)

// actors are the columns of the matrix, in order. Each stands in its own way to
// a dataset "ds" in a namespace of the owner's.
var actors = strings.Fields("anonymous owner nsEditor dsEditor nsViewer dsViewer stranger former tokenHere tokenElsewhere disabled readOnly")

// matrix states, for every operation of the contract, the status each actor
// gets. {o} is the owner, {n} the namespace, {t} a token's id of the actor's own.
var matrix = []struct{ operation, request, body, statuses string }{
	//                                                                      anon own nsE dsE nsV dsV str for tHr tEl dis rdO
	{"currentUser", "GET /user/me", "", "                                    401 200 200 200 200 200 200 200 200 200 401 200"},
	{"commandLineProvider", "GET /user/provider", "", "                      200 200 200 200 200 200 200 200 200 200 200 200"},
	{"createToken", "POST /user/token", `{"name":"t"}`, "                    401 200 200 200 200 200 200 200 403 403 401 403"},
	{"listTokens", "GET /user/tokens", "", "                                 401 200 200 200 200 200 200 200 403 403 401 200"},
	{"revokeToken", "DELETE /user/token/{t}", "", "                          401 204 204 204 204 204 204 204 403 403 401 403"},
	{"tokenPermissions", "GET /user/tokens/{t}/permissions", "", "           401 200 200 200 200 200 200 200 403 403 401 200"},
	{"listSessions", "GET /user/sessions", "", "                             401 200 200 200 200 200 200 200 403 403 401 200"},
	{"endSessions", "DELETE /user/sessions", "", "                           401 204 204 204 204 204 204 204 403 403 401 403"},
	{"endSession", "DELETE /user/sessions/0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a14", "",
		"                                                                    401 404 404 404 404 404 404 404 403 403 401 403"},
	{"usageHistory", "GET /user/usage/history", "", "                        401 200 200 200 200 200 200 200 200 200 401 200"},
	{"usageByDay", "GET /user/usage/by-day", "", "                           401 200 200 200 200 200 200 200 200 200 401 200"},

	{"listDatasets", "GET /data", "", "                                      401 200 200 200 200 200 200 200 200 200 401 200"},
	{"listAllDatasets", "GET /schema/datasets/all", "", "                    401 200 200 200 200 200 200 200 200 200 401 200"},
	{"listNamespaces", "GET /schema/{o}/namespaces", "", "                   401 200 200 200 200 200 200 200 200 200 401 200"},
	{"listNamespaceDatasets", "GET /data/{n}", "", "                         401 200 200 200 200 200 404 404 200 404 401 200"},
	{"listDatasetsIn", "GET /schema/{o}/{n}/datasets", "", "                 401 200 200 200 200 200 404 404 200 404 401 200"},
	{"createNamespace", "POST /data/fresh-{n}", "", "                        401 201 201 201 201 201 201 201 404 404 401 403"},
	{"createDataset", "POST /ingest/new/{n}/other", "", "                    401 201 201 201 201 201 201 201 404 404 401 403"},

	{"datasetMetadata", "GET /data/{o}/{n}/ds", "", "                        401 200 200 200 200 200 404 404 200 404 401 200"},
	{"listRows", "GET /data/{o}/{n}/ds/rows", "", "                          401 200 200 200 200 200 404 404 200 404 401 200"},
	{"columnHistogram", "GET /data/{o}/{n}/ds/columns/a/histogram", "", "    401 200 200 200 200 200 404 404 200 404 401 200"},
	{"exportDataset", "GET /data/{o}/{n}/ds/export", "", "                   401 200 200 200 200 200 404 404 200 404 401 200"},
	{"inferDefinition", "GET /data/{o}/{n}/ds/inferDefinition", "", "        401 200 200 200 200 200 404 404 200 404 401 200"},
	{"query", "POST /query", `{"username":"{o}","namespace":"{n}","query":"select count(*) from ds"}`,
		"                                                                    401 200 200 200 200 200 404 404 200 404 401 200"},
	{"query", "POST /query", `{"username":"{o}","namespace":"{n}","naturalLanguageQuery":"how many?"}`,
		"                                                                    401 200 200 200 200 200 404 404 200 404 401 200"},

	{"ask", "POST /query/ask", `{"username":"{o}","namespace":"{n}","query":"select count(*) from ds"}`,
		"                                                                    401 200 200 200 200 200 404 404 200 404 401 200"},
	{"autorag", "POST /query/autorag", `{"username":"{o}","namespace":"{n}","query":"select count(*) from ds"}`,
		"                                                                    401 200 200 200 200 200 404 404 200 404 401 200"},
	{"listModels", "GET /query/models", "", "                                401 200 200 200 200 200 200 200 200 200 401 200"},

	// A run and its conversation are their asker's alone. A restricted token
	// reaches those that it asked. {r} is a run that has ended, {w} one that waits,
	// {c} a conversation, all of the owner's.
	{"run", "GET /query/runs/{r}", "", "                                     401 200 404 404 404 404 404 404 404 404 401 200"},
	{"runEvents", "GET /query/runs/{r}/events", "", "                        401 200 404 404 404 404 404 404 404 404 401 200"},
	{"cancelRun", "POST /query/runs/{w}/cancel", "", "                       401 200 404 404 404 404 404 404 404 404 401 403"},
	{"resumeRun", "POST /query/runs/{r}/resume", "", "                       401 410 404 404 404 404 404 404 404 404 401 410"},
	{"deleteRun", "DELETE /query/runs/{r}", "", "                            401 204 404 404 404 404 404 404 404 404 401 403"},
	{"shareRun", "POST /query/runs/{r}/share", "", "                         401 200 404 404 404 404 404 404 404 404 401 403"},
	{"unshareRun", "DELETE /query/runs/{r}/share", "", "                     401 204 404 404 404 404 404 404 404 404 401 403"},
	// {l} is what the link to the run's answer ends in: for who may read ds.
	{"sharedAnswer", "GET /query/shared/{l}", "", "                          401 200 200 200 200 200 404 404 200 404 401 200"},
	{"submitFeedback", "POST /query/runs/{r}/feedback", `{"thumbsUp":true}`, "401 204 404 404 404 404 404 404 404 404 401 403"},
	{"feedback", "GET /query/runs/{r}/feedback", "", "                       401 200 404 404 404 404 404 404 404 404 401 200"},
	{"deleteFeedback", "DELETE /query/runs/{r}/feedback", "", "              401 204 404 404 404 404 404 404 404 404 401 403"},
	{"runTrace", "GET /query/runs/{r}/trace", "", "                          401 200 404 404 404 404 404 404 404 404 401 200"},
	{"listFeedback", "GET /query/feedback", "", "                            401 200 200 200 200 200 200 200 200 200 401 200"},
	{"exportFeedback", "GET /query/feedback/export", "", "                   401 200 200 200 200 200 200 200 200 200 401 200"},
	{"listConversations", "GET /query/conversations", "", "                  401 200 200 200 200 200 200 200 200 200 401 200"},
	{"conversation", "GET /query/conversations/{c}", "", "                   401 200 404 404 404 404 404 404 404 404 401 200"},
	{"renameConversation", "PATCH /query/conversations/{c}", `{"title":"t"}`, "401 200 404 404 404 404 404 404 404 404 401 403"},
	{"deleteConversation", "DELETE /query/conversations/{c}", "", "          401 204 404 404 404 404 404 404 404 404 401 403"},

	{"listLinks", "GET /links/{o}/{n}/ds", "", "                             401 204 204 204 204 204 404 404 204 404 401 204"},
	{"previewLinks", "POST /links/preview/{o}/{n}/ds", "", "                 401 200 200 200 200 200 404 404 200 404 401 200"},
	{"ontology", "GET /ontology/{o}/{n}/ds", "", "                           401 204 204 204 204 204 404 404 204 404 401 204"},
	{"rebuildLinks", "POST /links/{o}/{n}/ds", "", "                         401 200 200 200 403 403 404 404 200 404 401 403"},
	{"updateOntology", "POST /ontology/{o}/{n}/ds", `{}`, "                  401 200 200 200 403 403 404 404 200 404 401 403"},
	{"addLink", "POST /links/add", `{"origin":"ri.owner.{n}.ds.a","destination":"ri.owner.{n}.ds.b"}`,
		"                                                                    401 201 201 201 403 403 404 404 201 404 401 403"},
	// It curates what is the caller's own.
	{"curateLinks", "POST /ontology/curate-links", `{"namespace":"{n}"}`, "  401 200 404 404 404 404 404 404 200 404 401 403"},

	// A write says which version it changes; one that does not is a conflict for who may
	// write at all.
	{"knowledge", "GET /knowledge/{o}/{n}", "", "                            401 200 200 200 200 200 404 404 200 404 401 200"},
	{"replaceKnowledge", "PUT /knowledge/{o}/{n}", `{}`, "                   401 409 409 409 403 403 404 404 409 404 401 403"},
	{"changeKnowledge", "PATCH /knowledge/{o}/{n}", `{}`, "                  401 409 409 409 403 403 404 404 409 404 401 403"},
	{"listKnowledgeVersions", "GET /knowledge/{o}/{n}/versions", "", "       401 200 200 200 200 200 404 404 200 404 401 200"},
	{"knowledgeVersion", "GET /knowledge/{o}/{n}/versions/1", "", "          401 404 404 404 404 404 404 404 404 404 401 404"},

	// The inbox is for who may write all that is taught; a token for a dataset may not.
	{"knowledgeInbox", "GET /knowledge/{o}/{n}/inbox", "", "                 401 200 200 403 403 403 404 404 403 404 401 200"},
	{"dismissKnowledgeItem", "DELETE /knowledge/{o}/{n}/inbox/0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a14", "",
		"                                                                    401 404 404 403 403 403 404 404 403 404 401 403"},

	// So are evaluations; there is nothing to ask in this namespace.
	{"evaluateKnowledge", "POST /knowledge/{o}/{n}/evaluate", "", "          401 422 422 403 403 403 404 404 403 404 401 403"},
	{"listEvaluations", "GET /knowledge/{o}/{n}/evaluations", "", "          401 200 200 403 403 403 404 404 403 404 401 200"},
	{"evaluation", "GET /knowledge/{o}/{n}/evaluations/0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a14", "",
		"                                                                    401 404 404 403 403 403 404 404 403 404 401 404"},
	{"knowledgeSuggestions", "GET /knowledge/{o}/{n}/suggestions", "", "     401 200 200 200 200 200 404 404 200 404 401 200"},

	// It writes to the caller's own namespace, and makes what is missing there.
	{"ingestRows", "POST /ingest/{n}/ds", `{"data":[{"a":1}]}`, "            401 200 200 200 200 200 200 200 200 404 401 403"},
	{"ingestRowsInto", "POST /ingest/{o}/{n}/ds", `{"data":[{"a":1}]}`, "    401 200 200 200 403 403 404 404 200 404 401 403"},
	{"previewInfer", "POST /infer/preview", `{"data":[{"a":1}]}`, "          401 200 200 200 200 200 200 200 200 200 401 200"},
	{"inferSchema", "POST /infer/schema", `{"sample":[{"a":1}]}`, "          401 200 200 200 200 200 200 200 200 200 401 200"},
	{"inferDescription", "POST /infer/description", `{"sample":[{"a":1}]}`, "401 200 200 200 200 200 200 200 200 200 401 200"},
	{"updateInferDefinition", "PUT /data/{o}/{n}/ds/inferDefinition", `{}`, "401 201 201 201 403 403 404 404 201 404 401 403"},
	{"updateSortOrder", "PUT /schema/{o}/{n}/ds/sort-order", `{"order":[]}`, "401 200 200 200 403 403 404 404 200 404 401 403"},
	{"clearDataset", "POST /data/{o}/{n}/ds/clear", "", "                    401 200 200 200 403 403 404 404 200 404 401 403"},

	// {own} is a finished upload of the actor's own, {g} a pending ingestion into ds
	// and {h} an aborted one.
	{"ingestFiles", "POST /data/{o}/{n}/ds/ingest", `{"sessionId":"{own}"}`, "401 202 202 202 403 403 404 404 202 404 401 403"},
	{"previewIngestFiles", "POST /data/{o}/{n}/ds/ingest/preview", `{"sessionId":"{own}"}`,
		"                                                                    401 200 200 200 403 403 404 404 200 404 401 403"},
	{"listOriginals", "GET /data/{o}/{n}/ds/files", "", "                    401 200 200 200 200 200 404 404 200 404 401 200"},
	{"downloadOriginal", "GET /data/{o}/{n}/ds/files/0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a14", "",
		"                                                                    401 404 404 404 403 403 404 404 404 404 401 404"},
	{"deleteOriginal", "DELETE /data/{o}/{n}/ds/files/0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a14", "",
		"                                                                    401 404 404 404 403 403 404 404 404 404 401 403"},
	{"listIngestions", "GET /data/{o}/{n}/ds/ingest/attempts", "", "         401 200 200 200 200 200 404 404 200 404 401 200"},
	{"listIngestionsUnderWay", "GET /ingestionTracking", "", "               401 200 200 200 200 200 200 200 200 200 401 200"},
	{"ingestion", "GET /ingestionTracking/{g}", "", "                        401 200 200 200 200 200 404 404 200 404 401 200"},
	{"listRejectedRows", "GET /ingestionTracking/{g}/rejected", "", "        401 200 200 200 200 200 404 404 200 404 401 200"},
	{"retryIngestion", "POST /ingestionTracking/{h}/retry", "", "            401 201 201 201 403 403 404 404 201 404 401 403"},
	{"cancelIngestion", "POST /ingestionTracking/{g}/cancel", "", "          401 200 200 200 403 403 404 404 200 404 401 403"},
	{"seeIngestion", "POST /ingestionTracking/{g}/seen", "", "               401 204 204 204 403 403 404 404 204 404 401 403"},

	{"renameDataset", "POST /data/{o}/{n}/ds/rename", "renamed", "           401 200 403 403 403 403 404 404 200 404 401 403"},
	{"deleteDataset", "DELETE /data/{o}/{n}/ds/balefire", "", "              401 200 403 403 403 403 404 404 200 404 401 403"},
	{"listDatasetShares", "GET /permissions/datasets/{o}/{n}/ds/shares", "", "401 200 403 403 403 403 404 404 200 404 401 200"},
	{"auditDatasetShares", "GET /permissions/datasets/{o}/{n}/ds/shares/audit", "",
		"                                                                    401 200 403 403 403 403 404 404 200 404 401 200"},
	{"shareDataset", "POST /permissions/datasets/{o}/{n}/ds/shares", `{"username":"third","role":"viewer"}`,
		"                                                                    401 200 403 403 403 403 404 404 200 404 401 403"},
	{"revokeDatasetShare", "DELETE /permissions/datasets/{o}/{n}/ds/shares", `{"username":"third"}`,
		"                                                                    401 200 403 403 403 403 404 404 200 404 401 403"},

	// An upload session is its owner's alone. A restricted token reaches those
	// that were prepared with it.
	{"prepareFileUpload", "POST /file-upload/prepare", `{"filesToUpload":[{"filename":"a","size":0}]}`,
		"                                                                    401 200 200 200 200 200 200 200 200 200 401 403"},
	{"fileUpload", "GET /file-upload/{s}", "", "                             401 200 404 404 404 404 404 404 404 404 401 200"},
	{"listUploadedFiles", "GET /file-upload/{s}/files", "", "                401 200 404 404 404 404 404 404 404 404 401 200"},
	{"renewFileUploadUrls", "POST /file-upload/{s}/files/{f}/urls", "", "    401 200 404 404 404 404 404 404 404 404 401 403"},
	{"finishFileUpload", "POST /file-upload/{s}/files/{f}/finish", `{"uploadId":"{u}","key":"{k}"}`,
		"                                                                    401 200 404 404 404 404 404 404 404 404 401 403"},
	{"abortFileUpload", "POST /file-upload/{s}/abort", "", "                 401 200 404 404 404 404 404 404 404 404 401 403"},

	// The one-file flow asks for the right to write, then for whose upload it is.
	{"prepareUpload", "POST /upload/multipart/{o}/{n}/ds/prepare", `{"filename":"a","size":0}`,
		"                                                                    401 200 200 200 403 403 404 404 200 404 401 403"},
	{"finishUpload", "POST /upload/multipart/{o}/{n}/ds/finish", `{"uploadId":"{u}","key":"{k}"}`,
		"                                                                    401 201 404 404 403 403 404 404 404 404 401 403"},
	{"abortUpload", "POST /upload/multipart/{o}/{n}/ds/abort", `{"uploadId":"{u}","key":"{k}"}`,
		"                                                                    401 200 404 404 403 403 404 404 404 404 401 403"},

	// A token for one dataset knows of the namespace but has no power over it.
	{"renameNamespace", "POST /data/{o}/{n}/rename", "new-{n}", "            401 200 403 403 403 403 404 404 403 404 401 403"},
	{"deleteNamespace", "DELETE /data/{o}/{n}/balefire?deleteDatasets=true", "",
		"                                                                    401 200 403 403 403 403 404 404 403 404 401 403"},
	{"listNamespaceShares", "GET /permissions/namespaces/{o}/{n}/shares", "", "401 200 403 403 403 403 404 404 403 404 401 200"},
	{"auditNamespaceShares", "GET /permissions/namespaces/{o}/{n}/shares/audit", "",
		"                                                                    401 200 403 403 403 403 404 404 403 404 401 200"},
	{"shareNamespace", "POST /permissions/namespaces/{o}/{n}/shares", `{"username":"third","role":"viewer"}`,
		"                                                                    401 200 403 403 403 403 404 404 403 404 401 403"},
	{"revokeNamespaceShare", "DELETE /permissions/namespaces/{o}/{n}/shares", `{"username":"third"}`,
		"                                                                    401 200 403 403 403 403 404 404 403 404 401 403"},
}

// asking are the operations with a body that change nothing, or ask. All others but GET
// are refused to a read-only token.
var asking = strings.Fields("query ask autorag resumeRun previewLinks previewInfer inferSchema inferDescription")

func TestAccessMatrix(t *testing.T) {
	t.Parallel()
	stated := map[string]bool{}
	for _, row := range matrix {
		stated[row.operation] = true
		reads := strings.HasPrefix(row.request, "GET ") || slices.Contains(asking, row.operation)
		if statuses := strings.Fields(row.statuses); reads == (statuses[len(actors)-1] == "403") {
			t.Errorf("%s as readOnly = %s: it reads or asks: %v", row.operation, statuses[len(actors)-1], reads)
		}
	}
	for _, row := range adminMatrix {
		stated[row.operation] = true
	}
	for _, op := range api.Operations() {
		if !stated[op.ID] && !op.Public && op.Edge == "" {
			t.Errorf("%s has no row in the access matrix: say who may do it", op.ID)
		}
	}
	eachHouse(t, func(t *testing.T, h *house) {
		var table strings.Builder
		fmt.Fprintf(&table, "%-24s %s\n", "", strings.Join(actors, " "))
		for i, row := range matrix {
			fmt.Fprintf(&table, "%-24s", row.operation)
			for j, want := range strings.Fields(row.statuses) {
				answer := h.cell(i, actors[j])
				got := answer.StatusCode
				if refused := got == 403 && actors[j] == "readOnly"; refused {
					h.refusedReadOnly(row.operation, answer)
				}
				fmt.Fprintf(&table, " %*d", len(actors[j]), got)
				if wanted, _ := strconv.Atoi(want); got != wanted {
					t.Errorf("%s as %s = %d, want %s", row.operation, actors[j], got, want)
				}
			}
			table.WriteString("\n")
		}
		t.Log("\n" + table.String())
	})
}

// cell asks for row i of the matrix as an actor, in a namespace of its own, and
// returns the answer.
func (h *house) cell(i int, actor string) answer {
	h.t.Helper()
	row, ns := matrix[i], fmt.Sprintf("n%d-%s", i, actor)
	h.scene(ns)
	bearer := h.bearer(actor, ns)
	fill := strings.NewReplacer("{o}", "owner", "{n}", ns, "{t}", h.ownTokenID(actor, row.request))
	if strings.Contains(row.request+row.body, "{s}") || strings.Contains(row.body, "{k}") {
		row.request, row.body = fill.Replace(row.request), fill.Replace(row.body)
		fill = h.sentUpload("owner")
	}
	if strings.Contains(row.body, ".ds.a") || strings.Contains(row.request, "/columns/a") {
		h.want(200, "owner", "POST", "/ingest/"+ns+"/ds", `{"data":[{"a":1,"b":1}]}`)
	}
	if strings.Contains(row.request, "ngest") {
		uploader := bearer
		if actor == "readOnly" {
			uploader = h.user("owner") // it cannot upload
		}
		fill = h.ingestions(ns, uploader, fill)
	}
	if strings.Contains(row.request, "/query/runs/") || strings.Contains(row.request, "{c}") || strings.Contains(row.request, "{l}") {
		var end func()
		fill, end = h.ranRuns("owner", ns)
		defer end()
		if row.operation == "feedback" {
			h.want(204, "owner", "POST", fill.Replace("/query/runs/{r}/feedback"), `{"thumbsUp":true}`)
		}
	}
	if strings.Contains(row.request, "{l}") {
		link := into[api.RunShare](h.t, h.want(200, "owner", "POST", fill.Replace("/query/runs/{r}/share"), ""))
		row.request = strings.ReplaceAll(row.request, "{l}", link.ShareID)
	}
	method, path, _ := strings.Cut(fill.Replace(row.request), " ")
	a := ask{method: method, path: "/api/v1" + path, token: bearer, body: fill.Replace(row.body)}
	if strings.HasSuffix(path, "/rename") {
		a.header = http.Header{"Content-Type": {"text/plain"}}
	}
	return h.do(a)
}

// refusedReadOnly fails the test unless an answer is the one refusal of read-only tokens.
func (h *house) refusedReadOnly(what string, a answer) {
	h.t.Helper()
	body := into[api.ErrorResponse](h.t, a)
	words := quern.Principal{ReadOnly: true}.MayChange().Error()
	if a.StatusCode != 403 || body.ErrorCode != string(quern.CodeReadOnly) || !strings.Contains(words, body.Message) {
		h.t.Errorf("%s with a read-only token = %d %+v, want 403 READ_ONLY and the words that all doors use", what, a.StatusCode, body)
	}
}

// scene makes a namespace with a dataset and everybody's grants on it.
func (h *house) scene(ns string) {
	h.t.Helper()
	h.user("owner")
	p, err := h.auth.As(h.t.Context(), "owner")
	must(h.t, err)
	ds := quern.DatasetPath{Owner: "owner", Namespace: ns, Dataset: "ds"}
	_, err = h.catalog.CreateDataset(h.t.Context(), p, ds, quern.InferDefinition{})
	must(h.t, err)
	all := catalog.Target{Owner: "owner", Namespace: ns}
	for _, g := range []struct {
		username string
		on       catalog.Target
		role     quern.Role
	}{{"nseditor", all, quern.Editor}, {"dseditor", ds, quern.Editor}, {"nsviewer", all, quern.Viewer}, {"dsviewer", ds, quern.Viewer},
		{"former", all, quern.Editor}, {"former", ds, quern.Viewer}, {"disabled", ds, quern.Editor}, {"third", all, quern.Viewer}, {"third", ds, quern.Viewer}} {
		h.user(g.username)
		_, err := h.catalog.Share(h.t.Context(), p, g.on, quern.Share{Username: g.username, Role: g.role})
		must(h.t, err)
	}
	for _, on := range []catalog.Target{all, ds} {
		_, err := h.catalog.Revoke(h.t.Context(), p, on, "former")
		must(h.t, err)
	}
}

// bearer is the token that an actor sends.
func (h *house) bearer(actor, ns string) string {
	h.t.Helper()
	switch actor {
	case "anonymous":
		return ""
	case "tokenHere":
		return h.token("owner", quern.TokenSpec{Name: "here", Scopes: []quern.Scope{{Username: "owner", Namespace: ns, Dataset: "ds"}, {Username: "owner", Namespace: ns, Dataset: "renamed"}}})
	case "tokenElsewhere":
		return h.token("owner", quern.TokenSpec{Name: "elsewhere", Scopes: []quern.Scope{{Username: "owner", Namespace: "elsewhere"}}})
	case "readOnly":
		return h.token("owner", quern.TokenSpec{Name: "read", ReadOnly: true})
	case "disabled":
		token := h.user("disabled")
		must(h.t, h.auth.DisableUser(h.t.Context(), "disabled"))
		return token
	}
	return h.user(strings.ToLower(actor))
}

// ownTokenID is the id of a fresh token of the actor's, where a request names one.
func (h *house) ownTokenID(actor, request string) string {
	h.t.Helper()
	if !strings.Contains(request, "{t}") {
		return ""
	}
	name := strings.ToLower(actor)
	if actor == "anonymous" || strings.HasPrefix(actor, "token") || actor == "disabled" || actor == "readOnly" {
		name = "owner"
	}
	h.user(name)
	p, err := h.auth.As(h.t.Context(), name)
	must(h.t, err)
	token, _, err := h.auth.CreateToken(h.t.Context(), p, quern.TokenSpec{Name: "its own"})
	must(h.t, err)
	return string(token.ID)
}
