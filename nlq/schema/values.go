package schema

import (
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/lex"
)

const (
	// DefaultValues is how many values of a column are kept unless told otherwise.
	DefaultValues = 10_000
	// mostBytes bounds the text that is kept of one column.
	mostBytes = 1 << 20
	// longestValue is the longest value that is kept as such; of longer ones
	// only the first words are known.
	longestValue = 100
	// mostWords is how many words of a long value are known.
	mostWords = 32
)

// Values is an index of the values of one column, in one version of its dataset.
// It keeps at most so many values and a megabyte of their text; what does not fit
// is left out, and Complete then says so. Numbers beyond that still count for
// Range. It is filled by one goroutine with Add, and read by any number of them
// after Done.
type Values struct {
	limit   int
	bytes   int
	cut     bool
	values  []value
	folded  map[uint64]int32 // hash of the folded value → its place in values
	stems   map[uint64]int32 // hash of its words' stems → its place
	words   map[uint64]struct{}
	number  map[string]int32    // decimals → place
	spelled map[uint64][]string // hash of the folded value → its other spellings: Yes beside yes
	// What people call values (see WithMeanings), by hashes as above.
	meant      map[uint64]string
	meantWords map[uint64]struct{}
	senses     *senses

	numeric, others int
	least, greatest float64
}

// value is one of a column, as it is and folded.
type value struct {
	text, folded string
	letters      uint64 // which characters the folded one has
}

var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

// NewValues makes an empty index of at most limit values; 0 is DefaultValues.
func NewValues(limit int) *Values {
	if limit <= 0 {
		limit = DefaultValues
	}
	return &Values{
		limit: limit, folded: map[uint64]int32{}, stems: map[uint64]int32{}, words: map[uint64]struct{}{}, number: map[string]int32{},
		least: math.Inf(1), greatest: math.Inf(-1), senses: new(senses),
	}
}

// Add adds a value. Those that matter most are to be added first.
func (v *Values) Add(text string) {
	decimal, isNumber := plainNumber(text)
	if isNumber {
		x, _ := strconv.ParseFloat(decimal, 64)
		v.least, v.greatest = min(v.least, x), max(v.greatest, x)
		v.numeric++
	} else {
		v.others++
	}
	start := firstWords(text)
	if len(v.values) >= v.limit || v.bytes+2*len(start) > mostBytes {
		v.cut = true
		return
	}
	folded := lex.Fold(start)
	if folded == "" {
		return
	}
	if len(text) > longestValue {
		v.cut = true
		v.bytes += len(folded)
		v.addWords(strings.Fields(folded))
		return
	}
	if _, ok := v.folded[hash(folded)]; ok {
		v.addSpelling(text, folded)
		return
	}
	place := int32(len(v.values))
	v.values = append(v.values, value{text, folded, letterSet(folded)})
	v.bytes += len(text) + len(folded)
	v.folded[hash(folded)] = place
	if isNumber {
		if _, ok := v.number[decimal]; !ok {
			v.number[decimal] = place
		}
		return
	}
	words := strings.Fields(folded)
	v.addWords(words)
	if key := hash(joinStems(words)); v.stems[key] == 0 {
		v.stems[key] = place + 1
	}
}

// mostSpellings is how many spellings of a value are known beside the first.
const mostSpellings = 8

// addSpelling adds another spelling of a value that is known already.
func (v *Values) addSpelling(text, folded string) {
	key := hash(folded)
	if len(v.spelled[key]) == mostSpellings {
		return
	}
	if v.spelled == nil {
		v.spelled = map[uint64][]string{}
	}
	v.bytes += len(text)
	v.spelled[key] = append(v.spelled[key], text)
}

// Spellings returns the value that folds like a text, in all the ways in which it is
// written; none when it is written in one way.
func (v *Values) Spellings(text string) []string {
	if len(v.spelled) == 0 {
		return nil
	}
	folded := lex.Fold(text)
	first, ok := v.folded[hash(folded)]
	others := v.spelled[hash(folded)]
	if !ok || len(others) == 0 {
		return nil
	}
	return append([]string{v.values[first].text}, others...)
}

// firstWords cuts a long text behind its first words.
func firstWords(text string) string {
	if len(text) <= longestValue {
		return text
	}
	at, words := 0, 0
	for at < len(text) && words < mostWords && at < 16*mostWords {
		if text[at] == ' ' {
			words++
		}
		at++
	}
	return text[:at]
}

func (v *Values) addWords(words []string) {
	for _, w := range words {
		v.words[hash(english.Stem(w))] = struct{}{}
	}
}

func joinStems(words []string) string { return strings.Join(english.Stems(words), " ") }

// plainNumber reads digits with a sign and a point; numbers in words or with
// units are texts.
func plainNumber(text string) (decimal string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 40 || strings.Trim(text, "0123456789.-+eE") != "" {
		return "", false
	}
	if strings.ContainsAny(text, "eE") {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Abs(x) > 1e18 {
			return "", false
		}
		text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return lex.Number(text)
}

// Done ends the filling.
func (v *Values) Done() {
	v.values = slices.Clip(v.values)
	if len(v.number) == 0 {
		v.number = nil
	}
}

// Complete reports whether every value that was added is known.
func (v *Values) Complete() bool { return !v.cut }

// Len is how many values are known.
func (v *Values) Len() int { return len(v.values) }

// Bytes is about how much memory the index takes, with the senses of its values.
func (v *Values) Bytes() int {
	const sense = 540 // of a value
	if len(v.values) <= mostKinds {
		return 200 + v.bytes + (60+40+40+sense)*len(v.values)
	}
	return 200 + v.bytes + 40*len(v.values) + 20*(len(v.folded)+len(v.stems)) + 16*len(v.words) + 48*len(v.number)
}

// Numeric reports whether all values that were added are numbers.
func (v *Values) Numeric() bool { return v.numeric > 0 && v.others == 0 }

// Range returns the bounds of the numbers among the values; ok is false when there
// are none.
func (v *Values) Range() (least, greatest float64, ok bool) {
	return v.least, v.greatest, v.numeric > 0
}

// Exact finds the value that folds to folded (see lex.Fold).
func (v *Values) Exact(folded string) (original string, ok bool) {
	if i, ok := v.folded[hash(folded)]; ok {
		return v.values[i].text, true
	}
	value, ok := v.meant[hash(folded)]
	return value, ok
}

// Key is what a text is looked up by in many columns.
type Key struct {
	folded, stems uint64
	text          string // folded
}

// KeyOf makes the key of a text.
func KeyOf(text string) Key {
	folded := lex.Fold(text)
	return Key{hash(folded), hash(joinStems(strings.Fields(folded))), folded}
}

// Alike finds the value that folds to what the key's text does, or else one
// whose words have the same stems.
func (v *Values) Alike(k Key) (original string, ok bool) {
	if i, ok := v.folded[k.folded]; ok {
		return v.values[i].text, true
	}
	if i := v.stems[k.stems]; i > 0 && areForms(v.values[i-1].folded, k.text) {
		return v.values[i-1].text, true
	}
	value, ok := v.meant[k.folded]
	if !ok {
		value, ok = v.meant[k.stems]
	}
	return value, ok
}

// areForms reports whether the words of two texts of the same stems are forms of the same words.
func areForms(a, b string) bool {
	return slices.EqualFunc(strings.Fields(a), strings.Fields(b), english.IsOneWord)
}

// Alias is another writing of what a text means; see english.Aliases and english.PlaceCodes.
type Alias struct {
	key    Key
	text   string
	isCode bool // where all values are codes
}

// AliasesOf returns the other writings of what a text means.
func AliasesOf(text string) []Alias {
	var all []Alias
	for _, other := range english.Aliases(lex.Fold(text)) {
		all = append(all, Alias{KeyOf(other), other, false})
	}
	for _, code := range english.PlaceCodes(lex.Fold(text)) {
		all = append(all, Alias{KeyOf(code), code, true})
	}
	return all
}

const (
	// fewForLetter is how many values a column may have for one letter to stand
	// for a word.
	fewForLetter = 6
	// fewForCode is the same of two letters.
	fewForCode = 300
)

// areCodes reports whether all values are codes of so many letters.
func (v *Values) areCodes(letters int) bool {
	return len(v.values) > 0 && !slices.ContainsFunc(v.values, func(o value) bool {
		return len(o.text) != letters || strings.ToUpper(o.text) != o.text || strings.ContainsAny(o.text, "0123456789")
	})
}

// AnyAlias finds a value that is another writing. One or two letters stand for a
// word only in columns of few values.
func (v *Values) AnyAlias(all []Alias) (original string, ok bool) {
	for _, a := range all {
		letter := len(a.text) == 1 && len(v.values) > fewForLetter
		code := len(a.text) == 2 && len(v.values) > fewForCode
		if letter || code || a.isCode && !v.areCodes(len(a.text)) {
			continue
		}
		if i, ok := v.folded[a.key.folded]; ok {
			return v.values[i].text, true
		}
	}
	return "", false
}

// HasNumber reports whether a decimal, as lex.Number writes it, is a value.
func (v *Values) HasNumber(decimal string) bool {
	_, ok := v.number[decimal]
	return ok
}

// Word reports whether some value that is no number holds a word or another form
// of it.
func (v *Values) Word(w string) bool { return v.Holds(StemOf(english.Stem(lex.Fold(w)))) }

// Dated reports whether a text is a year, the values are dates that are written out, each
// with one year in it, and some have this one: 2005, of Sep 16 2005.
func (v *Values) Dated(year string) bool {
	if !isYear(year) {
		return false
	}
	has := false
	for i := range v.values {
		years := 0
		for word := range strings.FieldsSeq(v.values[i].folded) {
			if isYear(word) {
				years++
				has = has || word == year
			}
		}
		if years != 1 || isYear(v.values[i].folded) {
			return false
		}
	}
	return has
}

// isYear reports whether a word is a year in four digits.
func isYear(word string) bool {
	return len(word) == 4 && (word[0] == '1' || word[0] == '2') && strings.Trim(word, "0123456789") == ""
}

// HasWords reports whether some value is no number.
func (v *Values) HasWords() bool { return len(v.words) > 0 || len(v.meant) > 0 }

// Stem is what a word's stem is looked up by in many columns.
type Stem uint64

// StemOf makes the Stem of what english.Stem gave.
func StemOf(stem string) Stem { return Stem(hash(stem)) }

// Holds is Word for what is stemmed already.
func (v *Values) Holds(s Stem) bool {
	_, ok := v.words[uint64(s)]
	if !ok {
		_, ok = v.meantWords[uint64(s)]
	}
	return ok
}

// Words returns the words of the values that have any, folded.
func (v *Values) Words() []string {
	var all []string
	for i := range v.values {
		all = append(all, strings.Fields(v.values[i].folded)...)
	}
	return all
}

// All returns the values, as they are written.
func (v *Values) All() []string {
	all := make([]string, len(v.values))
	for i := range v.values {
		all[i] = v.values[i].text
	}
	return all
}
