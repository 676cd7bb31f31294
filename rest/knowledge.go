package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"quern"
	"quern/api"
	"quern/knowledge"
)

// Knowledge reads what is taught about a namespace.
func (o operations) Knowledge(ctx context.Context, r api.KnowledgeRequestObject) (api.KnowledgeResponseObject, error) {
	now, err := o.Deps.Knowledge.Read(ctx, principal(ctx), namespacePath(r.Username, r.Namespace))
	if err != nil {
		return nil, err
	}
	state, err := knowledgeState(now)
	return api.Knowledge200JSONResponse{Body: state, Headers: api.Knowledge200ResponseHeaders{ETag: versionTag(now.Version)}}, err
}

// ReplaceKnowledge saves entries in place of those that the caller sees.
func (o operations) ReplaceKnowledge(ctx context.Context, r api.ReplaceKnowledgeRequestObject) (api.ReplaceKnowledgeResponseObject, error) {
	var put knowledge.Document
	if err := convert(r.Body, &put); err != nil {
		return nil, err
	}
	change := knowledge.Change{Put: &put, IfVersion: versionNamed(r.Params.IfMatch)}
	now, err := o.Deps.Knowledge.Write(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), change)
	if err != nil {
		return nil, err
	}
	state, err := knowledgeState(now)
	return api.ReplaceKnowledge200JSONResponse{Body: state, Headers: api.ReplaceKnowledge200ResponseHeaders{ETag: versionTag(now.Version)}},
		err
}

// ChangeKnowledge adds and removes entries.
func (o operations) ChangeKnowledge(ctx context.Context, r api.ChangeKnowledgeRequestObject) (api.ChangeKnowledgeResponseObject, error) {
	change := knowledge.Change{Merge: &knowledge.Document{}, Remove: &knowledge.Document{}, IfVersion: versionNamed(r.Params.IfMatch)}
	if err := convert(r.Body.Merge, change.Merge); err != nil {
		return nil, err
	}
	if err := convert(r.Body.Remove, change.Remove); err != nil {
		return nil, err
	}
	now, err := o.Deps.Knowledge.Write(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), change)
	if err != nil {
		return nil, err
	}
	state, err := knowledgeState(now)
	return api.ChangeKnowledge200JSONResponse{Body: state, Headers: api.ChangeKnowledge200ResponseHeaders{ETag: versionTag(now.Version)}}, err
}

// defaultVersions is how many versions are listed where nothing is said.
const defaultVersions = 20

// ListKnowledgeVersions lists who changed what is taught, and when.
func (o operations) ListKnowledgeVersions(
	ctx context.Context, r api.ListKnowledgeVersionsRequestObject,
) (api.ListKnowledgeVersionsResponseObject, error) {
	limit := cmp.Or(int(r.Params.Limit), defaultVersions)
	all, err := o.Deps.Knowledge.Versions(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), r.Params.UpTo, limit)
	entries := make(api.ListKnowledgeVersions200JSONResponse, len(all))
	for i, v := range all {
		entries[i] = api.KnowledgeVersion{Version: v.Number, By: v.By, At: v.At, Changes: orNone(v.Changes)}
	}
	return entries, err
}

// KnowledgeVersion reads a version.
func (o operations) KnowledgeVersion(ctx context.Context, r api.KnowledgeVersionRequestObject) (api.KnowledgeVersionResponseObject, error) {
	then, err := o.Deps.Knowledge.At(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), r.Version)
	if err != nil {
		return nil, err
	}
	state, err := knowledgeState(then)
	return api.KnowledgeVersion200JSONResponse{Body: state,
		Headers: api.KnowledgeVersion200ResponseHeaders{ETag: versionTag(then.Version)}}, err
}

func namespacePath(username, namespace string) quern.NamespacePath {
	return quern.NamespacePath{Owner: username, Namespace: namespace}
}

func knowledgeState(now knowledge.Current) (api.KnowledgeState, error) {
	state := api.KnowledgeState{Version: now.Version, Problems: make([]api.KnowledgeProblem, len(now.Problems))}
	for i, p := range now.Problems {
		state.Problems[i] = api.KnowledgeProblem{Entry: p.Entry, Message: p.Message}
	}
	return state, convert(now.Document, &state.Knowledge)
}

// convert copies a document between the contract's form and the package's, which
// have the same members.
func convert(from, to any) error {
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	return err
}

func versionTag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// versionNamed returns the version that an If-Match names; one that cannot be for
// any other text.
func versionNamed(tag string) int64 {
	version, err := strconv.ParseInt(strings.Trim(strings.TrimSpace(tag), `"`), 10, 64)
	if err != nil {
		return -1
	}
	return version
}

func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// KnowledgeInbox lists what may be worth teaching.
func (o operations) KnowledgeInbox(ctx context.Context, r api.KnowledgeInboxRequestObject) (api.KnowledgeInboxResponseObject, error) {
	all, err := o.Deps.Knowledge.Inbox(ctx, principal(ctx), namespacePath(r.Username, r.Namespace))
	if err != nil {
		return nil, err
	}
	items := make(api.KnowledgeInbox200JSONResponse, len(all))
	for i, item := range all {
		items[i] = api.KnowledgeItem{ID: item.ID, Kind: api.KnowledgeItemKind(item.Kind), Word: item.Word, Meaning: item.Meaning,
			Action: api.KnowledgeItemAction(item.Action), Times: item.Times, At: item.At}
		if err := errors.Join(convert(item.Told, &items[i].Told), convert(item.Proposal, &items[i].Proposal)); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// DismissKnowledgeItem dismisses an item for good.
func (o operations) DismissKnowledgeItem(ctx context.Context, r api.DismissKnowledgeItemRequestObject) (api.DismissKnowledgeItemResponseObject, error) {
	err := o.Deps.Knowledge.Dismiss(ctx, principal(ctx), namespacePath(r.Username, r.Namespace), r.ItemID)
	return api.DismissKnowledgeItem204Response{}, err
}
