package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// ConversationEntry is a conversation as lists show it. Times are in milliseconds since
// 1970.
type ConversationEntry struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Owner     string `json:"username"` // of the namespace
	Namespace string `json:"namespace"`
	CreatedAt int64  `json:"createdAt"`
	UpdatedAt int64  `json:"updatedAt"`
}

// Conversation is questions that belong together.
type Conversation struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Owner     string `json:"username"` // of the namespace
	Namespace string `json:"namespace"`
	Turns     []Turn `json:"turns"`
}

// Turn is one question of a conversation with its result.
type Turn struct {
	RunID     string    `json:"runId"`
	Question  string    `json:"question"`
	Status    string    `json:"status"` // running, completed, failed or expired
	Cancelled bool      `json:"cancelled,omitempty"`
	Message   string    `json:"errorMessage,omitempty"` // why it has no answer
	CreatedAt time.Time `json:"createdAt"`
	Result    *Answer   `json:"result,omitempty"`
}

// Conversations lists the caller's conversations, latest change first, at most limit;
// those about one namespace unless that is empty. An empty owner is the caller then.
func (c *Client) Conversations(ctx context.Context, owner, namespace string, limit int) ([]ConversationEntry, error) {
	all, q := []ConversationEntry{}, url.Values{}
	if namespace != "" {
		q.Set("namespace", namespace)
		q.Set("username", "self")
	}
	if owner != "" {
		q.Set("username", owner)
	}
	for len(all) < limit {
		var page struct {
			Conversations []ConversationEntry `json:"conversations"`
			Next          string              `json:"nextCursor"`
		}
		if err := c.call(ctx, http.MethodGet, "/query/conversations?"+q.Encode(), nil, &page); err != nil {
			return all, err
		}
		all = append(all, page.Conversations...)
		if page.Next == "" || page.Next == q.Get("cursor") {
			break
		}
		q.Set("cursor", page.Next)
	}
	return all[:min(len(all), limit)], nil
}

func conversationPath(id string) string { return "/query/conversations/" + url.PathEscape(id) }

// Conversation reads a conversation with its turns, oldest first.
func (c *Client) Conversation(ctx context.Context, id string) (told Conversation, err error) {
	return told, c.call(ctx, http.MethodGet, conversationPath(id), nil, &told)
}

// RenameConversation gives a conversation another title.
func (c *Client) RenameConversation(ctx context.Context, id, title string) (e ConversationEntry, err error) {
	return e, c.call(ctx, http.MethodPatch, conversationPath(id), map[string]string{"title": title}, &e)
}

// DeleteConversation removes a conversation with its runs, for good.
func (c *Client) DeleteConversation(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodDelete, conversationPath(id), nil, nil)
}

// CancelRun stops a run; what it has done so far stays.
func (c *Client) CancelRun(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodPost, "/query/runs/"+url.PathEscape(id)+"/cancel", nil, nil)
}
