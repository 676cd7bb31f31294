package store

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
)

// MaxFoot is how long the foot of a segment may be that is kept.
const MaxFoot = 1 << 20

// PutFoot keeps the end of a segment, unless it is long. It fails when the segment is gone.
func (tx *Tx) PutFoot(ctx context.Context, key string, foot []byte) error {
	if len(foot) > MaxFoot {
		return nil
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if _, err := w.Write(foot); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	_, err = tx.exec(ctx, `INSERT INTO segment_feet (object_key, foot) VALUES ($1, $2) ON CONFLICT (object_key) DO NOTHING`,
		key, packed.Bytes())
	return err
}

// Feet returns the ends of segments that are kept, by key.
func (tx *Tx) Feet(ctx context.Context, keys []string) (map[string][]byte, error) {
	const batch = 500
	feet := make(map[string][]byte, len(keys))
	for len(keys) > 0 {
		some := keys[:min(batch, len(keys))]
		keys = keys[len(some):]
		args := make([]any, len(some))
		for i, key := range some {
			args[i] = key
		}
		err := tx.each(ctx, `SELECT object_key, foot FROM segment_feet WHERE object_key IN (`+marks(1, len(args), "$%")+`)`, args,
			func(scan func(...any) error) error {
				var key string
				var packed []byte
				if err := scan(&key, &packed); err != nil {
					return err
				}
				foot, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), MaxFoot))
				if err == nil { // one that cannot be read is fetched
					feet[key] = foot
				}
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	return feet, nil
}
