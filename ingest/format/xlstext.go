package format

import (
	"encoding/binary"
	"errors"
	"unicode/utf16"
)

// biffText reads texts out of a record and those that go on with it.
type biffText struct {
	reader *biffReader
	at     int
}

var errBiffText = errors.New("format: a text ends before its end")

// need makes sure that there are bytes left, in the record or the next.
func (t *biffText) need() error {
	for t.at >= len(t.reader.data) {
		more, err := t.reader.continues()
		if err != nil {
			return err
		}
		if !more {
			return errBiffText
		}
		t.at = 0
	}
	return nil
}

func (t *biffText) byte() (byte, error) {
	if err := t.need(); err != nil {
		return 0, err
	}
	b := t.reader.data[t.at]
	t.at++
	return b, nil
}

// number reads so many bytes as a number.
func (t *biffText) number(bytes int) (n int, err error) {
	for i := range bytes {
		b, err := t.byte()
		if err != nil {
			return 0, err
		}
		n |= int(b) << (8 * i)
	}
	return n, nil
}

// short reads a text whose length is one byte.
func (t *biffText) short() (string, error) { return t.text(1) }

// long reads a text whose length is two bytes.
func (t *biffText) long() (string, error) { return t.text(2) }

func (t *biffText) text(lengthBytes int) (string, error) {
	length, err := t.number(lengthBytes)
	if err != nil || length == 0 {
		return "", err
	}
	flags, err := t.byte()
	if err != nil {
		return "", err
	}
	return t.characters(length, flags)
}

// What the flags of a text say.
const (
	textWide  = 1 // two bytes a character
	textExtra = 4 // with data behind it
	textRuns  = 8 // with runs of fonts behind it
)

// rich reads a text of the list of all sheets.
func (t *biffText) rich() (string, error) {
	length, err := t.number(2)
	if err != nil {
		return "", err
	}
	flags, err := t.byte()
	if err != nil {
		return "", err
	}
	runs, extra := 0, 0
	if flags&textRuns != 0 {
		if runs, err = t.number(2); err != nil {
			return "", err
		}
	}
	if flags&textExtra != 0 {
		if extra, err = t.number(4); err != nil {
			return "", err
		}
	}
	text, err := t.characters(length, flags)
	if err != nil {
		return "", err
	}
	return text, t.skip(4*runs + extra)
}

// characters reads the characters of a text. Where it goes on in the next record, that
// one begins with flags of its own.
func (t *biffText) characters(length int, flags byte) (string, error) {
	units := make([]uint16, 0, min(length, len(t.reader.data)))
	for len(units) < length {
		if t.at >= len(t.reader.data) {
			if err := t.need(); err != nil {
				return "", err
			}
			var err error
			if flags, err = t.byte(); err != nil {
				return "", err
			}
			continue
		}
		rest := t.reader.data[t.at:]
		if flags&textWide == 0 {
			units = append(units, uint16(rest[0]))
			t.at++
			continue
		}
		if len(rest) < 2 {
			return "", errBiffText
		}
		units = append(units, binary.LittleEndian.Uint16(rest))
		t.at += 2
	}
	return string(utf16.Decode(units)), nil
}

// skip passes over bytes.
func (t *biffText) skip(n int) error {
	for n > 0 {
		if err := t.need(); err != nil {
			return err
		}
		step := min(n, len(t.reader.data)-t.at)
		t.at, n = t.at+step, n-step
	}
	return nil
}
