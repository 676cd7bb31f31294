package catalog

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"quern"
	"quern/store"
)

const (
	// journalRows and journalBytes bound what a dataset may have in the journal.
	journalRows  = 16 << 10
	journalBytes = 4 << 20
	// seenWithin is how long ago a server may have said that it runs that counts as running.
	seenWithin = time.Minute
)

// ErrJournalFull says that a dataset has so much in the journal that it must be folded
// first.
var ErrJournalFull = errors.New("catalog: the journal of the dataset is full")

// ErrNoJournal says that a server runs that does not know the journal.
var ErrNoJournal = errors.New("catalog: a server runs that does not know the journal")

// Small is rows, few enough for the journal, on their way into a dataset that exists.
type Small struct {
	Principal quern.Principal
	Path      quern.DatasetPath
	Addition  Addition // its Piece is what Rows says
	// Rows returns the rows as the journal has them for a dataset as it is, and what they
	// are; ErrReplan when they do not fit its columns as these are.
	Rows func(quern.Dataset) (lines []byte, piece Piece, err error)

	// Dataset is the one that they went into, as it is with them.
	Dataset quern.Dataset
	// Answer is the one to give, Err why there is none. ErrReplan and ErrJournalFull say
	// that nothing is wrong but that they are not for the journal.
	Answer string
	Err    error
}

// AppendSmall writes rows to the journal, all in one transaction, which moves each of
// their datasets on as many versions as requests came to it. Each says what came of it;
// the error is about none of them alone, and nothing is stored then.
func (s *Service) AppendSmall(ctx context.Context, all []*Small) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		w := &journalWriter{service: s, tx: tx, now: s.now(), datasets: map[quern.DatasetID]*journaled{}, rooms: map[quern.UserID]*room{}}
		if err := w.lock(ctx, all); err != nil {
			return err
		}
		for _, one := range all {
			if one.Answer, one.Err = w.add(ctx, one); one.Err != nil && !onlyItsOwn(one.Err) {
				return one.Err
			}
		}
		return w.write(ctx)
	})
}

// onlyItsOwn reports whether an error is about one request and left the transaction whole.
func onlyItsOwn(err error) bool {
	if errors.Is(err, ErrReplan) || errors.Is(err, ErrJournalFull) {
		return true
	}
	e, ours := errors.AsType[*quern.Error](err)
	return ours && slices.Contains([]quern.Kind{quern.NotFound, quern.Forbidden, quern.Conflict, quern.Invalid, quern.TooLarge}, e.Kind)
}

// journalWriter is one transaction that writes to the journal.
type journalWriter struct {
	service  *Service
	tx       *store.Tx
	now      time.Time
	locked   map[store.Wanted]store.Locked
	datasets map[quern.DatasetID]*journaled
	rooms    map[quern.UserID]*room
	attempts []quern.Ingestion
	answers  []store.IdempotentAnswer
}

// journaled is a dataset as it is with the rows so far.
type journaled struct {
	dataset quern.Dataset
	quota   quern.Quota // of its owner
	entry   store.JournalEntry
}

// room is what the quota of a user is, and what the user stores so far.
type room struct {
	quota quern.Quota
	has   quern.Stored
}

// lock locks the datasets that rows are for, as each user sees them.
func (w *journalWriter) lock(ctx context.Context, all []*Small) (err error) {
	var wanted []store.Wanted
	for _, one := range all {
		if path, ok := writtenPath(one.Principal, one.Path); ok {
			if want := (store.Wanted{User: one.Principal.User.ID, Path: path}); !slices.Contains(wanted, want) {
				wanted = append(wanted, want)
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	w.locked, err = w.tx.LockWanted(ctx, wanted, w.now.Add(-seenWithin))
	for _, l := range w.locked {
		if !l.Journal {
			return ErrNoJournal
		}
	}
	return err
}

// writtenPath is a path as the store looks it up; ok is false when nothing can be there.
func writtenPath(p quern.Principal, path quern.DatasetPath) (quern.DatasetPath, bool) {
	name, ok := owner(p, path.Owner)
	return quern.DatasetPath{Owner: name, Namespace: quern.NameKey(path.Namespace), Dataset: quern.NameKey(path.Dataset)},
		ok && quern.ValidName(path.Namespace) && quern.ValidName(path.Dataset)
}

// find returns the dataset that rows are for, if the principal may write to it. What is
// not there, or has another name by now, is for the other way, which may make it.
func (w *journalWriter) find(one *Small) (*journaled, error) {
	path, ok := writtenPath(one.Principal, one.Path)
	if !ok {
		return nil, ErrReplan
	}
	locked, ok := w.locked[store.Wanted{User: one.Principal.User.ID, Path: path}]
	if !ok {
		return nil, ErrReplan
	}
	access, id := locked.Access, locked.Dataset.ID
	if err := decide(one.Principal, Write, access, nil); err != nil {
		return nil, err
	}
	d := w.datasets[id]
	if d == nil {
		d = &journaled{dataset: access.Dataset, quota: locked.Quota, entry: store.JournalEntry{Dataset: id, FirstRow: access.Dataset.NextRow, At: w.now}}
		for _, c := range access.Dataset.Columns {
			d.entry.Types = append(d.entry.Types, c.Type)
		}
		w.datasets[id] = d
	}
	return d, nil
}

// add adds the rows of one request to what is to be written. Where it fails it has
// changed nothing.
func (w *journalWriter) add(ctx context.Context, one *Small) (string, error) {
	d, err := w.find(one)
	if err != nil {
		return "", err
	}
	a := one.Addition
	a.Once.Request += "/" + string(d.dataset.ID)
	if first, repeated, err := w.answered(ctx, one.Principal, a.Once); err != nil || repeated {
		return first, err
	}
	lines, piece, err := one.Rows(d.dataset)
	if err != nil {
		return "", err
	}
	after := Appended(d.dataset, piece)
	after.Journal.Rows += piece.Rows
	after.Journal.Bytes += int64(len(lines))
	if after.Journal.Rows > journalRows || after.Journal.Bytes > journalBytes {
		return "", ErrJournalFull
	}
	if err := w.makeRoom(ctx, d, quern.Stored{Rows: piece.Rows, Bytes: int64(len(lines))}); err != nil {
		return "", err
	}
	after.DataChangedAt = w.now
	one.Dataset, d.dataset = after, after
	d.entry.Rows += piece.Rows
	d.entry.Lines = append(d.entry.Lines, lines...)
	a.Attempt.Dataset = after.ID
	w.attempts = append(w.attempts, a.Attempt)
	if a.Once.Key != "" {
		w.answers = append(w.answers, store.IdempotentAnswer{User: one.Principal.User.ID, Key: a.Once.Key, Dataset: after.ID,
			Request: a.Once.Request, Answer: a.Once.Answer, At: w.now})
	}
	return a.Once.Answer, nil
}

// answered is findAnswer, which also knows the requests of this transaction.
func (w *journalWriter) answered(ctx context.Context, p quern.Principal, once Once) (string, bool, error) {
	for _, a := range w.answers {
		if once.Key != "" && a.User == p.User.ID && a.Key == once.Key {
			return sameRequest(a.Request, a.Answer, once)
		}
	}
	return findAnswer(ctx, w.tx, p, once)
}

// makeRoom fails with TooLarge when the quota of the owner of rows has no room for them.
func (w *journalWriter) makeRoom(ctx context.Context, d *journaled, more quern.Stored) error {
	owner := d.dataset.Namespace.OwnerID
	r := w.rooms[owner]
	if r == nil {
		r = &room{quota: d.quota.Or(w.service.quota)}
		var err error
		if r.has, err = w.tx.StoredUnder(ctx, owner, r.quota); err != nil {
			return err
		}
		w.rooms[owner] = r
	}
	has := quern.Stored{Rows: r.has.Rows + more.Rows, Bytes: r.has.Bytes + more.Bytes}
	if err := r.quota.Check(has); err != nil {
		return err
	}
	r.has = has
	return nil
}

// write stores what was added.
func (w *journalWriter) write(ctx context.Context) error {
	var entries []store.JournalEntry
	for _, d := range w.datasets {
		if d.entry.Rows > 0 {
			entries = append(entries, d.entry)
		}
	}
	slices.SortFunc(entries, func(a, b store.JournalEntry) int { return cmp.Compare(a.Dataset, b.Dataset) })
	if err := w.tx.InsertJournal(ctx, entries); err != nil {
		return err
	}
	changed := make([]quern.Dataset, len(entries))
	for i, e := range entries {
		changed[i] = w.datasets[e.Dataset].dataset
	}
	if err := w.tx.UpdateData(ctx, changed...); err != nil {
		return err
	}
	for _, a := range w.answers {
		if err := w.tx.InsertIdempotentAnswer(ctx, a); err != nil {
			return err
		}
	}
	return w.tx.InsertCompletedIngestions(ctx, w.attempts...)
}

// segments lists the segments of a dataset in one transaction, those that its rows in the
// journal are included, by row.
func segments(ctx context.Context, tx *store.Tx, d quern.Dataset) ([]quern.Segment, error) {
	all, err := tx.Segments(ctx, d.ID)
	if err != nil || d.Journal.Rows == 0 {
		return all, err
	}
	entries, err := tx.Journal(ctx, d.ID, math.MaxInt64)
	all = append(all, journalSegments(d, entries)...)
	slices.SortFunc(all, func(a, b quern.Segment) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	return all, err
}

// journalSegments makes a segment of each run of entries whose rows follow each other and
// have the same types.
func journalSegments(d quern.Dataset, entries []store.JournalEntry) (all []quern.Segment) {
	var types []quern.Type
	for _, e := range entries {
		if last := len(all) - 1; last >= 0 && all[last].FirstRow+all[last].Rows == e.FirstRow && slices.Equal(types, e.Types) {
			all[last].Rows += e.Rows
			all[last].Bytes += int64(len(e.Lines))
			all[last].Lines = append(all[last].Lines, e.Lines...)
			continue
		}
		types = e.Types
		s := quern.Segment{Dataset: d.ID, FirstRow: e.FirstRow, Rows: e.Rows, Bytes: int64(len(e.Lines)), Lines: e.Lines}
		for i, t := range e.Types {
			s.Columns = append(s.Columns, quern.Column{Name: d.Columns[i].Name, Type: t})
		}
		all = append(all, s)
	}
	return all
}

// InJournal returns those rows of a dataset that are in the journal and come before a row,
// as segments.
func (s *Service) InJournal(ctx context.Context, id quern.DatasetID, before int64) (all []quern.Segment, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		d, err := tx.DatasetByID(ctx, id)
		if err != nil || d.Journal.Rows == 0 {
			all = nil
			return err
		}
		entries, err := tx.Journal(ctx, id, before)
		all = journalSegments(d, entries)
		return err
	})
	return all, err
}

// Fold puts a piece in the place of rows that are in the journal, which it holds. The
// dataset stays at its version. Conflict, and nothing changed, when the rows are no longer
// in the journal.
func (s *Service) Fold(ctx context.Context, rows quern.Segment, piece Piece) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.LockDataset(ctx, rows.Dataset); err != nil {
			return err
		}
		d, err := tx.DatasetByID(ctx, rows.Dataset)
		if err != nil {
			return err
		}
		end := rows.FirstRow + rows.Rows
		there, err := tx.JournalSize(ctx, d.ID, rows.FirstRow, end)
		if err != nil {
			return err
		}
		if there.Rows != rows.Rows || piece.Rows != rows.Rows {
			return quern.E(quern.Conflict, quern.CodeConflict, "the dataset changed")
		}
		if err := tx.DeleteJournal(ctx, d.ID, rows.FirstRow, end); err != nil {
			return err
		}
		if err := s.claim(ctx, tx, piece.Key); err != nil {
			return err
		}
		if err := tx.InsertSegment(ctx, quern.Segment{ID: quern.NewID[quern.SegmentID](), Dataset: d.ID, Key: piece.Key,
			FirstRow: rows.FirstRow, Rows: piece.Rows, Bytes: piece.Bytes, Columns: columns(piece), Bounds: bounds(piece), Foot: piece.Foot}); err != nil {
			return err
		}
		d.Journal.Rows -= there.Rows
		d.Journal.Bytes -= there.Bytes
		return tx.UpdateData(ctx, d)
	})
}

// JournalExceeds reports whether a dataset has as much in the journal, in rows or in
// bytes. One that is gone has nothing.
func (s *Service) JournalExceeds(ctx context.Context, id quern.DatasetID, most quern.Stored) (exceeds bool, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		has, err := tx.JournalSize(ctx, id, 0, math.MaxInt64)
		exceeds = has.Rows >= most.Rows || has.Bytes >= most.Bytes
		return err
	})
	return exceeds, err
}

// Journaled lists datasets that have had rows in the journal since before a time.
func (s *Service) Journaled(ctx context.Context, before time.Time, limit int) (ids []quern.DatasetID, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		ids, err = tx.Journaled(ctx, before, limit)
		return err
	})
	return ids, err
}

// ClaimFolding reports whether no other server folds a dataset, and keeps others from it
// for a while, or until release is called.
func (s *Service) ClaimFolding(ctx context.Context, id quern.DatasetID, life time.Duration) (release func(), ok bool, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		ok, err = tx.ClaimFolding(ctx, id, s.now(), s.now().Add(life))
		return err
	})
	return func() {
		ctx := context.WithoutCancel(ctx)
		// A claim that cannot be given back ends by itself.
		_ = s.store.Update(ctx, func(tx *store.Tx) error { return tx.EndFolding(ctx, id) })
	}, ok, err
}
