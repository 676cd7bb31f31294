package judge

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"quern"
	"quern/blob"
)

// LocalUploads are the upload sessions of files that are on this machine: each is one
// session of one file, completed at once.
type LocalUploads struct {
	objects blob.Store
	mu      sync.Mutex
	files   map[quern.SessionID]quern.UploadFile
}

// NewLocalUploads keeps files among objects.
func NewLocalUploads(objects blob.Store) *LocalUploads {
	return &LocalUploads{objects: objects, files: map[quern.SessionID]quern.UploadFile{}}
}

// Files lists the file of a session; see ingest.Uploads.
func (s *LocalUploads) Files(_ context.Context, _ quern.Principal, id quern.SessionID) ([]quern.UploadFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.files[id]
	if !ok {
		return nil, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	return []quern.UploadFile{f}, nil
}

// send makes a file a session.
func (s *LocalUploads) send(ctx context.Context, path string) (f quern.UploadFile, err error) {
	from, err := os.Open(path)
	if err != nil {
		return f, err
	}
	defer from.Close()
	about, err := from.Stat()
	if err != nil {
		return f, err
	}
	f = quern.UploadFile{
		ID: quern.NewID[quern.FileID](), Session: quern.NewID[quern.SessionID](), Name: filepath.Base(path),
		Size: about.Size(), PartSize: max(1, about.Size()), Status: quern.UploadCompleted,
	}
	f.Key = "judge/" + string(f.ID)
	if err := s.objects.Put(ctx, f.Key, from, f.Size); err != nil {
		return f, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[f.Session] = f
	return f, nil
}

// drop forgets a session and its file.
func (s *LocalUploads) drop(ctx context.Context, f quern.UploadFile) error {
	s.mu.Lock()
	delete(s.files, f.Session)
	s.mu.Unlock()
	return s.objects.Delete(ctx, f.Key)
}
