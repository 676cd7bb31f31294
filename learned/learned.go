// Package learned holds what the embedded translator has learned, as bytes: word
// vectors, synonyms, wordpieces, senses, the weights of its networks, what the signs for and against
// readings are worth, and the licences that go with them.
//
// It is a module of its own, imports nothing and computes nothing. It was made
// from the work of others and stands under their terms, not under those of the
// program that reads it; see LICENSE and the model card, README.md. Folder train
// holds what made it. The failure it is built around is the notice that is lost
// on the way: the licences are embedded with the bytes.
package learned

import _ "embed"

// The files, as they lie in the program: nobody writes to them.
var (
	//go:embed vectors.bin
	vectors []byte
	//go:embed synonyms.bin
	synonyms []byte
	//go:embed pieces.bin
	pieces []byte
	//go:embed senses.bin
	senses []byte
	//go:embed weights0.bin
	weights0 []byte
	//go:embed weights1.bin
	weights1 []byte
)

// Licence holds the terms of everything in this package, and the notices that
// must go with every copy of it.
//
//go:embed LICENSE
var Licence string

// Judgement is what each sign for or against a reading is worth, in JSON.
//
//go:embed judgement.json
var Judgement []byte

// Calibration is how far answers are to be trusted, and which are declined or come
// with a note, in JSON. train/calibration.py writes it.
//
//go:embed calibration.json
var Calibration []byte

// Vectors returns the word vectors, in the form that train/vectors.py describes.
func Vectors() []byte { return vectors }

// Synonyms returns the pairs and forms of words, in the form that
// train/synonyms.py describes.
func Synonyms() []byte { return synonyms }

// Pieces returns the wordpieces of the pretrained encoder, in the form that
// train/pieces.py describes.
func Pieces() []byte { return pieces }

// Senses returns what turns wordpieces into the senses of short texts, in the form that
// train/senses.py describes.
func Senses() []byte { return senses }

// Weights returns the weights of each network, which vote together, in the form that train/export.py
// describes. The first has the pretrained encoder, and tells which words nothing in
// the data answers to.
func Weights() [][]byte { return [][]byte{weights0, weights1} }
