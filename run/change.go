package run

import (
	"context"

	"quern"
	"quern/store"
)

// Cancel ends a run of the principal's and returns it. Cancelling again is
// harmless; Conflict when the run has ended otherwise.
func (s *Service) Cancel(ctx context.Context, p quern.Principal, id quern.RunID) (quern.Run, error) {
	asked, err := s.Run(ctx, p, id)
	if err == nil {
		err = p.MayTend(asked.Token)
	}
	if err != nil {
		return quern.Run{}, err
	}
	return s.cancel(ctx, id, "the run was cancelled")
}

// CancelAny is Cancel for whoever administers: it asks for nobody's rights.
func (s *Service) CancelAny(ctx context.Context, id quern.RunID) (quern.Run, error) {
	return s.cancel(ctx, id, "an administrator cancelled the run")
}

func (s *Service) cancel(ctx context.Context, id quern.RunID, message string) (quern.Run, error) {
	why := quern.Failure{Kind: quern.Conflict, Code: quern.CodeCancelled, Message: message}
	r, err := s.end(ctx, id, quern.RunCancelled, why)
	if err == nil && r.Status != quern.RunCancelled {
		err = quern.E(quern.Conflict, quern.CodeConflict, "the run is %s", r.Status)
	}
	return r, err
}

// end moves a run that is running to a final status, whoever holds it, and returns
// the run as it is then.
func (s *Service) end(ctx context.Context, id quern.RunID, to quern.RunStatus, why quern.Failure) (r quern.Run, err error) {
	changed := false
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		var holder string
		r, holder, err = tx.LockRun(ctx, id)
		if missing(err) {
			return notFound()
		}
		if changed = err == nil && !r.Status.Final(); !changed {
			return err
		}
		_, err = s.advance(ctx, tx, &r, holder, ending(to, why))
		return err
	})
	if err == nil && changed {
		s.broadcast.tell(id)
		s.drop(func(r quern.Run) bool { return r.ID == id })
		s.ended(ctx, r)
	}
	return r, err
}

// entry is what is added to a run at once: its next status, why it failed if it
// did, and what has happened.
type entry struct {
	To     quern.RunStatus
	Why    *quern.Failure
	Events []newEvent
}

// ending is the entry of a run that ends without an answer.
func ending(to quern.RunStatus, why quern.Failure) entry {
	return entry{To: to, Why: &why, Events: []newEvent{errorEvent(why)}}
}

// advance adds an entry to a run, in a transaction. It reports whether the holder
// still had the run.
func (s *Service) advance(ctx context.Context, tx *store.Tx, r *quern.Run, holder string, e entry) (bool, error) {
	now := stored(s.now())
	events, err := number(*r, now, e.Events)
	if err != nil {
		return false, err
	}
	r.Status, r.Failure, r.UpdatedAt = e.To, e.Why, now
	r.Last += int64(len(events))
	if e.To.Final() {
		r.EndedAt = now
	}
	return tx.AdvanceRun(ctx, *r, holder, events)
}

// Delete removes a run of the principal's with its events, wherever it has got to.
func (s *Service) Delete(ctx context.Context, p quern.Principal, id quern.RunID) error {
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		if _, err := changeable(ctx, tx, p, id); err != nil {
			return err
		}
		return tx.DeleteRun(ctx, id)
	})
	if err == nil {
		s.drop(func(r quern.Run) bool { return r.ID == id })
	}
	return err
}

// drop stops the work on runs that have ended or are gone, and tells their
// readers in this process.
func (s *Service) drop(which func(quern.Run) bool) {
	for _, h := range s.workers.Drop(func(h *held) bool { return which(h.Job.Run) }) {
		s.broadcast.tell(h.Job.ID)
	}
}

// Resume makes sure that a run of the principal's goes on, and returns it with the
// number behind which its events are to be read: those from the last step that
// is stored. Gone when the run has completed, expired or was cancelled, Invalid
// when it failed; the run is returned with these errors too.
func (s *Service) Resume(ctx context.Context, p quern.Principal, id quern.RunID) (r quern.Run, after int64, err error) {
	if r, err = s.Run(ctx, p, id); err != nil {
		return r, 0, err
	}
	switch r.Status {
	case quern.RunCompleted, quern.RunExpired, quern.RunCancelled:
		return r, 0, quern.E(quern.Gone, quern.CodeGone, "the run has ended: it is %s", r.Status)
	case quern.RunFailed:
		return r, 0, quern.E(quern.Invalid, quern.CodeInvalid, "the run has failed; ask again")
	}
	s.workers.Wake()
	err = s.store.View(ctx, func(tx *store.Tx) error {
		after, err = tx.LastStepEvent(ctx, id)
		return err
	})
	return r, max(0, after-1), err
}
