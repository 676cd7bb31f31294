package run

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/store"
)

// MaxTitle is the most characters of a conversation's title.
const MaxTitle = 200

// conversation returns a conversation that the principal may know of: its own and,
// under a restricted token, one that this token began.
func conversation(ctx context.Context, tx *store.Tx, p quern.Principal, id quern.ConversationID) (quern.Conversation, error) {
	if !quern.ValidID(string(id)) {
		return quern.Conversation{}, notFound()
	}
	c, err := tx.Conversation(ctx, id)
	ofOthers := err == nil && !p.Began(c.Owner, c.Token)
	if missing(err) || ofOthers {
		return quern.Conversation{}, notFound()
	}
	return c, err
}

// Part says which turns of a conversation are wanted: those behind After, the
// next of the part before, and at most Limit of them. Zero members do not narrow.
type Part struct {
	After string
	Limit int
}

// Conversation returns a conversation of the principal's and turns of it, oldest
// first. next is the After of the next part, empty when no turn follows.
// Malformed when After is not from a part.
func (s *Service) Conversation(ctx context.Context, p quern.Principal, id quern.ConversationID, part Part) (
	c quern.Conversation, turns []quern.Run, next string, err error,
) {
	after, err := position(part.After)
	if err != nil {
		return c, nil, "", err
	}
	f := store.TurnFilter{Conversation: id, Token: p.OnlyToken(), After: after}
	if part.Limit > 0 {
		f.Limit = part.Limit + 1 // one more tells that there is more
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		next = ""
		if c, err = conversation(ctx, tx, p, id); err != nil {
			return err
		}
		if turns, err = tx.Turns(ctx, f); err != nil {
			return err
		}
		if part.Limit > 0 && len(turns) > part.Limit {
			turns = turns[:part.Limit]
			last := turns[part.Limit-1]
			next = cursor(last.CreatedAt, string(last.ID))
		}
		for i := range turns {
			if err := tx.RunContent(ctx, &turns[i], true); err != nil {
				return err
			}
		}
		return nil
	})
	return c, turns, next, err
}

// Conversations lists the principal's conversations, latest change first: about
// a namespace, about all of an owner's, or, with nothing named, all. next is the
// after of the next page, empty on the last. NotFound for a namespace that the
// principal does not see.
func (s *Service) Conversations(ctx context.Context, p quern.Principal, in quern.NamespacePath, after string, limit int) (
	list []quern.Conversation, next string, err error,
) {
	before, err := position(after)
	if err != nil {
		return nil, "", err
	}
	if in.Owner == quern.Self {
		in.Owner = p.User.Username
	}
	if in.Namespace != "" {
		if _, err := s.catalog.Namespace(ctx, p, in); err != nil {
			return nil, "", err
		}
	}
	in.Owner = strings.ToLower(in.Owner)
	err = s.store.View(ctx, func(tx *store.Tx) error {
		list, err = tx.Conversations(ctx, store.ConversationFilter{
			Owner: p.User.ID, Token: p.OnlyToken(), In: in, Before: before, Limit: limit + 1,
		})
		return err
	})
	if err == nil && len(list) > limit {
		list = list[:limit]
		next = cursor(list[limit-1].UpdatedAt, string(list[limit-1].ID))
	}
	return list, next, err
}

// Rename changes the title of a conversation of the principal's.
func (s *Service) Rename(ctx context.Context, p quern.Principal, id quern.ConversationID, title string) (c quern.Conversation, err error) {
	title = strings.TrimSpace(title)
	if n := utf8.RuneCountInString(title); n == 0 || n > MaxTitle {
		return c, quern.E(quern.Invalid, quern.CodeInvalid, "the title fails validation").
			With(quern.Fault("length", "title", fmt.Sprintf("must have 1 to %d characters", MaxTitle)))
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		if c, err = conversation(ctx, tx, p, id); err == nil {
			err = p.MayChange()
		}
		if err != nil {
			return err
		}
		c.Title = title
		return tx.RenameConversation(ctx, id, title)
	})
	return c, err
}

// DeleteConversation removes a conversation of the principal's with its runs,
// those that are running included.
func (s *Service) DeleteConversation(ctx context.Context, p quern.Principal, id quern.ConversationID) error {
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		_, err := conversation(ctx, tx, p, id)
		if err == nil {
			err = p.MayChange()
		}
		if err != nil {
			return err
		}
		return tx.DeleteConversation(ctx, id)
	})
	if err == nil {
		s.drop(func(r quern.Run) bool { return r.Conversation == id })
	}
	return err
}
