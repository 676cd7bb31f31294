// Package evaluate owns evaluations: the questions of a namespace whose answers are
// known are asked anew, and what became of each is kept.
//
// An evaluation is a row that a worker holds by a lease; each verdict is stored before
// the next question, so that whoever takes over goes on from there:
//
//	Start ─► pending ── taken ─► processing ─► completed │ failed
//	           ▲                     │
//	           └── server stopped ───┘
//
// It never changes what is taught, and asks as who asked for the evaluation. The
// failure it is built around is the measure that flatters: a verified question is
// asked without the entry that answers it, and what cannot be compared is for review.
package evaluate

import (
	"context"
	"log/slog"
	"time"

	"quern"
	"quern/ask"
	"quern/catalog"
	"quern/knowledge"
	"quern/lease"
	"quern/query"
	"quern/store"
)

const (
	// places is how many evaluations one server works on at a time.
	places = 1
	// kept is how many evaluations of a namespace are kept.
	kept = 50
	// mostQuestions is how many questions one evaluation asks.
	mostQuestions = 2_000
	// mostListed is how many evaluations are listed at once.
	mostListed = kept
)

// Still returns the principal that a user is now, with the API token that it acted
// with, if any; Forbidden, with the reason, when it is none any more.
type Still func(ctx context.Context, user quern.UserID, token quern.TokenID) (quern.Principal, error)

// Options says what a Service works with.
type Options struct {
	Store     *store.Store
	Catalog   *catalog.Service
	Knowledge *knowledge.Service
	Query     *query.Service
	Models    ask.Models
	Still     Still
	Release   string // of this server
	Now       func() time.Time
	Log       *slog.Logger
	// Alone says that no other server works on the same store.
	Alone bool
}

// Service evaluates.
type Service struct {
	o       Options
	workers *lease.Workers[quern.Evaluation]
}

// New makes a Service.
func New(o Options) *Service {
	s := &Service{o: o}
	s.workers = lease.New(s.working())
	return s
}

// Start queues an evaluation of a namespace and returns its id. Forbidden for who may
// not write all of its knowledge; Conflict while another is under way; Invalid when
// there is nothing to ask.
func (s *Service) Start(ctx context.Context, p quern.Principal, in quern.NamespacePath) (quern.EvaluationID, error) {
	id, err := s.o.Knowledge.Teachable(ctx, p, in)
	if err == nil {
		err = p.MayChange()
	}
	if err != nil {
		return "", err
	}
	now, err := s.o.Knowledge.Read(ctx, p, in)
	if err != nil {
		return "", err
	}
	if len(now.Tests) == 0 && len(now.Verified) == 0 {
		return "", quern.E(quern.Invalid, quern.CodeInvalid, "nothing can be evaluated: the knowledge has neither tests nor verified questions")
	}
	e := quern.Evaluation{ID: quern.NewID[quern.EvaluationID](), Namespace: id, Actor: p.User.ID, Token: p.Proof(), CreatedAt: s.o.Now().UTC()}
	err = s.o.Store.Update(ctx, func(tx *store.Tx) error {
		last, err := tx.Evaluations(ctx, id, "", 1)
		if err != nil {
			return err
		}
		if len(last) > 0 && last[0].EndedAt.IsZero() {
			return quern.E(quern.Conflict, quern.CodeConflict, "the evaluation %s of this namespace is under way", last[0].ID)
		}
		if err := tx.InsertEvaluation(ctx, e); err != nil {
			return err
		}
		return tx.PruneEvaluations(ctx, id, kept)
	})
	if err != nil {
		return "", err
	}
	s.workers.Wake()
	return e.ID, nil
}

// Evaluations lists the evaluations of a namespace, newest first.
func (s *Service) Evaluations(ctx context.Context, p quern.Principal, in quern.NamespacePath, limit int) (all []quern.Evaluation, err error) {
	id, err := s.o.Knowledge.Teachable(ctx, p, in)
	if err != nil {
		return nil, err
	}
	err = s.o.Store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.Evaluations(ctx, id, "", min(limit, mostListed))
		return err
	})
	return all, err
}

// Report is an evaluation with how every question went.
type Report struct {
	quern.Evaluation
	Verdicts []quern.Verdict
	Since    *Since // the completed evaluation before; nil: there is none
}

// Since is what became other since another evaluation.
type Since struct {
	Evaluation quern.EvaluationID
	// Changed names what is not the same: knowledge, data, release, model.
	Changed []string
	// Broke are the questions that were good and are not, Mended those that were not
	// and are.
	Broke, Mended []quern.Verdict
}

// Evaluation returns an evaluation with its verdicts so far, held against the one
// before.
func (s *Service) Evaluation(ctx context.Context, p quern.Principal, in quern.NamespacePath, id quern.EvaluationID) (Report, error) {
	namespace, err := s.o.Knowledge.Teachable(ctx, p, in)
	if err != nil {
		return Report{}, err
	}
	var made Report
	err = s.o.Store.View(ctx, func(tx *store.Tx) (err error) {
		made = Report{}
		if made.Evaluation, err = tx.Evaluation(ctx, namespace, id); err != nil {
			return err
		}
		if made.Verdicts, err = tx.Verdicts(ctx, id); err != nil {
			return err
		}
		made.Since, err = made.compare(ctx, tx)
		return err
	})
	if quern.Is(err, quern.NotFound) {
		return Report{}, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	return made, err
}

// compare holds an evaluation against the completed one before it.
func (r *Report) compare(ctx context.Context, tx *store.Tx) (*Since, error) {
	earlier, err := tx.Evaluations(ctx, r.Namespace, r.ID, kept)
	if err != nil {
		return nil, err
	}
	for _, before := range earlier {
		if before.Status != quern.EvaluationCompleted {
			continue
		}
		verdicts, err := tx.Verdicts(ctx, before.ID)
		if err != nil {
			return nil, err
		}
		made := &Since{Evaluation: before.ID, Changed: changed(before.Subject, r.Subject)}
		made.Broke, made.Mended = turned(verdicts, r.Verdicts)
		return made, nil
	}
	return nil, nil
}

// changed names what two evaluations are not both of.
func changed(a, b quern.EvaluationSubject) []string {
	all := []string{}
	for _, part := range []struct {
		name  string
		other bool
	}{{"knowledge", a.Knowledge != b.Knowledge}, {"data", a.Data != b.Data}, {"release", a.Release != b.Release}, {"model", a.Model != b.Model}} {
		if part.other {
			all = append(all, part.name)
		}
	}
	return all
}

// turned returns the questions that were good before and are not now, and the other
// way round.
func turned(before, now []quern.Verdict) (broke, mended []quern.Verdict) {
	type question struct{ kind, text string }
	marks := make(map[question]quern.Mark, len(before))
	for _, v := range before {
		marks[question{v.Kind, v.Question}] = v.Mark
	}
	for _, v := range now {
		was, asked := marks[question{v.Kind, v.Question}]
		switch {
		case !asked:
		case was == quern.MarkGood && v.Mark != quern.MarkGood:
			broke = append(broke, v)
		case was != quern.MarkGood && v.Mark == quern.MarkGood:
			mended = append(mended, v)
		}
	}
	return broke, mended
}
