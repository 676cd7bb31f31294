// Package model reads what the embedded translator has learned out of module
// quern/learned: word vectors, synonyms and networks.
//
// It holds no bytes and computes nothing. The failure it is built around is the
// file that does not belong to this build: weights name the word vectors and the
// grammar that they were trained with, and tests read every one of them.
package model

import (
	"fmt"
	"sync"

	"quern/learned"
	"quern/nlq/net"
	"quern/nlq/vector"
)

// Judgement is what each sign for or against a reading is worth, in JSON.
var Judgement = learned.Judgement

// Vectors reads the word vectors and synonyms, once.
var Vectors = sync.OnceValues(func() (*vector.Table, error) {
	words, err := vector.Load(learned.Vectors())
	if err != nil {
		return nil, err
	}
	return words, words.Relate(learned.Synonyms())
})

// Nets reads the networks, once. They vote together.
var Nets = sync.OnceValues(func() (net.Ensemble, error) {
	words, err := Vectors()
	if err != nil {
		return nil, err
	}
	var all net.Ensemble
	for i, weights := range learned.Weights() {
		n, err := net.Load(weights, words)
		if err != nil {
			return nil, fmt.Errorf("model: network %d: %w", i, err)
		}
		all = append(all, n)
	}
	return all, nil
})

// Doubter reads the network that tells which words nothing answers to, once.
var Doubter = sync.OnceValues(func() (*net.Doubter, error) {
	words, err := Vectors()
	if err != nil {
		return nil, err
	}
	d, err := net.LoadDoubter(learned.Doubt(), words)
	if err != nil {
		return nil, fmt.Errorf("model: the network of doubts: %w", err)
	}
	return d, nil
})
