package schema

import (
	"context"
	"encoding/binary"
	"slices"

	"quern"
	"quern/nlq/encoder"
	"quern/store"
)

const (
	// mostEncoded bounds the columns of a dataset whose names are encoded.
	mostEncoded = 1_000
	// encodedAtOnce is how many names are encoded before others have their turn.
	encodedAtOnce = 64
)

// NameEncoder makes of names what questions are read beside; *encoder.Encoder is
// one.
type NameEncoder interface {
	// Fingerprint names the weights: what others made is of no use.
	Fingerprint() string
	Key(encoder.Text) encoder.Key
	Names(context.Context, []encoder.Text) ([]encoder.Name, error)
	// Fits reports whether a name is as this encoder makes them.
	Fits(encoder.Name) bool
}

// encoded is what was made of the names of a dataset and its columns.
type encoded struct {
	of      *described
	dataset encoder.Name
	columns []encoder.Name
}

func (e *encoded) bytes() int {
	total := len(e.dataset)
	for _, n := range e.columns {
		total += len(n)
	}
	return total
}

// naming is the names of a dataset and its columns, the dataset's first, on their way
// to what is kept of them.
type naming struct {
	texts []encoder.Text
	keys  []encoder.Key
	known map[encoder.Key]encoder.Name
}

// encodeNames makes what is to be kept of a dataset's names: what the store has, and
// the rest anew, which is stored.
func (s *Service) encodeNames(ctx context.Context, t *table, head quern.Dataset) error {
	if s.encoder == nil {
		return nil
	}
	d := t.describe(head, s.known)
	n := naming{texts: d.texts()}
	for _, text := range n.texts {
		n.keys = append(n.keys, s.encoder.Key(text))
	}
	stored, known := s.storedNames(ctx, t.id)
	n.known = known
	anew, err := s.encodeMissing(ctx, n)
	if err != nil {
		return err
	}
	made := &encoded{of: d, dataset: known[n.keys[0]]}
	for _, key := range n.keys[1:] {
		made.columns = append(made.columns, known[key])
	}
	t.encoded.Store(made)
	if !anew && stored.Version >= t.version {
		return nil
	}
	return s.store.Update(ctx, func(tx *store.Tx) error {
		e := store.Encodings{Version: t.version, Weights: s.encoder.Fingerprint(), Names: n.data()}
		return tx.PutEncodings(ctx, t.id, e)
	})
}

// encodeMissing adds the names that are not known, and reports whether there were
// any.
func (s *Service) encodeMissing(ctx context.Context, n naming) (anew bool, err error) {
	var missing []int
	for i, key := range n.keys {
		if n.known[key] == nil && !slices.Contains(n.keys[:i], key) {
			missing = append(missing, i)
		}
	}
	for part := range slices.Chunk(missing, encodedAtOnce) {
		texts := make([]encoder.Text, len(part))
		for i, place := range part {
			texts[i] = n.texts[place]
		}
		names, err := s.encoder.Names(ctx, texts)
		if err != nil {
			return false, err
		}
		for i, place := range part {
			n.known[n.keys[place]] = names[i]
		}
	}
	return len(missing) > 0, nil
}

// texts returns what a dataset is called, and behind it its columns with their table
// and values.
func (d *described) texts() []encoder.Text {
	texts := []encoder.Text{{Words: d.table.Words}}
	for _, c := range d.columns[:min(len(d.columns), mostEncoded)] {
		text := encoder.Text{Table: d.table.Words, Words: c.Words}
		if c.Values != nil {
			text.Values = c.Values.Sample(encoder.ShownValues)
		}
		texts = append(texts, text)
	}
	return texts
}

// storedNames returns what the store has of a dataset's names. What cannot be read is
// made anew.
func (s *Service) storedNames(ctx context.Context, id quern.DatasetID) (stored store.Encodings, names map[encoder.Key]encoder.Name) {
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		stored, err = tx.Encodings(ctx, id)
		return err
	})
	if err != nil && !quern.Is(err, quern.NotFound) {
		s.log.WarnContext(ctx, "reading a dataset's encoded names failed", "dataset", id, "error", err)
	}
	if err != nil || stored.Weights != s.encoder.Fingerprint() {
		return store.Encodings{}, map[encoder.Key]encoder.Name{}
	}
	names = readNames(stored.Names)
	for key, n := range names {
		if !s.encoder.Fits(n) {
			delete(names, key)
		}
	}
	return stored, names
}

// data writes the names one after the other: the key, the length and the bytes of
// each.
func (n naming) data() []byte {
	var data []byte
	for i, key := range n.keys {
		if slices.Contains(n.keys[:i], key) {
			continue
		}
		data = append(data, key[:]...)
		data = binary.LittleEndian.AppendUint16(data, uint16(len(n.known[key])))
		data = append(data, n.known[key]...)
	}
	return data
}

// readNames reads what data wrote, up to where it is damaged.
func readNames(data []byte) map[encoder.Key]encoder.Name {
	const before = len(encoder.Key{}) + 2
	names := map[encoder.Key]encoder.Name{}
	for len(data) >= before {
		size := int(binary.LittleEndian.Uint16(data[before-2:]))
		if size > len(data)-before {
			break
		}
		names[encoder.Key(data[:before-2])] = encoder.Name(data[before : before+size])
		data = data[before+size:]
	}
	return names
}

// encodeDescribed encodes the names of a dataset that is called or described
// otherwise since.
func (s *Service) encodeDescribed(ctx context.Context, t *table, head quern.Dataset) {
	if made := t.encoded.Load(); made == nil || made.of == t.describe(head, s.known) {
		return
	}
	if err := s.encodeNames(ctx, t, head); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "encoding the names of a dataset that is described otherwise failed", "dataset", t.id, "error", err)
	}
}
