package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

// much is 3,000 users, each with a namespace of two datasets that the next one was granted;
// u1 was also granted the namespace of u7 and a dataset of u9.
var much = []string{
	`WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000)
		INSERT INTO users (id, username, created_at) SELECT 'u' || i, 'u' || i, i FROM c`,
	`INSERT INTO namespaces (id, owner_id, name, name_key, created_at) SELECT 'n' || id, id, 'shop', 'shop', created_at FROM users`,
	`INSERT INTO datasets (id, namespace_id, name, name_key, version, row_count, next_row, columns, created_at, data_changed_at)
		SELECT 'd' || i || n.owner_id, n.id, 'd' || i, 'd' || i, 1, 0, 0, '[]', 0, 0 FROM namespaces n, (SELECT 1 AS i UNION SELECT 2) AS c`,
	`INSERT INTO grants (resource_id, user_id, role, created_at) SELECT 'nu' || created_at, 'u' || (created_at + 1), 'viewer', 0
		FROM users WHERE created_at < 3000`,
	`INSERT INTO grants (resource_id, user_id, role, created_at) VALUES ('nu7', 'u1', 'viewer', 0), ('d2u9', 'u1', 'viewer', 0)`,
	`ANALYZE`,
}

func paths(all []store.Access) string {
	text := make([]string, len(all))
	for i, a := range all {
		text[i] = strings.TrimSuffix(a.Namespace.Owner+"/"+a.Namespace.Name+"/"+a.Dataset.Name, "/")
	}
	return strings.Join(text, " ")
}

// Lists of what a user sees begin with what is theirs and what was granted to them, and
// look at nothing else of the installation.
func TestListsLookAtNothingOfOthers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for _, statement := range much {
			if err := s.Update(ctx, func(tx *store.Tx) error { return tx.Exec(ctx, statement) }); err != nil {
				t.Fatalf("%s = %v, want nil", statement, err)
			}
		}
		for _, c := range []struct {
			filter               store.AccessFilter
			datasets, namespaces string
		}{
			{store.AccessFilter{Limit: 100}, "u1/shop/d1 u1/shop/d2 u7/shop/d1 u7/shop/d2 u9/shop/d2", "u1/shop u7/shop u9/shop"},
			{store.AccessFilter{Limit: 2, After: quern.DatasetPath{Owner: "u1", Namespace: "shop", Dataset: "d2"}}, "u7/shop/d1 u7/shop/d2", "u7/shop u9/shop"},
			{store.AccessFilter{Limit: 100, Owner: "u9"}, "u9/shop/d2", "u9/shop"},
			{store.AccessFilter{Limit: 100, Namespace: "shop", Owner: "u9"}, "u9/shop/d2", "u9/shop"},
			{store.AccessFilter{Limit: 3, Namespace: "Shop"}, "u1/shop/d1 u1/shop/d2 u7/shop/d1", "u1/shop u7/shop u9/shop"},
			{store.AccessFilter{Limit: 100, Namespace: "none"}, "", ""},
		} {
			err := s.View(ctx, func(tx *store.Tx) error {
				before, err := looked(ctx, s, tx)
				if err != nil {
					return err
				}
				datasets, err := tx.DatasetHeads(ctx, "u1", c.filter)
				if err != nil {
					return err
				}
				namespaces, err := tx.NamespaceAccesses(ctx, "u1", c.filter)
				if err != nil {
					return err
				}
				after, err := looked(ctx, s, tx)
				if got, also := paths(datasets), paths(namespaces); got != c.datasets || also != c.namespaces {
					t.Errorf("what u1 sees with %+v = %s and %s, want %s and %s", c.filter, got, also, c.datasets, c.namespaces)
				}
				if after-before > few {
					t.Errorf("the lists with %+v looked at %d rows, want at most %d", c.filter, after-before, few)
				}
				return errors.Join(err, checkPlan(t, s, tx, c.filter))
			})
			if err != nil {
				t.Errorf("the lists with %+v = %v, want nil", c.filter, err)
			}
		}
	})
}

// few is how many rows two lists may look at that have a handful of entries.
const few = 100

// looked counts the rows that PostgreSQL looked at; SQLite does not count.
func looked(ctx context.Context, s *store.Store, tx *store.Tx) (int64, error) {
	if s.Dialect() != "postgres" {
		return 0, nil
	}
	return tx.Count(ctx, `SELECT CAST(coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) AS BIGINT) FROM pg_stat_xact_user_tables`)
}

// checkPlan reports a list for which SQLite would look all through a table.
func checkPlan(t *testing.T, s *store.Store, tx *store.Tx, f store.AccessFilter) error {
	t.Helper()
	if s.Dialect() != "sqlite" {
		return nil
	}
	steps, err := tx.Plans(t.Context(), "u1", f)
	for _, step := range steps {
		if strings.HasPrefix(step, "SCAN ") {
			t.Errorf("the lists with %+v look all through a table: %s, of\n%s", f, step, strings.Join(steps, "\n"))
		}
	}
	return err
}
