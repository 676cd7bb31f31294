// Package upload takes files in, part by part, and ends with objects that are
// exactly the bytes that were sent.
//
// It owns upload sessions: what is asked of them, their states, their quotas and
// their end. Part bytes never pass through it: clients send them straight to
// the object store, at URLs that are signed for one part, one size and a while.
// It never looks into a file.
//
//	            ┌── every file finished ──▶ completed ── retention ──▶ removed ─┐
//	preparing ──┤                                                               ├─▶ forgotten
//	            └── Abort, or its life ──▶ aborted ─────────────────────────────┘
//	                ends
//
// Each arrow is one guarded update in one transaction, so of two replicas that
// finish and abort at the same moment, one wins and the other learns it. A file
// goes the same way, and a session is completed with its last file. Whatever
// has ended loses its parts and objects at once, and again a while later, for
// whoever was half way through a step.
//
// The failure it is built around is the stop between two stores. The order is
// always such that a stop leaves something that can be found again: an upload
// is begun before the session that names it is committed (Upkeep aborts those
// that no session names), and an object is completed before its file is (Finish,
// asked again, finds the object).
package upload

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"quern"
	"quern/blob"
	"quern/store"
)

// Prefix is how the keys of all uploaded objects start.
const Prefix = "uploads/"

const (
	// maxParts bounds the parts of one session, and so the URLs of one answer.
	maxParts = 50_000
	// busy is how many calls to the object store one request makes at a time.
	busy = 16
)

// Objects is what uploads need of an object store.
type Objects interface {
	blob.Multipart
	Stat(ctx context.Context, key string) (blob.Info, error)
	Delete(ctx context.Context, key string) error
}

// Limits bounds what callers may ask for, and how long it lasts.
type Limits struct {
	PartSize     int64         // of a file that is small enough for it
	FileSize     int64         // the most bytes of one file
	OpenBytes    int64         // the most bytes that one user's open sessions declare
	Files        int           // the most files of one session
	OpenSessions int           // the most open sessions of one user
	URLLife      time.Duration // how long a part's URL is good for
	SessionLife  time.Duration // how long a session may be open
	Retention    time.Duration // how long completed files are kept; 0 is for good
}

// Options says what uploads work with.
type Options struct {
	Store   *store.Store
	Objects Objects
	Now     func() time.Time
	Log     *slog.Logger
	Limits  Limits
	// Quota is that of users who have none of their own.
	Quota quern.Quota
}

// Service is the upload sessions.
type Service struct {
	store   *store.Store
	objects Objects
	now     func() time.Time
	log     *slog.Logger
	limits  Limits
	quota   quern.Quota
	turns   turns
}

// New makes a Service. Parts are never smaller than the object store takes.
func New(o Options) *Service {
	o.Limits.PartSize = max(o.Limits.PartSize, o.Objects.MinPart(), 1)
	return &Service{store: o.Store, objects: o.Objects, now: o.Now, log: o.Log, limits: o.Limits, quota: o.Quota,
		turns: turns{held: map[quern.FileID]chan struct{}{}}}
}

var (
	errNotFound  = quern.E(quern.NotFound, quern.CodeNotFound, "there is no such upload")
	errAborted   = quern.E(quern.Invalid, quern.CodeInvalid, "the upload session is aborted")
	errCompleted = quern.E(quern.Invalid, quern.CodeInvalid, "the upload session is completed")
	errLost      = quern.E(quern.Invalid, quern.CodeInvalid,
		"the parts of this file are gone from the object store; abort the session and start another one")
)

// visible returns a session that the principal may know of. One whose life has
// ended is aborted first, so that nobody depends on when Upkeep runs.
func (s *Service) visible(ctx context.Context, p quern.Principal, id quern.SessionID) (quern.UploadSession, error) {
	session, err := s.session(ctx, id)
	switch {
	case quern.Is(err, quern.NotFound):
		return session, errNotFound
	case err != nil:
		return session, err
	case !p.Began(session.Owner, session.Token) || session.Status == quern.UploadRemoved:
		return session, errNotFound
	case session.Status == quern.UploadPreparing && !s.now().Before(session.ExpiresAt):
		return s.end(ctx, session, quern.UploadPreparing, quern.UploadAborted)
	}
	session.Files = slices.DeleteFunc(session.Files, func(f quern.UploadFile) bool { return f.Status == quern.UploadRemoved })
	return session, nil
}

func (s *Service) session(ctx context.Context, id quern.SessionID) (session quern.UploadSession, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		session, err = tx.UploadSession(ctx, id)
		return err
	})
	return session, err
}

// file returns a session and one file of it.
func (s *Service) file(
	ctx context.Context, p quern.Principal, id quern.SessionID, file quern.FileID,
) (quern.UploadSession, quern.UploadFile, error) {
	session, err := s.visible(ctx, p, id)
	if err != nil {
		return session, quern.UploadFile{}, err
	}
	f, ok := session.File(file)
	if !ok {
		return session, f, errNotFound
	}
	return session, f, nil
}

// changeable is file for a principal that may change it.
func (s *Service) changeable(
	ctx context.Context, p quern.Principal, id quern.SessionID, file quern.FileID,
) (quern.UploadSession, quern.UploadFile, error) {
	session, f, err := s.file(ctx, p, id, file)
	if err == nil {
		err = p.MayChange()
	}
	return session, f, err
}
