package format

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"quern/engine"
)

// ErrUneven says that a text must be read record by record: a record is as wide
// as no other, longer than a block, or not in UTF-8.
var ErrUneven = errors.New("format: the text is uneven")

// blockBytes is how much of a plain text is taken apart at once.
const blockBytes = 1 << 20

// Plain is delimited text in UTF-8 whose records may be read block by block, side
// by side. Whether it is even enough for that shows only when it is read.
type Plain struct {
	Dialect Dialect
	Header  []string // as Reader returns it
	Named   bool     // the first line is the header
	Notes   []string // what was decided about it, for people
	path    string
	skip    int // bytes of the mark at the beginning
	Block   int // bytes that are taken apart at once
	watch   func(int)
}

// Plain returns the table as plain text; ok is false for tables that are none.
func (t Table) Plain() (p *Plain, ok bool, err error) {
	if t.plain == nil {
		return nil, false, nil
	}
	p = t.plain
	in, err := t.Open()
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	p.Header, p.Notes = in.Header(), in.Notes()
	return p, len(p.Header) > 1, nil
}

// Path is where the text lies.
func (p *Plain) Path() string { return p.path }

// See tells that bytes of the text have been read by others.
func (p *Plain) See(bytes int64) {
	if p.watch != nil {
		p.watch(int(bytes))
	}
}

// Cut copies some bytes of the text into a file of their own in dir.
func (p *Plain) Cut(dir string, from, to int64) (path string, err error) {
	in, err := os.Open(p.path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	if _, err := in.Seek(from, io.SeekStart); err != nil {
		return "", err
	}
	out, err := os.CreateTemp(dir, "cut-*")
	if err != nil {
		return "", err
	}
	_, err = io.CopyN(out, in, to-from)
	return out.Name(), errors.Join(err, out.Close())
}

// Block is some records of a plain text, one after the other.
type Block struct {
	Number   int
	From, To int64 // its bytes in the file, the header included
	text     []byte
	named    bool // it begins with the header
	dialect  Dialect
	width    int
	cells    []Cell
	unquoted []byte
	places   []engine.Place
	quotes   bool // there are some in the text
	returns  bool // likewise
	// What is known of it once it is read.
	Rows     int64
	Blank    int64 // records without a value, which are left out
	Verbatim bool  // every record stands on one line and reads as it is written
	Returns  int64
}

// Each cuts the text into blocks and has them worked on by so many workers at a
// time. A block is worked on by one of them; blocks begin in order. It stops at
// the first error, which ends the context that the workers are given.
func (p *Plain) Each(ctx context.Context, workers int, work func(ctx context.Context, worker int, b *Block) error) error {
	f, err := os.Open(p.path)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	blocks, spare := make(chan *Block), make(chan *Block, workers+2)
	for range workers + 2 {
		spare <- &Block{}
	}
	var working sync.WaitGroup
	for n := range workers {
		working.Go(func() {
			for b := range blocks {
				if ctx.Err() == nil {
					if err := work(ctx, n, b); err != nil {
						stop(err)
					}
				}
				spare <- b
			}
		})
	}
	err = p.cut(ctx, f, blocks, spare)
	close(blocks)
	working.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// cut reads the file and hands it on in pieces that end with a record.
func (p *Plain) cut(ctx context.Context, f *os.File, blocks chan<- *Block, spare <-chan *Block) error {
	at := int64(p.skip)
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return err
	}
	var rest []byte
	for number := 0; ; number++ {
		b := <-spare
		b.reset(p, number, at)
		b.text = append(b.text[:0], rest...)
		if cap(b.text) < p.Block+engine.CellSlack {
			b.text = append(make([]byte, 0, p.Block+engine.CellSlack), b.text...)
		}
		n, err := io.ReadFull(f, b.text[len(b.text):p.Block])
		b.text = b.text[:len(b.text)+n]
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return err
		}
		if p.watch != nil {
			p.watch(n)
		}
		cut := len(b.text)
		if !end {
			if cut = recordEnd(b.text, p.Dialect.Quote); cut == 0 {
				return ErrUneven
			}
		}
		rest = append(rest[:0], b.text[cut:]...)
		b.text = b.text[:cut]
		at += int64(cut)
		b.To = at
		select {
		case blocks <- b:
		case <-ctx.Done():
			return nil
		}
		if end {
			return nil
		}
	}
}

func (b *Block) reset(p *Plain, number int, at int64) {
	*b = Block{Number: number, From: at, text: b.text, cells: b.cells[:0], unquoted: b.unquoted[:0], places: b.places[:0], dialect: p.Dialect,
		width: len(p.Header), named: p.Named && number == 0, Verbatim: p.skip == 0}
}

// recordEnd returns a place behind the end of a line with an even number of quotes
// before it, the last but for text in which no quote stands; 0 when there is none.
// Where quotes stand inside of cells that do not begin with one, the place may be
// wrong: reading the text up to there tells.
func recordEnd(text []byte, quote byte) int {
	end := bytes.LastIndexByte(text, '\n') + 1
	if quote == 0 {
		return end
	}
	odd := bytes.Count(text[:end], []byte{quote})%2 == 1
	for odd && end > 0 {
		before := bytes.LastIndexByte(text[:end-1], '\n') + 1
		odd = bytes.Count(text[before:end], []byte{quote})%2 == 0
		end = before
	}
	return end
}

// Read takes the block apart and hands on its records, whose cells are valid
// until the next. ErrUneven when it cannot be sure of them.
func (b *Block) Read(record func(cells []Cell) error) error {
	// A last character that says that a file ends is none of it.
	if !utf8.Valid(b.text) || bytes.IndexByte(b.text, 0) >= 0 || bytes.HasSuffix(b.text, []byte{0x1a}) {
		return ErrUneven
	}
	b.quotes = b.dialect.Quote != 0 && bytes.IndexByte(b.text, b.dialect.Quote) >= 0
	b.returns = bytes.IndexByte(b.text, '\r') >= 0
	named := b.named
	for text := b.text; len(text) > 0; {
		rest, err := b.record(text)
		if err != nil {
			return err
		}
		blank := len(text)-len(rest) <= b.width+1 && blankRecord(b.cells)
		text = rest
		switch {
		case blank:
			b.Blank++
			b.Verbatim = false
			continue
		case len(b.cells) == 0: // an empty line
			b.Verbatim = false
			continue
		case len(b.cells) != b.width:
			return ErrUneven
		case named:
			named = false
			continue
		}
		b.Rows++
		if err := record(b.cells); err != nil {
			return err
		}
	}
	if named {
		return ErrUneven // the header is in another block
	}
	return nil
}

// record reads one record off text.
func (b *Block) record(text []byte) (rest []byte, err error) {
	b.cells = b.cells[:0]
	line, rest := text, text[len(text):]
	end := bytes.IndexByte(text, '\n')
	if end >= 0 {
		line, rest = text[:end], text[end+1:]
	}
	if b.quotes && bytes.IndexByte(line, b.dialect.Quote) >= 0 {
		return b.quotedRecord(text)
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
		b.Returns++
	}
	if len(line) == 0 {
		return rest, nil
	}
	for {
		i := bytes.IndexByte(line, b.dialect.Delimiter)
		if i < 0 {
			b.cells = append(b.cells, Cell{Text: line})
			break
		}
		b.cells = append(b.cells, Cell{Text: line[:i]})
		line = line[i+1:]
	}
	if b.returns && bytes.IndexByte(text[:len(text)-len(rest)], '\r') >= 0 {
		b.strayReturn()
	}
	return rest, nil
}

// strayReturn looks for carriage returns that end no line.
func (b *Block) strayReturn() {
	for _, c := range b.cells {
		if bytes.IndexByte(c.Text, '\r') >= 0 {
			b.Verbatim = false
		}
	}
}

// quotedRecord reads a record with quotes in it.
func (b *Block) quotedRecord(text []byte) (rest []byte, err error) {
	b.unquoted = b.unquoted[:0]
	for {
		if len(text) > 0 && text[0] == b.dialect.Quote {
			if text, err = b.quotedCell(text[1:]); err != nil {
				return nil, err
			}
		} else {
			end := bytes.IndexAny(text, string([]byte{b.dialect.Delimiter, '\n'}))
			if end < 0 {
				end = len(text)
			}
			cell := text[:end]
			if bytes.IndexByte(cell, b.dialect.Quote) >= 0 {
				b.Verbatim = false
			}
			text = text[end:]
			if len(text) == 0 || text[0] == '\n' {
				cell = b.lineEnd(cell)
			}
			if bytes.IndexByte(cell, '\r') >= 0 {
				b.Verbatim = false
			}
			b.cells = append(b.cells, Cell{Text: cell})
		}
		switch {
		case len(text) == 0:
			return nil, nil
		case text[0] == '\n':
			return text[1:], nil
		}
		text = text[1:]
	}
}

// BlankNotes tells of records without a value.
func BlankNotes(n int64) []string { return blankNotes(n) }

// lineEnd takes the carriage return off the last cell of a line.
func (b *Block) lineEnd(cell []byte) []byte {
	if n := len(cell); n > 0 && cell[n-1] == '\r' {
		b.Returns++
		return cell[:n-1]
	}
	return cell
}

// quotedCell reads a cell from behind its opening quote up to the delimiter or
// the end of the line behind it.
func (b *Block) quotedCell(text []byte) (rest []byte, err error) {
	from := len(b.unquoted)
	for {
		end := bytes.IndexByte(text, b.dialect.Quote)
		if end < 0 {
			return nil, ErrUneven // the quotes end in another block, if at all
		}
		b.unquoted = append(b.unquoted, text[:end]...)
		text = text[end+1:]
		if len(text) == 0 || text[0] != b.dialect.Quote {
			break
		}
		b.unquoted = append(b.unquoted, b.dialect.Quote)
		text = text[1:]
	}
	cell := b.unquoted[from:len(b.unquoted):len(b.unquoted)]
	if bytes.IndexByte(cell, '\r') >= 0 {
		return nil, ErrUneven // of a line's end inside of quotes, only the line feed counts
	}
	if bytes.IndexByte(cell, '\n') >= 0 || b.dialect.Quote != '"' {
		b.Verbatim = false
	}
	b.cells = append(b.cells, Cell{Text: cell, Quoted: true})
	if tail := b.lineEndAhead(text); tail >= 0 {
		return text[tail:], nil
	}
	if text[0] != b.dialect.Delimiter {
		return nil, ErrUneven // there is more behind the quotes
	}
	return text, nil
}

// lineEndAhead returns where the line ends when nothing but its end is ahead, -1
// otherwise.
func (b *Block) lineEndAhead(text []byte) int {
	switch {
	case len(text) == 0 || text[0] == '\n':
		return 0
	case string(text) == "\r", bytes.HasPrefix(text, []byte("\r\n")):
		b.Returns++
		return 1
	}
	return -1
}
