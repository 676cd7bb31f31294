package catalog

import (
	"context"
	"errors"
	"math"

	"quern"
	"quern/store"
)

// validName refuses names that a namespace or dataset cannot have.
func validName(field, name string) error {
	if quern.ValidName(name) {
		return nil
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "%s is not a valid name", field).With(quern.SubError{
		Code:    "name",
		Message: field + ": must be 1 to 64 letters, digits, '_' and '-', starting with a letter or digit",
	})
}

// isTaken reports whether an error is that the store has such a name already.
func isTaken(err error) bool {
	e, ours := errors.AsType[*quern.Error](err)
	return ours && e.Code == quern.CodeNameTaken
}

func nameTaken(what, name string, err error) error {
	if !isTaken(err) {
		return err
	}
	return quern.E(quern.Conflict, quern.CodeNameTaken, "there is already a %s named %s", what, name).Because(err)
}

// CreateNamespace makes an empty namespace of the principal's.
func (s *Service) CreateNamespace(ctx context.Context, p quern.Principal, name string) (quern.Namespace, error) {
	if err := validName("namespace", name); err != nil {
		return quern.Namespace{}, err
	}
	n := quern.Namespace{ID: quern.NewID[quern.NamespaceID](), OwnerID: p.User.ID, Owner: p.User.Username, Name: name, CreatedAt: s.now()}
	if !covers(p, quern.DatasetPath{Owner: n.Owner, Namespace: name}) {
		return quern.Namespace{}, notFound()
	}
	if err := p.MayChange(); err != nil {
		return quern.Namespace{}, err
	}
	err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.InsertNamespace(ctx, n) })
	return n, nameTaken("namespace", name, err)
}

// CreateDataset makes an empty dataset in the principal's namespace, and the
// namespace with it when it is the first.
func (s *Service) CreateDataset(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, def quern.InferDefinition,
) (quern.Dataset, error) {
	if err := errors.Join(validName("namespace", path.Namespace), validName("datasetName", path.Dataset)); err != nil {
		return quern.Dataset{}, err
	}
	path.Owner = p.User.Username
	if !covers(p, path) {
		return quern.Dataset{}, notFound()
	}
	if err := p.MayChange(); err != nil {
		return quern.Dataset{}, err
	}
	var d quern.Dataset
	err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
		if d, err = lockDraft(ctx, tx, p, path); err == nil && d.Draft {
			d.Definition, d.Draft = def, false
			return errors.Join(tx.PublishDataset(ctx, d), tx.UpdateDefinition(ctx, d.ID, def))
		}
		if err != nil && !quern.Is(err, quern.NotFound) {
			return err
		}
		d, err = s.create(ctx, tx, path, quern.Dataset{
			ID: quern.NewID[quern.DatasetID](), Namespace: quern.Namespace{OwnerID: p.User.ID, Owner: p.User.Username}, Definition: def,
		})
		return err
	})
	return d, nameTaken("dataset", path.Dataset, err)
}

// create makes an empty dataset of the id, owner and definition in d.
func (s *Service) create(ctx context.Context, tx *store.Tx, path quern.DatasetPath, d quern.Dataset) (quern.Dataset, error) {
	d.Name, d.Version, d.CreatedAt, d.DataChangedAt = path.Dataset, 1, s.now(), s.now()
	n := d.Namespace
	n.ID, n.Name, n.CreatedAt = quern.NewID[quern.NamespaceID](), path.Namespace, s.now()
	var err error
	if d.Namespace, err = tx.EnsureNamespace(ctx, n, d.Draft); err != nil {
		return d, err
	}
	return d, tx.InsertDataset(ctx, d)
}

// RenameDataset returns a dataset another name in its namespace. Shares, segments
// and the definition stay with it. It returns the dataset's new path.
func (s *Service) RenameDataset(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, name string,
) (renamed quern.DatasetPath, err error) {
	if err := validName("name", name); err != nil {
		return renamed, err
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := lockDataset(ctx, tx, p, path, Rename)
		if err != nil {
			return err
		}
		renamed = access.Dataset.Path()
		renamed.Dataset = name
		return tx.RenameDataset(ctx, access.Dataset.ID, name)
	})
	return renamed, nameTaken("dataset", name, err)
}

// RenameNamespace returns a namespace another name; its datasets move with it. It
// returns the namespace's new path.
func (s *Service) RenameNamespace(
	ctx context.Context, p quern.Principal, path quern.NamespacePath, name string,
) (renamed quern.NamespacePath, err error) {
	if err := validName("name", name); err != nil {
		return renamed, err
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		n, err := lockNamespace(ctx, tx, p, path, Rename)
		if err != nil {
			return err
		}
		renamed = quern.NamespacePath{Owner: n.Owner, Namespace: name}
		return tx.RenameNamespace(ctx, n.ID, name)
	})
	return renamed, nameTaken("namespace", name, err)
}

// Clear takes all rows out of a dataset. Its columns, definition and shares stay;
// what the next rows are like decides the columns' types anew.
func (s *Service) Clear(ctx context.Context, p quern.Principal, path quern.DatasetPath) (cleared Listed, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := lockDataset(ctx, tx, p, path, Write)
		if err != nil {
			return err
		}
		cleared = listEntry(p, access)
		d := access.Dataset
		if err := s.empty(ctx, tx, d.ID); err != nil {
			return err
		}
		for i, c := range d.Columns {
			d.Columns[i] = quern.DatasetColumn{Column: c.Column}
		}
		d.Version, d.Rows, d.Journal, d.DataChangedAt = d.Version+1, 0, quern.Stored{}, s.now()
		return tx.UpdateData(ctx, d)
	})
	return cleared, err
}

// empty takes the segments of a locked dataset out of its table, and its rows out of the
// journal, and forgets the requests that made them.
func (s *Service) empty(ctx context.Context, tx *store.Tx, id quern.DatasetID) error {
	segments, err := tx.Segments(ctx, id)
	if err != nil {
		return err
	}
	if _, err := tx.DeleteSegments(ctx, segments, s.now().Add(s.grace)); err != nil {
		return err
	}
	if err := tx.DeleteJournal(ctx, id, 0, math.MaxInt64); err != nil {
		return err
	}
	if err := tx.DeleteSources(ctx, id); err != nil {
		return err
	}
	return tx.ForgetIdempotentAnswers(ctx, id)
}

// DeleteDataset removes a dataset with its rows, definition and shares, and
// returns the path it had.
func (s *Service) DeleteDataset(ctx context.Context, p quern.Principal, path quern.DatasetPath) (deleted quern.DatasetPath, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := lockDataset(ctx, tx, p, path, Delete)
		if err != nil {
			return err
		}
		deleted = access.Dataset.Path()
		return errors.Join(s.delete(ctx, tx, access.Dataset.ID), s.audit(ctx, tx, p, quern.AuditDeleteDataset, string(access.Dataset.ID)))
	})
	return deleted, err
}

// audit tells the audit trail what a principal deleted of its own.
func (s *Service) audit(ctx context.Context, tx *store.Tx, p quern.Principal, action quern.AuditAction, object string) error {
	return tx.Audit(ctx, quern.AuditEntry{At: s.now(), Actor: p.User.ID, Action: action, Object: object})
}

func (s *Service) delete(ctx context.Context, tx *store.Tx, id quern.DatasetID) error {
	if err := s.empty(ctx, tx, id); err != nil {
		return err
	}
	return tx.DeleteDataset(ctx, id)
}

// DeleteNamespace removes a namespace. One that holds datasets is a Conflict
// unless they are to go with it. It returns the path the namespace had.
func (s *Service) DeleteNamespace(
	ctx context.Context, p quern.Principal, path quern.NamespacePath, withDatasets bool,
) (deleted quern.NamespacePath, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		n, err := lockNamespace(ctx, tx, p, path, Delete)
		if err != nil {
			return err
		}
		ids, err := tx.DatasetsIn(ctx, n.ID)
		if err != nil {
			return err
		}
		held, err := tx.CountDatasets(ctx, n.ID)
		if err != nil {
			return err
		}
		if held > 0 && !withDatasets {
			return quern.E(quern.Conflict, quern.CodeConflict, "the namespace holds %d datasets; pass deleteDatasets=true to delete them with it",
				held)
		}
		for _, id := range ids {
			if err := tx.LockDataset(ctx, id); err != nil {
				return err
			}
			if err := errors.Join(s.delete(ctx, tx, id), s.audit(ctx, tx, p, quern.AuditDeleteDataset, string(id))); err != nil {
				return err
			}
		}
		deleted = quern.NamespacePath{Owner: n.Owner, Namespace: n.Name}
		return errors.Join(tx.DeleteNamespace(ctx, n.ID), s.audit(ctx, tx, p, quern.AuditDeleteNamespace, string(n.ID)))
	})
	return deleted, err
}
