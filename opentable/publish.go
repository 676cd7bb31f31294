package opentable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/store"
)

// stageLife is how long metadata may take to be written.
const stageLife = time.Hour

// publish writes the metadata of a version and keeps it.
func (s *Service) publish(ctx context.Context, v version, t table) (Loaded, error) {
	made := store.Published{
		ID: quern.NewID[string](), Dataset: v.Dataset.ID, Bucket: s.Bucket, Version: v.Dataset.Version, SchemaID: t.schemaID, Fields: t.fields,
		Rows: v.Dataset.Rows, Files: int64(len(v.Segments)), CommittedAt: v.Dataset.DataChangedAt,
	}
	for _, segment := range v.Segments {
		made.Bytes += segment.Bytes
	}
	in := folder(v.Dataset.ID) + "/metadata/"
	keys := fileKeys(len(v.Segments), in)
	if len(keys) > 0 {
		made.Manifests = keys[len(keys)-1]
	}
	// ClickHouse takes the number before the dash for the version.
	made.Metadata = fmt.Sprintf("%s%05d-%s.metadata.json", in, made.Version, made.ID)
	if s.KeepSmall && small(v) {
		return s.publishSmall(ctx, v, t, made, keys)
	}
	made.Objects = append(slices.Clone(keys), made.Metadata)
	// The store writes while the objects are made, and while what can be is written of them.
	var staged errgroup.Group
	staged.Go(func() error { return s.stage(ctx, made.Objects) })
	loaded, objects, err := s.write(v, t, made, keys)
	if err != nil {
		return Loaded{}, errors.Join(err, staged.Wait())
	}
	if err := blob.PutAll(ctx, s.Objects, objects, staged.Wait); err != nil {
		return Loaded{}, err
	}
	return loaded, s.keep(ctx, v, t, made, func(tx *store.Tx) error { return s.claim(ctx, tx, made.Objects) })
}

// write makes the objects of a version's metadata.
func (s *Service) write(v version, t table, made store.Published, keys []string) (Loaded, []blob.Object, error) {
	loaded := s.loaded(t, made)
	objects, err := files(v.Snapshot, schemaOf(t.schemaID, t.fields), t.fields, keys, s.Place)
	body, jsonErr := json.Marshal(loaded.Metadata)
	return loaded, append(objects, blob.Object{Key: made.Metadata, Body: body}), errors.Join(err, jsonErr)
}

// stage notes objects that are about to be written, which are swept unless they are
// claimed in time.
func (s *Service) stage(ctx context.Context, keys []string) error {
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		for _, key := range keys {
			if err := tx.InsertGarbage(ctx, key, s.Now().Add(stageLife)); err != nil {
				return err
			}
		}
		return nil
	})
}

// claim takes objects off the list of what is swept.
func (s *Service) claim(ctx context.Context, tx *store.Tx, keys []string) error {
	for _, key := range keys {
		if ok, err := tx.ClaimGarbage(ctx, key, s.Now()); err != nil || !ok {
			return cmpErr(err, ErrRewriting)
		}
	}
	return nil
}

// keep publishes a version, with what with does in the same transaction. Where segments of it
// went meanwhile, so does it.
func (s *Service) keep(ctx context.Context, v version, t table, made store.Published, with func(*store.Tx) error) error {
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.LockDataset(ctx, made.Dataset); err != nil {
			return err
		}
		now, err := tx.SegmentIDs(ctx, made.Dataset)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(v.Segments, func(s quern.Segment) bool { return !now[s.ID] }) {
			made.Until = v.readAt.Add(s.Grace)
		}
		if err := tx.UpdateFields(ctx, made.Dataset, t.known); err != nil {
			return err
		}
		if err := tx.OpenDataset(ctx, made.Dataset); err != nil {
			return err
		}
		if err := tx.HoldPublished(ctx, made.Dataset, ""); err != nil {
			return err
		}
		if err := s.endOldest(ctx, tx, v.versions); err != nil {
			return err
		}
		if err := tx.InsertPublished(ctx, made); err != nil {
			return err
		}
		return with(tx)
	})
}

// endOldest lets go of the version whose place in the list a new one takes.
func (s *Service) endOldest(ctx context.Context, tx *store.Tx, versions []store.Published) error {
	if len(versions) < mostVersions {
		return nil
	}
	return tx.EndPublished(ctx, versions[0].ID, s.Now().Add(s.Grace))
}

func cmpErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}
