package format

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sniffBytes is how much of a file is looked at, at least, to tell what it is.
const sniffBytes = 256 << 10

// sniff reads the beginning of a file: sniffBytes, or as much more as it takes to
// see where two lines end, for one line alone does not tell what it is part of.
// whole says that there is no more.
func sniff(r io.Reader) (head []byte, whole bool, err error) {
	for size := sniffBytes; ; size *= 2 {
		before := len(head)
		head = append(head, make([]byte, size-before)...)
		n, err := io.ReadFull(r, head[before:])
		head = head[:before+n]
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return head, true, nil
		case err != nil:
			return nil, false, err
		case size >= 2*MaxRecord, lineEnds(head) > 1:
			return head, false, nil
		}
	}
}

// lineEnds counts the line ends of a text up to two.
func lineEnds(text []byte) (n int) {
	for ; n < 2; n++ {
		i := bytes.IndexAny(text, "\r\n")
		if i < 0 {
			return n
		}
		text = bytes.TrimPrefix(text[i:], []byte("\r"))
		text = bytes.TrimPrefix(text, []byte("\n"))
	}
	return n
}

// charset is how a file writes text.
type charset struct {
	name   string
	decode encoding.Encoding // nil: UTF-8
	skip   int               // bytes of the mark at the beginning
}

var (
	utf8Charset  = charset{name: "UTF-8"}
	ansiCharset  = charset{name: "Windows-1252", decode: charmap.Windows1252}
	byteOrderLE  = charset{name: "UTF-16LE", decode: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}
	byteOrderBE  = charset{name: "UTF-16BE", decode: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}
	errNotText   = refuse("the file is binary and in no format that can be read")
	errWideBytes = refuse("the file is text in UTF-32, which cannot be read; save it as UTF-8")
)

// byMark tells the charset from the mark or the pattern of zero bytes at the
// beginning; ok is false where there is neither.
func byMark(head []byte) (c charset, ok bool, err error) {
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		return charset{name: "UTF-8", skip: 3}, true, nil
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}), bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF}):
		return c, false, errWideBytes
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		c, ok = byteOrderLE, true
		c.skip = 2
		return c, ok, nil
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		c, ok = byteOrderBE, true
		c.skip = 2
		return c, ok, nil
	}
	some := head[:min(len(head), 4096)&^1]
	even, odd := 0, 0
	for i := 0; i+1 < len(some); i += 2 {
		if some[i] == 0 {
			even++
		}
		if some[i+1] == 0 {
			odd++
		}
	}
	half := len(some) / 2
	switch {
	case half >= 2 && odd > half*6/10 && even == 0:
		return byteOrderLE, true, nil
	case half >= 2 && even > half*6/10 && odd == 0:
		return byteOrderBE, true, nil
	}
	return c, false, nil
}

// decodeSample returns the beginning of a text file as UTF-8, cut at a line's end
// where there is one. whole says that the file has no more.
func decodeSample(head []byte, whole bool) (text []byte, c charset, err error) {
	c, marked, err := byMark(head)
	if err != nil {
		return nil, c, err
	}
	if !marked {
		if c, err = byContent(head, whole); err != nil {
			return nil, c, err
		}
	}
	text = head[c.skip:]
	if c.decode != nil {
		if c.name != ansiCharset.name {
			text = text[:len(text)&^1]
		}
		if text, err = c.decode.NewDecoder().Bytes(text); err != nil {
			return nil, c, errNotText
		}
	}
	if isBinary(text) {
		return nil, c, errNotText
	}
	if end := bytes.LastIndexByte(text, '\n'); !whole && end > 0 {
		text = text[:end+1]
	}
	return text, c, nil
}

func byContent(head []byte, whole bool) (charset, error) {
	if isBinary(head) {
		return charset{}, errNotText
	}
	good, bad := countUTF8(head, whole)
	if bad == 0 || good > 10*bad {
		return utf8Charset, nil
	}
	return ansiCharset, nil
}

// isBinary reports whether text holds what no text does: zero bytes, or many
// control characters.
func isBinary(text []byte) bool {
	odd := 0
	for _, b := range text {
		switch {
		case b == 0:
			return true
		case b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1a && b != 0x1b:
			odd++
		}
	}
	return odd*50 > len(text)
}

// countUTF8 counts characters beyond ASCII that are well-formed and bytes that
// are not. A character that the end cuts off counts only when the text is whole.
func countUTF8(text []byte, whole bool) (good, bad int64) {
	for {
		if text = text[asciiLength(text):]; len(text) == 0 {
			return good, bad
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r != utf8.RuneError || size > 1:
			good++
		case !whole && !utf8.FullRune(text):
			return good, bad
		default:
			bad++
		}
		text = text[size:]
	}
}

// asciiLength is how many bytes of ASCII a text begins with, which are looked at eight at a time.
func asciiLength(text []byte) (n int) {
	const high = 0x8080808080808080
	for n+8 <= len(text) && binary.LittleEndian.Uint64(text[n:])&high == 0 {
		n += 8
	}
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// charsetOf decides over the whole file, for what is foreign to UTF-8 may come
// late. Zero bytes anywhere in text of single bytes mean that it is not text.
func charsetOf(path string) (charset, error) {
	f, err := os.Open(path)
	if err != nil {
		return charset{}, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, sniffBytes)
	head, err := in.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return charset{}, err
	}
	if c, marked, err := byMark(head); err != nil || marked {
		return c, err
	}
	if err := checkUTF8(path); !errors.Is(err, errNotUTF8) {
		return utf8Charset, err
	}
	var good, bad int64
	buf, kept := make([]byte, sniffBytes), 0
	for {
		n, err := in.Read(buf[kept:])
		chunk := buf[:kept+n]
		if bytes.IndexByte(chunk[kept:], 0) >= 0 {
			return charset{}, errNotText
		}
		end := err != nil
		cut := len(chunk)
		if !end {
			cut = wholeRunes(chunk)
		}
		g, b := countUTF8(chunk[:cut], true)
		good, bad = good+g, bad+b
		kept = copy(buf, chunk[cut:])
		switch {
		case errors.Is(err, io.EOF):
			if bad == 0 || good > 10*bad {
				return utf8Charset, nil
			}
			return ansiCharset, nil
		case err != nil:
			return charset{}, err
		}
	}
}

// errNotUTF8 says that a file has something that is foreign to UTF-8.
var errNotUTF8 = errors.New("format: not in UTF-8")

// checkUTF8 makes sure that all of a file is text in UTF-8; errNotUTF8 when it is not.
func checkUTF8(path string) error {
	_, err := EachPiece(path, utf8.UTFMax-1, func(p Piece) error {
		start, end := 0, len(p.Bytes)
		for p.Number > 0 && start < min(end, utf8.UTFMax-1) && !utf8.RuneStart(p.Bytes[start]) {
			start++ // of a character that the piece before has
		}
		for end < len(p.More) && !utf8.RuneStart(p.More[end]) {
			end++
		}
		if text := p.More[start:end]; !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return errNotUTF8
		}
		return nil
	})
	return err
}

// wholeRunes is the length of text without a character that its end cuts off.
func wholeRunes(text []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if b := text[len(text)-back]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-back:]) {
				return len(text) - back
			}
			break
		}
	}
	return len(text)
}

// openText opens a text file as UTF-8, without its mark.
func openText(path string, c charset, o Options) (io.Reader, io.Closer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if _, err := f.Seek(int64(c.skip), io.SeekStart); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	var r io.Reader = watched{f, o.Watch}
	if c.decode != nil {
		r = transform.NewReader(bufio.NewReaderSize(r, 64<<10), c.decode.NewDecoder())
	}
	return r, f, nil
}

// watched tells how far a file has been read.
type watched struct {
	r   io.Reader
	see func(int)
}

func (w watched) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if w.see != nil && n > 0 {
		w.see(n)
	}
	return n, err
}

// TextFile is a file of text, and how it is written.
type TextFile struct {
	path    string
	charset charset
}

// FindText reads a file through to find how its text is written.
func FindText(path string) (TextFile, error) {
	c, err := charsetOf(path)
	return TextFile{path, c}, err
}

// Open opens the text as UTF-8. watch sees how many bytes of the file are read.
func (t TextFile) Open(watch func(int)) (io.Reader, io.Closer, error) {
	return openText(t.path, t.charset, Options{Watch: watch})
}

// OpenText opens a text that is read once.
func OpenText(path string, watch func(int)) (io.Reader, io.Closer, error) {
	t, err := FindText(path)
	if err != nil {
		return nil, nil, err
	}
	return t.Open(watch)
}
