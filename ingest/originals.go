package ingest

import (
	"context"
	"io"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
)

// maxOriginals is how many originals, and ingestions that they are found by, a list
// has.
const maxOriginals = 1000

// Original is an uploaded file that a dataset was made of, or was to be.
type Original struct {
	quern.IngestionFile
	Ingestion quern.Ingestion // the latest of the file
	Stored    bool
}

// Originals lists the files of a dataset's ingestions, newest first, each once.
func (s *Service) Originals(ctx context.Context, p quern.Principal, path quern.DatasetPath) (all []Original, err error) {
	d, err := s.catalog.OrDraft(ctx, p, path, catalog.Read)
	if err != nil {
		return nil, err
	}
	return s.originals(ctx, d.ID)
}

func (s *Service) originals(ctx context.Context, id quern.DatasetID) (all []Original, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all = nil
		list, err := tx.Ingestions(ctx, id, s.now().Add(time.Hour), maxOriginals)
		if err != nil {
			return err
		}
		var ids []quern.FileID
		seen := map[quern.FileID]bool{}
		for _, i := range list {
			for _, f := range i.Files {
				if !seen[f.ID] && len(all) < maxOriginals {
					seen[f.ID] = true
					all, ids = append(all, Original{IngestionFile: f, Ingestion: i}), append(ids, f.ID)
				}
			}
		}
		stored, err := tx.StoredUploadFiles(ctx, ids)
		for i := range all {
			all[i].Stored = stored[all[i].ID]
		}
		return err
	})
	return all, err
}

// original returns a stored file of a dataset that the principal may do the action with.
func (s *Service) original(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, id quern.FileID, a catalog.Action,
) (Original, error) {
	d, err := s.catalog.OrDraft(ctx, p, path, a)
	if err != nil {
		return Original{}, err
	}
	all, err := s.originals(ctx, d.ID)
	if err != nil {
		return Original{}, err
	}
	for _, o := range all {
		if o.ID == id && o.Stored {
			return o, nil
		}
	}
	return Original{}, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
}

// OpenOriginal reads a file that a dataset was made of, for a principal whose role may
// write to the dataset. NotFound when it is not stored any more. The caller closes it.
func (s *Service) OpenOriginal(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, id quern.FileID,
) (Original, io.ReadCloser, error) {
	o, err := s.original(ctx, p, path, id, catalog.Inspect)
	if err != nil {
		return o, nil, err
	}
	in, err := s.objects.Open(ctx, o.Key, 0, -1)
	return o, in, err
}

// DeleteOriginal deletes a file that a dataset was made of. The rows stay.
func (s *Service) DeleteOriginal(ctx context.Context, p quern.Principal, path quern.DatasetPath, id quern.FileID) error {
	o, err := s.original(ctx, p, path, id, catalog.Write)
	if err != nil {
		return err
	}
	// The object is garbage from now on, so that it goes even if this server stops.
	return s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.RemoveUploadFile(ctx, o.ID); err != nil {
			return err
		}
		if err := tx.InsertGarbage(ctx, o.Key, s.now()); err != nil {
			return err
		}
		return tx.Audit(ctx, quern.AuditEntry{At: s.now(), Actor: p.User.ID, Action: quern.AuditDeleteOriginal, Object: string(o.ID)})
	})
}
