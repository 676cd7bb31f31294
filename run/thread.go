package run

import (
	"context"

	"quern"
	"quern/store"
)

// errAnswered is for the second of two answers to one question back.
var errAnswered = quern.E(quern.Conflict, quern.CodeConflict, "the run waits for no answer")

// answering takes over what a question has from the run that it answers, and
// returns the thread that it goes on.
func (s *Service) answering(ctx context.Context, p quern.Principal, a *Ask) (thread quern.RunID, err error) {
	if a.After == "" {
		return "", nil
	}
	r, err := s.Run(ctx, p, a.After)
	if err != nil {
		return "", err
	}
	if err := p.MayTend(r.Token); err != nil {
		return "", err
	}
	if r.Status != quern.RunCompleted || !r.AskedBack() {
		return "", errAnswered
	}
	a.In, a.Conversation, a.Agent = r.In, r.Conversation, r.Agent
	return r.First(), nil
}

// Thread returns a run of the principal's and those that answer what it asked back,
// in order. NotFound when the run is not the first of its thread.
func (s *Service) Thread(ctx context.Context, p quern.Principal, id quern.RunID) (all []quern.Run, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		first, err := visible(ctx, tx, p, id)
		if err != nil {
			return err
		}
		if first.Thread != "" {
			return notFound()
		}
		later, err := tx.RunsAfter(ctx, id)
		if err != nil {
			return err
		}
		all = append([]quern.Run{first}, later...)
		for i := range all {
			if err := tx.RunContent(ctx, &all[i], true); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// Withdraw ends a run of the principal's that waits for an answer: it is then
// cancelled. Conflict when it waits for none.
func (s *Service) Withdraw(ctx context.Context, p quern.Principal, id quern.RunID) (r quern.Run, err error) {
	why := quern.Failure{Kind: quern.Conflict, Code: quern.CodeCancelled, Message: "the question was withdrawn"}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		if r, err = visible(ctx, tx, p, id); err != nil {
			return err
		}
		if err := p.MayTend(r.Token); err != nil {
			return err
		}
		r.Failure, r.UpdatedAt = &why, stored(s.now())
		done, err := tx.WithdrawRun(ctx, r)
		if err == nil && !done {
			return errAnswered
		}
		return err
	})
	if err != nil {
		return r, err
	}
	return s.Run(ctx, p, id)
}
