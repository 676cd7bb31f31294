package grammar

import (
	"fmt"
	"slices"
	"strconv"
)

// Token is one step of a derivation: a Symbol, or a pointer to a column or a
// table of the schema or to a word of the question.
type Token struct {
	Kind Kind
	ID   int
}

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Symbol Kind = iota
	Column
	Table
	Word
)

// letters write pointers, as in c12.
var letters = [...]string{Column: "c", Table: "t", Word: "q"}

// String writes a token as Parse reads it.
func (t Token) String() string {
	if t.Kind == Symbol {
		return symbols[t.ID]
	}
	return letters[t.Kind] + strconv.Itoa(t.ID)
}

// ParseToken reads what String writes.
func ParseToken(text string) (Token, error) {
	if id := slices.Index(symbols, text); id >= 0 {
		return Token{Symbol, id}, nil
	}
	for kind := Column; kind <= Word; kind++ {
		if len(text) > 1 && text[:1] == letters[kind] {
			if id, err := strconv.Atoi(text[1:]); err == nil && id >= 0 {
				return Token{kind, id}, nil
			}
		}
	}
	return Token{}, fmt.Errorf("grammar: %q is no token", text)
}

// Symbols lists the symbols; a symbol's id is its place in the list. The weights
// of a model belong to one such list.
func Symbols() []string { return slices.Clone(symbols) }

func symbol(name string) Token {
	id := slices.Index(symbols, name)
	if id < 0 {
		panic("grammar: no symbol " + name)
	}
	return Token{Symbol, id}
}
