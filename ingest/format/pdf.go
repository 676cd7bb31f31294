package format

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"html"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// What a request may want of a PDF file. The tables of PDFAuto are the pages'
// text where there is no table.
const (
	PDFAuto   = "auto"
	PDFPages  = "pages"
	PDFTables = "tables"
)

const (
	// pdfTool reads the text of PDF files; it is not part of the program.
	pdfTool = "pdftotext"
	pdfTime = 5 * time.Minute
	// maxWords is the most words of a page that a table is looked for in.
	maxWords = 50_000
)

// pdfTables gives the tables of a PDF file, or its text, a row for every page.
func pdfTables(path string, o Options) ([]Table, error) {
	if o.PDF != PDFPages {
		found := &pdfFinder{}
		if err := readPDF(path, found.read, "-bbox"); err != nil {
			return nil, err
		}
		if len(found.tables) > 0 {
			return found.found(o), nil
		}
		if o.PDF == PDFTables {
			return nil, refuse("the PDF file holds no table; read as pages, it gives its text")
		}
	}
	return pdfPages(path)
}

// pdfPages gives the text of every page, laid out as on the page.
func pdfPages(path string) ([]Table, error) {
	var out limited
	err := readPDF(path, func(r io.Reader) error {
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

// readPDF has the tool read a file and hands on what it writes.
func readPDF(path string, read func(io.Reader) error, options ...string) error {
	tool, err := exec.LookPath(pdfTool)
	if err != nil {
		return refuse("PDF files cannot be read: the program %s is not installed on the server", pdfTool)
	}
	ctx, cancel := context.WithTimeout(context.Background(), pdfTime)
	defer cancel()
	var problems bytes.Buffer
	run := exec.CommandContext(ctx, tool, append(options, "-enc", "UTF-8", path, "-")...) //nolint:gosec // a path of ours, never a shell
	run.Stderr, run.Env = &problems, []string{"LC_ALL=C.UTF-8"}
	out, err := run.StdoutPipe()
	if err != nil {
		return err
	}
	if err := run.Start(); err != nil {
		return err
	}
	failed := read(out)
	if failed != nil {
		cancel()
	}
	err = run.Wait()
	switch {
	case failed != nil:
		return failed
	case ctx.Err() != nil:
		return refuse("the PDF file took longer than %v to read", pdfTime)
	case bytes.Contains(problems.Bytes(), []byte("Incorrect password")):
		return refuse("the PDF file is encrypted; save it without a password")
	case err != nil:
		return refuse("the PDF file is damaged").Because(err)
	}
	return nil
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

// eachPage hands on the words of every page.
func eachPage(r io.Reader, page func(number int, words []word)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	number, words := 0, []word(nil)
	for {
		line, err := in.ReadString('\n')
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "<page "):
			number, words = number+1, words[:0]
		case strings.HasPrefix(line, "</page>"):
			page(number, words)
		case strings.HasPrefix(line, "<word "):
			if w, ok := parseWord(line); ok && len(words) < maxWords {
				words = append(words, w)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
