package store

import (
	"database/sql"
	"encoding/json"
	"strconv"
	"time"
)

// micros is how a time is stored; the zero time is stored as null.
func micros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

// instant reads what micros wrote.
func instant(v sql.NullInt64) time.Time {
	if !v.Valid {
		return time.Time{}
	}
	return time.UnixMicro(v.Int64).UTC()
}

// encode is how a structured value is stored; nil slices and maps are null.
func encode(v any) (sql.NullString, error) {
	text, err := json.Marshal(v)
	if err != nil || string(text) == "null" {
		return sql.NullString{}, err
	}
	return sql.NullString{String: string(text), Valid: true}, nil
}

// decode reads what encode wrote into dest, leaving dest as it is for null.
func decode(v sql.NullString, dest any) error {
	if !v.Valid {
		return nil
	}
	return json.Unmarshal([]byte(v.String), dest)
}

// orNull is how an id is stored that may be missing.
func orNull[T ~string](id T) sql.NullString {
	return sql.NullString{String: string(id), Valid: id != ""}
}

func itoa(n int) string { return strconv.Itoa(n) }
