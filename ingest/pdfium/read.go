package pdfium

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
)

// What a document may be.
const (
	MaxBytes = 1 << 30
	MaxPages = 20_000
)

// Why a document cannot be read.
var (
	ErrEncrypted = errors.New("pdfium: the document is encrypted")
	ErrDamaged   = errors.New("pdfium: the document is damaged")
	ErrBytes     = errors.New("pdfium: the document is too large")
	ErrPages     = errors.New("pdfium: the document has too many pages")
	ErrMemory    = errors.New("pdfium: the document needs too much memory")
)

// Word is a word on a page, with the sides of the box around it. They grow to the
// right and down, as the page is shown.
type Word struct {
	Left, Top, Right, Bottom float64
	Text                     string
}

// Height is how high the box is.
func (w Word) Height() float64 { return w.Bottom - w.Top }

// Read hands on the words of every page of a document, and stops at the first
// error of page. It ends when ctx does, with its error. cache is the folder in
// which compiled code is kept; empty: none.
func Read(ctx context.Context, path, cache string, page func(number int, words []Word) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Size() > MaxBytes {
		return ErrBytes
	}
	c, err := load(cache)
	if err != nil {
		return err
	}
	instance, err := c.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return errors.Join(ctx.Err(), err)
	}
	defer func() { _ = instance.Close() }() // what it says after a failure is that failure
	module, err := moduleOf(instance)
	if err != nil {
		return err
	}
	defer endWith(ctx, module)()
	name, hide := c.files.show(path)
	defer hide()
	d := document{calls: newCalls(ctx, module)}
	err = d.read(ctx, name, page)
	switch {
	case err == nil || d.foreign:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case full(module):
		return errors.Join(ErrMemory, err)
	}
	return err
}

// document is a document that is being read. It goes with its module.
type document struct {
	*calls
	at      uint64
	foreign bool // the error is one of the caller's
}

func (d *document) read(ctx context.Context, name string, page func(int, []Word) error) error {
	if err := d.open(name); err != nil {
		return err
	}
	count, err := d.number("FPDF_GetPageCount", d.at)
	if err != nil {
		return errors.Join(ErrDamaged, err)
	}
	if count > MaxPages {
		return ErrPages
	}
	for i := range count {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		words, err := d.page(i)
		if err != nil {
			return errors.Join(ErrDamaged, err)
		}
		if err := page(i+1, words); err != nil {
			d.foreign = true
			return err
		}
	}
	return nil
}

// open opens the document, and tells encrypted ones from damaged ones.
func (d *document) open(name string) error {
	path, err := d.text(name)
	if err == nil {
		d.at, err = d.object("FPDF_LoadDocument", path, 0)
	}
	if err == nil {
		return nil
	}
	if !errors.Is(err, errNothing) {
		return errors.Join(ErrDamaged, err)
	}
	const password, security = 4, 5
	switch code, err := d.number("FPDF_GetLastError"); {
	case err != nil:
		return errors.Join(ErrDamaged, err)
	case code == password || code == security:
		return ErrEncrypted
	}
	return ErrDamaged
}

// page returns the words of a page.
func (d *document) page(index int) (words []Word, err error) {
	page, err := d.object("FPDF_LoadPage", d.at, uint64(index))
	if err != nil {
		return nil, err
	}
	defer func() {
		_, closed := d.call("FPDF_ClosePage", page)
		err = errors.Join(err, closed)
	}()
	turns, err := d.number("FPDFPage_GetRotation", page)
	if err != nil {
		return nil, err
	}
	text, err := d.object("FPDFText_LoadPage", page)
	if err != nil {
		return nil, err
	}
	defer func() {
		_, closed := d.call("FPDFText_ClosePage", text)
		err = errors.Join(err, closed)
	}()
	count, err := d.number("FPDFText_CountChars", text)
	if err != nil {
		return nil, err
	}
	if count < 0 {
		return nil, errNothing
	}
	s := speller{document: d, text: text, turns: turns}
	units, err := s.allUnits(count)
	if err != nil {
		return nil, err
	}
	for i := range count {
		if err := s.character(i, units); err != nil {
			return nil, err
		}
	}
	err = s.end(count)
	return s.words, err
}

// allUnits returns the characters of the page, read at once, a UTF-16 unit for each; nil
// when the library leaves some out of the text, so that they must be read one by one.
func (s *speller) allUnits(count int) ([]uint16, error) {
	if count == 0 {
		return nil, nil
	}
	at, err := s.document.makeRoom(uint32(count+1) * 2)
	if err != nil {
		return nil, err
	}
	written, err := s.document.number("FPDFText_GetText", s.text, 0, uint64(count), at)
	if err != nil || written != count+1 { // with a zero at the end
		return nil, err
	}
	return s.document.units(count)
}

// speller puts characters together to words.
type speller struct {
	document *document
	text     uint64
	turns    int // quarters of a turn, clockwise, by which the page is shown
	from     int // the first character of the word
	letters  []uint16
	words    []Word
}

// softHyphen is how a hyphen at the end of a line is given.
const softHyphen = 2

// unit returns a character of the page.
func (s *speller) unit(i int, all []uint16) (rune, error) {
	if all != nil {
		return rune(all[i]), nil
	}
	got, err := s.document.call("FPDFText_GetUnicode", s.text, uint64(i))
	return rune(uint32(got)), err
}

// character takes the next character of the page.
func (s *speller) character(i int, all []uint16) error {
	r, err := s.unit(i, all)
	if err != nil {
		return err
	}
	switch {
	case r == softHyphen || r == 0xFFFE:
		r = '-'
	case r <= ' ' || unicode.IsSpace(r) || r > unicode.MaxRune:
		return s.end(i)
	}
	if len(s.letters) == 0 {
		s.from = i
	}
	if r > 0xFFFF {
		s.letters = utf16.AppendRune(s.letters, r)
	} else {
		s.letters = append(s.letters, uint16(r)) // halves of a pair come one by one
	}
	return nil
}

// end completes the word before a character.
func (s *speller) end(before int) error {
	if len(s.letters) == 0 {
		return nil
	}
	w := Word{Text: strings.ToValidUTF8(string(utf16.Decode(s.letters)), "\uFFFD")}
	s.letters = s.letters[:0]
	first, err := s.box(s.from)
	if err != nil {
		return err
	}
	level, err := s.level(s.from)
	if err != nil {
		return err
	}
	last := first
	if level && before-1 > s.from {
		if last, err = s.box(before - 1); err != nil {
			return err
		}
	}
	w.Left, w.Top = min(first.Left, last.Left), min(first.Top, last.Top)
	w.Right, w.Bottom = max(first.Right, last.Right), max(first.Bottom, last.Bottom)
	if w.sound() {
		s.words = append(s.words, w)
	}
	return nil
}

// sound reports whether a word has a box that can be compared with others.
func (w Word) sound() bool {
	const most = 1e6
	for _, side := range []float64{w.Left, w.Top, w.Right, w.Bottom} {
		if math.IsNaN(side) || side < -most || side > most {
			return false
		}
	}
	return w.Right > w.Left && w.Bottom > w.Top
}

// level reports whether a character stands as the page is read. Of others, such as
// a mark across the page, one character stands for the place of the word.
func (s *speller) level(i int) (bool, error) {
	got, err := s.document.call("FPDFText_GetCharAngle", s.text, uint64(i))
	angle := float64(math.Float32frombits(uint32(got)))
	if err == nil && angle == -1 {
		err = errNothing
	}
	if err != nil {
		return false, err
	}
	const slight = 0.05
	// Angles are counted against the clock, turns of the page with it.
	off := math.Remainder(angle-float64(s.turns)*math.Pi/2, 2*math.Pi)
	return math.Abs(off) < slight, nil
}

// box returns the box of a character as the page is shown.
func (s *speller) box(i int) (w Word, err error) {
	sides, err := s.document.rectangle("FPDFText_GetLooseCharBox", s.text, i)
	if err != nil {
		return w, err
	}
	left, high, right, low := sides[0], sides[1], sides[2], sides[3]
	switch s.turns {
	case 1:
		w = Word{Left: low, Right: high, Top: left, Bottom: right}
	case 2:
		w = Word{Left: -right, Right: -left, Top: low, Bottom: high}
	case 3:
		w = Word{Left: -high, Right: -low, Top: -right, Bottom: -left}
	default:
		w = Word{Left: left, Right: right, Top: -high, Bottom: -low}
	}
	if w.Left > w.Right {
		w.Left, w.Right = w.Right, w.Left
	}
	if w.Top > w.Bottom {
		w.Top, w.Bottom = w.Bottom, w.Top
	}
	return w, nil
}
