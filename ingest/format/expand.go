package format

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"quern"
)

// What an archive may hold. Honest tables shrink to a tenth, rarely to a
// hundredth; what shrinks further is made to explode.
const (
	maxDepth   = 3        // containers in one another
	maxEntries = 1000     // files of all containers of one upload
	maxRatio   = 200      // bytes that one byte may unpack to …
	freeBytes  = 64 << 20 // … beyond this many
)

// Item is a plain file: the upload itself, or one unpacked from it.
type Item struct {
	Path   string
	Name   string // the last part of its name
	Member string // where in the upload it is, empty for the upload itself
	Size   int64
	Notes  []string // what people should know of its unpacking
}

// Expand unpacks gzip and zip files into dir until none is left, and returns what
// is in them. A file that is neither stays as it is. Mail stays too, and the tables
// that are attached to it follow, unless letters says that it is text like other text.
func Expand(file, name, dir string, letters bool) ([]Item, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	e := &expansion{dir: dir, room: UnpackedLimit(info.Size()), letters: letters}
	err = e.expand(Item{Path: file, Name: name, Size: info.Size()}, 0)
	return e.items, err
}

type expansion struct {
	dir     string
	letters bool // mail is text
	room    int64
	entries int
	items   []Item
}

func (e *expansion) expand(it Item, depth int) error {
	head, err := beginning(it.Path, mailHead)
	if err != nil {
		return err
	}
	gz := bytes.HasPrefix(head, []byte{0x1f, 0x8b})
	zipped := bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
	if zipped {
		office, err := isOffice(it.Path)
		if err != nil {
			return within(it, err)
		}
		zipped = !office
	}
	post := !gz && !zipped && !e.letters && looksLikeMail(head)
	switch {
	case !gz && !zipped && !post:
		e.items = append(e.items, it)
		return nil
	case depth == maxDepth:
		return within(it, refuse("archives are packed into one another more than %d deep", maxDepth))
	case gz:
		return e.gunzip(it, depth)
	case post:
		return e.openMail(it, depth)
	}
	return e.unzip(it, depth)
}

// within names the member that an error is about.
func within(it Item, err error) error {
	var q *quern.Error
	if it.Member != "" && errors.As(err, &q) && q.Kind == quern.Invalid {
		return refuse("%s: %s", it.Member, q.Detail).Because(q.Err)
	}
	return err
}

func (e *expansion) gunzip(it Item, depth int) error {
	f, err := os.Open(it.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return within(it, refuse("the gzip file is damaged").Because(err))
	}
	inner := Item{Name: strings.TrimSuffix(it.Name, ".gz"), Member: it.Member}
	if inner.Path, inner.Size, err = e.unpack(z); err != nil {
		return within(it, damaged("gzip file", err))
	}
	return e.expand(inner, depth+1)
}

func (e *expansion) unzip(it Item, depth int) error {
	z, err := zip.OpenReader(it.Path)
	if err != nil {
		return within(it, damaged("zip file", err))
	}
	defer z.Close()
	for _, entry := range z.File {
		if skipped(entry) {
			continue
		}
		if e.entries++; e.entries > maxEntries {
			return within(it, refuse("the archive holds more than %d files", maxEntries))
		}
		inner := Item{Name: path.Base(entry.Name), Member: memberName(it.Member, entry.Name)}
		if entry.Flags&1 != 0 {
			return within(inner, refuse("the archive is encrypted"))
		}
		r, err := entry.Open()
		if err != nil {
			return within(inner, damaged("zip file", err))
		}
		inner.Path, inner.Size, err = e.unpack(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return within(inner, damaged("zip file", err))
		}
		if err := e.expand(inner, depth+1); err != nil {
			return err
		}
	}
	if len(e.items) == 0 {
		return within(it, refuse("the archive is empty"))
	}
	return nil
}

// skipped tells entries that hold nothing of the sender's: folders, and what
// some systems leave beside every file.
func skipped(f *zip.File) bool {
	base := path.Base(strings.ReplaceAll(f.Name, `\`, "/"))
	return f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "__MACOSX/") || base == ".DS_Store" || base == "Thumbs.db"
}

func memberName(outer, name string) string {
	if !utf8.ValidString(name) {
		name = strings.ToValidUTF8(name, "\uFFFD")
	}
	if outer != "" {
		return outer + "/" + name
	}
	return name
}

// errExplodes says that unpacking was stopped.
var errExplodes = refuse("the archive unpacks to more than %d MiB and more than %d times its size", freeBytes>>20, maxRatio)

// unpack writes a stream into a file of its own, as long as there is room.
func (e *expansion) unpack(r io.Reader) (string, int64, error) {
	file := filepath.Join(e.dir, "unpacked-"+quern.NewID[string]())
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", 0, err
	}
	n, err := io.Copy(f, io.LimitReader(r, e.room+1))
	e.room -= n
	if err == nil && e.room < 0 {
		err = errExplodes
	}
	return file, n, errors.Join(err, f.Close())
}

// damaged tells a file that cannot be unpacked from a disk that cannot be used.
func damaged(what string, err error) error {
	if err == nil {
		return nil
	}
	var ours *quern.Error
	var sys *os.PathError
	if errors.As(err, &ours) || errors.As(err, &sys) {
		return err
	}
	return refuse("the %s is damaged or cut short", what).Because(err)
}

func beginning(file string, n int) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, n)
	n, err = io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}

// isOffice tells zip files that are documents from zip files that hold files.
func isOffice(file string) (bool, error) {
	kind, err := officeKind(file)
	switch {
	case kind != "":
		return true, nil
	case errors.Is(err, errOffice):
		return false, err
	case errors.Is(err, errNoOffice):
		return false, nil
	}
	return false, err
}

var (
	errNoOffice = refuse("the file is an archive")
	errOffice   = refuse("the file is an office document of a kind that cannot be read; save it as .xlsx, .ods, .docx or .csv")
)

// officeKind tells what kind of document a zip file is.
func officeKind(file string) (Kind, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", damaged("zip file", err)
	}
	defer z.Close()
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
	}
	switch {
	case names["xl/workbook.xml"]:
		return Excel, nil
	case names["word/document.xml"]:
		return Document, nil
	case names["mimetype"] && names["content.xml"] && mimeType(&z.Reader) == "application/vnd.oasis.opendocument.spreadsheet":
		return ODS, nil
	case names["mimetype"] && names["encrypted-package"]:
		return "", refuse("the document is encrypted; save it without a password")
	case names["[Content_Types].xml"], names["mimetype"] && names["content.xml"]:
		return "", errOffice
	}
	return "", errNoOffice
}

// mimeType is what a document says that it is.
func mimeType(z *zip.Reader) string {
	in, err := z.Open("mimetype")
	if err != nil {
		return ""
	}
	defer in.Close()
	text, _ := io.ReadAll(io.LimitReader(in, 100))
	return strings.TrimSpace(string(text))
}
