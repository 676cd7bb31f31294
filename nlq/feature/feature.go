// Package feature owns what the model sees of a question and a schema, in
// numbers: how each word relates to each column and table, and how columns and
// tables relate to each other.
//
// It never scores a reading. The failure it is built around is the drift between
// training and serving: the training code reads what this package computed, and
// these numbers are a model's alphabet. A change of one needs a model trained
// anew.
//
// A word of a question (see lex.Tokens) is of a kind, 0 to 7:
//
//	0 plain          1 number, in digits or words   2 inside quotes
//	3 capitalised, not at the start of a sentence   4 of a date or a period
//	5 ordinal        6 quotation mark               7 other punctuation
//
// A word and a column relate as name*5 + value:
//
//	name    0 none   1 a word of the column's name   2 of the whole name
//	value   0 none   1 a word of a value   2 of a whole value, or another writing of it
//	        3 a number that is a value   4 a number or date within the bounds of the values
//
// and where that is 0, as 18 when the word is a synonym of a word of the column's
// name or of one origin with it, or else as 15, 16 or 17 when its vector is like
// that of such a word (a cosine above 0.45, 0.6, 0.75); likeness to a word of the
// column's description counts one step less. Instead of 0, 15 and 16 it is 19 or 20 when the
// word, by itself or with its neighbour, means nearly what a value of a column of
// kinds does (a sense that is near by 0.3, 0.45), in schemas that are not too wide. What a description or the namespace's
// knowledge calls a column or a table is a name of it like its own. Words that say little (lex.Thin) have
// no synonyms.
//
// A word and a table relate as 0 none, 1 a word of the table's name, 2 of the
// whole name, 3, 4 or 5 a likeness as above, 6 a synonym.
//
// What Relations returns is the same for every question:
//
//	column to column  0 none  1 of the same table  2 itself  3 links to  4 linked from
//	column to table   0 none  1 belongs to         2 key of  3 links to
//	table to table    0 none  1 itself             2 links to  3 linked from  4 both
//	column's type     0 text  1 number  2 time  3 yes or no, however written  4 other
//	column's flags    1 has a link  +  2 is a key  +  4 has missing values
package feature

import (
	"time"
	"unicode"
	"unicode/utf8"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// Vectors knows words, which are given in lower case. Its ids are 0 for padding, 1
// for an unknown word, 2 for an unknown number, and from 3 on words. Bases are the
// other words that a word is a form of, Related those that mean the same as a base
// word or are of one origin with it. Sense is what a short text means (see encoder.Senses).
type Vectors interface {
	ID(word string) int32
	Cosine(a, b int32) float32
	Bases(id int32) []int32
	Related(id int32) []int32
	Sense(text string) []float32
}

// The ids that are no words.
const (
	unknownID = 1
	numberID  = 2
)

// The kinds of words.
const (
	Plain uint8 = iota
	NumberKind
	Quoted
	Capitalised
	DateKind
	OrdinalKind
	QuoteMark
	Punctuation
	Kinds = 8
)

// The parts of a word's relation to a column, which is name*ValueRelations + value.
const (
	NamePartial = 1
	NameExact   = 2

	ValueWord   = 1
	ValueExact  = 2
	ValueNumber = 3
	ValueRange  = 4

	ValueRelations = 5
)

// The numbers of relations.
const (
	ColumnSimilar   = 15 // the first of three
	ColumnSynonym   = 18
	ColumnMeant     = 19 // the first of two
	ColumnRelations = 21

	TablePartial   = 1
	TableExact     = 2
	TableSimilar   = 3 // the first of three
	TableSynonym   = 6
	TableRelations = 7
)

// Features is what the model sees of a question and a schema.
type Features struct {
	Tokens  []lex.Token
	WordIDs []int32
	Kinds   []uint8
	Columns [][]uint8 // by token and column
	Tables  [][]uint8 // by token and table
}

// Extract computes the features of a question about a schema, as asked at now.
func Extract(s *schema.Schema, question string, v Vectors, now time.Time) *Features {
	q := read(question, v, now)
	q.respell(s, v)
	f := &Features{
		Tokens: q.tokens, WordIDs: q.ids, Kinds: q.kinds,
		Columns: make([][]uint8, len(q.tokens)), Tables: make([][]uint8, len(q.tokens)),
	}
	for i := range q.tokens {
		f.Columns[i] = make([]uint8, len(s.Columns))
		f.Tables[i] = make([]uint8, len(s.Tables))
	}
	like := newLikeness(q, v)
	row := make([]uint8, len(q.tokens))
	for c := range s.Columns {
		column := &s.Columns[c]
		clear(row)
		q.markNames(column.Words, row)
		for _, name := range column.Names {
			q.markNames(name, row)
		}
		for i := range row {
			row[i] *= ValueRelations
		}
		q.markValues(column, row)
		like.markSimilar(labels{column.Words, column.Names, column.Described}, row, ColumnSimilar)
		for i, relation := range row {
			f.Columns[i][c] = relation
		}
	}
	for t := range s.Tables {
		clear(row)
		table := &s.Tables[t]
		q.markNames(table.Words, row)
		for _, name := range table.Names {
			q.markNames(name, row)
		}
		like.markSimilar(labels{table.Words, table.Names, table.Described}, row, TableSimilar)
		for i, relation := range row {
			f.Tables[i][t] = relation
		}
	}
	q.markSenses(s, v, f)
	return f
}

// NameIDs returns the ids of the words of the columns' and the tables' names.
func NameIDs(s *schema.Schema, v Vectors) (columns, tables [][]int32) {
	columns, tables = make([][]int32, len(s.Columns)), make([][]int32, len(s.Tables))
	for i := range s.Columns {
		columns[i] = wordIDs(s.Columns[i].Words, v)
	}
	for i := range s.Tables {
		tables[i] = wordIDs(s.Tables[i].Words, v)
	}
	return columns, tables
}

func wordIDs(words []string, v Vectors) []int32 {
	all := make([]int32, len(words))
	for i, w := range words {
		all[i] = v.ID(w)
	}
	return all
}

// question is a question taken apart.
type question struct {
	text   string
	tokens []lex.Token
	lower  []string
	stems  []string        // of each token, its abbreviation written out
	folded [][]schema.Stem // of each token's folded words; none for marks
	ids    []int32
	kinds  []uint8
	counts []number
	times  []lex.Period
	// content says which tokens can name something by themselves.
	content []bool
	keys    map[lex.Span]*schema.Key // of spans that were looked up; nil: never a value
	aliases []aliased
	// What follows is used again for every column.
	known     map[string]stem // of the schema's words
	initials  [256]bool       // the first bytes of tokens
	scratch   []string
	row, held []uint8
}

// aliased is a span of a question that values may write otherwise.
type aliased struct {
	lex.Span
	others []schema.Alias
}

// number is a number in a question.
type number struct {
	first, last int
	decimal     string
	value       float64
}

func read(text string, v Vectors, now time.Time) *question {
	q := &question{text: text, tokens: lex.Tokens(text), keys: map[lex.Span]*schema.Key{}, known: map[string]stem{}}
	n := len(q.tokens)
	q.row, q.held = make([]uint8, n), make([]uint8, n)
	q.lower = lex.Lower(q.tokens)
	q.stems, q.folded = make([]string, n), make([][]schema.Stem, n)
	q.ids, q.content = make([]int32, n), make([]bool, n)
	for i, w := range q.lower {
		long := lex.Expand(w)
		if len(long) > 1 || lex.Function(w) {
			long = []string{w}
		}
		q.stems[i] = english.Stem(long[0])
		q.folded[i] = foldedStems(w)
		q.ids[i] = v.ID(w)
		q.content[i] = isWord(w) && !lex.Function(w)
		if w != "" {
			q.initials[w[0]] = true
		}
	}
	q.counts = findNumbers(q)
	q.aliases = aliasSpans(q)
	q.times = lex.Periods(q.tokens, now)
	q.kinds = kinds(q)
	return q
}

func isWord(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsLetter(r)
}

func isDigits(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }
