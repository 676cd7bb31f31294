package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words in names (names.txt, abbreviations.txt, clippings.txt).
var (
	// NameHeads are what names without seams often end in, in the order in which
	// they are tried.
	NameHeads = marked("names.txt", "heads")
	// ShortParts are the words of three letters that parts of a name without
	// seams may be.
	ShortParts = marked("names.txt", "threes")
	// GenericNames say nothing of which thing a column identifies: id, code.
	GenericNames = marked("names.txt", "generic")
	// Identifiers are columns whose numbers are names, not amounts: zip, year.
	Identifiers = marked("names.txt", "identifiers")
	// fileEndings are what names of files end in.
	fileEndings = marked("names.txt", "fileendings")
	// Abbreviations stand for one or more words in names.
	Abbreviations = fieldsOf("abbreviations.txt")
	// Clippings are words in names that are cut short, and the words that each may stand for:
	// of several words, with underscores between them.
	Clippings = fieldsOf("clippings.txt")
)

// IsIdentifier reports whether the numbers of a column are names, not amounts: they
// are written without groups, and nothing is reckoned with them.
func IsIdentifier(column string) bool {
	if strings.HasSuffix(column, "ID") {
		return true
	}
	words := NameWords(column)
	return len(words) > 0 && Identifiers.Has(words[len(words)-1])
}

// NameWords takes a name apart at its seams and returns its words in lower case:
// order_id, orderId and "Order ID" are order and id; mp3 is mp and 3.
func NameWords(name string) []string {
	var all []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			all = append(all, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !IsWordRune(r):
			cut(i)
			start = i + 1
		case i > start && isSeam(runes, i):
			cut(i)
		}
	}
	cut(len(runes))
	return all
}

// IsWordRune reports whether a character can be part of a word or a number.
func IsWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// isSeam reports whether a new word starts at i inside a run of letters and digits.
func isSeam(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	if unicode.IsDigit(before) != unicode.IsDigit(r) {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	if unicode.IsLower(before) {
		return true
	}
	// The last capital of several starts the next word (HTTPServer), unless all
	// that follows is the s of a plural (IDs).
	next := i + 1
	plural := next < len(runes) && runes[next] == 's' && (next+1 == len(runes) || !unicode.IsLower(runes[next+1]))
	return unicode.IsUpper(before) && next < len(runes) && unicode.IsLower(runes[next]) && !plural
}

// Spaced returns a name as people would write it in a sentence: its words as they
// are, with spaces between them. It cuts at underscores and hyphens only.
func Spaced(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")
}

// DatasetNoun returns the name of a dataset as people would write it in a sentence,
// without the ending of the file that it came from: "sales.xlsx" is sales.
func DatasetNoun(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' })
	for len(words) > 1 && fileEndings.Has(strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return withinSentence(words)
}

// ColumnNoun returns the name of a column as people would write it within a
// sentence: "Tickets_sold" is tickets sold.
func ColumnNoun(name string) string { return withinSentence(strings.Fields(Spaced(name))) }

// withinSentence joins words, those that only begin with a capital letter in small
// ones.
func withinSentence(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = word
		first, size := utf8.DecodeRuneInString(word)
		if len(word) > size && unicode.IsUpper(first) && strings.ToLower(word[size:]) == word[size:] {
			all[i] = strings.ToLower(word)
		}
	}
	return strings.Join(all, " ")
}

// IsRemark reports whether a column with a name holds what somebody remarked of its rows: notes,
// delivery_note.
func IsRemark(name string) bool {
	words := NameWords(name)
	return len(words) > 0 && remarks.Has(words[len(words)-1])
}
