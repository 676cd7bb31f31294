// Package model owns what the embedded translator has learned: word vectors,
// synonyms and the weights of its networks, inside the binary.
//
// It never computes with them. The failure it is built around is the file that
// does not belong to this build: weights name the word vectors and the grammar
// that they were trained with, and tests read every one of them.
//
// The weights were trained on Spider and are a work of their own, under its
// licence; see the model card beside them.
package model

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"quern/nlq/net"
	"quern/nlq/vector"
)

//go:embed *.bin
var files embed.FS

// Judgement is what the signs for and against readings are worth; package
// embedded reads it.
//
//go:embed judgement.json
var Judgement []byte

// Vectors reads the word vectors and synonyms, once.
var Vectors = sync.OnceValues(func() (*vector.Table, error) {
	data, err := files.ReadFile("vectors.bin")
	if err != nil {
		return nil, err
	}
	words, err := vector.Load(data)
	if err != nil {
		return nil, err
	}
	synonyms, err := files.ReadFile("synonyms.bin")
	if err != nil {
		return nil, err
	}
	return words, words.Relate(synonyms)
})

// Nets reads the networks, once. They vote together.
var Nets = sync.OnceValues(func() (net.Ensemble, error) {
	words, err := Vectors()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "weights*.bin")
	if err != nil {
		return nil, err
	}
	var all net.Ensemble
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		n, err := net.Load(data, words)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, n)
	}
	if len(all) == 0 {
		return nil, errors.New("model: this build has no weights")
	}
	return all, nil
})
