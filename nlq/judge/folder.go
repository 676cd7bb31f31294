package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quern"
	"quern/ingest"
	"quern/knowledge"
	knowledgefile "quern/knowledge/file"
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
	definitions, err := d.definitions()
	if err != nil {
		return nil, err
	}
	for _, name := range d.files {
		table := strings.TrimSuffix(name, filepath.Ext(name))
		path, err := h.dataset(ctx, in, table)
		if defined := definitions[table]; err == nil && (defined.DataDescription != nil || defined.SchemaDefinition != nil) {
			err = h.Catalog.PutDefinition(ctx, h.Principal, path, defined)
		}
		if err == nil {
			err = h.ingest(ctx, filepath.Join(d.path, name), path, quern.IngestionOptions{})
		}
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", name, err)
		}
		made = append(made, path)
	}
	return made, d.teach(ctx, h, in)
}

// knowledgeFile is the file of a folder with what is taught about it; a folder need
// not have it.
const knowledgeFile = "knowledge.yaml"

// teach teaches what the folder says about its namespace.
func (d *folder) teach(ctx context.Context, h *Product, in quern.NamespacePath) error {
	f, err := os.Open(filepath.Join(d.path, knowledgeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	content, err := knowledgefile.Read(f, knowledgeFile, knowledgefile.Quern)
	if err == nil {
		_, err = h.Knowledge.Write(ctx, h.Principal, in, knowledge.Change{Put: &content.Document})
	}
	if err != nil {
		return fmt.Errorf("%s of %s: %w", knowledgeFile, d.name, err)
	}
	return nil
}

// definitionsFile is the file of a folder with what its datasets and their columns
// are, by the name of the dataset; a folder need not have it.
const definitionsFile = "definitions.json"

// definitions reads what the folder says of its datasets.
func (d *folder) definitions() (map[string]quern.InferDefinition, error) {
	text, err := os.ReadFile(filepath.Join(d.path, definitionsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all map[string]quern.InferDefinition
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s of %s cannot be read: %w", definitionsFile, d.name, err)
	}
	return all, nil
}

// answer runs a query in the engine's own words over the datasets.
func (d *folder) answer(ctx context.Context, h *Product, text string) ([][]any, error) {
	return h.run(ctx, d.name, text)
}

func (d *folder) tree(_ context.Context, text string) (*tree.Query, error) {
	return tree.Parse(text)
}

// ingest makes a file rows of a dataset, the way an uploaded one becomes them.
func (h *Product) ingest(ctx context.Context, path string, to quern.DatasetPath, o quern.IngestionOptions) (err error) {
	file, err := h.Uploads.send(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Uploads.drop(ctx, file)) }()
	id, err := h.Ingest.Start(ctx, h.Principal, to, ingest.Request{Session: file.Session, Options: o})
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
