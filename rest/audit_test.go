package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/admin"
	"quern/auth"
)

// audited reads the audit trail from its beginning, fails the test unless it verifies,
// and returns what was done, as "action user object" words by ids.
func (h *house) audited(token string) (v quern.AuditVerifier, done []quern.AuditEntry) {
	h.t.Helper()
	next := int64(1)
	for more := true; more; {
		body := h.with(200, token, "GET", fmt.Sprintf("/admin/audit?from=%d", next), "").body
		more = false
		for line := range strings.Lines(body) {
			var l quern.AuditLine
			must(h.t, json.Unmarshal([]byte(line), &l))
			must(h.t, v.Line(l))
			if l.Entry != nil {
				done = append(done, *l.Entry)
				continue
			}
			more, next = l.Seal.Stretch+1 >= next+20, l.Seal.Stretch+1
		}
	}
	v.End()
	return v, done
}

func TestAuditTrail(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		ctx, root := t.Context(), h.administrator()
		h.want(200, "ada", "POST", "/ingest/lab/ds", `{"data":[{"a":1}]}`)
		h.user("bob")
		h.want(200, "ada", "POST", "/permissions/datasets/self/lab/ds/shares", `{"username":"bob","role":"viewer"}`)
		h.want(200, "ada", "DELETE", "/permissions/datasets/self/lab/ds/shares", `{"username":"bob"}`)
		h.want(200, "ada", "DELETE", "/data/self/lab/ds/balefire", "")
		h.want(200, "ada", "DELETE", "/data/self/lab/balefire?deleteDatasets=true", "")
		_, err := h.auth.SignIn(ctx, auth.Attempt{Username: "bob", Password: "a long enough password", Address: "192.0.2.1"})
		must(t, err)
		if _, err := h.auth.SignIn(ctx, auth.Attempt{Username: "bob", Password: "another password", Address: "192.0.2.1"}); err == nil {
			t.Error("SignIn() with a wrong password = nil")
		}
		h.with(200, root, "PUT", "/admin/users/bob/quota", `{"rows":7}`)
		h.with(200, root, "PATCH", "/admin/users/bob", `{"admin":true,"disabled":true}`)
		h.with(200, root, "PATCH", "/admin/users/bob", `{"admin":false,"disabled":false}`)
		h.with(200, root, "PUT", "/admin/retention", `{"audit":0}`)
		h.with(202, root, "DELETE", "/admin/users/bob", "")
		h.finishDeletion()
		v, done := h.audited(root)
		if v.Open != int64(len(done)) || v.Stretches != 0 {
			t.Errorf("before it is sealed = %+v, want every entry open", v)
		}
		count := map[quern.AuditAction]int{}
		for _, e := range done {
			count[e.Action]++
			if e.At.IsZero() || strings.ContainsAny(string(e.Actor)+string(e.User), " @") {
				t.Errorf("%+v has no time, or a name in the place of an id", e)
			}
		}
		for action, least := range map[quern.AuditAction]int{
			quern.AuditAddUser: 3, quern.AuditCreateToken: 4, quern.AuditShare: 2, quern.AuditDeleteDataset: 1, quern.AuditDeleteNamespace: 1,
			quern.AuditSignIn: 1, quern.AuditSignInFailed: 1, quern.AuditSetQuota: 1, quern.AuditGrantRole: 2, quern.AuditRevokeRole: 1,
			quern.AuditDisableUser: 1, quern.AuditEnableUser: 1, quern.AuditSetRetention: 1, quern.AuditDeleteUser: 1, quern.AuditUserDeleted: 1,
		} {
			if count[action] < least {
				t.Errorf("the trail has %d times %s, want %d", count[action], action, least)
			}
		}

		// Several servers seal at once, entries come meanwhile, and none is lost or doubled.
		var sealing sync.WaitGroup
		for range 3 {
			sealing.Go(func() { must(t, h.admin.SealAudit(ctx)) })
			sealing.Go(func() { h.with(200, root, "PUT", "/admin/retention", `{}`) })
		}
		sealing.Wait()
		must(t, h.admin.SealAudit(ctx))
		v, sealed := h.audited(root)
		if v.Open != 0 || v.Entries != int64(len(done)+3) || len(sealed) != len(done)+3 {
			t.Errorf("sealed = %+v with %d entries, want the %d and 3 more", v, len(sealed), len(done))
		}

		// Retention cuts whole stretches, and the chain holds.
		later := admin.New(admin.Options{Store: h.store, Now: func() time.Time { return time.Now().Add(48 * time.Hour) },
			Retention: map[quern.RetentionKind]time.Duration{quern.RetainAudit: time.Hour}})
		must(t, later.SealAudit(ctx))
		h.with(200, root, "PUT", "/admin/retention", `{}`)
		must(t, h.admin.SealAudit(ctx))
		cut, left := h.audited(root)
		if cut.Cut != v.Stretches || len(left) != 1 || cut.Stretches != v.Stretches+1 {
			t.Errorf("after the retention = %+v with %d entries, want %d stretches cut and one entry", cut, len(left), v.Stretches)
		}
	})
}
