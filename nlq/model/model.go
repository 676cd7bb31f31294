// Package model reads what the embedded translator has learned out of module
// quern/learned: word vectors, synonyms, wordpieces, senses and networks.
//
// It holds no bytes and computes nothing. The failure it is built around is the
// file that does not belong to this build: weights name the word vectors, the
// wordpieces and the grammar that they were trained with, and tests read every one
// of them.
package model

import (
	"errors"
	"fmt"
	"sync"

	"quern/learned"
	"quern/nlq/encoder"
	"quern/nlq/net"
	"quern/nlq/vector"
)

// Judgement is what each sign for or against a reading is worth, in JSON.
var Judgement = learned.Judgement

// Calibration is how far answers are to be trusted, in JSON.
var Calibration = learned.Calibration

// Vectors reads the word vectors and synonyms, once.
var Vectors = sync.OnceValues(func() (*vector.Table, error) {
	words, err := vector.Load(learned.Vectors())
	if err != nil {
		return nil, err
	}
	return words.WithSenses(senseOf), words.Relate(learned.Synonyms())
})

// Pieces reads the wordpieces, once.
var Pieces = sync.OnceValues(func() (*encoder.Pieces, error) { return encoder.LoadPieces(learned.Pieces()) })

// Senses reads what short texts mean, once.
var Senses = sync.OnceValues(func() (*encoder.Senses, error) {
	pieces, err := Pieces()
	if err != nil {
		return nil, err
	}
	return encoder.LoadSenses(learned.Senses(), pieces)
})

// senseOf reads the senses when they are first asked for. Tests read them whole.
func senseOf(text string) []float32 {
	senses, err := Senses()
	if err != nil {
		return nil
	}
	return senses.Of(text)
}

// Networks is networks that vote together, and the pretrained encoder that they
// share: nil when they read none.
type Networks struct {
	Nets    net.Ensemble
	Encoder *encoder.Encoder
}

// Shipped reads the networks of this build, once.
var Shipped = sync.OnceValues(func() (Networks, error) { return Read(learned.Weights()) })

// Read reads networks that vote together. At most one of them has the layers of a
// pretrained encoder, which the others read too.
func Read(weights [][]byte) (Networks, error) {
	var all Networks
	words, err := Vectors()
	if err != nil {
		return all, err
	}
	all.Nets = make(net.Ensemble, 0, len(weights))
	for i, data := range weights {
		n, err := net.Load(data, words)
		if err == nil {
			err = all.addEncoder(data)
		}
		if err != nil {
			return all, fmt.Errorf("model: network %d: %w", i, err)
		}
		all.Nets = append(all.Nets, n)
	}
	if width := all.Nets.MeaningWidth(); width > 0 && (all.Encoder == nil || all.Encoder.Width() != width) {
		return all, errors.New("model: the networks read a pretrained encoder, and none of them has it")
	}
	return all, nil
}

// addEncoder reads the layers of a pretrained encoder, where weights have them.
func (n *Networks) addEncoder(weights []byte) error {
	if !encoder.In(weights) {
		return nil
	}
	if n.Encoder != nil {
		return errors.New("another one has a pretrained encoder already")
	}
	pieces, err := Pieces()
	if err != nil {
		return err
	}
	n.Encoder, err = encoder.Load(weights, pieces)
	return err
}

// Doubter reads the network that tells which words nothing answers to, once.
var Doubter = sync.OnceValues(func() (*net.Doubter, error) {
	shipped, err := Shipped()
	if err != nil {
		return nil, err
	}
	d, ok := shipped.Nets.Doubter()
	if !ok {
		return nil, errors.New("model: no network tells what is missing")
	}
	return d, nil
})
