package quern

import "time"

type (
	// IngestionID identifies an ingestion.
	IngestionID string
	// IngestionStatus is where an ingestion has got to.
	IngestionStatus string
)

// The statuses. The last three are final.
const (
	IngestionPending    IngestionStatus = "pending"
	IngestionProcessing IngestionStatus = "processing"
	IngestionCompleted  IngestionStatus = "completed"
	IngestionFailed     IngestionStatus = "failed"
	IngestionAborted    IngestionStatus = "aborted"
)

// Final reports whether a status is one that nothing follows.
func (s IngestionStatus) Final() bool {
	return s == IngestionCompleted || s == IngestionFailed || s == IngestionAborted
}

// Ingestion is uploaded files on their way into a dataset.
type Ingestion struct {
	ID      IngestionID
	Dataset DatasetID
	// Actor asked for it, with Token, the API token or the session used, and its Scopes:
	// the work is done under these rights, as they are when it is done.
	Actor   UserID
	Token   TokenID
	Scopes  []Scope
	Status  IngestionStatus
	Files   []IngestionFile
	Options IngestionOptions
	RetryOf IngestionID // the ingestion this is another try of
	Attempt int         // how often the work was begun
	Message string      // why it failed, for people

	ExpectedBytes, ProcessedBytes, ProcessedRows int64

	Report      IngestionReport
	Name        string    // what it is called; may be empty
	SeenAt      time.Time // when somebody first took notice of it; zero when nobody did
	LastRetryAt time.Time // when another try of it was last asked for; zero when none was
	CreatedAt   time.Time
	StartedAt   time.Time // zero until the work first began
	EndedAt     time.Time // zero until the status is final
}

// Speed is how many bytes were processed in a second, so far.
func (i Ingestion) Speed(now time.Time) int64 {
	end := i.EndedAt
	if end.IsZero() {
		end = now
	}
	took := end.Sub(i.StartedAt).Seconds()
	if i.StartedAt.IsZero() || took <= 0 {
		return 0
	}
	return int64(float64(i.ProcessedBytes) / took)
}

// IngestionFile is one file of an ingestion.
type IngestionFile struct {
	ID   FileID `json:"id"`
	Name string `json:"name"`
	Key  string `json:"key"` // of the object
	Size int64  `json:"size"`
	// Digest tells contents apart; empty until the work on it began.
	Digest string `json:"digest,omitempty"`
	// SameAs is an earlier ingestion of the same content into the same dataset, whose
	// rows are still there.
	SameAs IngestionID `json:"sameAs,omitempty"`
}

// OnError says what becomes of rows that cannot be read.
type OnError string

// The choices. Fail, all or nothing, is the default.
const (
	Fail       OnError = "fail"
	Quarantine OnError = "quarantine"
)

// IngestMode says what becomes of the rows that a dataset has.
type IngestMode string

// The modes. AppendRows is the default.
const (
	AppendRows  IngestMode = "append"
	ReplaceRows IngestMode = "replace"
)

// SameFile says what becomes of a file whose rows the dataset has already.
type SameFile string

// The choices. StoreAgain is the default.
const (
	StoreAgain SameFile = "store"
	RefuseSame SameFile = "refuse"
)

// Totals says what becomes of a last row whose numbers are totals of those above it.
type Totals string

// The choices. LeaveTotals is the default.
const (
	LeaveTotals Totals = "leave"
	KeepTotals  Totals = "keep"
)

// Into says which datasets the tables of a file go into.
type Into string

// The choices. Where nothing is said, tables of a shape go into one dataset, others
// into datasets of their own, and the text of a document goes with its tables.
const (
	IntoOne  Into = "one"
	IntoEach Into = "each"
)

// ColumnOption says how a column of a file is to be read. Empty members leave it to
// the values.
type ColumnOption struct {
	Type      Type   `json:"type,omitempty"`
	DateOrder string `json:"dateOrder,omitempty"` // dmy, mdy or ymd
	Decimal   string `json:"decimal,omitempty"`   // "." or ","
}

// IngestionOptions guide how files are read. The zero value lets the files speak.
type IngestionOptions struct {
	Mode     IngestMode              `json:"mode,omitempty"`
	SameFile SameFile                `json:"sameFile,omitempty"`
	Columns  map[string]ColumnOption `json:"columns,omitempty"` // by name, as the file or the dataset writes it
	Sheet    string                  `json:"sheet,omitempty"`   // of workbooks; empty: all
	Totals   Totals                  `json:"totals,omitempty"`
	Into     Into                    `json:"into,omitempty"`
	// Nested is how many levels of objects in JSON rows become columns; nil: the usual.
	Nested *int `json:"nested,omitempty"`
	// Lists names the datasets that lists of objects in JSON rows go into, by the name that
	// the list would have as a column; empty: it stays nested.
	Lists      map[string]string `json:"lists,omitempty"`
	Format     string            `json:"format,omitempty"` // empty: what the content is
	OnError    OnError           `json:"onError,omitempty"`
	Header     *bool             `json:"header,omitempty"`    // of delimited text; nil: found out
	PDF        string            `json:"pdf,omitempty"`       // tables, pages or auto; empty: auto
	NullValues []string          `json:"nullValues,omitzero"` // nil: those of the server's settings
	// Steps structure the data, in this order; Definition is the one that they go
	// by, as it was when they were asked for. Instructions and BatchSize are for them.
	Steps        []InferStep      `json:"steps,omitempty"`
	Definition   *InferDefinition `json:"definition,omitempty"`
	Instructions string           `json:"instructions,omitempty"`
	BatchSize    int              `json:"batchSize,omitempty"`
}

// IngestGuide is what a caller says about data beside the data. What was not said
// is nil or zero.
type IngestGuide struct {
	Name         string // what the ingestion is called
	Instructions string // to steps that structure the data
	BatchSize    int    // how many rows a step is given at once
	Steps        []InferStep
	Definition   InferDefinition
	Links        *LinkOptions
	Curate       *bool // whether found links worth keeping are kept by themselves
}

// IngestionReport tells what was made of the files.
type IngestionReport struct {
	Tables   []IngestedTable `json:"tables,omitempty"`
	Rejected int64           `json:"rejected,omitempty"` // rows that could not be read
	Steps    []StepReport    `json:"steps,omitempty"`    // what steps did, in their order
}

// IngestedTable is one table that was found in a file.
type IngestedTable struct {
	File     string           `json:"file"`
	Member   string           `json:"member,omitempty"`  // an archive's entry, a workbook's sheet
	Dataset  string           `json:"dataset,omitempty"` // the name of the one that it went into
	Format   string           `json:"format"`
	Detail   string           `json:"detail,omitempty"` // the dialect and encoding found
	Rows     int64            `json:"rows"`
	Rejected int64            `json:"rejected,omitempty"`
	Columns  []IngestedColumn `json:"columns,omitempty"`
	Notes    []string         `json:"notes,omitempty"`
}

// IngestedColumn maps a column of a file to one of the dataset.
type IngestedColumn struct {
	Original string `json:"original"`
	Name     string `json:"name"`
	Type     Type   `json:"type"`
	Unit     string `json:"unit,omitempty"`  // of its numbers
	Added    bool   `json:"added,omitempty"` // the dataset did not have it before
}

// RejectedRow is a row of a file that could not be read.
type RejectedRow struct {
	File   string
	Member string
	Line   int64 // from 1; 0 where lines mean nothing
	Row    int64 // from 1, not counting a header
	Reason string
	Text   string // the row as written, shortened
}

// Source says where neighbouring rows of a dataset came from: row FirstRow+i of
// the dataset is row FileRow+i of the file.
type Source struct {
	FirstRow  int64
	Rows      int64
	Ingestion IngestionID
	File      string
	Member    string
	Sheet     string // of a workbook; empty: it is none, or not known
	Page      int64  // of a document, from 1; 0: it has none, or not known
	FileRow   int64
}
