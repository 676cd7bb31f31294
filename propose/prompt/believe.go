package prompt

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/knowledge"
	"quern/propose"
)

const (
	// mostDescription is the most characters of the description of a column, and
	// mostWord those of a word.
	mostDescription, mostWord = 500, 60
	// mostWords is how many other words of a column are taken, and mostMeasures how
	// many measures.
	mostWords, mostMeasures = 5, 5
)

// believer takes over what can work of an answer.
type believer struct {
	dataset propose.Dataset
	made    Proposal
	// means has what each word was said to mean, by the word in small letters; empty:
	// two things.
	means map[string]string
}

// column returns the place of a column by its key; -1 when it is none.
func (b *believer) column(text string) int {
	digits, isKey := strings.CutPrefix(text, "c")
	n, err := strconv.Atoi(digits)
	if !isKey || err != nil || n < 1 || n > len(b.dataset.Columns) || key(n-1) != text {
		return -1
	}
	return n - 1
}

// mean notes what a word was said to mean.
func (b *believer) mean(word, means string) {
	at := strings.ToLower(word)
	if before, known := b.means[at]; known && before != means {
		means = ""
	}
	b.means[at] = means
}

// words takes other words for a column. Its own name, and those of others, are none.
func (b *believer) words(column int, words []string) {
	name := b.dataset.Columns[column].Name
	for _, w := range words[:min(len(words), mostWords)] {
		if w = plain(w, mostWord); !isWord(w) || b.names(w) {
			continue
		}
		entry := knowledge.Word{Word: w, Means: b.dataset.Name + "." + name}
		b.mean(w, entry.Means)
		b.made.Knowledge.Words = append(b.made.Knowledge.Words, entry)
	}
}

// value takes a word for a value that the column has.
func (b *believer) value(column int, value, word string) {
	c := b.dataset.Columns[column]
	word = plain(word, mostWord)
	if !isWord(word) || b.names(word) || strings.EqualFold(word, value) || !slices.Contains(c.Values, value) {
		return
	}
	entry := knowledge.Word{Word: word, Means: b.dataset.Name + "." + c.Name, Value: &value}
	b.mean(word, entry.Means+"\x00"+value)
	b.made.Knowledge.Words = append(b.made.Knowledge.Words, entry)
}

// names reports whether a word is the name of the dataset or of a column already.
func (b *believer) names(word string) bool {
	isName := func(name string) bool {
		return quern.NameKey(name) == quern.NameKey(word) || strings.EqualFold(strings.ReplaceAll(name, "_", " "), word)
	}
	return isName(b.dataset.Name) || slices.ContainsFunc(b.dataset.Columns, func(c propose.Column) bool { return isName(c.Name) })
}

var (
	arithmetic = regexp.MustCompile(`^(?:c[0-9]+|[0-9]+(?:\.[0-9]+)?|[-+*/()\s])+$`)
	columnKey  = regexp.MustCompile(`c[0-9]+`)
)

// measure takes a measure that computes numbers of the dataset's own columns.
func (b *believer) measure(m knowledge.Measure) {
	const mostExpression = 500
	m.Name, m.Unit = plain(m.Name, mostWord), plain(m.Unit, mostWord)
	keys := columnKey.FindAllString(m.Expression, -1)
	if len(b.made.Knowledge.Measures) == mostMeasures || !isWord(m.Name) || b.names(m.Name) || len(keys) == 0 ||
		len(m.Expression) > mostExpression || !arithmetic.MatchString(m.Expression) || !slices.Contains(aggregates, any(m.Aggregate)) {
		return
	}
	for _, k := range keys {
		if i := b.column(k); i < 0 || !b.dataset.Columns[i].Type.Numeric() {
			return
		}
	}
	m.Expression = columnKey.ReplaceAllStringFunc(strings.Join(strings.Fields(m.Expression), " "), func(k string) string {
		return propose.Quoted(b.dataset.Columns[b.column(k)].Name)
	})
	said := m.Words
	m.Words = nil
	for _, w := range said[:min(len(said), mostWords)] {
		if w = plain(w, mostWord); isWord(w) && !b.names(w) && !strings.EqualFold(w, m.Name) && !slices.Contains(m.Words, w) {
			m.Words = append(m.Words, w)
		}
	}
	if knowledge.Check(&knowledge.Document{Measures: []knowledge.Measure{m}}) != nil {
		return
	}
	for _, w := range append([]string{m.Name}, m.Words...) {
		b.mean(w, m.Dataset+"."+m.Name)
	}
	b.made.Knowledge.Measures = append(b.made.Knowledge.Measures, m)
}

// done returns the proposal without words that mean two things, or stand twice.
func (b *believer) done() Proposal {
	seen := map[string]bool{}
	once := func(word string) bool {
		at := strings.ToLower(word)
		ok := b.means[at] != "" && !seen[at]
		seen[at] = true
		return ok
	}
	k := &b.made.Knowledge
	k.Measures = slices.DeleteFunc(k.Measures, func(m knowledge.Measure) bool { return !once(m.Name) })
	for i := range k.Measures {
		k.Measures[i].Words = slices.DeleteFunc(k.Measures[i].Words, func(w string) bool { return !once(w) })
	}
	k.Words = slices.DeleteFunc(k.Words, func(w knowledge.Word) bool {
		return !once(w.Word) || knowledge.Check(&knowledge.Document{Words: []knowledge.Word{w}}) != nil
	})
	return b.made
}

// plain is a text of a model on one line, without what cannot be seen, as far as most
// characters.
func plain(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
		return ""
	}
	return quern.Clip(text, most)
}

// isWord reports whether a text can be what people call something.
func isWord(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsAny(text, `{}<>"`+"`")
}
