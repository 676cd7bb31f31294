package upload_test

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/upload"
)

func aborting(t *testing.T, r *rig) {
	content := r.content(0)
	session, tickets := r.prepare(content, content)
	r.send(tickets[0], content)
	_, err := r.finish(tickets[0].File, nil)
	r.must(err)
	r.send(tickets[1], content)
	for range 2 {
		if s, err := r.service.Abort(t.Context(), r.ada, session.ID); err != nil || s.Status != quern.UploadAborted {
			t.Errorf("Abort() = %+v, %v, want aborted", s, err)
		}
	}
	if uploads, objects := r.stored(session.ID); uploads+objects != 0 {
		t.Errorf("stored = %d uploads and %d objects, want none", uploads, objects)
	}
	if status, _ := r.put("PUT", tickets[1].URLs[0].URL, content); status < 400 {
		t.Errorf("PUT after Abort() = %d, want it refused", status)
	}
	for _, ticket := range tickets {
		_, err := r.finish(ticket.File, nil)
		wantKind(t, "Finish() after Abort()", err, quern.Invalid)
		_, err = r.service.Renew(t.Context(), r.ada, session.ID, ticket.File.ID, nil)
		wantKind(t, "Renew() after Abort()", err, quern.Invalid)
	}
	if files, err := r.service.Files(t.Context(), r.ada, session.ID); err != nil || len(files) != 0 {
		t.Errorf("Files() after Abort() = %v, %v, want none", files, err)
	}
	_, err = r.service.Abort(t.Context(), r.user("eve"), session.ID)
	wantKind(t, "Abort() by a stranger", err, quern.NotFound)
	_, err = r.service.Abort(t.Context(), r.ada, "x")
	wantKind(t, "Abort(x)", err, quern.NotFound)
}

func finishingAndAborting(t *testing.T, r *rig) {
	other := r.replica(r.limits)
	content := r.content(0)
	for range 8 {
		session, tickets := r.prepare(content)
		f := tickets[0].File
		r.send(tickets[0], content)
		var racing sync.WaitGroup
		var finished, aborted error
		racing.Go(func() { _, finished = r.finish(f, nil) })
		racing.Go(func() { _, aborted = other.Abort(t.Context(), r.ada, session.ID) })
		racing.Wait()
		if (finished == nil) == (aborted == nil) {
			t.Errorf("Finish() = %v and Abort() = %v, want one of them to win", finished, aborted)
		}
		uploads, objects := r.stored(session.ID)
		if want := map[bool]int{true: 1, false: 0}[finished == nil]; uploads != 0 || objects != want {
			t.Errorf("after Finish() = %v: stored = %d uploads and %d objects, want 0 and %d", finished, uploads, objects, want)
		}
		now, _, err := r.service.Session(t.Context(), r.ada, session.ID)
		if want := map[bool]quern.UploadStatus{true: quern.UploadCompleted, false: quern.UploadAborted}[finished == nil]; err != nil || now.Status != want {
			t.Errorf("after Finish() = %v: Session() = %v, %v, want %v", finished, now.Status, err, want)
		}
	}
}

func upkeep(t *testing.T, r *rig) {
	content := r.content(0)
	stale, tickets := r.prepare(content)
	r.send(tickets[0], content)
	// An upload whose session was never committed.
	lost := quern.UploadSession{ID: quern.NewID[quern.SessionID]()}
	_, err := r.objects.Begin(t.Context(), upload.Prefix+string(lost.ID)+"/x")
	r.must(err)
	r.must(r.service.Upkeep(t.Context()))
	for _, s := range []quern.UploadSession{stale, lost} {
		if uploads, _ := r.stored(s.ID); uploads != 1 {
			t.Errorf("uploads of a young session after Upkeep() = %d, want 1", uploads)
		}
	}
	r.clock.Add(r.limits.SessionLife + time.Minute) // the object store has a clock of its own
	r.must(r.service.Upkeep(t.Context()))
	for _, s := range []quern.UploadSession{stale, lost} {
		if uploads, _ := r.stored(s.ID); uploads != 0 {
			t.Errorf("uploads of an old session after Upkeep() = %d, want none", uploads)
		}
	}
	if s, _, err := r.service.Session(t.Context(), r.ada, stale.ID); err != nil || s.Status != quern.UploadAborted {
		t.Errorf("Session() of an old session = %v, %v, want aborted", s.Status, err)
	}
	// A Finish that was under way leaves an object behind the first sweep.
	r.must(r.objects.Put(t.Context(), tickets[0].File.Key, bytes.NewReader(content), int64(len(content))))
	r.clock.Add(time.Hour)
	r.must(r.service.Upkeep(t.Context()))
	if _, objects := r.stored(stale.ID); objects != 0 {
		t.Errorf("objects of an old session after Upkeep() = %d, want none", objects)
	}
	r.clock.Add(8 * 24 * time.Hour)
	r.must(r.service.Upkeep(t.Context()))
	_, _, err = r.service.Session(t.Context(), r.ada, stale.ID)
	wantKind(t, "Session() of a session that ended long ago", err, quern.NotFound)

	// Whoever looks at a session after its life finds it aborted, upkeep or not.
	late, tickets := r.prepare(content)
	r.send(tickets[0], content)
	r.clock.Add(r.limits.SessionLife)
	_, err = r.finish(tickets[0].File, nil)
	wantKind(t, "Finish() after the session's life", err, quern.Invalid)
	if uploads, objects := r.stored(late.ID); uploads+objects != 0 {
		t.Errorf("stored of a late session = %d uploads and %d objects, want none", uploads, objects)
	}
}

func retention(t *testing.T, r *rig) {
	content := r.content(0)
	session, tickets := r.prepare(content)
	r.send(tickets[0], content)
	_, err := r.finish(tickets[0].File, nil)
	r.must(err)
	r.clock.Add(1000 * time.Hour)
	r.must(r.service.Upkeep(t.Context()))
	r.holds(tickets[0].File, content)
	l := r.limits
	l.Retention = 100 * time.Hour
	r.must(r.replica(l).Upkeep(t.Context()))
	if uploads, objects := r.stored(session.ID); uploads+objects != 0 {
		t.Errorf("stored after the retention = %d uploads and %d objects, want none", uploads, objects)
	}
	_, err = r.service.Files(t.Context(), r.ada, session.ID)
	wantKind(t, "Files() after the retention", err, quern.NotFound)
}
