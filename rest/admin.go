package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"quern"
	"quern/admin"
	"quern/api"
)

// AdminListUsers lists users with what they use.
func (o operations) AdminListUsers(ctx context.Context, r api.AdminListUsersRequestObject) (api.AdminListUsersResponseObject, error) {
	limit := int(r.Params.Limit)
	if limit == 0 {
		limit = defaultPage
	}
	// One more than the page has tells whether there is another.
	found, err := o.Admin.Users(ctx, principal(ctx), r.Params.After, limit+1)
	if err != nil {
		return nil, err
	}
	page := api.AdminListUsers200JSONResponse{Users: []api.AdminUser{}}
	for i, a := range found {
		if i == limit {
			page.NextAfter = found[i-1].Username
			break
		}
		page.Users = append(page.Users, o.shownUser(a))
	}
	return page, nil
}

// shownUser is a user as administrators see one.
func (o operations) shownUser(a quern.ManagedUser) api.AdminUser {
	limits := a.Quota.Or(o.Admin.Quota)
	shown := api.AdminUser{
		ID: string(a.ID), Username: a.Username, CreatedAt: a.CreatedAt, Disabled: a.Disabled, Admin: a.User.Admin,
		Usage:  api.AdminUsage{Bytes: a.Stored.Bytes, Rows: a.Stored.Rows, QuestionsToday: a.Questions},
		Quota:  api.AdminQuota{Bytes: a.Quota.Bytes, Rows: a.Quota.Rows, Questions: a.Quota.Questions},
		Limits: api.AdminQuota{Bytes: limits.Bytes, Rows: limits.Rows, Questions: limits.Questions},
	}
	shown.DeletingSince = a.DeletingAt
	return shown
}

// AdminUser shows a user.
func (o operations) AdminUser(ctx context.Context, r api.AdminUserRequestObject) (api.AdminUserResponseObject, error) {
	a, err := o.Admin.User(ctx, principal(ctx), r.Username)
	return api.AdminUser200JSONResponse(o.shownUser(a)), err
}

// AdminChangeUser disables and enables a user, and gives and takes its role.
func (o operations) AdminChangeUser(ctx context.Context, r api.AdminChangeUserRequestObject) (api.AdminChangeUserResponseObject, error) {
	a, err := o.Admin.ChangeUser(ctx, principal(ctx), r.Username, admin.Change{Disabled: r.Body.Disabled, Admin: r.Body.Admin})
	return api.AdminChangeUser200JSONResponse(o.shownUser(a)), err
}

// AdminDeleteUser begins to delete a user.
func (o operations) AdminDeleteUser(ctx context.Context, r api.AdminDeleteUserRequestObject) (api.AdminDeleteUserResponseObject, error) {
	a, err := o.Admin.Delete(ctx, principal(ctx), r.Username)
	return api.AdminDeleteUser202JSONResponse(o.shownUser(a)), err
}

// AdminSetQuota says what a user may use.
func (o operations) AdminSetQuota(ctx context.Context, r api.AdminSetQuotaRequestObject) (api.AdminSetQuotaResponseObject, error) {
	q := quern.Quota{Bytes: r.Body.Bytes, Rows: r.Body.Rows, Questions: r.Body.Questions}
	a, err := o.Admin.SetQuota(ctx, principal(ctx), r.Username, q)
	return api.AdminSetQuota200JSONResponse(o.shownUser(a)), err
}

// AdminListTokens lists a user's API tokens.
func (o operations) AdminListTokens(ctx context.Context, r api.AdminListTokensRequestObject) (api.AdminListTokensResponseObject, error) {
	tokens, err := o.Admin.Tokens(ctx, principal(ctx), r.Username)
	return api.AdminListTokens200JSONResponse(shownTokens(tokens)), err
}

// AdminRevokeToken ends an API token of a user's.
func (o operations) AdminRevokeToken(ctx context.Context, r api.AdminRevokeTokenRequestObject) (api.AdminRevokeTokenResponseObject, error) {
	return api.AdminRevokeToken204Response{}, o.Admin.RevokeToken(ctx, principal(ctx), r.Username, quern.TokenID(r.ID))
}

// AdminListWork lists runs and ingestions that have not ended.
func (o operations) AdminListWork(ctx context.Context, _ api.AdminListWorkRequestObject) (api.AdminListWorkResponseObject, error) {
	work, err := o.Admin.Work(ctx, principal(ctx))
	if err != nil {
		return nil, err
	}
	list := api.AdminListWork200JSONResponse{Work: []api.AdminWork{}}
	for _, w := range work {
		state := api.AdminWorkStateWaiting
		if w.Held {
			state = api.AdminWorkStateWorking
		}
		list.Work = append(list.Work, api.AdminWork{
			Kind: api.AdminWorkKind(w.Kind), ID: w.ID, UserID: string(w.User), Username: w.Username, State: state,
			Attempt: int32(w.Attempt), CreatedAt: w.CreatedAt, Bytes: w.Bytes, ExpectedBytes: w.Expected, Rows: w.Rows,
		})
	}
	return list, nil
}

// AdminCancelWork ends a run or an ingestion.
func (o operations) AdminCancelWork(ctx context.Context, r api.AdminCancelWorkRequestObject) (api.AdminCancelWorkResponseObject, error) {
	return api.AdminCancelWork204Response{}, o.Admin.Cancel(ctx, principal(ctx), r.WorkID)
}

// AdminRetention tells how long things are kept.
func (o operations) AdminRetention(ctx context.Context, _ api.AdminRetentionRequestObject) (api.AdminRetentionResponseObject, error) {
	kept, err := o.Admin.Retention(ctx, principal(ctx))
	return api.AdminRetention200JSONResponse(shownRetention(kept)), err
}

// AdminSetRetention says how long things are kept.
func (o operations) AdminSetRetention(
	ctx context.Context, r api.AdminSetRetentionRequestObject,
) (api.AdminSetRetentionResponseObject, error) {
	lives := map[quern.RetentionKind]time.Duration{}
	for kind, seconds := range map[quern.RetentionKind]*int64{
		quern.RetainOriginals: r.Body.Originals, quern.RetainRuns: r.Body.Runs, quern.RetainTraces: r.Body.Traces,
		quern.RetainAudit: r.Body.Audit,
	} {
		if seconds != nil {
			lives[kind] = time.Duration(*seconds) * time.Second
		}
	}
	kept, err := o.Admin.SetRetention(ctx, principal(ctx), lives)
	return api.AdminSetRetention200JSONResponse(shownRetention(kept)), err
}

func shownRetention(kept map[quern.RetentionKind]admin.Kept) api.AdminRetention {
	shown := api.AdminRetention{Retention: []api.AdminKept{}}
	for _, kind := range quern.RetentionKinds() {
		source := api.AdminKeptSourceSettings
		if kept[kind].Set {
			source = api.AdminKeptSourceAdministrator
		}
		shown.Retention = append(shown.Retention, api.AdminKept{
			Kind: api.AdminKeptKind(kind), Seconds: int64(kept[kind].Life / time.Second), Source: source,
		})
	}
	return shown
}

// AdminAudit sends a page of the audit trail.
func (o operations) AdminAudit(ctx context.Context, r api.AdminAuditRequestObject) (api.AdminAuditResponseObject, error) {
	page, err := o.Admin.Audit(ctx, principal(ctx), r.Params.From)
	return auditPage(page), err
}

// auditPage is lines of the audit trail on their way out.
type auditPage []quern.AuditLine

// VisitAdminAuditResponse writes the lines.
func (p auditPage) VisitAdminAuditResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, line := range p {
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}
