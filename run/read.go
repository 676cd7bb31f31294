package run

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// visible returns a run that the principal may know of: one of its user's and,
// under a restricted token, one that this token asked.
func visible(ctx context.Context, tx *store.Tx, p quern.Principal, id quern.RunID) (quern.Run, error) {
	if !quern.ValidID(string(id)) {
		return quern.Run{}, notFound()
	}
	r, err := tx.Run(ctx, id)
	ofOthers := err == nil && !p.Began(r.Actor, r.Token)
	if missing(err) || ofOthers {
		return quern.Run{}, notFound()
	}
	return r, err
}

// changeable is visible for a principal that may change the run.
func changeable(ctx context.Context, tx *store.Tx, p quern.Principal, id quern.RunID) (quern.Run, error) {
	r, err := visible(ctx, tx, p, id)
	if err == nil {
		err = p.MayChange()
	}
	return r, err
}

// Header returns a run of the principal's without what it has done: no plan,
// steps or result.
func (s *Service) Header(ctx context.Context, p quern.Principal, id quern.RunID) (r quern.Run, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		r, err = visible(ctx, tx, p, id)
		return err
	})
	return r, err
}

// Run returns a run of the principal's, with what it has done so far.
func (s *Service) Run(ctx context.Context, p quern.Principal, id quern.RunID) (r quern.Run, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		if r, err = visible(ctx, tx, p, id); err != nil {
			return err
		}
		return tx.RunContent(ctx, &r, true)
	})
	return r, err
}

// Filter narrows a list of runs. Zero members do not narrow.
type Filter struct {
	Conversation quern.ConversationID
	Agent        quern.AgentKind
	Status       quern.RunStatus
	AskedBack    *bool
	Since        time.Time // only those that changed at or after it
	Latest       bool      // only the last of every thread
	Failed       bool      // only those that failed or expired
	After        string    // Next of the page before
	Limit        int
	Whole        bool // with plans, steps and results
	Outline      bool // with what only the server keeps of them
}

// Page is some of a list of runs, latest change first.
type Page struct {
	Runs  []quern.Run
	Next  string // empty on the last page
	Total int    // on all pages
}

// Runs lists the principal's runs, latest change first. Malformed when After is
// not from a page.
func (s *Service) Runs(ctx context.Context, p quern.Principal, f Filter) (page Page, err error) {
	before, err := position(f.After)
	if err != nil {
		return page, err
	}
	in := store.RunFilter{
		Actor: p.User.ID, Conversation: f.Conversation, Agent: f.Agent, Status: f.Status, AskedBack: f.AskedBack,
		Since: f.Since, Latest: f.Latest, Failed: f.Failed,
		Token: p.OnlyToken(), Before: before, Limit: f.Limit + 1,
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		page = Page{}
		if page.Runs, err = tx.Runs(ctx, in); err != nil {
			return err
		}
		if len(page.Runs) > f.Limit {
			page.Runs = page.Runs[:f.Limit]
			last := page.Runs[f.Limit-1]
			page.Next = cursor(last.UpdatedAt, string(last.ID))
		}
		for i := range page.Runs {
			if !f.Whole && !f.Outline {
				break
			}
			if err := tx.RunContent(ctx, &page.Runs[i], f.Whole); err != nil {
				return err
			}
		}
		page.Total, err = tx.CountRuns(ctx, in)
		return err
	})
	return page, err
}

// cursor names a place in a list that is in the order of times.
func cursor(at time.Time, id string) string { return fmt.Sprintf("%d.%s", at.UnixMicro(), id) }

func position(cursor string) (store.Position, error) {
	if cursor == "" {
		return store.Position{}, nil
	}
	at, id, _ := strings.Cut(cursor, ".")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !quern.ValidID(id) {
		return store.Position{}, quern.E(quern.Malformed, quern.CodeMalformedParameter, "the cursor is not one that a page gave")
	}
	return store.Position{At: time.UnixMicro(micros).UTC(), ID: id}, nil
}
