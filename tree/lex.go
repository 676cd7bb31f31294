package tree

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
)

const (
	maxText  = 256 << 10 // bytes of a query's text
	maxDepth = 100       // levels of nesting
)

// Error says what is wrong with a query's text, and where.
type Error struct {
	At      int // the byte
	Line    int // from 1
	Column  int // in characters, from 1
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Invalid returns the error as callers see it.
func (e *Error) Invalid() *quern.Error {
	return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s", e.Error())
}

func errorAt(text string, at int, format string, args ...any) *Error {
	before := text[:min(at, len(text))]
	return &Error{
		At:      at,
		Line:    strings.Count(before, "\n") + 1,
		Column:  utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenWord             // an identifier or keyword as written
	tokenName             // a quoted identifier, without its quotes
	tokenText             // a text constant, without its quotes
	tokenNumber           // digits, perhaps with a fraction and an exponent
	tokenSymbol
)

type token struct {
	kind tokenKind
	text string
	at   int
}

// isSign reports whether a token is what may stand before a number.
func (t token) isSign() bool {
	return t.kind == tokenSymbol && slices.Contains([]string{"-", "+"}, t.text)
}

// isWord reports whether a token is one of some words, to the letter.
func (t token) isWord(words ...string) bool {
	return t.kind == tokenWord && slices.Contains(words, t.text)
}

// shown is a token as an error message names it.
func (t token) shown() string {
	switch {
	case t.kind == tokenEnd:
		return "the end"
	case len(t.text) > 40:
		return "'" + string([]rune(t.text[:40])[:10]) + "…'"
	}
	return "'" + t.text + "'"
}

// language is what differs between the texts of the two notations.
type language struct {
	symbols string                                         // of several characters first, separated by blanks
	quoted  func(text string, at int) (token, int, *Error) // a token that begins with a quote
}

// lex takes a text apart.
func lex(text string, l language) ([]token, *Error) {
	if len(text) > maxText {
		return nil, errorAt(text, 0, "the query is longer than %d bytes", maxText)
	}
	if !utf8.ValidString(text) {
		return nil, errorAt(text, 0, "the query is not text in UTF-8")
	}
	symbols := strings.Fields(l.symbols)
	var tokens []token
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			at += size
			continue
		}
		t, end, err := next(text, at, r, l, symbols)
		if err != nil {
			return nil, err
		}
		tokens, at = append(tokens, t), end
	}
	return append(tokens, token{tokenEnd, "", len(text)}), nil
}

func next(text string, at int, r rune, l language, symbols []string) (token, int, *Error) {
	switch {
	case r == '\'' || r == '"' || r == '`':
		return l.quoted(text, at)
	case r == '_' || unicode.IsLetter(r):
		end := at
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			end += size
		}
		return token{tokenWord, text[at:end], at}, end, nil
	case beginsNumber(text, at):
		end := number(text, at)
		if end < len(text) {
			if r, _ := utf8.DecodeRuneInString(text[end:]); r == '_' || unicode.IsLetter(r) {
				return token{}, 0, errorAt(text, at, "a number runs into a name")
			}
		}
		return token{tokenNumber, text[at:end], at}, end, nil
	}
	for _, s := range symbols {
		if strings.HasPrefix(text[at:], s) {
			return token{tokenSymbol, s, at}, at + len(s), nil
		}
	}
	return token{}, 0, errorAt(text, at, "unexpected %q", r)
}

func isDigit(text string, at int) bool {
	return at < len(text) && text[at] >= '0' && text[at] <= '9'
}

// beginsNumber reports whether a number begins at a place: with a digit, or with
// the point of a fraction.
func beginsNumber(text string, at int) bool {
	if at < len(text) && text[at] == '.' {
		at++
	}
	return isDigit(text, at)
}

// number returns the end of the number that begins at a place.
func number(text string, at int) int {
	digits := func(i int) int {
		for isDigit(text, i) {
			i++
		}
		return i
	}
	end := digits(at)
	if end < len(text) && text[end] == '.' && isDigit(text, end+1) {
		end = digits(end + 1)
	}
	if end < len(text) && strings.IndexByte("eE", text[end]) >= 0 {
		exp := end + 1
		if exp < len(text) && strings.IndexByte("+-", text[exp]) >= 0 {
			exp++
		}
		if isDigit(text, exp) {
			end = digits(exp)
		}
	}
	return end
}

// cursor walks over tokens.
type cursor struct {
	text   string
	tokens []token
	i      int
	depth  int
}

func (c *cursor) peek() token { return c.tokens[c.i] }

func (c *cursor) ahead(n int) token { return c.tokens[min(c.i+n, len(c.tokens)-1)] }

func (c *cursor) take() token {
	t := c.tokens[c.i]
	if t.kind != tokenEnd {
		c.i++
	}
	return t
}

func (c *cursor) is(symbol string) bool {
	t := c.peek()
	return t.kind == tokenSymbol && t.text == symbol
}

func (c *cursor) eat(symbol string) bool {
	if c.is(symbol) {
		c.i++
		return true
	}
	return false
}

func (c *cursor) need(symbol string) *Error {
	if c.eat(symbol) {
		return nil
	}
	return c.unexpected("'" + symbol + "'")
}

func (c *cursor) unexpected(wanted string) *Error {
	return c.fail(c.peek(), "expected %s, not %s", wanted, c.peek().shown())
}

func (c *cursor) fail(t token, format string, args ...any) *Error {
	return errorAt(c.text, t.at, format, args...)
}

// enter counts a level of nesting; leave goes back up.
func (c *cursor) enter() *Error {
	if c.depth++; c.depth > maxDepth {
		return c.fail(c.peek(), "the query nests deeper than %d levels", maxDepth)
	}
	return nil
}

func (c *cursor) leave() { c.depth-- }
