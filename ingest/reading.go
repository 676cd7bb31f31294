package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/ingest/format"
	"quern/structure"
)

const (
	// maxRejected is the most rows of an ingestion that may go to quarantine.
	maxRejected = 10_000
	// maxFaults is how many unreadable rows are looked for before a file that must
	// be read whole is given up.
	maxFaults = 100
	// maxTables is the most tables of one uploaded file and the files packed in it.
	maxTables = 2000
)

// reading is one attempt at an ingestion: all of its files, up to the pieces
// that one commit makes part of the dataset.
type reading struct {
	service    *Service
	job        quern.Ingestion
	dir        string // for files in the making, gone with the attempt
	nulls      *nullWords
	quarantine bool
	wanted     wantedColumns
	preview    *Preview // nil when rows are to be stored
	looking    *looking // the table that a preview looks at
	*progress

	*target            // of the table that is being read
	targets  []*target // the first is the dataset that the request names
	rejected []quern.RejectedRow
	totals   []quern.RejectedRow // rows of totals, which are left out
	report   quern.IngestionReport
	file     quern.IngestionFile
	found    *found // the table that is being read
	actor    quern.Principal
	path     quern.DatasetPath // of the dataset that the request names
	steps    *structure.Work   // what structures the rows; nil: nothing does
	lists    map[string]bool   // lists of objects in the rows of JSON files
}

// target is a dataset that tables of an ingestion go into.
type target struct {
	dataset quern.Dataset // as it is with the pieces so far
	pieces  []catalog.Piece
	sources []quern.Source // FirstRow counts from the first row of the ingestion
	rows    int64
	noted   int64              // rows that have a source
	name    string             // of one that is still to be made
	shape   *tableShape        // of its tables; nil where that is not looked at
	lists   map[string]*target // the datasets of lists in its rows
	// Rows have their numbers in a column, given that the first of the ingestion has
	// numberedFrom.
	numbered     bool
	numberedFrom int64
}

// newReading begins a reading of a job's files into a dataset.
func (s *Service) newReading(job quern.Ingestion, d quern.Dataset, dir string) *reading {
	r := &reading{
		service: s, job: job, dir: dir, nulls: s.nulls, quarantine: job.Options.OnError == quern.Quarantine,
		wanted: newWantedColumns(job.Options.Columns), progress: &progress{}, lists: map[string]bool{},
	}
	if own := job.Options.NullValues; own != nil {
		r.nulls = newNullWords(own)
	}
	if r.replaces() {
		d = catalog.Emptied(d)
	}
	r.target = &target{dataset: d}
	r.targets = []*target{r.target}
	return r
}

// replaces reports whether the rows that the datasets have are to go.
func (r *reading) replaces() bool { return r.job.Options.Mode == quern.ReplaceRows }

// errUnreadable ends a file that must be read whole and cannot be.
var errUnreadable = errors.New("ingest: rows cannot be read")

// readAll reads the files in turn.
func (r *reading) readAll(ctx context.Context) error {
	r.job.Files = slices.Clone(r.job.Files)
	for i := range r.job.Files {
		r.file = r.job.Files[i]
		err := r.readFile(ctx)
		r.job.Files[i] = r.file
		if err != nil {
			return r.explain(err)
		}
	}
	return errors.Join(r.wanted.missing(), r.missingLists())
}

// explain names the file in a refusal of its content.
func (r *reading) explain(err error) error {
	if errors.Is(err, errUnreadable) {
		first := r.rejected[0]
		text := (&format.Fault{Line: first.Line, Row: first.Row, Reason: first.Reason}).Error()
		if first.Member != "" {
			text = first.Member + ": " + text
		}
		if more := len(r.rejected) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		return refused("%s: %s", first.File, text)
	}
	if text, ok := format.Refused(err); ok {
		return refused("%s: %s", r.file.Name, text).Because(err)
	}
	return err
}

func refused(text string, args ...any) *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalid, text, args...)
}

func (r *reading) readFile(ctx context.Context) error {
	path, release, err := r.service.files.File(ctx, r.file.Key)
	if quern.Is(err, quern.NotFound) {
		return refused("the uploaded file is no longer stored")
	}
	if err != nil {
		return err
	}
	defer release()
	if err := r.compare(ctx, path); err != nil {
		return err
	}
	items, err := format.Expand(path, r.file.Name, r.dir, r.readsMailAsText())
	if err != nil {
		return err
	}
	var tables []*found
	for _, it := range items {
		some, err := r.findTables(ctx, it, len(items) > 1 || it.Member != "")
		if err != nil {
			return err
		}
		if tables = append(tables, some...); len(tables) > maxTables {
			return refused("holds more than %d tables", maxTables)
		}
	}
	if err := r.assign(ctx, tables); err != nil {
		return err
	}
	for _, t := range tables {
		if err := r.readFound(ctx, t); err != nil {
			return t.explain(err)
		}
	}
	for _, it := range items {
		if it.Path != path {
			if err := os.Remove(it.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// readsMailAsText reports whether the request says that files are of another kind of
// text than mail.
func (r *reading) readsMailAsText() bool {
	asked := format.Kind(r.job.Options.Format)
	return asked != "" && asked != format.Mail
}

// storable takes out of text what no database keeps.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// scale returns what counts bytes of an item as bytes of the uploaded file.
func (r *reading) scale(it format.Item) func(int) {
	ratio := 1.0
	if it.Member != "" || it.Size != r.file.Size {
		ratio = float64(r.file.Size) / float64(max(1, it.Size))
	}
	limit := r.job.ExpectedBytes
	return func(n int) {
		if r.bytes.Add(int64(float64(n)*ratio)) > limit {
			r.bytes.Store(limit)
		}
	}
}

// halved counts what is read twice by half.
type halved struct {
	count func(int)
	odd   int
}

func (h *halved) see(n int) {
	n += h.odd
	h.odd = n & 1
	h.count(n / 2)
}

// reject notes a row that cannot be read. It fails when there are too many, or
// as soon as enough are known of a file that must be read whole.
func (r *reading) reject(about *quern.IngestedTable, f *format.Fault) error {
	about.Rejected++
	r.report.Rejected++
	if r.preview != nil {
		if len(r.looking.faults) < previewExamples {
			r.looking.faults = append(r.looking.faults, quern.RejectedRow{Line: f.Line, Row: f.Row, Reason: f.Reason, Text: storable(f.Text)})
		}
		return nil
	}
	r.rejected = append(r.rejected, quern.RejectedRow{
		File: about.File, Member: about.Member, Line: f.Line, Row: f.Row, Reason: f.Reason, Text: storable(f.Text),
	})
	switch {
	case !r.quarantine && len(r.rejected) >= maxFaults:
		return errUnreadable
	case len(r.rejected) > maxRejected:
		return refused("more than %d rows cannot be read, the first being row %d: %s", maxRejected, r.rejected[0].Row, r.rejected[0].Reason)
	}
	return nil
}

// noteSource records that the next row of the dataset is this row of a file, on a page
// where the file has them.
func (r *reading) noteSource(about *quern.IngestedTable, row, page int64) {
	next := quern.Source{
		FirstRow: r.noted, Rows: 1, Ingestion: r.job.ID, File: about.File, Member: about.Member,
		Sheet: storable(r.found.table.Sheet), Page: page, FileRow: row,
	}
	r.noted++
	if n := len(r.sources); n > 0 && goesOn(r.sources[n-1], next) {
		r.sources[n-1].Rows++
		return
	}
	r.sources = append(r.sources, next)
}

// goesOn reports whether a row is the one behind those of a source, in the same place.
func goesOn(last, next quern.Source) bool {
	next.FirstRow, next.FileRow, next.Rows = next.FirstRow-last.Rows, next.FileRow-last.Rows, last.Rows
	return last == next
}

// noteSources records that the next rows of the dataset are the next of a file,
// one behind the other.
func (r *reading) noteSources(about *quern.IngestedTable, rows int64) {
	if rows == 0 {
		return
	}
	r.noteRun(about, about.Rows+1, rows)
	about.Rows += rows
	r.counted.Add(rows)
}

// noteRun records that the next rows of the dataset are so many of a file, from the first on.
func (r *reading) noteRun(about *quern.IngestedTable, first, rows int64) {
	r.noteSource(about, first, 0)
	r.sources[len(r.sources)-1].Rows += rows - 1
	r.noted += rows - 1
}

// piece writes a part as a segment behind those that came before.
func (r *reading) piece(ctx context.Context, p part, batch []catalog.Batch) error {
	columns := catalog.Plan(r.dataset, batch)
	piece, err := r.service.put(ctx, r.dataset.ID, columns, func(path string) (engine.Written, error) {
		return r.service.engine.Write(ctx, engine.Source{Path: p.path, Columns: columns, CSV: p.csv, Rows: p.rows}, path)
	})
	if err != nil {
		return err
	}
	r.addPiece(piece, batch)
	return nil
}

// addPiece puts a segment behind those that came before.
func (r *reading) addPiece(piece catalog.Piece, batch []catalog.Batch) {
	piece = shaped(piece, batch)
	r.pieces = append(r.pieces, piece)
	r.dataset = catalog.Appended(r.dataset, piece)
	r.rows += piece.Rows
}

// pieceAll writes parts as segments and removes them; a preview shows some of their
// rows instead.
func (r *reading) pieceAll(ctx context.Context, all []part, batch []catalog.Batch) error {
	if r.preview != nil {
		return r.sampleParts(all)
	}
	for _, p := range all {
		if err := r.piece(ctx, p, batch); err != nil {
			return err
		}
		if err := os.Remove(p.path); err != nil {
			return err
		}
	}
	return nil
}

// fit maps a file's columns to the dataset's and refuses too many.
func (r *reading) fit(batch []catalog.Batch) error {
	matchNames(r.dataset, batch)
	return r.service.checkWidth(r.dataset, batch)
}

// keepColumns gives a dataset that has no rows the columns of a table that has none
// either: who asks about it then gets the answer that there is nothing.
func (r *reading) keepColumns(batch []catalog.Batch) {
	if r.preview != nil || r.dataset.Rows > 0 || len(batch) == 0 {
		return
	}
	piece := catalog.Piece{}
	for _, c := range catalog.Plan(r.dataset, batch) {
		piece.Columns = append(piece.Columns, catalog.PieceColumn{Column: c})
	}
	r.addPiece(piece, batch)
}

// noRows tells of a table without rows, and of a text all of which became the names of columns.
func (r *reading) noRows() string {
	if r.found.kind == format.CSV {
		return "it has no rows: all that it holds was read as the names of columns"
	}
	return "it has no rows"
}

// describe tells how the columns of a table were mapped.
func (r *reading) describe(about *quern.IngestedTable, originals []string, batch []catalog.Batch, before quern.Dataset) error {
	had := map[string]bool{}
	for _, c := range before.Columns {
		had[quern.NameKey(c.Name)] = true
	}
	for i, c := range catalog.Plan(before, batch) {
		column := quern.IngestedColumn{Original: originals[i], Name: c.Name, Type: c.Type, Added: !had[quern.NameKey(c.Name)]}
		if c.Type.Numeric() {
			column.Unit = batch[i].Unit
		}
		about.Columns = append(about.Columns, column)
	}
	about.Dataset = r.dataset.Name
	if about.Rows == 0 && about.Rejected == 0 {
		about.Notes = append(about.Notes, r.noRows())
		r.keepColumns(batch)
	}
	if r.file.SameAs != "" {
		about.Notes = append(about.Notes, "the same file was ingested before; its rows are there twice now")
	}
	if r.preview != nil {
		return r.previewed(*about, batch)
	}
	r.report.Tables = append(r.report.Tables, *about)
	return nil
}
