package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/ask"
	"quern/catalog"
	"quern/store"
)

// Ask is a question as it comes in.
type Ask struct {
	In           quern.NamespacePath
	Conversation quern.ConversationID // empty: a new one
	// Unlisted keeps a new conversation, and the run, out of every list.
	Unlisted bool
	Agent    quern.AgentKind
	Task     quern.Task
	// After is the run whose question back this one answers. The namespace, the
	// conversation and the agent are then that run's.
	After quern.RunID
	// Message is what the asker calls the question; kept, never used.
	Message string
	// Rows, if not nil, gets the rows of the run's step, if this server does it soon.
	Rows *ask.Delivery
}

const (
	// maxHelperPrompt counts characters.
	maxHelperPrompt = 10_000
	// tryAgain is when somebody with too many runs should ask again.
	tryAgain = 2 * time.Second
)

// Start stores a question as a run, with its first event, and returns it; the work
// goes on by itself. Invalid when the question is empty or too long, or names a
// model that is not there; NotFound when the principal does not see the namespace
// or the conversation; Invalid when the conversation is about another namespace;
// Throttled when the user has too many runs already, or has asked all questions of its day; Conflict when the run that
// it answers asked nothing, or was answered already.
func (s *Service) Start(ctx context.Context, p quern.Principal, a Ask) (quern.Run, error) {
	arrived := s.arrivals.begin()
	defer arrived()
	model, err := s.valid(a)
	if err != nil {
		return quern.Run{}, err
	}
	thread, err := s.answering(ctx, p, &a)
	if err != nil {
		return quern.Run{}, err
	}
	in, err := s.visibleIn(ctx, p, a)
	if err != nil {
		return quern.Run{}, err
	}
	now := stored(s.now())
	r := quern.Run{
		ID: quern.NewID[quern.RunID](), Conversation: a.Conversation, Actor: p.User.ID, Token: p.Proof(), Scopes: p.Scopes,
		Agent: a.Agent, In: in, Task: a.Task, Status: quern.RunRunning,
		After: a.After, Thread: thread, Message: a.Message, CreatedAt: now, UpdatedAt: now,
	}
	l := quern.Lease{Until: now}
	place, free := s.workers.Place()
	if free {
		l, r.Attempt = s.workers.Lease(), 1
	}
	err = s.batcher.start(ctx, func(ctx context.Context, tx *store.Tx, users *askers) error {
		return s.insert(ctx, tx, users, asked{p, a, &r, l})
	})
	arrived()
	if a.After != "" && quern.Is(err, quern.Conflict) {
		err = errAnswered
	}
	switch {
	case err != nil && free:
		place.Leave()
		return quern.Run{}, err
	case err != nil:
		return quern.Run{}, err
	case free:
		place.Begin(taken(job{Run: r, model: &model, rows: a.Rows}, quern.Innocent), l.Holder)
	default:
		s.workers.Wake()
	}
	return r, nil
}

// FirstEvents are the events that Start stored with the run that it returned.
func FirstEvents(r quern.Run) []quern.RunEvent {
	all := firstEvents(r, r.Attempt > 0)
	events := make([]quern.RunEvent, len(all))
	for i, e := range all {
		events[i] = e.RunEvent
	}
	return events
}

// visibleIn returns the namespace that a question is asked of, as it is written.
// NotFound when the principal does not see it, or the dataset that is named.
func (s *Service) visibleIn(ctx context.Context, p quern.Principal, a Ask) (quern.NamespacePath, error) {
	n, err := s.catalog.Namespace(ctx, p, a.In)
	if err != nil {
		return quern.NamespacePath{}, err
	}
	in := quern.NamespacePath{Owner: n.Owner, Namespace: n.Name}
	if a.Task.Dataset != "" {
		path := quern.DatasetPath{Owner: n.Owner, Namespace: n.Name, Dataset: a.Task.Dataset}
		_, err = s.catalog.Dataset(ctx, p, path, catalog.Read)
	}
	return in, err
}

// valid checks what a question says about itself, and returns the model that it
// names.
func (s *Service) valid(a Ask) (ask.Model, error) {
	var faults []quern.SubError
	switch {
	case strings.TrimSpace(a.Task.Question) == "":
		faults = append(faults, quern.Fault("minLength", "query", "must hold a question"))
	case utf8.RuneCountInString(a.Task.Question) > quern.MaxQuestion:
		faults = append(faults, quern.Fault("maxLength", "query", fmt.Sprintf("must have at most %d characters", quern.MaxQuestion)))
	}
	if utf8.RuneCountInString(a.Task.HelperPrompt) > maxHelperPrompt {
		faults = append(faults, quern.Fault("maxLength", "helperPrompt", fmt.Sprintf("must have at most %d characters", maxHelperPrompt)))
	}
	model, err := s.model(a.Task)
	if wrong, ok := errors.AsType[*quern.Error](err); ok && wrong.Kind == quern.Invalid {
		faults, err = append(faults, wrong.Sub...), nil
	}
	switch {
	case err != nil:
		return model, err
	case len(faults) > 0:
		return model, quern.E(quern.Invalid, quern.CodeInvalid, "the question fails validation").With(faults...)
	case s.agents[a.Agent] == nil:
		return model, quern.E(quern.Unavailable, quern.CodeUnavailable, "this server has no agent to answer with")
	}
	return model, nil
}

// model returns what a task is done with; Invalid, with sub errors, when it names a
// model that is not there.
func (s *Service) model(t quern.Task) (ask.Model, error) {
	if s.models == nil {
		return ask.Model{}, nil
	}
	return ask.ModelFor(s.models, t)
}

// asked is a question on its way into the store.
type asked struct {
	by    quern.Principal
	ask   Ask
	run   *quern.Run
	lease quern.Lease
}

// insert stores a run, in a conversation of its own when it is the first of one.
func (s *Service) insert(ctx context.Context, tx *store.Tx, users *askers, a asked) error {
	r, first := a.run, a.ask.Conversation == ""
	if first {
		r.Conversation = quern.NewID[quern.ConversationID]()
	} else {
		c, err := conversation(ctx, tx, a.by, r.Conversation)
		if missing(err) {
			return quern.E(quern.NotFound, quern.CodeNotFound, "not found").Because(ErrNoConversation)
		}
		if err != nil {
			return err
		}
		if c.In != r.In {
			return quern.E(quern.Invalid, quern.CodeInvalid, "the conversation is about another namespace").
				With(quern.Fault("namespace", "conversationId", "is a conversation about "+c.In.Owner+"/"+c.In.Namespace))
		}
	}
	user, err := users.lock(ctx, tx, a.by.User.ID, r.CreatedAt)
	if err != nil {
		return err
	}
	if err := user.admit(s.limits.PerUser, s.quota, r.CreatedAt); err != nil {
		return err
	}
	if first {
		err = tx.InsertConversation(ctx, quern.Conversation{
			ID: r.Conversation, Owner: r.Actor, Token: r.Token, In: r.In, Unlisted: a.ask.Unlisted,
			Title: title(r.Task.Question), CreatedAt: r.CreatedAt, UpdatedAt: r.CreatedAt,
		})
	} else {
		err = tx.TouchConversation(ctx, r.Conversation, r.CreatedAt)
	}
	if err != nil {
		return err
	}
	events := firstEvents(*r, r.Attempt > 0)
	r.Last = int64(len(events))
	return tx.InsertRun(ctx, *r, a.lease, events)
}

// ErrNoConversation is why Start found nothing where it was not the namespace.
var ErrNoConversation = errors.New("run: there is no such conversation")

// busy says when to try again.
type busy struct{}

func (busy) Error() string             { return "too many runs" }
func (busy) RetryAfter() time.Duration { return tryAgain }

const (
	// mostTitle is how many characters of a question become a title, at most.
	mostTitle = 80
	// leastTitle is how many it keeps when the last word is left out.
	leastTitle = 50
)

// title makes a conversation's title of its first question: one line, cut
// between words.
func title(question string) string {
	line := []rune(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(question, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " "))
	if len(line) <= mostTitle {
		return string(line)
	}
	line = line[:mostTitle-1]
	for i := len(line) - 1; i >= leastTitle; i-- {
		if line[i] == ' ' {
			line = line[:i]
			break
		}
	}
	return strings.TrimRightFunc(string(line), func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) }) + "…"
}
