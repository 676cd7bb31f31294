package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/link"
	"quern/tree"
)

// Database is what the questions of a set are about.
type Database interface {
	Name() string
	Close() error
	// fill makes datasets of the tables, in a namespace that is not there yet.
	fill(ctx context.Context, h *Product, in quern.NamespacePath) ([]quern.DatasetPath, error)
	// answer runs a query of the set's; the datasets are loaded.
	answer(ctx context.Context, h *Product, text string) ([][]any, error)
	// tree reads a query of the set's.
	tree(ctx context.Context, text string) (*tree.Query, error)
}

// Open opens DIR/name.sqlite for reading or, where there is none, the CSV files
// of DIR/name. A name that leads out of DIR is none.
func Open(dir, name string) (Database, error) {
	if strings.ContainsAny(name, `/\`) || cleanName(name) == "" || strings.HasPrefix(cleanName(name), unfinished) {
		return nil, fmt.Errorf("%q cannot name a database", name)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path + ".sqlite"); err == nil {
		return openFile(path+".sqlite", name)
	}
	if about, err := os.Stat(path); err == nil && about.IsDir() {
		return openFolder(path, name)
	}
	return nil, fmt.Errorf("there is no database %s.sqlite, nor a folder %s", path, path)
}

// unfinished begins the name of a namespace while it is loaded, so that one whose
// load was cut off never passes for the database.
const unfinished = "loading-"

// Load makes a database's tables datasets of a namespace of its own, unless it
// is there already, and has their links discovered.
func (h *Product) Load(ctx context.Context, d Database) error {
	if done, err := h.exists(ctx, h.namespace(d.Name())); done || err != nil {
		return err
	}
	in := h.namespace(unfinished + d.Name())
	left, err := h.exists(ctx, in)
	if left {
		_, err = h.Catalog.DeleteNamespace(ctx, h.Principal, in, true)
	}
	if err != nil {
		return err
	}
	made, err := d.fill(ctx, h, in)
	if err != nil || len(made) == 0 {
		return err
	}
	for _, path := range made {
		if len(made) == 1 {
			break // a link has two ends
		}
		if _, err := h.Links.Rebuild(ctx, h.Principal, path, link.Search{}); err != nil {
			return err
		}
	}
	_, err = h.Catalog.RenameNamespace(ctx, h.Principal, in, h.namespace(d.Name()).Namespace)
	return err
}

// exists reports whether there is a namespace.
func (h *Product) exists(ctx context.Context, in quern.NamespacePath) (bool, error) {
	_, err := h.Catalog.Namespace(ctx, h.Principal, in)
	if quern.Is(err, quern.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// dataset makes an empty dataset for a table.
func (h *Product) dataset(ctx context.Context, in quern.NamespacePath, table string) (quern.DatasetPath, error) {
	path := quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: cleanName(table)}
	_, err := h.Catalog.CreateDataset(ctx, h.Principal, path, quern.InferDefinition{})
	return path, err
}

// cleanName returns a name as datasets and namespaces may have it.
func cleanName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, "_-")
	const longest = 64
	return clean[:min(len(clean), longest)]
}
