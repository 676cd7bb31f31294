package upload

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"quern"
	"quern/blob"
	"quern/store"
)

// Claim is what a caller says about a file that it has sent.
type Claim struct {
	UploadID, Key string
	// Parts are the parts with the ETags that were answered; nil means that those
	// stored count.
	Parts []blob.Part
}

// The codes of the sub errors of a part list, beside those of blob.
const (
	PartUnknown  = "PART_UNKNOWN"
	PartRepeated = "PART_REPEATED"
)

// maxFaults bounds the sub errors about the parts of one file.
const maxFaults = 100

// Finish makes an object of the parts of a file. A part that is missing, has
// another ETag or another size fails with Invalid, and the upload stays open with all
// it has. Finishing again returns the same answer, with the session's status of
// the moment. It fails with Invalid once the session is aborted.
func (s *Service) Finish(
	ctx context.Context, p quern.Principal, id quern.SessionID, file quern.FileID, c Claim,
) (quern.UploadSession, error) {
	session, f, err := s.changeable(ctx, p, id, file)
	if err != nil {
		return session, err
	}
	if err := c.check(f); err != nil {
		return session, err
	}
	switch f.Status {
	case quern.UploadCompleted:
		return session, nil
	case quern.UploadPreparing:
	default:
		return session, errAborted
	}
	unlock, err := s.turns.take(ctx, f.ID)
	if err != nil {
		return session, err
	}
	defer unlock()
	// From here on a caller that goes away would only leave the work for later.
	ctx = context.WithoutCancel(ctx)
	if err := s.assemble(ctx, f, c.Parts); err != nil {
		return session, err
	}
	return s.commit(ctx, f)
}

// check refuses a claim that speaks of another file.
func (c Claim) check(f quern.UploadFile) error {
	var faults []quern.SubError
	if c.UploadID != f.UploadID {
		faults = append(faults, quern.SubError{Code: "uploadId", Message: "uploadId: is not that of this file"})
	}
	if c.Key != f.Key {
		faults = append(faults, quern.SubError{Code: "key", Message: "key: is not that of this file"})
	}
	if len(faults) > 0 {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the upload is not that of this file").With(faults...)
	}
	return nil
}

// assemble completes the object, or finds that it was completed before.
func (s *Service) assemble(ctx context.Context, f quern.UploadFile, named []blob.Part) error {
	err := s.complete(ctx, f, named)
	if quern.Is(err, quern.NotFound) {
		return s.findObject(ctx, f)
	}
	return err
}

// complete has the object store join the parts of a file. Where a caller has named them all, the
// store holds them against those that arrived; only when that fails, or none are named, they are
// asked for first, which says what is wrong with each.
func (s *Service) complete(ctx context.Context, f quern.UploadFile, named []blob.Part) error {
	if claimed := allNamed(f, named); claimed != nil {
		if err := s.objects.Complete(ctx, f.Key, f.UploadID, claimed); !quern.Is(err, quern.Invalid) {
			return err
		}
	}
	arrived, err := s.arrived(ctx, f)
	if err != nil {
		return err
	}
	chosen, err := match(f, arrived, named)
	if err != nil {
		return err
	}
	return s.objects.Complete(ctx, f.Key, f.UploadID, chosen)
}

// allNamed returns the parts that make up a file with the ETags that were named and the sizes that
// they must have, or nil where they are not named in order, each once, or are empty.
func allNamed(f quern.UploadFile, named []blob.Part) []blob.Part {
	if len(named) != f.Parts() {
		return nil
	}
	all := make([]blob.Part, len(named))
	for i, n := range named {
		_, size := f.Part(i + 1)
		if n.Number != i+1 || size == 0 {
			return nil
		}
		all[i] = blob.Part{Number: n.Number, Size: size, ETag: blob.CleanETag(n.ETag)}
	}
	return all
}

// arrived returns the parts of a file that the object store has, by number.
func (s *Service) arrived(ctx context.Context, f quern.UploadFile) (map[int]blob.Part, error) {
	parts := map[int]blob.Part{}
	for p, err := range s.objects.Parts(ctx, f.Key, f.UploadID) {
		if err != nil {
			return nil, err
		}
		parts[p.Number] = p
	}
	return parts, nil
}

// match checks the parts of a file, those named or else all of them, against
// those that have arrived, and returns them in order.
func match(f quern.UploadFile, arrived map[int]blob.Part, named []blob.Part) ([]blob.Part, error) {
	tags := make(map[int]string, len(named))
	var faults []quern.SubError
	note := func(number int, code, reason string) {
		if len(faults) < maxFaults {
			faults = append(faults, quern.SubError{Code: code, Message: fmt.Sprintf("part %d %s", number, reason)})
		}
	}
	for _, n := range named {
		_, twice := tags[n.Number]
		switch {
		case n.Number < 1 || n.Number > f.Parts():
			note(n.Number, PartUnknown, fmt.Sprintf("is not one of the file's %d parts", f.Parts()))
		case twice:
			note(n.Number, PartRepeated, "is named twice")
		}
		tags[n.Number] = blob.CleanETag(n.ETag)
	}
	chosen := make([]blob.Part, 0, f.Parts())
	for number := 1; number <= f.Parts(); number++ {
		part, here := arrived[number]
		tag, given := tags[number]
		_, size := f.Part(number)
		switch {
		case !here:
			note(number, blob.PartMissing, "has not arrived")
		case named != nil && !given:
			note(number, blob.PartMissing, "is not named")
		case given && tag != part.ETag:
			note(number, blob.PartChanged, "has another ETag")
		case part.Size != size:
			note(number, blob.PartSize, fmt.Sprintf("has %d bytes instead of %d", part.Size, size))
		}
		chosen = append(chosen, part)
	}
	if len(faults) > 0 {
		return nil, quern.E(quern.Invalid, quern.CodeInvalid, "the parts do not make up the file").With(faults...)
	}
	return chosen, nil
}

// findObject looks for the object of an upload that is no longer open. Nothing
// but a Finish completes it, so one of the declared size is the file. Another
// replica may be completing it right now, which hides both for a while.
func (s *Service) findObject(ctx context.Context, f quern.UploadFile) error {
	const longest = 2 * time.Second
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		info, err := s.objects.Stat(ctx, f.Key)
		if err == nil && info.Size == f.Size {
			return nil
		}
		if err != nil && !quern.Is(err, quern.NotFound) {
			return err
		}
		session, err := s.session(ctx, f.Session)
		if err != nil {
			return err
		}
		if session.Status != quern.UploadPreparing && session.Status != quern.UploadCompleted {
			return errAborted
		}
		if pause > longest {
			return errLost
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// commit notes that a file is completed, and its session with the last one.
func (s *Service) commit(ctx context.Context, f quern.UploadFile) (session quern.UploadSession, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		session, err = tx.LockUploadSession(ctx, f.Session)
		if err != nil {
			return err
		}
		if now, _ := session.File(f.ID); now.Status == quern.UploadCompleted {
			return nil
		}
		if session.Status != quern.UploadPreparing {
			return errAborted
		}
		if _, err := tx.CompleteUploadFile(ctx, f.ID); err != nil {
			return err
		}
		if _, err := tx.CompleteUploadSession(ctx, f.Session, s.now()); err != nil {
			return err
		}
		session, err = tx.UploadSession(ctx, f.Session)
		return err
	})
	if errors.Is(err, errAborted) {
		// Whoever aborted it may have looked before the object was there.
		s.freeLater(ctx, quern.UploadSession{ID: f.Session, Files: []quern.UploadFile{f}})
	}
	return session, err
}

// turns lets one Finish at a time work on a file in this process; replicas are
// kept apart by the guarded updates alone.
type turns struct {
	mu   sync.Mutex
	held map[quern.FileID]chan struct{}
}

func (t *turns) take(ctx context.Context, id quern.FileID) (release func(), err error) {
	for {
		t.mu.Lock()
		wait, taken := t.held[id]
		if !taken {
			done := make(chan struct{})
			t.held[id] = done
			t.mu.Unlock()
			return func() {
				t.mu.Lock()
				delete(t.held, id)
				t.mu.Unlock()
				close(done)
			}, nil
		}
		t.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// missing lists the parts of a file that have not arrived.
func missing(f quern.UploadFile, arrived map[int]blob.Part) []int {
	left := []int{}
	for number := 1; number <= f.Parts(); number++ {
		_, size := f.Part(number)
		if part, ok := arrived[number]; !ok || part.Size != size {
			left = append(left, number)
		}
	}
	return left
}

// inOrder returns parts by number.
func inOrder(parts map[int]blob.Part) []blob.Part {
	all := make([]blob.Part, 0, len(parts))
	for _, p := range parts {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b blob.Part) int { return a.Number - b.Number })
	return all
}
