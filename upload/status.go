package upload

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
)

// Progress is a file with the parts of it that have arrived. A completed file
// has none: they are an object now.
type Progress struct {
	File  quern.UploadFile
	Parts []blob.Part
}

// Session tells how far a session is.
func (s *Service) Session(ctx context.Context, p quern.Principal, id quern.SessionID) (quern.UploadSession, []Progress, error) {
	session, err := s.visible(ctx, p, id)
	if err != nil {
		return session, nil, err
	}
	progress := make([]Progress, len(session.Files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(busy)
	for i, f := range session.Files {
		progress[i].File = f
		if f.Status != quern.UploadPreparing {
			continue
		}
		group.Go(func() error {
			arrived, err := s.arrived(ctx, f)
			progress[i].Parts = inOrder(arrived)
			if quern.Is(err, quern.NotFound) {
				return nil // completed a moment ago, or lost, which Finish tells
			}
			return err
		})
	}
	return session, progress, group.Wait()
}

// Completed returns a session and its completed files.
func (s *Service) Completed(
	ctx context.Context, p quern.Principal, id quern.SessionID,
) (session quern.UploadSession, files []quern.UploadFile, err error) {
	session, err = s.visible(ctx, p, id)
	for _, f := range session.Files {
		if f.Status == quern.UploadCompleted {
			files = append(files, f)
		}
	}
	return session, files, err
}

// Files lists the completed files of a session.
func (s *Service) Files(ctx context.Context, p quern.Principal, id quern.SessionID) ([]quern.UploadFile, error) {
	_, files, err := s.Completed(ctx, p, id)
	return files, err
}

// Renew returns fresh URLs for parts of a file: those with the numbers, or those
// that have not arrived when numbers is nil. A completed file has none left.
func (s *Service) Renew(ctx context.Context, p quern.Principal, id quern.SessionID, file quern.FileID, numbers []int) (Ticket, error) {
	session, f, err := s.changeable(ctx, p, id, file)
	if err != nil {
		return Ticket{}, err
	}
	switch f.Status {
	case quern.UploadCompleted:
		return Ticket{File: f}, nil
	case quern.UploadPreparing:
	default:
		return Ticket{}, errAborted
	}
	for _, n := range numbers {
		if n < 1 || n > f.Parts() {
			return Ticket{}, invalid("the file has no such part", PartUnknown,
				fmt.Sprintf("part %d is not one of the file's %d parts", n, f.Parts()))
		}
	}
	if numbers == nil {
		arrived, err := s.arrived(ctx, f)
		if quern.Is(err, quern.NotFound) {
			err = s.findObject(ctx, f)
			return Ticket{File: f}, err
		}
		if err != nil {
			return Ticket{}, err
		}
		numbers = missing(f, arrived)
	}
	return s.ticket(ctx, session, f, numbers)
}
