package catalog_test

import (
	"context"
	"testing"
	"time"

	"quern"
	"quern/auth/authtest"
	"quern/catalog"
	"quern/store"
	"quern/store/storetest"
)

// world is a catalog with some users.
type world struct {
	*catalog.Service
	store *store.Store
	users map[string]quern.Principal
	now   time.Time
}

func newWorld(t *testing.T, s *store.Store, usernames ...string) *world {
	t.Helper()
	w := &world{store: s, users: map[string]quern.Principal{}, now: time.UnixMicro(1700000000000000).UTC()}
	w.Service = catalog.New(catalog.Options{Store: s, Now: func() time.Time { return w.now }, Grace: time.Hour})
	for _, name := range usernames {
		w.users[name] = quern.Principal{User: storetest.User(t, s, name)}
	}
	return w
}

func (w *world) create(t *testing.T, owner, ns, ds string) quern.Dataset {
	t.Helper()
	d, err := w.CreateDataset(t.Context(), w.users[owner], quern.DatasetPath{Owner: owner, Namespace: ns, Dataset: ds}, quern.InferDefinition{})
	if err != nil {
		t.Fatalf("CreateDataset(%s/%s/%s) = %v, want nil", owner, ns, ds, err)
	}
	return d
}

func path(owner, ns, ds string) quern.DatasetPath {
	return quern.DatasetPath{Owner: owner, Namespace: ns, Dataset: ds}
}

var wantKind = authtest.WantKind

func wantNil(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s = %v, want nil", what, err)
	}
}

func TestNamesAreComparedWithoutCase(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld(t, s, "ada")
		ada := w.users["ada"]
		w.create(t, "ada", "Sales", "Orders")
		d, err := w.Dataset(t.Context(), ada, path(quern.Self, "sALES", "oRDERS"), catalog.Read)
		wantNil(t, "Dataset(self/sALES/oRDERS)", err)
		if d.Path() != path("ada", "Sales", "Orders") {
			t.Errorf("Dataset().Path() = %v, want the names as they were given", d.Path())
		}
		_, err = w.CreateDataset(t.Context(), ada, path("ada", "sales", "ORDERS"), quern.InferDefinition{})
		wantKind(t, "CreateDataset(sales/ORDERS)", err, quern.Conflict)
		_, err = w.CreateNamespace(t.Context(), ada, "SALES")
		wantKind(t, "CreateNamespace(SALES)", err, quern.Conflict)
	})
}

func TestBadNamesAreInvalid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), "ada")
	for _, name := range []string{"", "_a", "-a", "a b", "a/b", "ä", "a.b", "a\x00", string(make([]byte, 65))} {
		_, err := w.CreateDataset(t.Context(), w.users["ada"], path("ada", "ns", name), quern.InferDefinition{})
		wantKind(t, "CreateDataset("+name+")", err, quern.Invalid)
		_, err = w.CreateNamespace(t.Context(), w.users["ada"], name)
		wantKind(t, "CreateNamespace("+name+")", err, quern.Invalid)
	}
}

func TestRenameMovesEverythingWithIt(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, w := t.Context(), newWorld(t, s, "ada", "bob")
		ada, bob := w.users["ada"], w.users["bob"]
		w.create(t, "ada", "ns", "one")
		w.create(t, "ada", "ns", "two")
		description := "what it is"
		wantNil(t, "PutDefinition", w.PutDefinition(ctx, ada, path("ada", "ns", "one"), quern.InferDefinition{DataDescription: &description}))
		_, err := w.Share(ctx, ada, path("ada", "ns", "one"), quern.Share{Username: "bob", Role: quern.Viewer})
		wantNil(t, "Share", err)
		_, err = w.RenameDataset(ctx, ada, path("ada", "ns", "one"), "TWO")
		wantKind(t, "RenameDataset(one → TWO)", err, quern.Conflict)
		_, err = w.RenameDataset(ctx, ada, path("ada", "ns", "one"), "ONE")
		wantNil(t, "RenameDataset(one → ONE)", err)
		renamed, err := w.RenameDataset(ctx, ada, path(quern.Self, "ns", "one"), "three")
		if err != nil || renamed != path("ada", "ns", "three") {
			t.Fatalf("RenameDataset(one → three) = %v, %v, want ada/ns/three", renamed, err)
		}
		_, err = w.RenameNamespace(ctx, ada, quern.NamespacePath{Owner: "ada", Namespace: "ns"}, "other")
		wantNil(t, "RenameNamespace(ns → other)", err)
		d, err := w.Dataset(ctx, bob, path("ada", "other", "three"), catalog.Read)
		wantNil(t, "Dataset(ada/other/three) as bob", err)
		if d.Definition.DataDescription == nil || *d.Definition.DataDescription != description {
			t.Errorf("Definition = %+v, want %q", d.Definition, description)
		}
		_, err = w.Dataset(ctx, ada, path("ada", "ns", "one"), catalog.Read)
		wantKind(t, "Dataset(ada/ns/one)", err, quern.NotFound)
	})
}

func TestDeleteNamespaceNeedsTheFlagWhenItHoldsDatasets(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, w := t.Context(), newWorld(t, s, "ada")
		ada, ns := w.users["ada"], quern.NamespacePath{Owner: "ada", Namespace: "ns"}
		w.create(t, "ada", "ns", "ds")
		_, err := w.DeleteNamespace(ctx, ada, ns, false)
		wantKind(t, "DeleteNamespace without the flag", err, quern.Conflict)
		_, err = w.DeleteNamespace(ctx, ada, ns, true)
		wantNil(t, "DeleteNamespace with the flag", err)
		_, err = w.DeleteNamespace(ctx, ada, ns, true)
		wantKind(t, "DeleteNamespace again", err, quern.NotFound)
	})
}

func TestRestrictedTokenSeesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, w := t.Context(), newWorld(t, s, "ada", "bob")
		for _, ns := range []string{"a", "b"} {
			for _, ds := range []string{"one", "two"} {
				w.create(t, "ada", ns, ds)
			}
		}
		p := w.users["ada"]
		p.Scopes = []quern.Scope{{Username: "ada", Namespace: "A"}, {Username: "ada", Namespace: "b", Dataset: "TWO"}}
		var got []string
		for after, pages := (quern.DatasetPath{}), 0; pages < 10; pages++ {
			page, more, err := w.Datasets(ctx, p, catalog.Filter{After: after, Limit: 1})
			wantNil(t, "Datasets", err)
			for _, l := range page {
				got, after = append(got, l.Path.Namespace+"/"+l.Path.Dataset), l.Path
			}
			if !more {
				break
			}
		}
		if len(got) != 3 || got[0] != "a/one" || got[1] != "a/two" || got[2] != "b/two" {
			t.Errorf("Datasets() page by page = %v, want a/one a/two b/two", got)
		}
		_, err := w.Dataset(ctx, p, path("ada", "b", "one"), catalog.Read)
		wantKind(t, "Dataset(b/one)", err, quern.NotFound)
		_, err = w.CreateDataset(ctx, p, path("ada", "b", "three"), quern.InferDefinition{})
		wantKind(t, "CreateDataset(b/three)", err, quern.NotFound)
		_, err = w.CreateDataset(ctx, p, path("ada", "a", "three"), quern.InferDefinition{})
		wantNil(t, "CreateDataset(a/three)", err)
		_, err = w.DeleteNamespace(ctx, p, quern.NamespacePath{Owner: "ada", Namespace: "b"}, true)
		wantKind(t, "DeleteNamespace(b)", err, quern.Forbidden)
		empty := w.users["ada"]
		empty.Scopes = []quern.Scope{}
		page, _, err := w.Datasets(ctx, empty, catalog.Filter{Limit: 10})
		if err != nil || len(page) != 0 {
			t.Errorf("Datasets() under no scope = %v, %v, want none", page, err)
		}
	})
}

func TestSweepTakesOnlyWhatNobodyClaimed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, w := t.Context(), newWorld(t, s, "ada")
		d := w.create(t, "ada", "ns", "ds")
		claimed, err := w.Stage(ctx, d.ID)
		wantNil(t, "Stage", err)
		abandoned, err := w.Stage(ctx, d.ID)
		wantNil(t, "Stage", err)
		wantNil(t, "Append", w.appendPiece(ctx, "ada", path("ada", "ns", "ds"), claimed, 3))
		w.now = w.now.Add(24 * time.Hour)
		deleted := deletions{}
		if _, err := w.Sweep(ctx, &deleted); err != nil {
			t.Fatalf("Sweep() = %v, want nil", err)
		}
		if len(deleted) != 1 || deleted[0] != abandoned {
			t.Errorf("Sweep() deleted %v, want only %s", deleted, abandoned)
		}
		err = w.appendPiece(ctx, "ada", path("ada", "ns", "ds"), abandoned, 3)
		wantKind(t, "Append of a swept object", err, quern.Timeout)
		_, err = w.Clear(ctx, w.users["ada"], path("ada", "ns", "ds"))
		wantNil(t, "Clear", err)
		if n, err := w.Sweep(ctx, &deleted); n != 0 || err != nil {
			t.Errorf("Sweep() within the grace period = %d, %v, want 0", n, err)
		}
		w.now = w.now.Add(2 * time.Hour)
		if n, err := w.Sweep(ctx, &deleted); n != 1 || err != nil || deleted[1] != claimed {
			t.Errorf("Sweep() after the grace period = %d, %v (%v), want the cleared object gone", n, err, deleted)
		}
	})
}

// appendPiece commits an object of one integer column.
func (w *world) appendPiece(ctx context.Context, owner string, p quern.DatasetPath, key string, rows int64) error {
	column := catalog.PieceColumn{Column: quern.Column{Name: "n", Type: quern.Integer}, Shape: catalog.Shape{Type: quern.Integer, Digits: quern.Digits{Whole: 1}}}
	_, err := w.Append(ctx, w.users[owner], p, catalog.Addition{
		Piece:   catalog.Piece{Key: key, Rows: rows, Bytes: 1, Columns: []catalog.PieceColumn{column}},
		Attempt: quern.Ingestion{ID: quern.NewID[quern.IngestionID](), Actor: w.users[owner].User.ID, CreatedAt: w.now},
	})
	return err
}

type deletions []string

func (d *deletions) Delete(_ context.Context, key string) error {
	*d = append(*d, key)
	return nil
}
