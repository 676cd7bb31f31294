package rest

import (
	"context"

	"quern"
	"quern/api"
	"quern/run"
)

// ListConversations lists the caller's conversations.
func (o operations) ListConversations(
	ctx context.Context, r api.ListConversationsRequestObject,
) (api.ListConversationsResponseObject, error) {
	limit, in := int(r.Params.Limit), quern.NamespacePath{Owner: r.Params.Username, Namespace: r.Params.Namespace}
	if limit == 0 {
		limit = defaultPage
	}
	if in.Owner == "" && in.Namespace != "" {
		in.Owner = quern.Self
	}
	list, next, err := o.Runs.Conversations(ctx, principal(ctx), in, r.Params.Cursor, limit)
	page := api.ListConversations200JSONResponse{Conversations: make([]api.ConversationEntry, len(list)), NextCursor: next}
	for i, c := range list {
		page.Conversations[i] = conversationEntry(c)
	}
	return page, err
}

func conversationEntry(c quern.Conversation) api.ConversationEntry {
	return api.ConversationEntry{
		ID: string(c.ID), Title: c.Title, Username: c.In.Owner, Namespace: c.In.Namespace,
		CreatedAt: c.CreatedAt.UnixMilli(), UpdatedAt: c.UpdatedAt.UnixMilli(),
	}
}

// Conversation returns a conversation with its turns.
func (o operations) Conversation(ctx context.Context, r api.ConversationRequestObject) (api.ConversationResponseObject, error) {
	part := run.Part{After: r.Params.Cursor, Limit: int(r.Params.Limit)}
	c, turns, next, err := o.Runs.Conversation(ctx, principal(ctx), quern.ConversationID(r.ConversationID), part)
	shown := api.Conversation200JSONResponse{
		ID: string(c.ID), Title: c.Title, Username: c.In.Owner, Namespace: c.In.Namespace, Turns: make([]api.Turn, len(turns)), NextCursor: next,
	}
	for i, t := range turns {
		shown.Turns[i] = api.Turn{
			RunID: string(t.ID), Question: t.Task.Question, Status: runStatus(t.Status), Cancelled: t.Status == quern.RunCancelled,
			ErrorMessage: failureMessage(t), CreatedAt: t.CreatedAt,
		}
		if t.Status == quern.RunCompleted {
			shown.Turns[i].Result = answered(t)
		}
	}
	return shown, err
}

// RenameConversation gives a conversation another title.
func (o operations) RenameConversation(
	ctx context.Context, r api.RenameConversationRequestObject,
) (api.RenameConversationResponseObject, error) {
	c, err := o.Runs.Rename(ctx, principal(ctx), quern.ConversationID(r.ConversationID), r.Body.Title)
	return api.RenameConversation200JSONResponse(conversationEntry(c)), err
}

// DeleteConversation removes a conversation with its runs.
func (o operations) DeleteConversation(
	ctx context.Context, r api.DeleteConversationRequestObject,
) (api.DeleteConversationResponseObject, error) {
	return api.DeleteConversation204Response{}, o.Runs.DeleteConversation(ctx, principal(ctx), quern.ConversationID(r.ConversationID))
}
