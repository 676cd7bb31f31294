package rest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/api"
	"quern/catalog"
	"quern/run"
	"quern/store"
)

// adminActors are the columns of the matrix of administration: a user without the role,
// an administrator's token that was made without it, one with it, and one with it that is
// read-only.
var adminActors = strings.Fields("anonymous user restricted plain admin reading")

// adminMatrix is matrix for what needs the role. {x} is an id of nothing.
var adminMatrix = []struct{ operation, request, body, statuses string }{
	//                                                                                                          anon usr rst pln adm rdg
	{"adminListUsers", "GET /admin/users", "", "                                                                401 403 403 403 200 200"},
	{"adminUser", "GET /admin/users/bob", "", "                                                                 401 403 403 403 200 200"},
	{"adminUser", "GET /admin/users/nobody", "", "                                                              401 403 403 403 404 404"},
	{"adminUser", "GET /admin/users/self", "", "                                                                401 403 403 403 404 404"},
	{"adminChangeUser", "PATCH /admin/users/bob", `{"disabled":false}`, "                                       401 403 403 403 200 403"},
	{"adminChangeUser", "PATCH /admin/users/nobody", `{"disabled":true}`, "                                     401 403 403 403 404 403"},
	{"adminChangeUser", "PATCH /admin/users/root", `{"admin":false}`, "                                         401 403 403 403 409 403"},
	{"adminChangeUser", "PATCH /admin/users/root", `{"disabled":true}`, "                                       401 403 403 403 409 403"},
	{"adminSetQuota", "PUT /admin/users/bob/quota", `{}`, "                                                     401 403 403 403 200 403"},
	{"adminSetQuota", "PUT /admin/users/bob/quota", `{"rows":-1}`, "                                            401 422 422 422 422 422"},
	{"adminSetQuota", "PUT /admin/users/nobody/quota", `{}`, "                                                  401 403 403 403 404 403"},
	{"adminListTokens", "GET /admin/users/bob/tokens", "", "                                                    401 403 403 403 200 200"},
	{"adminRevokeToken", "DELETE /admin/users/bob/tokens/{x}", "", "                                            401 403 403 403 404 403"},
	{"adminRevokeToken", "DELETE /admin/users/bob/tokens/none", "", "                                           401 404 404 404 404 404"},
	{"adminListWork", "GET /admin/work", "", "                                                                  401 403 403 403 200 200"},
	{"adminCancelWork", "POST /admin/work/{x}/cancel", "", "                                                    401 403 403 403 404 403"},
	{"adminRetention", "GET /admin/retention", "", "                                                            401 403 403 403 200 200"},
	{"adminSetRetention", "PUT /admin/retention", `{}`, "                                                       401 403 403 403 200 403"},
	{"adminSetRetention", "PUT /admin/retention", `{"runs":-1}`, "                                              401 422 422 422 422 422"},
	{"adminAudit", "GET /admin/audit", "", "                                                                    401 403 403 403 200 200"},
	{"adminAudit", "GET /admin/audit?from=no", "", "                                                            401 400 400 400 400 400"},
	{"adminDeleteUser", "DELETE /admin/users/nobody", "", "                                                     401 403 403 403 404 403"},
	{"adminDeleteUser", "DELETE /admin/users/root", "", "                                                       401 403 403 403 409 403"},
	{"adminDeleteUser", "DELETE /admin/users/third", "", "                                                      401 403 403 403 202 403"},
}

// administrator makes root an administrator and returns a token that administers.
func (h *house) administrator() string {
	h.t.Helper()
	h.user("root")
	must(h.t, h.auth.SetAdmin(h.t.Context(), "root", true))
	return h.token("root", quern.TokenSpec{Name: "admin", Admin: true})
}

// with asks with a token and fails the test unless the status is the wanted one.
func (h *house) with(status int, token, method, path, body string) answer {
	h.t.Helper()
	a := h.do(ask{method: method, path: "/api/v1" + path, token: token, body: body})
	if a.StatusCode != status {
		h.t.Errorf("%s %s %.200s = %d %.500s, want %d", method, path, body, a.StatusCode, a.body, status)
	}
	return a
}

func TestAdminMatrix(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	tokens := map[string]string{
		"admin": h.administrator(), "user": h.user("bob"), "plain": h.user("root"),
		"reading":    h.token("root", quern.TokenSpec{Name: "look", Admin: true, ReadOnly: true}),
		"restricted": h.token("bob", quern.TokenSpec{Name: "here", Scopes: []quern.Scope{{Username: "bob", Namespace: "lab"}}}),
	}
	h.user("third")
	for _, row := range adminMatrix {
		for i, want := range strings.Fields(row.statuses) {
			method, path, _ := strings.Cut(strings.ReplaceAll(row.request, "{x}", quern.NewID[string]()), " ")
			a := h.do(ask{method: method, path: "/api/v1" + path, token: tokens[adminActors[i]], body: row.body})
			if wanted, _ := strconv.Atoi(want); a.StatusCode != wanted {
				t.Errorf("%s as %s = %d %.300s, want %d", row.request, adminActors[i], a.StatusCode, a.body, wanted)
			}
		}
	}
	// Nobody makes a token that administers without administering.
	h.with(403, tokens["user"], "POST", "/user/token", `{"name":"more","admin":true}`)
	h.with(403, tokens["plain"], "POST", "/user/token", `{"name":"more","admin":true}`)
	h.with(422, tokens["admin"], "POST", "/user/token", `{"name":"more","admin":true,"accessRestrictedTo":[{"username":"root","namespace":"a"}]}`)
	h.with(200, tokens["admin"], "POST", "/user/token", `{"name":"more","admin":true}`)
	// The role ends with the user's, at once.
	must(t, h.auth.SetAdmin(t.Context(), "root", false))
	h.with(403, tokens["admin"], "GET", "/admin/users", "")
}

func TestAdminManagesUsersAndWork(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		admin := h.administrator()
		h.want(200, "ada", "POST", "/ingest/lab/ds", `{"data":[{"a":1},{"a":2}]}`)
		h.want(200, "ada", "POST", "/query/autorag", `{"username":"self","namespace":"lab","query":"select count(*) from ds"}`)
		shown := into[api.AdminUser](t, h.with(200, admin, "GET", "/admin/users/ADA", ""))
		if shown.Usage.Rows != 2 || shown.Usage.Bytes == 0 || shown.Usage.QuestionsToday != 1 || shown.Quota.Rows != nil {
			t.Errorf("ada = %+v, want 2 rows, some bytes, 1 question and no quota", shown)
		}
		page := into[api.AdminUserPage](t, h.with(200, admin, "GET", "/admin/users?limit=1", ""))
		if len(page.Users) != 1 || page.Users[0].Username != "ada" || page.NextAfter != "ada" {
			t.Errorf("the first page = %+v, want ada alone and more behind", page)
		}
		if page = into[api.AdminUserPage](t, h.with(200, admin, "GET", "/admin/users?limit=1&after=ada", "")); page.Users[0].Username != "root" || page.NextAfter != "" {
			t.Errorf("the second page = %+v, want root and no more", page)
		}

		// Work of everybody, without what it is about, and its end.
		fill, end := h.ranRuns("ada", "lab")
		listed := h.with(200, admin, "GET", "/admin/work", "")
		if strings.Contains(listed.body, "select") || !strings.Contains(listed.body, fill.Replace("{w}")) {
			t.Errorf("work = %s, want the run that waits and not its question", listed.body)
		}
		h.with(204, admin, "POST", fill.Replace("/admin/work/{w}/cancel"), "")
		h.with(204, admin, "POST", fill.Replace("/admin/work/{w}/cancel"), "")
		h.with(409, admin, "POST", fill.Replace("/admin/work/{r}/cancel"), "")
		if ended := into[api.Run](t, h.want(200, "ada", "GET", fill.Replace("/query/runs/{w}"), "")); !ended.Cancelled || !strings.Contains(ended.ErrorMessage, "administrator") {
			t.Errorf("the run = %+v, want it cancelled by an administrator", ended)
		}
		end()
		session := h.upload(h.user("ada"), "a.csv", "a\n1\n")
		queued := into[api.IngestionRef](t, h.want(202, "ada", "POST", "/data/self/lab/ds/ingest", `{"sessionId":"`+session+`"}`))
		h.with(204, admin, "POST", "/admin/work/"+queued.ID+"/cancel", "")
		if took, _ := h.ingest.WorkOnce(t.Context()); took {
			t.Error("WorkOnce() took an ingestion that was cancelled")
		}

		// A user's tokens, and the user itself.
		made := into[api.CreatedToken](t, h.want(200, "ada", "POST", "/user/token", `{"name":"nightly"}`))
		if tokens := h.with(200, admin, "GET", "/admin/users/ada/tokens", ""); !strings.Contains(tokens.body, made.ID) || strings.Contains(tokens.body, made.Token) {
			t.Errorf("tokens = %s, want the new one without its secret", tokens.body)
		}
		h.with(404, admin, "DELETE", "/admin/users/root/tokens/"+made.ID, "")
		h.with(204, admin, "DELETE", "/admin/users/ada/tokens/"+made.ID, "")
		h.with(401, made.Token, "GET", "/user/me", "")
		h.with(200, admin, "PATCH", "/admin/users/ada", `{"disabled":true,"admin":true}`)
		h.with(401, h.user("ada"), "GET", "/user/me", "")
		if shown = into[api.AdminUser](t, h.with(200, admin, "PATCH", "/admin/users/ada", `{"disabled":false}`)); shown.Disabled || !shown.Admin {
			t.Errorf("ada = %+v, want enabled and an administrator still", shown)
		}

		// Retention, and what it does.
		kept := h.with(200, admin, "PUT", "/admin/retention", `{"runs":1,"originals":0}`)
		if !strings.Contains(kept.body, `{"kind":"runs","seconds":1,"source":"administrator"}`) ||
			!strings.Contains(kept.body, `{"kind":"traces","seconds":2592000,"source":"settings"}`) {
			t.Errorf("retention = %s, want runs as said and traces as set", kept.body)
		}
		if kept = h.with(200, admin, "PUT", "/admin/retention", `{}`); strings.Contains(kept.body, "administrator") {
			t.Errorf("retention = %s, want all as set", kept.body)
		}
	})
}

func TestQuotasHold(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		admin := h.administrator()
		h.want(200, "ada", "POST", "/ingest/lab/ds", `{"data":[{"a":1}]}`)
		over := func(status int, a answer) {
			t.Helper()
			if body := into[api.ErrorResponse](t, a); a.StatusCode != status || body.ErrorCode != string(quern.CodeQuotaExceeded) {
				t.Errorf("over quota = %d %s, want %d QUOTA_EXCEEDED", a.StatusCode, a.body, status)
			}
		}
		// Many at once store no row more than there is room for, editors' among them.
		h.with(200, admin, "PUT", "/admin/users/ada/quota", `{"rows":4}`)
		h.user("bob")
		h.want(200, "ada", "POST", "/permissions/namespaces/self/lab/shares", `{"username":"bob","role":"editor"}`)
		var storing sync.WaitGroup
		statuses := make(chan int, 8)
		for i := range cap(statuses) {
			token, path := h.tokens["ada"], fmt.Sprintf("/ingest/lab/d%d", i)
			if i%2 == 1 {
				token, path = h.tokens["bob"], "/ingest/ada/lab/ds"
			}
			storing.Go(func() {
				statuses <- h.do(ask{method: "POST", path: "/api/v1" + path, token: token, body: `{"data":[{"a":1}]}`}).StatusCode
			})
		}
		storing.Wait()
		close(statuses)
		count := map[int]int{}
		for status := range statuses {
			count[status]++
		}
		if count[200] != 3 || count[413] != 5 {
			t.Errorf("eight rows at once, with room for three = %v, want three 200 and five 413", count)
		}
		over(413, h.as("ada", "POST", "/ingest/lab/ds", `{"data":[{"a":1}]}`))
		h.want(200, "ada", "DELETE", "/data/self/lab/ds/balefire", "")
		h.want(200, "ada", "POST", "/ingest/lab/fresh", `{"data":[{"a":1}]}`)

		// Bytes: files count from when they are announced.
		h.with(200, admin, "PUT", "/admin/users/ada/quota", `{"bytes":1000000}`)
		h.want(200, "ada", "POST", "/file-upload/prepare", `{"filesToUpload":[{"filename":"a","size":600000}]}`)
		over(413, h.as("ada", "POST", "/file-upload/prepare", `{"filesToUpload":[{"filename":"b","size":600000}]}`))
		h.with(200, admin, "PUT", "/admin/users/ada/quota", `{"bytes":0}`)
		over(413, h.as("ada", "POST", "/ingest/lab/fresh", `{"data":[{"a":1}]}`))

		// Questions: also when their runs are deleted, and at once.
		h.with(200, admin, "PUT", "/admin/users/ada/quota", `{"questions":2}`)
		question := `{"username":"self","namespace":"lab","query":"select count(*) from fresh"}`
		first := into[api.Answer](t, h.want(200, "ada", "POST", "/query/autorag", question))
		h.want(204, "ada", "DELETE", "/query/runs/"+first.RunID, "")
		h.want(200, "ada", "POST", "/query/autorag", question)
		refused := h.as("ada", "POST", "/query/autorag", question)
		over(429, refused)
		if wait, _ := strconv.Atoi(refused.Header.Get("Retry-After")); wait < 1 || wait > 24*60*60 {
			t.Errorf("Retry-After = %q, want the seconds until the next day", refused.Header.Get("Retry-After"))
		}
		h.want(200, "bob", "POST", "/query", `{"username":"ada","namespace":"lab","query":"select count(*) from fresh"}`)
	})
}

// mentions returns every table that holds one of some words, and every object whose name
// or content does.
func (h *house) mentions(words ...string) (found []string) {
	h.t.Helper()
	ctx := h.t.Context()
	holds := func(text string) bool {
		for _, word := range words {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	must(h.t, h.store.View(ctx, func(tx *store.Tx) error {
		found = nil
		tables, err := tx.Tables(ctx)
		for _, table := range tables {
			err = errors.Join(err, tx.Dump(ctx, table, func(row []any) error {
				for i, value := range row {
					if text := fmt.Sprintf("%s", value); holds(text) {
						found = append(found, table.Name+"."+table.Columns[i]+": "+text)
					}
				}
				return nil
			}))
		}
		return err
	}))
	for object, err := range h.objects.List(ctx, "") {
		must(h.t, err)
		in, err := h.objects.Open(ctx, object.Key, 0, -1)
		must(h.t, err)
		content, err := io.ReadAll(in)
		must(h.t, errors.Join(err, in.Close()))
		if holds(object.Key) || holds(string(content)) {
			found = append(found, "object "+object.Key)
		}
	}
	return found
}

// Deleting a user leaves nothing of it, in no table and no object, and all of others.
func TestDeletionIsComplete(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		ctx, admin := t.Context(), h.administrator()
		const name = "adelheid"
		h.user("bob")
		h.want(200, "bob", "POST", "/ingest/own/ds", `{"data":[{"a":1}]}`)
		h.want(200, "bob", "POST", "/permissions/namespaces/self/own/shares", `{"username":"root","role":"viewer"}`)
		h.user(name)
		h.want(200, "bob", "POST", "/permissions/namespaces/self/own/shares", `{"username":"`+name+`","role":"editor"}`)
		me := into[api.CurrentUser](t, h.want(200, name, "GET", "/user/me", ""))

		// What is the user's own.
		h.want(200, name, "POST", "/ingest/lab/ds", `{"data":[{"a":1,"who":"`+name+`"}]}`)
		h.want(200, name, "POST", "/ingest/lab/ds", `{"data":[{"a":2,"who":"`+name+`, in the journal"}]}`)
		session := h.upload(h.user(name), name+".csv", "a,who\n1,"+name+"\n")
		h.want(202, name, "POST", "/data/self/lab/files/ingest", `{"sessionId":"`+session+`"}`)
		_, err := h.ingest.WorkOnce(ctx)
		must(t, err)
		h.prepare(name, "left open by "+name)
		h.want(201, name, "PUT", "/data/self/lab/ds/inferDefinition", `{"dataDescription":"of `+name+`"}`)
		h.want(200, name, "POST", "/permissions/namespaces/self/lab/shares", `{"username":"bob","role":"viewer"}`)
		h.want(200, name, "POST", "/links/self/lab/ds", "")
		fill, end := h.ranRuns(name, "lab")
		h.want(204, name, "POST", fill.Replace("/query/runs/{r}/feedback"), `{"thumbsUp":true,"comment":"by `+name+`"}`)
		h.want(200, name, "POST", fill.Replace("/query/runs/{r}/share"), "")
		p, err := h.auth.As(ctx, name)
		must(t, err)

		// What it did at others', and others at it.
		h.want(200, name, "POST", "/ingest/bob/own/ds", `{"data":[{"a":2}]}`)
		h.want(200, "bob", "POST", "/query/autorag", `{"username":"`+name+`","namespace":"lab","query":"select count(*) from ds"}`)
		if taught := h.do(ask{method: "PUT", path: "/api/v1/knowledge/bob/own", token: h.user(name), header: http.Header{"If-Match": {`"0"`}},
			body: `{"words":[{"word":"stuff","means":"ds"}]}`}); taught.StatusCode != 200 {
			t.Errorf("PUT knowledge = %d %s, want 200", taught.StatusCode, taught.body)
		}
		narrow := h.token("bob", quern.TokenSpec{Name: "narrow", Scopes: []quern.Scope{{Username: name, Namespace: "lab"}}})
		wide := h.token("bob", quern.TokenSpec{Name: "wide", Scopes: []quern.Scope{{Username: name, Namespace: "lab"}, {Username: "bob", Namespace: "own"}}})
		_, err = h.runs.Start(ctx, p, run.Ask{In: quern.NamespacePath{Owner: "bob", Namespace: "own"}, Agent: quern.AgentAssistant, Task: quern.Task{Question: "select count(*) from ds"}})
		must(t, err)

		// Twice at once, and once more.
		var asking sync.WaitGroup
		for range 2 {
			asking.Go(func() { h.with(202, admin, "DELETE", "/admin/users/"+name, "") })
		}
		asking.Wait()
		end()
		h.with(401, h.tokens[name], "GET", "/user/me", "")
		h.with(409, admin, "PATCH", "/admin/users/"+name, `{"disabled":false}`)
		if shown := into[api.AdminUser](t, h.with(202, admin, "DELETE", "/admin/users/"+name, "")); shown.DeletingSince.IsZero() || !shown.Disabled {
			t.Errorf("%s = %+v, want it disabled and in deletion", name, shown)
		}
		h.finishDeletion()
		h.with(404, admin, "GET", "/admin/users/"+name, "")
		h.with(404, admin, "DELETE", "/admin/users/"+name, "")
		// The audit trail names people by id, and is all that does.
		left := slices.DeleteFunc(h.mentions(me.ID, name), func(where string) bool {
			return strings.HasPrefix(where, "audit.") && !strings.Contains(where, name)
		})
		if len(left) > 0 {
			t.Errorf("what is left of a deleted user:\n%s", strings.Join(left, "\n"))
		}
		h.with(401, narrow, "GET", "/user/me", "")
		h.with(200, wide, "GET", "/data/bob/own/ds", "")
		if rows := h.rows("bob", "own", "select count(*) n from ds"); rows != `[{"n":2}]` {
			t.Errorf("bob's rows = %s, want both, though one was stored by who is gone", rows)
		}
		h.want(404, "bob", "GET", "/data/"+name+"/lab/ds", "")
		// The name is free, and nobody's grants come with it.
		delete(h.tokens, name)
		h.want(404, name, "GET", "/data/bob/own/ds", "")
	})
}

// finishDeletion goes on with deletions, sweeping objects in between, until they are done.
func (h *house) finishDeletion() {
	h.t.Helper()
	ctx := h.t.Context()
	must(h.t, h.traces.Flush(ctx, "langfuse"))
	later := catalog.New(catalog.Options{Store: h.store, Now: func() time.Time { return time.Now().Add(time.Hour) }})
	must(h.t, h.admin.DeleteDue(ctx)) // everything but the objects, and so not the user
	for range 2 {
		_, err := later.Sweep(ctx, h.objects)
		must(h.t, err)
		must(h.t, h.admin.DeleteDue(ctx))
	}
}
