package store_test

import (
	"strings"
	"testing"

	"quern/store"
	"quern/store/storetest"
)

// Long values are compressed by LZ4 where PostgreSQL knows it, on every connection.
func TestLongValuesAreCompressedFast(t *testing.T) {
	t.Parallel()
	ctx, s := t.Context(), storetest.Open(t, storetest.Postgres(t))
	var slow int64
	if err := s.Update(ctx, func(tx *store.Tx) error {
		if err := tx.InsertUser(ctx, user("ada"), strings.Repeat("long ", 4000)); err != nil {
			return err
		}
		var err error
		slow, err = tx.Count(ctx, `SELECT count(*) FROM users, pg_settings WHERE pg_settings.name = 'default_toast_compression'
			AND 'lz4' = ANY (enumvals) AND pg_column_compression(password_hash) <> 'lz4'`)
		return err
	}); err != nil || slow != 0 {
		t.Errorf("long values that are compressed otherwise = %d, %v, want none", slow, err)
	}
}
