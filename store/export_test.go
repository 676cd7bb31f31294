package store

import (
	"context"

	"quern"
)

// Exec runs a statement of a test.
func (tx *Tx) Exec(ctx context.Context, statement string) error {
	_, err := tx.exec(ctx, statement)
	return err
}

// Count runs a statement of a test that returns a number.
func (tx *Tx) Count(ctx context.Context, statement string) (n int64, err error) {
	err = tx.row(ctx, statement)(&n)
	return n, err
}

// Plans returns how SQLite would list the datasets and the namespaces that a user sees,
// step by step.
func (tx *Tx) Plans(ctx context.Context, user quern.UserID, f AccessFilter) (steps []string, err error) {
	datasets, args := f.datasets(user)
	if steps, err = tx.plan(ctx, headAccess+datasets, args); err != nil {
		return nil, err
	}
	namespaces, args := f.namespaces(user)
	more, err := tx.plan(ctx, namespaceAccess+namespaces, args)
	return append(steps, more...), err
}

func (tx *Tx) plan(ctx context.Context, statement string, args []any) (steps []string, err error) {
	err = tx.each(ctx, `EXPLAIN QUERY PLAN `+statement, args, func(scan func(...any) error) error {
		var id, parent, unused int
		var step string
		err := scan(&id, &parent, &unused, &step)
		steps = append(steps, step)
		return err
	})
	return steps, err
}

// Pairs counts the pairs of rows of a statement, which is read again for every row.
func (tx *Tx) Pairs(ctx context.Context, statement string) (n int, err error) {
	err = tx.each(ctx, statement, nil, func(scan func(...any) error) error {
		var one string
		if err := scan(&one); err != nil {
			return err
		}
		return tx.each(ctx, statement, nil, func(scan func(...any) error) error {
			n++
			return scan(&one)
		})
	})
	return n, err
}
