package app

import (
	"context"
	"net/http"
	"os"
	"path/filepath"

	"quern/blob"
	"quern/blob/fs"
	"quern/catalog"
	"quern/server"
)

// objects is what both object stores can do.
type objects interface {
	blob.Store
	blob.Multipart
	Ready(context.Context) error
}

func (a *App) addObjects(context.Context) error {
	if a.cfg.S3.Endpoint == "" {
		made, err := fs.New(fs.Options{
			Dir: objectsDir(a.cfg), PublicURL: a.url, Now: a.now,
		})
		a.parts.objects = made
		a.watchSegments(made)
		return err
	}
	made, err := bucketStore(a.cfg)
	if err != nil {
		return err
	}
	cache, err := blob.NewCache(made, filepath.Join(a.cfg.Data, "cache"), a.cfg.S3.CacheSize)
	a.parts.objects, a.parts.cache = made, cache
	a.watchSegments(cache)
	return err
}

// watchSegments makes the files of objects those that notice lost segments.
func (a *App) watchSegments(files blob.Files) {
	a.parts.files = catalog.NewSegmentFiles(files, a.parts.store, a.log)
}

// segmentCounts tells of segments that were needed and not there.
func (a *App) segmentCounts() []server.Count {
	return []server.Count{{
		Name: "quern_segments_lost_total", Label: "reason", Help: "Reads that failed because stored data are missing.",
		Values: func() map[string]int64 { return map[string]int64{"missing": a.parts.files.Losses()} },
	}}
}

// bucket names what the objects lie in, as callers see it.
func (a *App) bucket() string {
	if a.cfg.S3.Endpoint == "" {
		return "local"
	}
	return a.cfg.S3.Bucket
}

// partsOrigin is where clients send parts when that is not this server.
func (a *App) partsOrigin() string {
	if a.cfg.S3.PublicEndpoint != "" {
		return a.cfg.S3.PublicEndpoint
	}
	return a.cfg.S3.Endpoint
}

// mountObjects lets clients send parts when the objects are kept here.
func (a *App) mountObjects(mux *http.ServeMux) {
	if local, ok := a.parts.objects.(*fs.Store); ok {
		mux.Handle(fs.PathPrefix, local.Handler())
	}
}

// tempDir makes a folder for files in the making and empties it of what a
// crash left there. The lock on the data directory makes it this server's own.
func (a *App) tempDir(name string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(a.cfg.Data, "tmp", name))
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, makeDir(dir)
}
