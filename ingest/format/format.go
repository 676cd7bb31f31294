// Package format finds out what an uploaded file really is and reads the records
// in it.
//
// It owns the forms that files come in: their signatures, encodings, dialects
// and containers. What a file holds decides, never its name. It never decides
// what a value means or what type a column has, and it writes nothing but the
// files it unpacks.
//
//	file ─► Expand (gzip, zip) ─► Detect ─► Open ─► records
//
// The failure it is built around is the file that is not what it says: cut
// short, packed to explode, binary under the name of a table. Each is refused
// with a sentence that tells its owner what is wrong, within bounded memory and
// disk.
package format

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"quern"
)

// Kind is what a file is.
type Kind string

// The kinds that can be read.
const (
	CSV      Kind = "csv" // delimited text, whatever the delimiter
	JSON     Kind = "json"
	NDJSON   Kind = "ndjson"
	Parquet  Kind = "parquet"
	Excel    Kind = "xlsx"
	ODS      Kind = "ods"
	HTML     Kind = "html"
	Text     Kind = "text"
	Markdown Kind = "markdown"
	Document Kind = "docx"
	PDF      Kind = "pdf"
	OldExcel Kind = "xls"
	Mail     Kind = "mail" // one message, or a box of them
)

// Kinds lists the kinds, for callers that name one.
func Kinds() []Kind {
	return []Kind{CSV, JSON, NDJSON, Parquet, Excel, ODS, HTML, Text, Markdown, Document, PDF, OldExcel, Mail}
}

// HasSheets reports whether files of the kind are workbooks.
func (k Kind) HasSheets() bool { return k == Excel || k == ODS || k == OldExcel }

// MaxRecord is the most bytes that one record may have.
const MaxRecord = 16 << 20

// Record is one row of a table. Its cells are valid until the next is read.
type Record struct {
	Cells []Cell
	Row   int64 // from 1, not counting a header
	Line  int64 // from 1, where the record begins; 0 where lines mean nothing
	Page  int64 // from 1, of a document in pages; 0 where there is none
}

// Cell is one value as it is written.
type Cell struct {
	Text   []byte
	Quoted bool // it stands in quotes, so that an empty one is not a missing one
}

// Fault says why one record cannot be read. Reading goes on behind it.
type Fault struct {
	Line, Row int64
	Reason    string
	Text      string
}

func (f *Fault) Error() string {
	if f.Line > 0 {
		return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
	}
	return fmt.Sprintf("row %d: %s", f.Row, f.Reason)
}

// Reader reads the records of one table.
type Reader interface {
	// Header is the names of the columns as the file has them, empty where it
	// has none. No record has more cells.
	Header() []string
	// Next reads a record: io.EOF at the end, a *Fault for a record that cannot
	// be read, another error when reading cannot go on.
	Next() (Record, error)
	// Notes tells people what was done to the records read so far.
	Notes() []string
	Close() error
}

// Options guide the reading of text.
type Options struct {
	// Header says whether the first record names the columns; nil: found out.
	Header *bool
	// PDF is what is wanted of a PDF file: PDFAuto, PDFPages or PDFTables; empty: PDFAuto.
	PDF string
	// Compiled is the folder where what was compiled to read PDF files is kept; empty: nowhere.
	Compiled string
	// KeepTotals says that totals below the rows of a table are rows.
	KeepTotals bool
	// Dir is for files in the making, which have no name there; empty: the system's.
	Dir string
	// Watch sees the bytes of the file as they are read, to tell how far it is.
	Watch func(n int)
}

// Table is one table of a file: something that can be opened, and more than once.
type Table struct {
	Member string // where in the file it is; empty for the file itself
	Sheet  string // of a workbook, also where it is the only one
	Detail string // encoding and dialect, for people
	// DecimalComma says that a comma is rather a decimal one where both are possible.
	DecimalComma bool
	// Totals are rows that were left out because they add up those above them.
	Totals []string
	open   func() (Reader, error)
	plain  *Plain // nil where records must be read one after the other
}

// NewTable makes a table of what open reads.
func NewTable(member, detail string, decimalComma bool, open func() (Reader, error)) Table {
	return Table{Member: member, Detail: detail, DecimalComma: decimalComma, open: open}
}

// Open begins to read the table.
func (t Table) Open() (Reader, error) { return t.open() }

// refuse makes the error of a file that cannot be read however often one tries.
func refuse(text string, args ...any) *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalid, text, args...)
}

// Refused returns the sentence of a refusal, for a message that names the file.
func Refused(err error) (string, bool) {
	if e, ok := errors.AsType[*quern.Error](err); ok && e.Kind == quern.Invalid {
		return e.Detail, true
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return f.Error(), true
	}
	return "", false
}

// Detect tells what a file is by what it holds. The name only decides between
// one column of delimited text, plain text and Markdown, which look alike.
func Detect(path, name string) (Kind, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head, whole, err := sniff(f)
	if err != nil {
		return "", err
	}
	switch {
	case len(head) == 0:
		return "", refuse("the file is empty")
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Parquet, wholeParquet(f)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return officeKind(path)
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return PDF, nil
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return oldOffice(path)
	}
	kind, err := textKind(head, whole, name)
	if errors.Is(err, errNotText) {
		return "", refuseForeign(head)
	}
	return kind, err
}

func textKind(head []byte, whole bool, name string) (Kind, error) {
	text, _, err := decodeSample(head, whole)
	if err != nil {
		return "", err
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return "", refuse("the file holds nothing but white space")
	}
	if markdownName(name) {
		return Markdown, nil
	}
	if looksLikeMail(text[:min(len(text), mailHead)]) {
		return Mail, nil
	}
	switch text[0] {
	case '[', '{':
		if kind := jsonKind(text); kind != "" {
			return kind, nil
		}
	case '<':
		if looksLikeHTML(text) {
			return HTML, nil
		}
	}
	if looksLikeMarkdown(text) {
		return Markdown, nil
	}
	if !delimitedName(name) && (isLoneSentence(text) || sniffDialect(text).Delimiter == 0) {
		return Text, nil
	}
	return CSV, nil
}

// isLoneSentence reports whether a text is one line of prose, whose commas part no cells.
func isLoneSentence(text []byte) bool {
	return !bytes.ContainsAny(text, "\r\n\t;|") && isSentence(string(text))
}

func delimitedName(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".tab", ".psv":
		return true
	}
	return false
}

// jsonKind tells one JSON value from a sequence of them, "" for neither.
func jsonKind(text []byte) Kind {
	next := bytes.TrimSpace(text[1:])
	begins := func(with string) bool { return len(next) == 0 || strings.IndexByte(with, next[0]) >= 0 }
	switch {
	case text[0] == '{' && begins(`"}`):
		return NDJSON
	case text[0] != '[' || !begins(`{[]"-0123456789tfn`):
		return ""
	case len(next) > 0 && sectionLine(text):
		return ""
	}
	return JSON
}

// sectionLine tells a line such as [settings] from the beginning of an array.
func sectionLine(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimSpace(line)
	return len(line) > 2 && line[len(line)-1] == ']' && !bytes.ContainsAny(line[1:], `{["0123456789`) &&
		!bytes.Contains(line, []byte("true")) && !bytes.Contains(line, []byte("false")) && !bytes.Contains(line, []byte("null"))
}

func wholeParquet(f *os.File) error {
	end := make([]byte, 4)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < 12 {
		return refuse("the Parquet file is cut short")
	}
	if _, err := f.ReadAt(end, info.Size()-4); err != nil {
		return err
	}
	switch string(end) {
	case "PAR1":
		return nil
	case "PARE":
		return refuse("the Parquet file is encrypted")
	}
	return refuse("the Parquet file is cut short: its end is missing")
}

// Tables finds the tables of a file whose kind is known. JSON and Parquet files
// are not made of records of text and have none here.
func Tables(ctx context.Context, path string, kind Kind, o Options) ([]Table, error) {
	switch kind {
	case CSV:
		return csvTables(path, o)
	case Excel:
		return excelTables(path, o)
	case ODS:
		return odsTables(path, o)
	case HTML:
		return htmlTables(path, o)
	case Text:
		return textTables(path, o)
	case Markdown:
		return markdownTables(path, o)
	case Document:
		return documentTables(path, o)
	case OldExcel:
		return oldExcelTables(path, o)
	case Mail:
		return mailTables(path, o)
	case PDF:
		return pdfTables(ctx, path, o, pdfTime)
	}
	return nil, refuse("the format %s is not one of records", kind)
}
