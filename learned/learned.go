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

import (
	"embed"
	"fmt"
)

//go:embed *.bin
var files embed.FS

// nets is how many networks there are. They vote together.
const nets = 2

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
func Vectors() []byte { return read("vectors.bin") }

// Synonyms returns the pairs and forms of words, in the form that
// train/synonyms.py describes.
func Synonyms() []byte { return read("synonyms.bin") }

// Pieces returns the wordpieces of the pretrained encoder, in the form that
// train/pieces.py describes.
func Pieces() []byte { return read("pieces.bin") }

// Senses returns what turns wordpieces into the senses of short texts, in the form that
// train/senses.py describes.
func Senses() []byte { return read("senses.bin") }

// Weights returns the weights of each network, in the form that train/export.py
// describes. The first has the pretrained encoder, and tells which words nothing in
// the data answers to.
func Weights() [][]byte {
	all := make([][]byte, nets)
	for i := range all {
		all[i] = read(fmt.Sprintf("weights%d.bin", i))
	}
	return all
}

// read panics for a file that is not there: such a build is broken.
func read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return data
}
