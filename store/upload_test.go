package store_test

import (
	"reflect"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

// session is an upload session of two files.
func session(owner quern.User) quern.UploadSession {
	s := quern.UploadSession{
		ID: quern.NewID[quern.SessionID](), Owner: owner.ID, Token: "t", Status: quern.UploadPreparing,
		CreatedAt: owner.CreatedAt, ExpiresAt: owner.CreatedAt.Add(time.Hour),
	}
	for _, name := range []string{"b ü", "a"} {
		id := quern.NewID[quern.FileID]()
		s.Files = append(s.Files, quern.UploadFile{
			ID: id, Session: s.ID, Name: name, Size: 5 << 40, PartSize: 1 << 30, Key: "uploads/" + string(id), UploadID: "u" + string(id),
			Status: quern.UploadPreparing,
		})
	}
	return s
}

func TestUploadSessionTransitions(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada := t.Context(), user("ada")
		now := ada.CreatedAt
		first, second := session(ada), session(ada)
		update := func(what string, fn func(tx *store.Tx) error) {
			t.Helper()
			if err := s.Update(ctx, fn); err != nil {
				t.Fatalf("%s = %v, want nil", what, err)
			}
		}
		update("InsertUploadSession()", func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, ada, ""); err != nil {
				return err
			}
			if err := tx.InsertUploadSession(ctx, first); err != nil {
				return err
			}
			return tx.InsertUploadSession(ctx, second)
		})
		update("OpenUploads()", func(tx *store.Tx) error {
			if err := tx.LockUploads(ctx, ada.ID); err != nil {
				return err
			}
			open, err := tx.OpenUploads(ctx, ada.ID, now)
			if want := (store.OpenUploads{Sessions: 2, Bytes: 20 << 40}); open != want {
				t.Errorf("OpenUploads() = %+v, want %+v", open, want)
			}
			if late, err := tx.OpenUploads(ctx, ada.ID, first.ExpiresAt); err != nil || late.Sessions != 0 {
				t.Errorf("OpenUploads() after their life = %+v, %v, want none", late, err)
			}
			got, err2 := tx.LockUploadSession(ctx, first.ID)
			if !reflect.DeepEqual(got, first) {
				t.Errorf("LockUploadSession() = %+v, want %+v", got, first)
			}
			if err == nil {
				err = err2
			}
			return err
		})
		update("CompleteUploadFile()", func(tx *store.Tx) error {
			for _, step := range []struct {
				file, session bool
				id            quern.FileID
			}{{true, false, first.Files[0].ID}, {false, false, first.Files[0].ID}, {true, true, first.Files[1].ID},
				{false, false, first.Files[1].ID}} {
				file, err := tx.CompleteUploadFile(ctx, step.id)
				if err != nil {
					return err
				}
				whole, err := tx.CompleteUploadSession(ctx, first.ID, now)
				if err != nil {
					return err
				}
				if file != step.file || whole != step.session {
					t.Errorf("completing %s = %v, session %v, want %v, %v", step.id, file, whole, step.file, step.session)
				}
			}
			return nil
		})
		update("EndUploadSession()", func(tx *store.Tx) error {
			for _, step := range []struct {
				id       quern.SessionID
				from, to quern.UploadStatus
				want     bool
			}{
				{first.ID, quern.UploadPreparing, quern.UploadAborted, false},
				{second.ID, quern.UploadCompleted, quern.UploadRemoved, false},
				{second.ID, quern.UploadPreparing, quern.UploadAborted, true},
				{second.ID, quern.UploadPreparing, quern.UploadAborted, false},
				{first.ID, quern.UploadCompleted, quern.UploadRemoved, true},
			} {
				if got, err := tx.EndUploadSession(ctx, step.id, step.from, step.to, now); err != nil || got != step.want {
					t.Errorf("EndUploadSession(%v to %v) = %v, %v, want %v", step.from, step.to, got, err, step.want)
				}
			}
			ended, err := tx.UploadSession(ctx, second.ID)
			if ended.Status != quern.UploadAborted || ended.Files[1].Status != quern.UploadAborted || !ended.EndedAt.Equal(now) {
				t.Errorf("UploadSession() = %+v, want all of it aborted", ended)
			}
			return err
		})
		update("FreeUploadSession()", func(tx *store.Tx) error {
			ids, err := tx.UnfreedUploadSessions(ctx, now.Add(time.Second), 10)
			if err != nil || len(ids) != 2 {
				t.Errorf("UnfreedUploadSessions() = %v, %v, want both", ids, err)
			}
			if err := tx.FreeUploadSession(ctx, second.ID, now); err != nil {
				return err
			}
			return tx.DeleteFreedUploadSessions(ctx, now.Add(time.Second))
		})
		err := s.View(ctx, func(tx *store.Tx) error {
			if _, err := tx.UploadSession(ctx, first.ID); err != nil {
				return err
			}
			_, err := tx.UploadSession(ctx, second.ID)
			return err
		})
		if !quern.Is(err, quern.NotFound) {
			t.Errorf("UploadSession() of a forgotten one = %v, want kind not found", err)
		}
	})
}

func TestUploadSessionsByTime(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada := t.Context(), user("ada")
		open := session(ada)
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, ada, ""); err != nil {
				return err
			}
			if err := tx.InsertUploadSession(ctx, open); err != nil {
				return err
			}
			for at, want := range map[time.Duration]int{-time.Second: 0, 0: 1} {
				if ids, err := tx.ExpiredUploadSessions(ctx, open.ExpiresAt.Add(at), 10); err != nil || len(ids) != want {
					t.Errorf("ExpiredUploadSessions(%v) = %v, %v, want %d", at, ids, err, want)
				}
			}
			f := open.Files[0]
			for id, want := range map[string]bool{f.UploadID: true, "other": false} {
				if got, err := tx.KnowsUpload(ctx, f.Key, id); err != nil || got != want {
					t.Errorf("KnowsUpload(%s) = %v, %v, want %v", id, got, err, want)
				}
			}
			for _, f := range open.Files {
				if _, err := tx.CompleteUploadFile(ctx, f.ID); err != nil {
					return err
				}
			}
			if _, err := tx.CompleteUploadSession(ctx, open.ID, open.CreatedAt); err != nil {
				return err
			}
			for at, want := range map[time.Duration]int{0: 0, time.Second: 1} {
				if ids, err := tx.CompletedUploadSessions(ctx, open.CreatedAt.Add(at), 10); err != nil || len(ids) != want {
					t.Errorf("CompletedUploadSessions(%v) = %v, %v, want %d", at, ids, err, want)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
