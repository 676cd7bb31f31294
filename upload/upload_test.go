package upload_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/blob"
	"quern/blob/blobtest"
	"quern/store/storetest"
	"quern/upload"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	each(t, map[string]func(*testing.T, *rig){
		"parts in any order, at once and again": partsInAnyOrder,
		"bad parts are refused":                 badParts,
		"urls expire and are renewed":           urlsExpire,
		"finishing again":                       finishingAgain,
		"finishing what does not fit":           finishingWhatDoesNotFit,
		"a stop before the commit":              stopBeforeCommit,
		"parts that are gone":                   partsGone,
		"aborting":                              aborting,
		"finishing and aborting at once":        finishingAndAborting,
		"upkeep":                                upkeep,
		"retention":                             retention,
		"empty file":                            emptyFile,
		"quotas":                                quotas,
	})
}

func partsInAnyOrder(t *testing.T, r *rig) {
	content := r.content(3)
	session, tickets := r.prepare(content)
	ticket := tickets[0]
	// The second part is first sent with other bytes: what was sent last counts.
	r.put("PUT", ticket.URLs[1].URL, make([]byte, ticket.URLs[1].Size))
	order := rand.Perm(len(ticket.URLs))
	var sending sync.WaitGroup
	for _, i := range order {
		sending.Go(func() { r.send(ticket, content, i+1) })
	}
	sending.Wait()
	r.send(ticket, content, 3)
	_, progress, err := r.service.Session(t.Context(), r.ada, session.ID)
	if err != nil || len(progress[0].Parts) != 4 || progress[0].Parts[3].Size != 123 {
		t.Errorf("Session() = %+v, %v, want four parts", progress, err)
	}
	done, err := r.finish(ticket.File, nil)
	if err != nil || done.Status != quern.UploadCompleted || done.EndedAt.IsZero() {
		t.Fatalf("Finish() = %+v, %v, want completed", done, err)
	}
	r.holds(ticket.File, content)
	if uploads, objects := r.stored(session.ID); uploads != 0 || objects != 1 {
		t.Errorf("stored = %d uploads and %d objects, want the object alone", uploads, objects)
	}
}

func badParts(t *testing.T, r *rig) {
	content := r.content(1)
	session, tickets := r.prepare(content)
	u := tickets[0].URLs[1]
	body := part(tickets[0].File, content, 2)
	changed := func(key, value string) string {
		address, err := url.Parse(u.URL)
		r.must(err)
		q := address.Query()
		for name := range q {
			if strings.EqualFold(name, key) {
				q.Set(name, value)
			}
		}
		address.RawQuery = q.Encode()
		if address.String() == u.URL {
			t.Errorf("the URL %s has no %s to change", u.URL, key)
		}
		return address.String()
	}
	for name, attempt := range map[string]struct {
		method, url string
		body        []byte
	}{
		"truncated":      {"PUT", u.URL, body[:len(body)-1]},
		"empty":          {"PUT", u.URL, nil},
		"too long":       {"PUT", u.URL, append(bytes.Clone(body), 'x')},
		"another method": {"POST", u.URL, body},
		"no signature":   {"PUT", u.URL[:strings.Index(u.URL, "?")], body},
		"another part":   {"PUT", changed("partNumber", "1"), body},
		"another path":   {"PUT", strings.Replace(u.URL, string(tickets[0].File.ID), string(session.ID), 1), body},
	} {
		if status, _ := r.put(attempt.method, attempt.url, attempt.body); status >= 200 && status < 300 {
			t.Errorf("%s: %s = %d, want it refused", name, attempt.method, status)
		}
	}
	_, progress, err := r.service.Session(t.Context(), r.ada, session.ID)
	if err != nil || len(progress[0].Parts) != 0 {
		t.Errorf("Session() = %+v, %v, want no part to have arrived", progress, err)
	}
	r.send(tickets[0], content)
	_, err = r.finish(tickets[0].File, nil)
	r.must(err)
	r.holds(tickets[0].File, content)
}

func urlsExpire(t *testing.T, r *rig) {
	content := r.content(1)
	l := r.limits
	l.URLLife = time.Second
	r.service = r.replica(l)
	_, tickets := r.prepare(content)
	f := tickets[0].File
	// The object stores' clocks are real, so the URL is tried until its end.
	deadline := time.Now().Add(20 * time.Second)
	for status := 200; status != 403; {
		if status, _ = r.put("PUT", tickets[0].URLs[1].URL, part(f, content, 2)); time.Now().After(deadline) {
			t.Fatalf("PUT after the URL's life = %d, want 403", status)
		}
	}
	r.service = r.replica(r.limits)
	fresh, err := r.service.Renew(t.Context(), r.ada, f.Session, f.ID, nil)
	if err != nil || len(fresh.URLs) != 1 || fresh.URLs[0].Number != 1 {
		t.Fatalf("Renew() = %+v, %v, want a URL for part 1", fresh, err)
	}
	r.send(fresh, content)
	again, err := r.service.Renew(t.Context(), r.ada, f.Session, f.ID, []int{2, 1})
	if err != nil || len(again.URLs) != 2 {
		t.Fatalf("Renew(2, 1) = %+v, %v, want both", again, err)
	}
	_, err = r.finish(f, nil)
	r.must(err)
	r.holds(f, content)
	if _, err := r.service.Renew(t.Context(), r.ada, f.Session, f.ID, []int{3}); err != nil {
		t.Errorf("Renew() of a completed file = %v, want nil", err)
	}
}

func finishingAgain(t *testing.T, r *rig) {
	content := r.content(0)
	_, tickets := r.prepare(content, content)
	parts := r.send(tickets[0], content)
	other := r.replica(r.limits)
	var finishing sync.WaitGroup
	for i := range 6 {
		service := []*upload.Service{r.service, other}[i%2]
		finishing.Go(func() {
			f := tickets[0].File
			s, err := service.Finish(t.Context(), r.ada, f.Session, f.ID, upload.Claim{UploadID: f.UploadID, Key: f.Key, Parts: parts})
			if done, _ := s.File(f.ID); err != nil || s.Status != quern.UploadPreparing || done.Status != quern.UploadCompleted {
				t.Errorf("Finish() at once = %+v, %v, want the file completed and the session preparing", s, err)
			}
		})
	}
	finishing.Wait()
	r.send(tickets[1], content)
	_, err := r.finish(tickets[1].File, nil)
	r.must(err)
	if s, err := r.finish(tickets[0].File, parts); err != nil || s.Status != quern.UploadCompleted {
		t.Errorf("Finish() after the last file = %+v, %v, want the session completed", s, err)
	}
	files, err := r.service.Files(t.Context(), r.ada, tickets[0].File.Session)
	if err != nil || len(files) != 2 || files[0].ID != tickets[0].File.ID {
		t.Errorf("Files() = %+v, %v, want both, in order", files, err)
	}
}

func finishingWhatDoesNotFit(t *testing.T, r *rig) {
	content := r.content(1)
	_, tickets := r.prepare(content)
	f := tickets[0].File
	_, err := r.finish(f, nil)
	wantKind(t, "Finish() without parts", err, quern.Invalid)
	one := r.send(tickets[0], content, 1)
	_, err = r.finish(f, one)
	wantKind(t, "Finish() with half of the parts", err, quern.Invalid)
	two := r.send(tickets[0], content, 2)
	_, err = r.finish(f, []blob.Part{{Number: 1, ETag: two[0].ETag}, {Number: 2, ETag: one[0].ETag}})
	wantKind(t, "Finish() with the ETags of others", err, quern.Invalid)
	if uploads, objects := r.stored(f.Session); uploads != 1 || objects != 0 {
		t.Errorf("stored = %d uploads and %d objects, want the upload still open", uploads, objects)
	}
	_, err = r.finish(f, []blob.Part{two[0], one[0]})
	r.must(err)
	r.holds(f, content)
}

func stopBeforeCommit(t *testing.T, r *rig) {
	content := r.content(1)
	_, tickets := r.prepare(content, content)
	for i, ticket := range tickets {
		parts := r.send(ticket, content)
		f := ticket.File
		var clean []blob.Part
		for _, p := range parts {
			clean = append(clean, blob.Part{Number: p.Number, ETag: blob.CleanETag(p.ETag)})
		}
		r.must(r.objects.Complete(t.Context(), f.Key, f.UploadID, clean))
		if i == 1 {
			parts = nil
		}
		fresh, err := r.service.Renew(t.Context(), r.ada, f.Session, f.ID, nil)
		if err != nil || len(fresh.URLs) != 0 {
			t.Errorf("Renew() of an object without its commit = %+v, %v, want no URLs", fresh, err)
		}
		if _, err := r.finish(f, parts); err != nil {
			t.Errorf("Finish() of an object without its commit = %v, want nil", err)
		}
		r.holds(f, content)
	}
}

func partsGone(t *testing.T, r *rig) {
	content := r.content(0)
	session, tickets := r.prepare(content)
	r.must(r.objects.Abort(t.Context(), tickets[0].File.Key, tickets[0].File.UploadID))
	_, err := r.finish(tickets[0].File, nil)
	wantKind(t, "Finish() of an upload that the object store lost", err, quern.Invalid)
	if _, err := r.service.Abort(t.Context(), r.ada, session.ID); err != nil {
		t.Errorf("Abort() = %v, want nil", err)
	}
}

func emptyFile(t *testing.T, r *rig) {
	_, tickets := r.prepare(nil)
	f := tickets[0].File
	if len(tickets[0].URLs) != 1 || tickets[0].URLs[0].Size != 0 {
		t.Fatalf("Prepare(empty) = %+v, want one part of 0", tickets[0])
	}
	_, err := r.finish(f, nil)
	wantKind(t, "Finish() of an empty file before its part", err, quern.Invalid)
	parts := r.send(tickets[0], nil)
	if s, err := r.finish(f, parts); err != nil || s.Status != quern.UploadCompleted {
		t.Errorf("Finish(empty) = %+v, %v, want completed", s, err)
	}
	r.holds(f, nil)
}

func quotas(t *testing.T, r *rig) {
	l := r.limits
	l.OpenSessions = 3
	services := []*upload.Service{r.replica(l), r.replica(l)}
	var preparing sync.WaitGroup
	var mu sync.Mutex
	var opened []quern.SessionID
	for i := range 12 {
		preparing.Go(func() {
			s, _, err := services[i%2].Prepare(context.Background(), r.ada, []upload.NewFile{{Name: "f", Size: 1}})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				opened = append(opened, s.ID)
				return
			}
			wantKind(t, "Prepare() beyond the quota", err, quern.Invalid)
			if uploads, _ := r.stored(s.ID); uploads != 0 {
				t.Errorf("Prepare() beyond the quota left %d uploads, want none", uploads)
			}
		})
	}
	preparing.Wait()
	if len(opened) != 3 {
		t.Errorf("Prepare() at once opened %d sessions, want 3", len(opened))
	}
	_, err := services[0].Abort(t.Context(), r.ada, opened[0])
	r.must(err)
	l.OpenBytes = 102
	small := r.replica(l)
	_, _, err = small.Prepare(t.Context(), r.ada, []upload.NewFile{{Name: "f", Size: 101}})
	wantKind(t, "Prepare() of too many bytes", err, quern.Invalid)
	_, _, err = small.Prepare(t.Context(), r.ada, []upload.NewFile{{Name: "f", Size: 100}})
	r.must(err)
	if _, _, err := services[0].Prepare(t.Context(), r.user("bob"), []upload.NewFile{{Name: "f", Size: 101}}); err != nil {
		t.Errorf("Prepare() of another user = %v, want nil", err)
	}
}

func TestLimitsOfOneSession(t *testing.T) {
	t.Parallel()
	r := on(t, storetest.SQLite(t), newFS(t))
	many := make([]upload.NewFile, 6)
	for i := range many {
		many[i] = upload.NewFile{Name: "f", Size: 10_000 * r.limits.PartSize}
	}
	_, _, err := r.service.Prepare(t.Context(), r.ada, many)
	wantKind(t, "Prepare() of 60,000 parts", err, quern.Invalid)
	_, tickets, err := r.service.Prepare(t.Context(), r.ada, many[:5])
	if err != nil || len(tickets) != 5 || len(tickets[4].URLs) != 10_000 {
		t.Errorf("Prepare() of 50,000 parts = %d files, %v, want all", len(tickets), err)
	}
	_, tickets, err = r.service.Prepare(t.Context(), r.ada, []upload.NewFile{{Name: "f", Size: r.limits.FileSize}})
	if err != nil || len(tickets[0].URLs) > 10_000 {
		t.Errorf("Prepare() of the largest file = %v, want at most 10,000 parts", err)
	}
	_, _, err = r.service.Prepare(t.Context(), r.ada, []upload.NewFile{{Name: "f", Size: r.limits.FileSize + 1}})
	wantKind(t, "Prepare() of a file too large", err, quern.Invalid)
}

func TestTenThousandParts(t *testing.T) {
	t.Parallel()
	r := on(t, storetest.SQLite(t), newFS(t))
	r.limits.PartSize = 3
	r.service = r.replica(r.limits)
	content := bytes.Repeat([]byte("0123456789abcdef"), 3*10_000/16+1)[:3*10_000-1]
	_, tickets := r.prepare(content)
	f := tickets[0].File
	if f.Parts() != 10_000 {
		t.Fatalf("Prepare() = %d parts, want 10,000", f.Parts())
	}
	numbers := make(chan upload.PartURL)
	var sending sync.WaitGroup
	for range 8 {
		sending.Go(func() {
			for u := range numbers {
				if status, _ := r.put("PUT", u.URL, part(f, content, u.Number)); status != 200 {
					t.Errorf("PUT part %d = %d, want 200", u.Number, status)
				}
			}
		})
	}
	for _, u := range tickets[0].URLs {
		numbers <- u
	}
	close(numbers)
	sending.Wait()
	_, err := r.finish(f, nil)
	r.must(err)
	r.holds(f, content)
}

func TestObjectStoreKilledBetweenSteps(t *testing.T) {
	t.Parallel()
	gateway := blobtest.StartGateway(t)
	r := on(t, storetest.SQLite(t), newS3(t, gateway))
	content := r.content(1)
	gateway.Kill()
	_, _, err := r.service.Prepare(t.Context(), r.ada, []upload.NewFile{{Name: "f", Size: 1}})
	wantKind(t, "Prepare() without the object store", err, quern.Unreachable)
	gateway.Start()
	session, tickets := r.prepare(content)
	f := tickets[0].File
	r.send(tickets[0], content, 1)
	gateway.Kill()
	_, _, err = r.service.Session(t.Context(), r.ada, session.ID)
	wantKind(t, "Session() without the object store", err, quern.Unreachable)
	gateway.Start()
	r.send(tickets[0], content, 2)
	gateway.Kill()
	_, err = r.finish(f, nil)
	wantKind(t, "Finish() without the object store", err, quern.Unreachable)
	gateway.Start()
	_, err = r.finish(f, nil)
	r.must(err)
	r.holds(f, content)

	session, tickets = r.prepare(content)
	r.send(tickets[0], content, 1)
	gateway.Kill()
	if s, err := r.service.Abort(t.Context(), r.ada, session.ID); err != nil || s.Status != quern.UploadAborted {
		t.Errorf("Abort() without the object store = %v, %v, want aborted: upkeep frees the parts", s.Status, err)
	}
	gateway.Start()
	r.clock.Add(time.Hour)
	r.must(r.service.Upkeep(t.Context()))
	if uploads, objects := r.stored(session.ID); uploads+objects != 0 {
		t.Errorf("stored after Upkeep() = %d uploads and %d objects, want none", uploads, objects)
	}
}
