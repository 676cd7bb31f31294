// Package encoder owns the pretrained encoder of the translator: wordpieces, and
// layers of attention that know what words mean from more text than there are
// questions.
//
//	text of a name ──► pieces ──► lower layers ──► Name, kept with its dataset
//	                                                 │
//	question ──► pieces ──► lower layers ──► top layer over both ──► a vector for
//	                                         each word, column and table
//
// It computes vectors and decides nothing; package net reads them beside its own.
// The failure it is built around is the number that differs from the one in
// training: golden files hold tokens and vectors to what learned/train computed,
// and the bits are the same on every processor. Text may be anything: it is cut to
// bounds before anything is computed.
package encoder

import (
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"quern/nlq/kernel"
	"quern/nlq/weights"
)

const (
	magic = "QNET" // the layers travel in the file of a parsing network
	// normEpsilon is added to the variance of every norm.
	normEpsilon = 1e-5
	// textForm is counted up when names become other pieces.
	textForm = 1
)

// header is what a file of weights says about its pretrained layers.
type header struct {
	Pretrained *sizes
	Pieces     uint32 // checksum
}

// sizes says how large an encoder is: so many numbers for each piece, heads, layers,
// numbers inside of a layer. The lower layers see a text apart from others.
type sizes struct {
	Size, Heads, Layers, Apart, Wide int
}

// Encoder is a pretrained encoder. It is safe for concurrent use.
type Encoder struct {
	sizes
	pieces      *Pieces
	place       []float32 // of positions, behind each other
	norm        kernel.Norm
	layers      []*layer
	fingerprint string
	memories    sync.Pool
}

// layer is attention of pieces to each other, and a network on every piece.
type layer struct {
	qkv, out, up, down *kernel.WholeMatrix
	norm1, norm2       kernel.Norm
}

// In reports whether a network's weights have the layers of a pretrained encoder.
func In(data []byte) bool {
	h := new(header)
	_, err := weights.ReadHeader(data, magic, h)
	return err == nil && h.Pretrained != nil
}

// Load reads the pretrained layers out of a network's weights, which
// learned/train/export.py describes. They belong to one list of pieces; others are
// refused.
func Load(data []byte, pieces *Pieces) (*Encoder, error) {
	h := new(header)
	file, err := weights.Open(data, magic, h)
	if err == nil {
		err = h.check(pieces)
	}
	if err != nil {
		return nil, err
	}
	e := &Encoder{sizes: *h.Pretrained, pieces: pieces}
	e.fingerprint = h.fingerprint(data)
	l := loader{file, e.sizes}
	e.place = l.Numbers("pretrained.place.weight", mostQuestion, e.Size)
	e.norm = l.Norm("pretrained.norm", e.Size, normEpsilon)
	for i := range e.Layers {
		e.layers = append(e.layers, l.layer(fmt.Sprintf("pretrained.layers.%d.", i)))
	}
	return e, l.Err()
}

// FingerprintOf returns the fingerprint of the layers in a network's weights without
// reading them; nothing when it has none.
func FingerprintOf(data []byte) string {
	h := new(header)
	if _, err := weights.ReadHeader(data, magic, h); err != nil || h.Pretrained == nil {
		return ""
	}
	return h.fingerprint(data)
}

func (h *header) fingerprint(data []byte) string {
	return fmt.Sprintf("%d-%08x-%08x", textForm, h.Pieces, crc32.ChecksumIEEE(data))
}

func (h *header) check(pieces *Pieces) error {
	s := h.Pretrained
	switch {
	case s == nil:
		return errors.New("encoder: the weights have no pretrained layers")
	case h.Pieces != pieces.Sum():
		return errors.New("encoder: the weights belong to other wordpieces")
	case s.Size != pieces.size || s.Heads <= 0 || s.Size%s.Heads != 0 || s.Size/s.Heads%kernel.TileColumns != 0:
		return weights.ErrFormat
	case s.Wide <= 0 || s.Wide > 1<<14 || s.Wide%kernel.TileColumns != 0:
		return weights.ErrFormat
	case s.Layers <= 0 || s.Layers > 64 || s.Apart < 0 || s.Apart >= s.Layers:
		return weights.ErrFormat
	}
	return nil
}

// loader hands out the parts of layers.
type loader struct {
	*weights.File
	sizes
}

func (l loader) layer(name string) *layer {
	return &layer{
		qkv: l.matrix(name+"qkv", l.Size, 3*l.Size), out: l.matrix(name+"out", l.Size, l.Size),
		up: l.matrix(name+"up", l.Size, l.Wide), down: l.matrix(name+"down", l.Wide, l.Size),
		norm1: l.Norm(name+"norm1", l.Size, normEpsilon), norm2: l.Norm(name+"norm2", l.Size, normEpsilon),
	}
}

// matrix returns a matrix of whole numbers, from in numbers to out.
func (l loader) matrix(name string, in, out int) *kernel.WholeMatrix {
	t := l.Tensor(name+".weight", out, in)
	scales, numbers, whole := t.Whole()
	if !whole {
		l.Fail(weights.ErrFormat)
		scales, numbers = make([]float32, out), make([]byte, in*out)
	}
	m := kernel.NewWholeMatrix(numbers, scales, in)
	copy(m.Bias, l.Numbers(name+".bias", 1, out))
	return m
}

// Fingerprint names the weights: names that others encoded mean nothing to them.
func (e *Encoder) Fingerprint() string { return e.fingerprint }

// Width is how many numbers a word, column or table has.
func (e *Encoder) Width() int { return e.Size }
