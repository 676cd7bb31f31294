package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// stageLife is how long a staged object may take to be written and committed.
const stageLife = 6 * time.Hour

// ErrReplan says that the dataset's columns changed while a piece was being
// written, so that it must be written again under a new Plan.
var ErrReplan = errors.New("catalog: the dataset's columns changed")

// Piece is an object written for a dataset, before it is part of the table; without rows
// it is columns alone, and no object.
type Piece struct {
	Key     string
	Rows    int64
	Bytes   int64
	Columns []PieceColumn
	Foot    []byte // the end of the object, where it is to be kept; see SegmentFiles.KeepsFeet
}

// PieceColumn is a column as a piece holds it. Shape is that of the values;
// Type is the type it was written in, which may be wider.
type PieceColumn struct {
	quern.Column
	Shape Shape
	Unit  string // of its numbers, empty when they have none
	Stats quern.ColumnStats
}

// Once makes a change happen once however often it is asked for: under the same
// key, the same request gets the first one's answer.
type Once struct {
	Key     string
	Request string // a digest of the request
	Answer  string
}

// Stage names an object to be written for a dataset. It is swept unless a
// commit claims it in time.
func (s *Service) Stage(ctx context.Context, id quern.DatasetID) (key string, err error) {
	key = "tables/" + string(id) + "/" + quern.NewID[string]() + ".parquet"
	return key, s.store.Update(ctx, func(tx *store.Tx) error {
		return tx.InsertGarbage(ctx, key, s.now().Add(stageLife))
	})
}

// Answered returns the answer an earlier request got under the same key. The key
// under another request is a Conflict.
func (s *Service) Answered(ctx context.Context, p quern.Principal, once Once) (answer string, ok bool, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		answer, ok, err = findAnswer(ctx, tx, p, once)
		return err
	})
	return answer, ok, err
}

func findAnswer(ctx context.Context, tx *store.Tx, p quern.Principal, once Once) (string, bool, error) {
	if once.Key == "" {
		return "", false, nil
	}
	request, answer, err := tx.IdempotentAnswer(ctx, p.User.ID, once.Key)
	switch {
	case quern.Is(err, quern.NotFound):
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	return sameRequest(request, answer, once)
}

// sameRequest returns the answer that a request got under a key, if it is the same one.
func sameRequest(request, answer string, once Once) (string, bool, error) {
	if request != once.Request {
		return "", false, quern.E(quern.Conflict, quern.CodeConflict, "the Idempotency-Key was used for another request")
	}
	return answer, true, nil
}

// Addition is rows to append and what goes with them.
type Addition struct {
	Piece Piece
	Once  Once
	// Guide is what the caller said about the data; it is kept with the dataset.
	Guide quern.IngestGuide
	// New is the id of the dataset to make where there is none at the path, which
	// must be in the principal's own name; empty when none is to be made.
	New quern.DatasetID
	// For is the dataset that the piece and the request were made for; empty: whichever is
	// at the path.
	For quern.DatasetID
	// Attempt is noted as an ingestion that has completed.
	Attempt quern.Ingestion
}

// Append makes a piece part of a dataset's table, in one transaction that also
// moves the dataset to its next version, after making it where it is missing.
// ErrReplan when the piece no longer fits. The answer is the one to give: once's,
// or that of the request that came first.
func (s *Service) Append(ctx context.Context, p quern.Principal, path quern.DatasetPath, a Addition) (answer string, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		answer, err = s.appendIn(ctx, tx, p, path, a)
		return err
	})
	if isTaken(err) {
		return "", ErrReplan // another request made it at the same time
	}
	return answer, err
}

func (s *Service) appendIn(ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath, a Addition) (string, error) {
	d, err := s.lockForAddition(ctx, tx, p, path, a.New)
	if err != nil {
		return "", err
	}
	if a.For != "" && a.For != d.ID {
		return "", ErrReplan // it was made, or another one took its place, since
	}
	if first, repeated, err := s.Remember(ctx, tx, p, d.ID, a.Once); err != nil || repeated {
		return first, err
	}
	if _, err := s.append(ctx, tx, d, a.Piece); err != nil {
		return "", err
	}
	if d.Draft {
		if err := tx.PublishDataset(ctx, d); err != nil {
			return "", err
		}
	}
	if err := s.Guide(ctx, tx, d, a.Guide); err != nil {
		return "", err
	}
	a.Attempt.Dataset = d.ID
	return a.Once.Answer, tx.InsertCompletedIngestions(ctx, a.Attempt)
}

// lockForAddition locks the dataset at path, or makes it with an id that is not empty.
func (s *Service) lockForAddition(
	ctx context.Context, tx *store.Tx, p quern.Principal, path quern.DatasetPath, fresh quern.DatasetID,
) (quern.Dataset, error) {
	if fresh != "" {
		return s.lockOrDraft(ctx, tx, p, path, fresh)
	}
	access, err := lockDataset(ctx, tx, p, path, Write)
	return access.Dataset, err
}

// Guide keeps with a dataset what a caller said about data for it.
func (s *Service) Guide(ctx context.Context, tx *store.Tx, d quern.Dataset, g quern.IngestGuide) error {
	if g.Definition.DataDescription != nil || g.Definition.SchemaDefinition != nil {
		if err := tx.UpdateDefinition(ctx, d.ID, g.Definition.Or(d.Definition)); err != nil {
			return err
		}
	}
	if g.Links == nil && g.Curate == nil {
		return nil
	}
	options := quern.LinkOptions{}
	if d.LinkOptions != nil {
		options = *d.LinkOptions
	}
	if g.Links != nil {
		options.Exact, options.Geo = g.Links.Exact, g.Links.Geo
	}
	if g.Curate != nil {
		options.Curate = *g.Curate
	}
	return tx.UpdateLinkOptions(ctx, d.ID, &options)
}

// append returns the dataset as it is with the piece; TooLarge when its owner's quota has
// no room for it. A piece without rows, which has no object, gives its columns to a
// dataset without rows and is nothing to others.
func (s *Service) append(ctx context.Context, tx *store.Tx, d quern.Dataset, piece Piece) (quern.Dataset, error) {
	if piece.Rows == 0 && (len(piece.Columns) == 0 || d.Rows > 0) {
		return d, nil
	}
	if !slices.Equal(Plan(d, batches(piece)), columns(piece)) {
		return d, ErrReplan
	}
	if piece.Rows > 0 {
		if err := s.insertSegment(ctx, tx, d, piece); err != nil {
			return d, err
		}
	}
	d = Appended(d, piece)
	d.DataChangedAt = s.now()
	if err := tx.UpdateData(ctx, d); err != nil {
		return d, err
	}
	return d, tx.WithinQuota(ctx, d.Namespace.OwnerID, s.quota)
}

// insertSegment makes the object of a piece a segment of the dataset.
func (s *Service) insertSegment(ctx context.Context, tx *store.Tx, d quern.Dataset, piece Piece) error {
	if !strings.HasPrefix(piece.Key, "tables/"+string(d.ID)+"/") {
		return ErrReplan
	}
	if err := s.claim(ctx, tx, piece.Key); err != nil {
		return err
	}
	segment := quern.Segment{ID: quern.NewID[quern.SegmentID](), Dataset: d.ID, Key: piece.Key, FirstRow: d.NextRow,
		Rows: piece.Rows, Bytes: piece.Bytes, Columns: columns(piece), Bounds: bounds(piece), Foot: piece.Foot}
	return tx.InsertSegment(ctx, segment)
}

// Appended returns the dataset as it would be with the piece appended, so that the
// piece behind it can be planned.
func Appended(d quern.Dataset, piece Piece) quern.Dataset {
	d.Columns = widen(d, piece)
	d.Version, d.Rows, d.NextRow = d.Version+1, d.Rows+piece.Rows, d.NextRow+piece.Rows
	return d
}

// claim takes a staged object for good.
func (s *Service) claim(ctx context.Context, tx *store.Tx, key string) error {
	ok, err := tx.ClaimGarbage(ctx, key, s.now())
	if err == nil && !ok {
		return quern.E(quern.Timeout, quern.CodeTimeout, "the data took too long to write; send it again")
	}
	return err
}

func batches(piece Piece) []Batch {
	all := make([]Batch, len(piece.Columns))
	for i, c := range piece.Columns {
		all[i] = Batch{c.Name, c.Shape, c.Unit}
	}
	return all
}

func columns(piece Piece) []quern.Column {
	all := make([]quern.Column, len(piece.Columns))
	for i, c := range piece.Columns {
		all[i] = c.Column
	}
	return all
}

func bounds(piece Piece) []quern.Bounds {
	all := make([]quern.Bounds, len(piece.Columns))
	for i, c := range piece.Columns {
		all[i] = quern.Bounds{Nulls: c.Stats.Nulls, Min: c.Stats.Min, Max: c.Stats.Max}
	}
	return all
}

// widen returns the dataset's columns once the piece is part of it.
func widen(d quern.Dataset, piece Piece) []quern.DatasetColumn {
	wide, at := slices.Clone(d.Columns), map[string]int{}
	for i, c := range wide {
		at[strings.ToLower(c.Name)] = i
	}
	inPiece := map[int]bool{}
	for _, c := range piece.Columns {
		i, ok := at[strings.ToLower(c.Name)]
		if !ok {
			c.Stats.Nulls += d.Rows
			wide = append(wide, quern.DatasetColumn{Column: c.Column, Digits: c.Shape.Digits, Unit: numberUnit(c), Stats: c.Stats})
			continue
		}
		inPiece[i] = true
		wide[i] = widenColumn(wide[i], c, d)
	}
	for i := range d.Columns {
		if !inPiece[i] {
			wide[i].Stats.Nulls += piece.Rows
		}
	}
	return wide
}

func widenColumn(c quern.DatasetColumn, p PieceColumn, d quern.Dataset) quern.DatasetColumn {
	before := shapeOf(c, d.Rows)
	switch {
	case before.Type == "":
		c.Unit = numberUnit(p)
	case !p.Type.Numeric():
		c.Unit = ""
	}
	c.Digits = before.Join(p.Shape).Digits
	if c.Type != p.Type && before.Type != "" {
		c.Widened = append(slices.Clone(c.Widened), quern.Widening{Type: c.Type, Until: d.Version})
		// Numbers keep their order when they widen to numbers; text has another.
		c.BoundsUnknown = c.BoundsUnknown || !p.Type.Numeric()
	}
	c.Type = p.Type
	c.Stats = c.Stats.Merge(p.Stats, c.Type)
	return c
}

// numberUnit is the unit of a piece's column, where that is one of numbers.
func numberUnit(c PieceColumn) string {
	if !c.Type.Numeric() {
		return ""
	}
	return c.Unit
}

// Replace puts one piece in the place of adjacent segments that hold the same
// rows. Conflict, and nothing changed, when one of them is no longer there.
func (s *Service) Replace(ctx context.Context, id quern.DatasetID, old []quern.Segment, piece Piece) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.LockDataset(ctx, id); err != nil {
			return err
		}
		d, err := tx.DatasetByID(ctx, id)
		if err != nil {
			return err
		}
		gone, err := tx.DeleteSegments(ctx, old, s.now().Add(s.grace))
		if err != nil {
			return err
		}
		if gone != int64(len(old)) {
			return quern.E(quern.Conflict, quern.CodeConflict, "the dataset changed")
		}
		if err := s.claim(ctx, tx, piece.Key); err != nil {
			return err
		}
		if err := tx.InsertSegment(ctx, quern.Segment{ID: quern.NewID[quern.SegmentID](), Dataset: id, Key: piece.Key,
			FirstRow: old[0].FirstRow, Rows: piece.Rows, Bytes: piece.Bytes, Columns: columns(piece), Bounds: bounds(piece), Foot: piece.Foot}); err != nil {
			return err
		}
		if piece.Rows == d.Rows && sameColumns(d, piece) {
			// The piece is the whole table, so its stats are the table's, exactly.
			for i, c := range piece.Columns {
				d.Columns[i].Stats, d.Columns[i].BoundsUnknown = c.Stats, false
			}
		}
		return tx.UpdateData(ctx, d)
	})
}

func sameColumns(d quern.Dataset, piece Piece) bool {
	return slices.EqualFunc(d.Columns, piece.Columns, func(a quern.DatasetColumn, b PieceColumn) bool { return a.Column == b.Column })
}

// Fragmented lists datasets with several segments under the given rows.
func (s *Service) Fragmented(ctx context.Context, rows int64, limit int) (ids []quern.DatasetID, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		ids, err = tx.FragmentedDatasets(ctx, rows, limit)
		return err
	})
	return ids, err
}

// Table returns a dataset and its segments by id, those in the journal included, for the server's own upkeep: it
// asks for nobody's rights, so no door may offer it.
func (s *Service) Table(ctx context.Context, id quern.DatasetID) (snap quern.Snapshot, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		if snap.Dataset, err = tx.DatasetByID(ctx, id); err != nil {
			return err
		}
		snap.Segments, err = segments(ctx, tx, snap.Dataset)
		return err
	})
	return snap, err
}
