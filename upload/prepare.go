package upload

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/store"
)

// NewFile is a file that a caller wants to send.
type NewFile struct {
	Name string
	Size int64
}

// Ticket is a file with the URLs that take its parts.
type Ticket struct {
	File quern.UploadFile
	URLs []PartURL
}

// PartURL takes one part, of exactly Size bytes, by PUT.
type PartURL struct {
	Number int
	Size   int64
	URL    string
}

// Prepare opens a session for files, in the order given. It fails with Invalid, with
// a sub error for each file at fault, and opens none when a file or all of them
// together break a limit; with TooLarge when the owner's quota has no room for them.
func (s *Service) Prepare(ctx context.Context, p quern.Principal, files []NewFile) (quern.UploadSession, []Ticket, error) {
	session, err := s.plan(p, files)
	if err == nil {
		err = p.MayChange()
	}
	if err != nil {
		return session, nil, err
	}
	err = s.store.View(ctx, func(tx *store.Tx) error { return s.checkQuota(ctx, tx, session) })
	if err != nil {
		return session, nil, err
	}
	if err := s.begin(ctx, &session); err != nil {
		s.forget(ctx, session)
		return session, nil, err
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.LockUploads(ctx, session.Owner); err != nil {
			return err
		}
		if err := s.checkQuota(ctx, tx, session); err != nil {
			return err
		}
		if err := tx.InsertUploadSession(ctx, session); err != nil {
			return err
		}
		return tx.WithinQuota(ctx, session.Owner, s.quota)
	})
	if err != nil {
		// Whether the commit took place may be unknown, so what no session names is
		// left for Upkeep to find.
		if quern.Is(err, quern.Invalid) || quern.Is(err, quern.TooLarge) {
			s.forget(ctx, session)
		}
		return session, nil, err
	}
	tickets := make([]Ticket, len(session.Files))
	for i, f := range session.Files {
		if tickets[i], err = s.ticket(ctx, session, f, nil); err != nil {
			return session, nil, err
		}
	}
	return session, tickets, nil
}

// plan makes a session of what was asked for, unless that breaks a limit.
func (s *Service) plan(p quern.Principal, files []NewFile) (quern.UploadSession, error) {
	now := s.now().UTC().Truncate(time.Microsecond)
	session := quern.UploadSession{
		ID: quern.NewID[quern.SessionID](), Owner: p.User.ID, Status: quern.UploadPreparing,
		Token: p.OnlyToken(), CreatedAt: now, ExpiresAt: now.Add(s.limits.SessionLife),
	}
	switch {
	case len(files) == 0:
		return session, invalid("a session needs a file", "minItems", "filesToUpload: must have at least 1 item")
	case len(files) > s.limits.Files:
		return session, invalid(fmt.Sprintf("a session may have at most %d files", s.limits.Files),
			"maxItems", fmt.Sprintf("filesToUpload: must have at most %d items", s.limits.Files))
	}
	var faults []quern.SubError
	parts := 0
	for i, n := range files {
		if fault, bad := s.fault(i, n); bad {
			faults = append(faults, fault)
			continue
		}
		f := quern.UploadFile{
			ID: quern.NewID[quern.FileID](), Session: session.ID, Name: n.Name, Size: n.Size,
			PartSize: quern.PartSize(n.Size, s.limits.PartSize, blob.MaxParts), Status: quern.UploadPreparing,
		}
		f.Key = Prefix + string(session.ID) + "/" + string(f.ID)
		session.Files = append(session.Files, f)
		parts += f.Parts()
	}
	if len(faults) > 0 {
		return session, quern.E(quern.Invalid, quern.CodeInvalid, "the files are not valid").With(faults...)
	}
	if parts > maxParts {
		return session, invalid(fmt.Sprintf("a session may have at most %d parts; these files have %d: send them in several sessions",
			maxParts, parts),
			"maxParts", fmt.Sprintf("filesToUpload: must have at most %d parts together", maxParts))
	}
	return session, nil
}

// fault says what is wrong with one file.
func (s *Service) fault(i int, f NewFile) (quern.SubError, bool) {
	var codes, reasons []string
	note := func(field, code, reason string) {
		codes = append(codes, code)
		reasons = append(reasons, fmt.Sprintf("filesToUpload[%d].%s: %s", i, field, reason))
	}
	if reason := quern.FilenameFault(f.Name); reason != "" {
		note("filename", "filename", reason)
	}
	switch most := min(s.limits.FileSize, blob.MaxParts*blob.MaxPartSize); {
	case f.Size < 0:
		note("size", "minimum", "must be at least 0")
	case f.Size > most:
		note("size", "maximum", fmt.Sprintf("must be at most %d, the limit of one file", most))
	}
	if len(codes) == 0 {
		return quern.SubError{}, false
	}
	return quern.SubError{Code: codes[0], Message: strings.Join(reasons, "; ")}, true
}

func invalid(detail, code, message string) error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "%s", detail).With(quern.SubError{Code: code, Message: message})
}

// checkQuota refuses a session that would give its owner too much on the way.
func (s *Service) checkQuota(ctx context.Context, tx *store.Tx, session quern.UploadSession) error {
	open, err := tx.OpenUploads(ctx, session.Owner, s.now())
	if err != nil {
		return err
	}
	if open.Sessions >= s.limits.OpenSessions {
		return invalid(fmt.Sprintf("you may have at most %d open upload sessions; finish or abort one", s.limits.OpenSessions),
			"openSessions", fmt.Sprintf("at most %d sessions may be open", s.limits.OpenSessions))
	}
	var declared int64
	for _, f := range session.Files {
		declared += f.Size
	}
	if declared > s.limits.OpenBytes-open.Bytes {
		return invalid(fmt.Sprintf("your open upload sessions may hold at most %d bytes; %d are taken and %d asked for", s.limits.OpenBytes,
			open.Bytes, declared),
			"openBytes", fmt.Sprintf("filesToUpload: at most %d bytes may be on their way", s.limits.OpenBytes))
	}
	return nil
}

// begin opens an upload in the object store for each file.
func (s *Service) begin(ctx context.Context, session *quern.UploadSession) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(busy)
	for i := range session.Files {
		f := &session.Files[i]
		group.Go(func() (err error) {
			f.UploadID, err = s.objects.Begin(ctx, f.Key)
			return err
		})
	}
	return group.Wait()
}

// forget aborts what was begun for a session that does not come to be.
func (s *Service) forget(ctx context.Context, session quern.UploadSession) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), freeTime)
	defer cancel()
	for _, f := range session.Files {
		if f.UploadID == "" {
			continue
		}
		if err := s.objects.Abort(ctx, f.Key, f.UploadID); err != nil {
			s.log.WarnContext(ctx, "an upload without a session stays until upkeep finds it", "error", err)
			return
		}
	}
}

// ticket signs URLs for some parts of a file, for all of them when numbers is nil.
func (s *Service) ticket(ctx context.Context, session quern.UploadSession, f quern.UploadFile, numbers []int) (Ticket, error) {
	if numbers == nil {
		numbers = make([]int, f.Parts())
		for i := range numbers {
			numbers[i] = i + 1
		}
	}
	life := min(s.limits.URLLife, blob.MaxPartLife, max(session.ExpiresAt.Sub(s.now()), time.Second))
	t := Ticket{File: f, URLs: make([]PartURL, len(numbers))}
	for i, n := range numbers {
		offset, size := f.Part(n)
		slot := blob.Slot{Key: f.Key, UploadID: f.UploadID, Number: n, Offset: offset, Size: size}
		url, err := s.objects.PresignPart(ctx, slot, life)
		if err != nil {
			return t, err
		}
		t.URLs[i] = PartURL{Number: n, Size: size, URL: url}
	}
	return t, nil
}
