// Package net owns the networks of the translator: an encoder of a
// question and a schema, and a decoder that writes derivations of package
// grammar, with a search for the likeliest.
//
//	Input ──encode──► items ──search(decode, grammar)──► Hypotheses
//
// Items are the words of the question, the columns and the tables; each pair of
// them has a relation, which its attention knows. The decoder chooses among the
// grammar's symbols and the items, only what the automaton allows.
//
// It never reads text and never runs a query. The failure it is built around is
// the number that differs from the one in training: the same weights give the
// same scores as learned/train/network.py up to rounding (golden tests), and the same to
// the bit with and without assembly, alone and with other work beside it.
package net

import (
	"errors"
	"fmt"
	"sync"

	"quern/nlq/grammar"
	"quern/nlq/kernel"
	"quern/nlq/vector"
)

// Input is a question about a schema, in numbers. Package feature says what they
// mean; ids of words are those of package vector.
type Input struct {
	Words        []int32 // of the question
	Kinds        []uint8 // one for each word
	Columns      []Column
	Tables       [][]int32 // the words of their names
	TokenColumns [][]uint8 // relations by word of the question and column
	TokenTables  [][]uint8 // and by word and table
	Links        [][2]int  // columns: from, to
	// Meanings has what package encoder says of each word, column and table, one after
	// the other. Networks that have not learned to read it do without.
	Meanings []float32
}

// Column is a column of a schema.
type Column struct {
	Words       []int32 // of its name
	Type, Flags uint8
	Table       int
}

// Hypothesis is a derivation that a network finds likely.
type Hypothesis struct {
	Tokens  []grammar.Token
	LogProb float64
}

// Bounds of what networks see; learned/train/data.py has the same.
const (
	// MaxItems is the most words, columns and tables together.
	MaxItems = 2048
	maxWords = 6 // of an item
	maxSteps = 64
	kinds    = 16
	types    = 8
	flags    = 8
	depths   = 4
	reach    = 64 // distances that the decoder tells apart
)

// Net is a trained network. It is safe for concurrent use.
type Net struct {
	size, heads, each int
	vectors           *vector.Table
	rows              map[int32]int // of word, by id

	word, kinds, types, flags, item table
	vector, column, table           *kernel.Packed
	meaning                         int            // numbers that are read of each item's meaning; 0: none
	fromWord, fromName              *kernel.Packed // from meanings
	encoders                        []*encoderLayer
	encoderNorm                     kernel.Norm

	symbol, state, depth                 table
	pointed, write, pointQuery, pointKey *kernel.Packed
	decoders                             []*decoderLayer
	decoderNorm                          kernel.Norm

	missing     []float32 // what tells the words that nothing answers to; nil: nothing does
	missingBias float32

	memories sync.Pool
}

// row is a row of a table.
func (t *table) row(i int) []float32 { return t.data[i*t.columns : (i+1)*t.columns] }

// check reports what the networks could not compute with.
func (in *Input) check(nets Ensemble) error {
	n := in.items()
	for _, one := range nets {
		if one.meaning > 0 && len(in.Meanings) != n*one.meaning {
			return fmt.Errorf("net: %d numbers of meaning for %d words, columns and tables", len(in.Meanings), n)
		}
	}
	switch {
	case len(in.Words) == 0:
		return errors.New("net: a question without words")
	case n > MaxItems:
		return fmt.Errorf("net: %d words, columns and tables, and at most %d are possible", n, MaxItems)
	case len(in.Kinds) != len(in.Words) || len(in.TokenColumns) != len(in.Words) || len(in.TokenTables) != len(in.Words):
		return errors.New("net: not as many kinds and relations as words")
	}
	for i := range in.Words {
		if len(in.TokenColumns[i]) != len(in.Columns) || len(in.TokenTables[i]) != len(in.Tables) {
			return fmt.Errorf("net: word %d does not relate to every column and table", i)
		}
	}
	for i, c := range in.Columns {
		if c.Table < 0 || c.Table >= len(in.Tables) {
			return fmt.Errorf("net: column %d is of no table", i)
		}
	}
	for _, l := range in.Links {
		if min(l[0], l[1]) < 0 || max(l[0], l[1]) >= len(in.Columns) {
			return fmt.Errorf("net: link %v is not between columns", l)
		}
	}
	return nil
}

func (in *Input) items() int { return len(in.Words) + len(in.Columns) + len(in.Tables) }
