package storetest

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"quern"
	"quern/store"
)

// User stores a user.
func User(t testing.TB, s *store.Store, name string) quern.User {
	t.Helper()
	u := quern.User{ID: quern.NewID[quern.UserID](), Username: name, CreatedAt: time.Now().UTC().Truncate(time.Microsecond)}
	update(t, s, func(tx *store.Tx) error { return tx.InsertUser(context.Background(), u, "") })
	return u
}

// Run stores a run of a user's in a conversation of its own, with steps that are
// done. What the caller leaves out of r is filled in; an empty status is completed.
func Run(t testing.TB, s *store.Store, owner quern.User, r quern.Run) quern.Run {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	r.ID, r.Conversation, r.Actor = quern.NewID[quern.RunID](), quern.NewID[quern.ConversationID](), owner.ID
	r.CreatedAt, r.UpdatedAt = now, now
	if r.Status == "" {
		r.Status = quern.RunCompleted
	}
	if r.Agent == "" {
		r.Agent = quern.AgentNL2QL
	}
	if r.Task.Question == "" {
		r.Task.Question = "How many ships are there?"
	}
	if r.In.Namespace == "" {
		r.In = quern.NamespacePath{Owner: owner.Username, Namespace: "harbour"}
	}
	events := []store.RunEvent{{RunEvent: quern.RunEvent{Seq: 1, Type: quern.EventRunStarted, Data: json.RawMessage(`{}`), At: now}}}
	for i, step := range r.Steps {
		data, err := json.Marshal(step)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, store.RunEvent{RunEvent: quern.RunEvent{Seq: int64(i + 2), Type: quern.EventStep, Data: data, At: now}})
	}
	r.Last = int64(len(events))
	// One that is running is another server's.
	elsewhere := quern.Lease{Holder: "elsewhere", Until: now.Add(time.Hour)}
	update(t, s, func(tx *store.Tx) error {
		c := quern.Conversation{ID: r.Conversation, Owner: owner.ID, Token: r.Token, In: r.In, Title: "t", CreatedAt: now, UpdatedAt: now}
		if err := tx.InsertConversation(context.Background(), c); err != nil {
			return err
		}
		return tx.InsertRun(context.Background(), r, elsewhere, events)
	})
	return r
}

func update(t testing.TB, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}
