package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/store"
)

// Restoring says where a backup is put back.
type Restoring struct {
	Place  Place
	Unlock Unlock
	ID     string // the last one where it is empty
	// Ready is called once the backup has been read and found whole, before anything is
	// touched. What it returns is where the objects go, which is nothing before then.
	Ready func(*Manifest) (blob.Store, error)
	// Load puts the metadata in their place, given what gives all rows; it may be given
	// to store.Load.
	Load func(m *Manifest, rows func(put func(t store.Table, rows [][]any) error) error) error
	// Progress is told how far it is; may be nil.
	Progress *Progress
}

// Restore puts a backup back: first all objects, then the metadata that name them, so
// that one that is cut off has changed nothing and can be begun again.
func Restore(ctx context.Context, o Restoring) (string, *Manifest, error) {
	r, err := find(ctx, o.Place, o.Unlock, o.ID, o.Progress)
	if err != nil {
		return o.ID, nil, err
	}
	if know := store.SchemaVersion(); r.manifest.Schema > know {
		return r.id, nil, fmt.Errorf("the backup was made by a newer release (%s): %w", r.manifest.Release,
			&store.NewerSchemaError{Have: r.manifest.Schema, Know: know})
	}
	if err := r.verify(ctx); err != nil {
		return r.id, nil, err
	}
	objects, err := o.Ready(r.manifest)
	if err != nil {
		return r.id, nil, err
	}
	r.progress.begin("putting objects back", r.manifest.Objects.Bytes)
	if err := r.putBack(ctx, objects); err != nil {
		return r.id, nil, err
	}
	r.progress.begin("putting the metadata back", r.manifest.total()-r.manifest.Objects.Bytes)
	return r.id, r.manifest, o.Load(r.manifest, func(put func(store.Table, [][]any) error) error { return r.rows(ctx, put) })
}

func (r *reader) putBack(ctx context.Context, objects blob.Store) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	err := r.eachObject(ctx, func(o Object) error {
		group.Go(func() error {
			defer r.progress.done.Add(o.Bytes)
			if has, err := holds(inner, objects, o); has || err != nil {
				return err
			}
			in, file, err := r.open(inner, o.Piece)
			if err != nil {
				return err
			}
			defer file.Close()
			return objects.Put(inner, o.Key, in, o.Bytes)
		})
		return inner.Err()
	})
	if failed := group.Wait(); failed != nil {
		return failed
	}
	return err
}

// holds reports whether an object is there and holds what it should.
func holds(ctx context.Context, objects blob.Store, o Object) (bool, error) {
	info, err := objects.Stat(ctx, o.Key)
	if quern.Is(err, quern.NotFound) || err == nil && info.Size != o.Bytes {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	in, err := objects.Open(ctx, o.Key, 0, -1)
	if err != nil {
		return false, err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == o.Digest, nil
}
