package catalog

import (
	"context"
	"strings"

	"quern"
	"quern/store"
)

// PutDefinition replaces a dataset's saved inference definition.
func (s *Service) PutDefinition(ctx context.Context, p quern.Principal, path quern.DatasetPath, def quern.InferDefinition) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := lockDataset(ctx, tx, p, path, Define)
		if err != nil {
			return err
		}
		return tx.UpdateDefinition(ctx, access.Dataset.ID, def)
	})
}

// PutSortOrder sets the order in which a dataset's columns are shown. Columns
// it does not name follow in their own order. It returns the order as saved, in
// the dataset's spelling.
func (s *Service) PutSortOrder(ctx context.Context, p quern.Principal, path quern.DatasetPath, order []string) (named []string, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := lockDataset(ctx, tx, p, path, Define)
		if err != nil {
			return err
		}
		if named, err = columnsNamed(access.Dataset, order); err != nil {
			return err
		}
		return tx.UpdateSortOrder(ctx, access.Dataset.ID, named)
	})
	return named, err
}

// columnsNamed returns the names in order as the dataset spells them; unknown and
// repeated ones are Invalid.
func columnsNamed(d quern.Dataset, order []string) ([]string, error) {
	spelled := map[string]string{}
	for _, c := range DisplayColumns(d) {
		spelled[strings.ToLower(c.Name)] = c.Name
	}
	named, invalid := make([]string, 0, len(order)), quern.E(quern.Invalid, quern.CodeInvalid, "the order does not fit the dataset's columns")
	for _, name := range order {
		key := strings.ToLower(name)
		if spelled[key] == "" {
			invalid = invalid.With(quern.SubError{Code: "column", Message: "order: " + name + " is not a column of the dataset, or is named twice"})
			continue
		}
		named = append(named, spelled[key])
		delete(spelled, key)
	}
	if len(invalid.Sub) > 0 {
		return nil, invalid
	}
	return named, nil
}

// DisplayColumns returns a dataset's columns in the order to show them, without
// internal ones.
func DisplayColumns(d quern.Dataset) []quern.DatasetColumn {
	shown, rest := make([]quern.DatasetColumn, 0, len(d.Columns)), map[string]quern.DatasetColumn{}
	for _, c := range d.Columns {
		rest[c.Name] = c
	}
	for _, name := range d.SortOrder {
		// The order outlives a clear, so it may name columns that are gone.
		if c, ok := rest[name]; ok {
			shown = append(shown, c)
			delete(rest, name)
		}
	}
	for _, c := range d.Columns {
		if _, ok := rest[c.Name]; ok && !quern.IsInternal(c.Name) {
			shown = append(shown, c)
		}
	}
	return shown
}
