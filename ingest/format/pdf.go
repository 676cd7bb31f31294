package format

import (
	"bufio"
	"context"
	"errors"
	"html"
	"io"
	"strconv"
	"strings"
)

// What a request may want of a PDF file. The tables of PDFAuto are the pages'
// text where there is no table.
const (
	PDFAuto   = "auto"
	PDFPages  = "pages"
	PDFTables = "tables"
)

// What a PDF file may hold. Words are counted as they come; more than fit are
// never left out in silence.
const (
	maxWords     = 2_000_000
	maxPageWords = 50_000
	maxWordLine  = 1 << 20
)

// pdfTables returns the tables of a PDF file, or its text, a row for every page.
func pdfTables(ctx context.Context, path string, o Options) ([]Table, error) {
	if o.PDF != PDFPages {
		found := &pdfFinder{}
		if err := pdfToText.read(ctx, path, found.read, "-bbox"); err != nil {
			return nil, err
		}
		if len(found.tables) > 0 {
			return found.found(o), nil
		}
		if o.PDF == PDFTables {
			return nil, refuse("the PDF file holds no table; read as pages, it gives its text")
		}
	}
	return pdfPages(ctx, path)
}

// pdfPages returns the text of every page, laid out as on the page.
func pdfPages(ctx context.Context, path string) ([]Table, error) {
	var out limited
	err := pdfToText.read(ctx, path, func(r io.Reader) error {
		_, err := io.Copy(&out, r)
		return err
	}, "-layout")
	if out.full {
		return nil, refuse("the PDF file holds more than %d MiB of text", maxDocument>>20)
	}
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"page", "text"}}
	for i, page := range strings.Split(strings.TrimSuffix(out.String(), "\f"), "\f") {
		if text := strings.Trim(page, "\r\n"); strings.TrimSpace(text) != "" {
			rows = append(rows, []string{strconv.Itoa(i + 1), text})
		}
	}
	if len(rows) == 1 {
		return nil, refuse("the PDF file holds no text; pictures of text cannot be read")
	}
	return []Table{memoryNamed("", "PDF, a row for every page", rows, true)}, nil
}

// limited keeps so much of what a program writes.
type limited struct {
	strings.Builder
	full bool
}

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > maxDocument {
		l.full = true
		return 0, io.ErrShortWrite
	}
	return l.Builder.Write(b)
}

// word is a word on a page, with the corners of the box around it, from the
// upper left one of the page.
type word struct {
	left, top, right, bottom float64
	text                     string
}

func (w word) height() float64 { return w.bottom - w.top }

// parseWord reads one line of what the tool writes of words.
func parseWord(line string) (w word, ok bool) {
	head, rest, ok := strings.Cut(line, ">")
	text, _, closed := strings.Cut(rest, "</word>")
	if !ok || !closed {
		return w, false
	}
	for name, to := range map[string]*float64{"xMin": &w.left, "yMin": &w.top, "xMax": &w.right, "yMax": &w.bottom} {
		_, value, _ := strings.Cut(head, name+`="`)
		value, _, _ = strings.Cut(value, `"`)
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || n < -1e6 || n > 1e6 {
			return w, false
		}
		*to = n
	}
	w.text = strings.TrimSpace(strings.ToValidUTF8(html.UnescapeString(text), "\uFFFD"))
	return w, w.text != "" && w.right > w.left && w.bottom > w.top
}

// eachPage hands on the words of every page, and stops at the first error.
func eachPage(r io.Reader, page func(number int, words []word) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxWordLine)
	number, total, words := 0, 0, []word(nil)
	for in.Scan() {
		line := strings.TrimSpace(in.Text())
		switch {
		case strings.HasPrefix(line, "<page "):
			number, words = number+1, words[:0]
		case strings.HasPrefix(line, "</page>"):
			if err := page(number, words); err != nil {
				return err
			}
		case strings.HasPrefix(line, "<word "):
			w, ok := parseWord(line)
			if !ok {
				continue
			}
			words = append(words, w)
			if total++; total > maxWords {
				return refuse("the PDF file holds more than %d words; read as pages, it gives its text", maxWords)
			}
			if len(words) > maxPageWords {
				return refuse("page %d of the PDF file holds more than %d words; read as pages, it gives its text", number, maxPageWords)
			}
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return refuse("the PDF file holds a word longer than %d MiB", maxWordLine>>20)
	}
	return in.Err()
}
