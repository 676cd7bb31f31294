package format

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"quern/ingest/pdfium"
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
)

// pdfTime is how long reading a PDF file may take.
const pdfTime = 2 * time.Minute

// pdfTables returns the tables of a PDF file, or its text, a row for every page.
func pdfTables(ctx context.Context, path string, o Options, most time.Duration) ([]Table, error) {
	reading, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	found, pages := &pdfFinder{budget: heldBudget("PDF file")}, &pdfPages{}
	err := pdfium.Read(reading, path, o.Compiled, func(number int, words []pdfium.Word) error {
		lines := linesOf(words)
		if o.PDF != PDFTables {
			if err := pages.add(number, lines); err != nil {
				return err
			}
		}
		if o.PDF == PDFPages {
			return nil
		}
		return found.page(number, words, lines)
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case reading.Err() != nil:
		return nil, refuse("the PDF file takes more than %v to read", most)
	case err != nil:
		return nil, pdfRefusal(err)
	}
	tables, err := found.found(o)
	switch {
	case err != nil || len(tables) > 0:
		return tables, err
	case o.PDF == PDFTables:
		return nil, refuse("the PDF file holds no table; read as pages, it gives its text")
	case len(pages.rows) == 0:
		return nil, refuse("the PDF file holds no text; pictures of text cannot be read")
	}
	return []Table{memoryPaged(Table{Detail: "PDF, a row for every page"}, []string{"page", "text"}, pages.rows, pages.pages, nil)}, nil
}

// pdfRefusal says why a PDF file cannot be read.
func pdfRefusal(err error) error {
	switch {
	case errors.Is(err, pdfium.ErrEncrypted):
		return refuse("the PDF file is encrypted; save it without a password").Because(err)
	case errors.Is(err, pdfium.ErrMemory):
		return refuse("the PDF file needs more memory to be read than there is").Because(err)
	case errors.Is(err, pdfium.ErrDamaged):
		return refuse("the PDF file is damaged").Because(err)
	case errors.Is(err, pdfium.ErrBytes):
		return refuse("the PDF file is larger than %d MiB", pdfium.MaxBytes>>20)
	case errors.Is(err, pdfium.ErrPages):
		return refuse("the PDF file has more than %d pages", pdfium.MaxPages)
	}
	return err
}

// pdfPages collects the text of pages.
type pdfPages struct {
	rows  [][]string
	pages []int // of the rows
	bytes int
}

func (p *pdfPages) add(number int, lines []pageLine) error {
	text := layOut(lines)
	if text == "" {
		return nil
	}
	if p.bytes += len(text); p.bytes > maxDocument {
		return refuse("the PDF file holds more than %d MiB of text", maxDocument>>20)
	}
	p.rows, p.pages = append(p.rows, []string{strconv.Itoa(number), text}), append(p.pages, number)
	return nil
}

// layOut writes the lines of a page with spaces between their phrases, about as they
// stand on the page, and empty lines where it has room.
func layOut(lines []pageLine) string {
	const (
		mostIndent = 200 // columns
		apart      = 1.8 // heights of a line, from one to the next
	)
	left, width := pageMeasure(lines)
	var b strings.Builder
	for i, l := range lines {
		if i > 0 && l.top-lines[i-1].top > apart*l.height() {
			b.WriteByte('\n')
		}
		column := 0
		for n, s := range l.phrases {
			at := min(int((s.left-left)/width+0.5), mostIndent)
			if n > 0 {
				at = max(at, column+2)
			}
			for ; column < at; column++ {
				b.WriteByte(' ')
			}
			b.WriteString(s.text)
			column += len([]rune(s.text))
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// pageMeasure returns where the text of a page begins and how wide a character is.
func pageMeasure(lines []pageLine) (left, width float64) {
	var all, characters float64
	for i, l := range lines {
		for n, s := range l.phrases {
			if i == 0 && n == 0 || s.left < left {
				left = s.left
			}
			all += s.right - s.left
			characters += float64(len([]rune(s.text)))
		}
	}
	return left, max(1, all/max(1, characters))
}
