package upload

import (
	"context"
	"strings"

	"quern"
)

// PrepareOne opens a session for a single file.
func (s *Service) PrepareOne(ctx context.Context, p quern.Principal, file NewFile) (Ticket, error) {
	_, tickets, err := s.Prepare(ctx, p, []NewFile{file})
	if err != nil {
		return Ticket{}, err
	}
	return tickets[0], nil
}

// FinishOne is Finish for a caller who knows a file by its key and upload id
// alone. It returns the file.
func (s *Service) FinishOne(ctx context.Context, p quern.Principal, c Claim) (quern.UploadFile, error) {
	f, err := s.claimed(ctx, p, c)
	if err != nil {
		return f, err
	}
	_, err = s.Finish(ctx, p, f.Session, f.ID, c)
	return f, err
}

// AbortOne is Abort for a caller who knows a file by its key and upload id alone.
func (s *Service) AbortOne(ctx context.Context, p quern.Principal, c Claim) error {
	f, err := s.claimed(ctx, p, c)
	if err == nil {
		_, err = s.Abort(ctx, p, f.Session)
	}
	return err
}

// claimed finds the file that a claim speaks of: its key names its session and
// itself.
func (s *Service) claimed(ctx context.Context, p quern.Principal, c Claim) (quern.UploadFile, error) {
	session, file, _ := strings.Cut(strings.TrimPrefix(c.Key, Prefix), "/")
	if !quern.ValidID(session) || !quern.ValidID(file) {
		return quern.UploadFile{}, errNotFound
	}
	_, f, err := s.file(ctx, p, quern.SessionID(session), quern.FileID(file))
	another := f.Key != c.Key || f.UploadID != c.UploadID
	if err == nil && another {
		return quern.UploadFile{}, errNotFound
	}
	return f, err
}
