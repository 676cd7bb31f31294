package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quern"
	"quern/ingest"
	"quern/tree"
)

// folder is a database of CSV files, one for each dataset.
type folder struct {
	path, name string
	files      []string // their names in the folder
}

// openFolder finds the CSV files of a folder.
func openFolder(path, name string) (*folder, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	d := &folder{path: path, name: name}
	for _, e := range entries {
		if !e.IsDir() && strings.EqualFold(filepath.Ext(e.Name()), ".csv") {
			d.files = append(d.files, e.Name())
		}
	}
	if len(d.files) == 0 {
		return nil, fmt.Errorf("there is no CSV file in %s", path)
	}
	return d, nil
}

func (d *folder) Name() string { return d.name }

// Close has nothing to close.
func (d *folder) Close() error { return nil }

func (d *folder) fill(ctx context.Context, h *Product, in quern.NamespacePath) ([]quern.DatasetPath, error) {
	var made []quern.DatasetPath
	for _, name := range d.files {
		path, err := h.dataset(ctx, in, strings.TrimSuffix(name, filepath.Ext(name)))
		if err == nil {
			err = h.ingest(ctx, filepath.Join(d.path, name), path)
		}
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", name, err)
		}
		made = append(made, path)
	}
	return made, nil
}

// answer runs a query in the engine's own words over the datasets.
func (d *folder) answer(ctx context.Context, h *Product, text string) ([][]any, error) {
	return h.run(ctx, d.name, text)
}

func (d *folder) tree(_ context.Context, text string) (*tree.Query, error) {
	return tree.Parse(text)
}

// ingest makes a file rows of a dataset, the way an uploaded one becomes them.
func (h *Product) ingest(ctx context.Context, path string, to quern.DatasetPath) (err error) {
	file, err := h.Uploads.send(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Uploads.drop(ctx, file)) }()
	id, err := h.Ingest.Start(ctx, h.Principal, to, ingest.Request{Session: file.Session})
	if err != nil {
		return err
	}
	for {
		took, err := h.Ingest.WorkOnce(ctx)
		if err != nil {
			return err
		}
		now, _, err := h.Ingest.Ingestion(ctx, h.Principal, id)
		switch {
		case err != nil || now.Status == quern.IngestionCompleted:
			return err
		case now.Status.Final() || !took:
			return fmt.Errorf("the ingestion is %s: %s", now.Status, now.Message)
		}
	}
}
