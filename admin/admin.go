// Package admin manages a server and its users for those who have the role admin: who
// there is and what they use, quotas, tokens, running work, retention, and the deletion
// of a user with all that is theirs.
//
// It manages, and reads nobody's rows, questions or answers: what it returns has none.
// Every call asks for the role first, so that without it nobody learns who or what there
// is; the rights of the user that is managed are not asked for, they are beside the point.
//
//	Delete ─► disabled, its work cancelled ── settle ─► datasets, uploads, conversations
//	              ─► objects swept ─► all that is kept about the user ─► the user
//
// The failure it is built around is the deletion that stops half way. What is left to do
// follows from what is left, every step may be done twice, by two servers at once, and
// the user goes last: while there is one, the deletion goes on.
package admin

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"quern"
	"quern/auth"
	"quern/catalog"
	"quern/ingest"
	"quern/run"
	"quern/store"
	"quern/upload"
)

// Options says what the administration works with.
type Options struct {
	Store   *store.Store
	Auth    *auth.Service
	Catalog *catalog.Service
	Upload  *upload.Service
	Ingest  *ingest.Service
	Runs    *run.Service
	// Quota is that of users who have none of their own.
	Quota quern.Quota
	// Retention is how long things are kept where administrators said nothing.
	Retention map[quern.RetentionKind]time.Duration
	// Settle is how long a user is disabled before its deletion goes on, so that what
	// was under way in its name has stopped; 0 means a minute.
	Settle time.Duration
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: slog.Default()
}

// Service is the administration.
type Service struct{ Options }

// New makes a Service. Users are deleted while Run runs.
func New(o Options) *Service {
	o.Settle = cmp.Or(o.Settle, time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{o}
}

// mayChange fails unless the principal may administer, and change something.
func mayChange(p quern.Principal) error {
	if err := p.MayAdminister(); err != nil {
		return err
	}
	return p.MayChange()
}

// Users lists users behind a name, by name.
func (s *Service) Users(ctx context.Context, p quern.Principal, after string, limit int) (all []quern.ManagedUser, err error) {
	if err := p.MayAdminister(); err != nil {
		return nil, err
	}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.ManagedUsers(ctx, quern.Day(s.Now()), after, limit)
		return err
	})
	return all, err
}

// User returns a user; NotFound when there is none.
func (s *Service) User(ctx context.Context, p quern.Principal, username string) (quern.ManagedUser, error) {
	if err := p.MayAdminister(); err != nil {
		return quern.ManagedUser{}, err
	}
	return s.managed(ctx, username)
}

func (s *Service) managed(ctx context.Context, username string) (a quern.ManagedUser, err error) {
	name, ok := quern.Username(username)
	if !ok {
		return a, notFound()
	}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		a, err = tx.ManagedUser(ctx, name, quern.Day(s.Now()))
		return err
	})
	if quern.Is(err, quern.NotFound) {
		err = notFound()
	}
	return a, err
}

func notFound() error { return quern.E(quern.NotFound, quern.CodeNotFound, "not found") }

// Change is what is changed of a user; nil members stay.
type Change struct {
	Disabled, Admin *bool
}

// ChangeUser changes a user, at once, and returns it. Conflict for what would lock the
// principal out, and for a user who is being deleted.
func (s *Service) ChangeUser(ctx context.Context, p quern.Principal, username string, c Change) (quern.ManagedUser, error) {
	a, err := s.changeable(ctx, p, username)
	if err != nil {
		return a, err
	}
	self := a.ID == p.User.ID
	locksOut := c.Disabled != nil && *c.Disabled || c.Admin != nil && !*c.Admin
	if self && locksOut {
		return a, quern.E(quern.Conflict, quern.CodeConflict, "you would lock yourself out; another administrator can do this")
	}
	if err := s.Store.Update(ctx, func(tx *store.Tx) error { return s.change(ctx, tx, p, a.User, c) }); err != nil {
		return a, err
	}
	return s.managed(ctx, a.Username)
}

func (s *Service) change(ctx context.Context, tx *store.Tx, p quern.Principal, u quern.User, c Change) error {
	about := quern.AuditEntry{Actor: p.User.ID, User: u.ID}
	var err error
	switch {
	case c.Disabled == nil:
	case *c.Disabled:
		about.Action = quern.AuditDisableUser
		err = errors.Join(s.Auth.Disable(ctx, tx, u), s.audit(ctx, tx, about))
	default:
		about.Action = quern.AuditEnableUser
		err = errors.Join(tx.SetUserDisabled(ctx, u.ID, time.Time{}), s.audit(ctx, tx, about))
	}
	if err != nil || c.Admin == nil {
		return err
	}
	about.Action = quern.AuditGrantRole
	if !*c.Admin {
		about.Action = quern.AuditRevokeRole
	}
	return errors.Join(tx.SetUserAdmin(ctx, u.ID, *c.Admin), s.audit(ctx, tx, about))
}

// audit tells the audit trail, in the transaction that it tells of.
func (s *Service) audit(ctx context.Context, tx *store.Tx, e quern.AuditEntry) error {
	e.At = s.Now()
	return tx.Audit(ctx, e)
}

// changeable returns a user that the principal may change.
func (s *Service) changeable(ctx context.Context, p quern.Principal, username string) (quern.ManagedUser, error) {
	if err := mayChange(p); err != nil {
		return quern.ManagedUser{}, err
	}
	a, err := s.managed(ctx, username)
	if err == nil && !a.DeletingAt.IsZero() {
		err = quern.E(quern.Conflict, quern.CodeConflict, "the user is being deleted")
	}
	return a, err
}

// SetQuota replaces a user's own quota, for what is stored and asked from now on, and
// returns the user. Nil members are the server's.
func (s *Service) SetQuota(ctx context.Context, p quern.Principal, username string, q quern.Quota) (quern.ManagedUser, error) {
	a, err := s.changeable(ctx, p, username)
	if err == nil {
		err = s.Store.Update(ctx, func(tx *store.Tx) error {
			said := quern.AuditEntry{Actor: p.User.ID, Action: quern.AuditSetQuota, User: a.ID, Detail: limits(q)}
			return errors.Join(tx.SetQuota(ctx, a.ID, q), s.audit(ctx, tx, said))
		})
	}
	a.Quota = q
	return a, err
}

// limits is a quota in words.
func limits(q quern.Quota) map[string]string {
	said := map[string]string{}
	for name, n := range map[string]*int64{"bytes": q.Bytes, "rows": q.Rows, "questions": q.Questions} {
		if n != nil {
			said[name] = strconv.FormatInt(*n, 10)
		}
	}
	return said
}

// Tokens lists a user's API tokens that are not revoked, newest first.
func (s *Service) Tokens(ctx context.Context, p quern.Principal, username string) ([]quern.Token, error) {
	a, err := s.User(ctx, p, username)
	if err != nil {
		return nil, err
	}
	return s.Auth.Tokens(ctx, quern.Principal{User: a.User})
}

// RevokeToken makes an API token of a user's worthless at once; NotFound when the user
// has none of that id.
func (s *Service) RevokeToken(ctx context.Context, p quern.Principal, username string, id quern.TokenID) error {
	if err := mayChange(p); err != nil {
		return err
	}
	a, err := s.managed(ctx, username)
	if err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error { return s.Auth.Revoke(ctx, tx, p.User.ID, a.User, id) })
}

// maxWork is how many pieces of work a list has.
const maxWork = 1000

// Work lists runs and ingestions that have not ended, oldest first, at most 1000.
func (s *Service) Work(ctx context.Context, p quern.Principal) (all []quern.Work, err error) {
	if err := p.MayAdminister(); err != nil {
		return nil, err
	}
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.Work(ctx, maxWork)
		return err
	})
	return all, err
}

// Cancel ends a run or an ingestion, whoever's it is. Cancelling again is harmless;
// Conflict when it has ended otherwise, NotFound when there is none of that id.
func (s *Service) Cancel(ctx context.Context, p quern.Principal, id string) error {
	if err := mayChange(p); err != nil {
		return err
	}
	if !quern.ValidID(id) {
		return notFound()
	}
	if err := s.cancel(ctx, id); err != nil {
		return err
	}
	ended := quern.AuditEntry{Actor: p.User.ID, Action: quern.AuditCancelWork, Object: id}
	return s.Store.Update(ctx, func(tx *store.Tx) error { return s.audit(ctx, tx, ended) })
}

func (s *Service) cancel(ctx context.Context, id string) error {
	_, err := s.Runs.CancelAny(ctx, quern.RunID(id))
	if quern.Is(err, quern.NotFound) {
		err = s.Ingest.CancelAny(ctx, quern.IngestionID(id))
	}
	return err
}

// Kept is how long something is kept.
type Kept struct {
	Life time.Duration // 0: for good, and of traces: not at all
	Set  bool          // by an administrator; otherwise by the settings
}

// Retention tells how long things are kept.
func (s *Service) Retention(ctx context.Context, p quern.Principal) (map[quern.RetentionKind]Kept, error) {
	if err := p.MayAdminister(); err != nil {
		return nil, err
	}
	return s.retention(ctx)
}

func (s *Service) retention(ctx context.Context) (all map[quern.RetentionKind]Kept, err error) {
	const unset = -1
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		all = map[quern.RetentionKind]Kept{}
		for _, kind := range quern.RetentionKinds() {
			life, err := tx.Retention(ctx, kind, unset)
			if err != nil {
				return err
			}
			all[kind] = Kept{Life: life, Set: true}
			if life == unset {
				all[kind] = Kept{Life: s.Options.Retention[kind]}
			}
		}
		return nil
	})
	return all, err
}

// SetRetention says how long things are kept, on all servers, and returns how long all
// are. Kinds that are not there are as the settings say.
func (s *Service) SetRetention(
	ctx context.Context, p quern.Principal, lives map[quern.RetentionKind]time.Duration,
) (map[quern.RetentionKind]Kept, error) {
	if err := mayChange(p); err != nil {
		return nil, err
	}
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		said := quern.AuditEntry{Actor: p.User.ID, Action: quern.AuditSetRetention, Detail: map[string]string{}}
		for _, kind := range quern.RetentionKinds() {
			var keep *time.Duration
			if life, named := lives[kind]; named {
				keep = &life
				said.Detail[string(kind)] = life.String()
			}
			if err := tx.SetRetention(ctx, kind, keep); err != nil {
				return err
			}
		}
		return s.audit(ctx, tx, said)
	})
	if err != nil {
		return nil, err
	}
	return s.retention(ctx)
}
