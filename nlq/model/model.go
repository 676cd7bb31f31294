// Package model owns what the embedded translator has learned: word vectors and
// the weights of its networks, inside the binary.
//
// It never computes with them. The failure it is built around is the file that
// does not belong to this build, so a test reads every one of them.
//
// The weights were trained on Spider and are a work of their own, under its
// licence; see the model card beside them.
package model

import (
	_ "embed"
	"sync"

	"quern/nlq/vector"
)

//go:embed vectors.bin
var vectors []byte

// Vectors reads the word vectors, once.
var Vectors = sync.OnceValues(func() (*vector.Table, error) { return vector.Load(vectors) })
