package opentable

import (
	"bytes"
	"context"
	"io"
	"iter"
	"slices"
	"strings"

	"quern"
	"quern/blob"
	"quern/store"
)

// mostSmall is how many columns of segments the metadata of a version tell of that is small:
// some 100 KB.
const mostSmall = 1000

func small(v version) bool { return len(v.Segments)*len(v.Dataset.Columns) <= mostSmall }

// keptBucket marks versions whose metadata the store keeps. Where readers do not come to us for
// objects they would not find them: such versions are not known then, and written again.
func (s *Service) keptBucket() string {
	if s.Lender != nil {
		return s.Bucket
	}
	return s.Bucket + "/kept"
}

// publishSmall publishes a version whose metadata the store keeps.
func (s *Service) publishSmall(ctx context.Context, v version, t table, made store.Published, keys []string) (Loaded, error) {
	made.Bucket, made.Objects = s.keptBucket(), []string{}
	loaded, objects, err := s.write(v, t, made, keys)
	if err != nil {
		return Loaded{}, err
	}
	return loaded, s.keep(ctx, v, t, made, func(tx *store.Tx) error {
		for _, o := range objects {
			f := store.PublishedFile{Key: o.Key, Body: o.Body, MadeAt: s.Now()}
			if err := tx.InsertPublishedFile(ctx, made.ID, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// Files are the objects of tables as readers see them, wherever they are kept.
type Files struct {
	store   *store.Store
	objects blob.Store
}

// Files returns the objects of tables.
func (s *Service) Files() Files { return Files{s.Store, s.Objects} }

// Stat describes an object. It fails with NotFound.
func (f Files) Stat(ctx context.Context, key string) (blob.Info, error) {
	kept, err := f.kept(ctx, key)
	if quern.Is(err, quern.NotFound) {
		return f.objects.Stat(ctx, key)
	}
	return info(kept), err
}

// Open reads an object as blob.Store does.
func (f Files) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	kept, err := f.kept(ctx, key)
	if quern.Is(err, quern.NotFound) {
		return f.objects.Open(ctx, key, offset, length)
	}
	if err != nil {
		return nil, err
	}
	part := kept.Body[min(offset, kept.Size):]
	if length >= 0 {
		part = part[:min(length, int64(len(part)))]
	}
	return io.NopCloser(bytes.NewReader(part)), nil
}

// kept returns a file that the store keeps. Data never are.
func (f Files) kept(ctx context.Context, key string) (file store.PublishedFile, err error) {
	if !strings.Contains(key, "/metadata/") {
		return file, errNoTable
	}
	err = f.store.View(ctx, func(tx *store.Tx) error {
		file, err = tx.PublishedFile(ctx, key)
		return err
	})
	return file, err
}

func info(f store.PublishedFile) blob.Info {
	return blob.Info{Key: f.Key, Size: f.Size, Modified: f.MadeAt}
}

// List yields the objects of one table whose keys start with prefix, ordered by key.
func (f Files) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		kept, err := f.listKept(ctx, prefix)
		if err != nil {
			yield(blob.Info{}, err)
			return
		}
		for info, err := range f.objects.List(ctx, prefix) {
			if err != nil {
				yield(info, err)
				return
			}
			for len(kept) > 0 && kept[0].Key < info.Key {
				if !yield(kept[0], nil) {
					return
				}
				kept = kept[1:]
			}
			if !yield(info, nil) {
				return
			}
		}
		for _, info := range kept {
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (f Files) listKept(ctx context.Context, prefix string) (kept []blob.Info, err error) {
	rest, _ := strings.CutPrefix(prefix, tables)
	id, _, _ := strings.Cut(rest, "/")
	err = f.store.View(ctx, func(tx *store.Tx) error {
		kept = nil
		all, err := tx.PublishedFiles(ctx, quern.DatasetID(id))
		for _, one := range all {
			if strings.HasPrefix(one.Key, prefix) {
				kept = append(kept, info(one))
			}
		}
		return err
	})
	slices.SortFunc(kept, func(a, b blob.Info) int { return strings.Compare(a.Key, b.Key) })
	return kept, err
}
