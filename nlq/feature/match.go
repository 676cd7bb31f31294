package feature

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// longestValue is the most tokens in which a value is looked for.
const longestValue = 7

// markNames marks the tokens that name something of these words.
func (q *question) markNames(words []string, row []uint8) {
	if len(words) == 0 {
		return
	}
	stems, some := q.stemsOf(words)
	for i := range q.tokens {
		if some && q.content[i] && slices.Contains(stems, q.stems[i]) {
			row[i] = max(row[i], NamePartial)
		}
	}
	command := len(words) == 1 && lex.Command(words[0])
	if len(words) == 1 && lex.Function(words[0]) && !command {
		return
	}
	for i := 0; some && i+len(stems) <= len(q.tokens); i++ {
		if slices.Equal(q.stems[i:i+len(stems)], stems) && !(command && q.isCommand(i)) {
			mark(row, i, i+len(stems)-1)
		}
	}
	q.markJoined(words, row)
}

// isCommand reports whether a token is the first word of a sentence, and as such a
// command if it can be one.
func (q *question) isCommand(i int) bool {
	return lex.Command(q.lower[i]) && (i == 0 || endsSentence(q.lower[i-1]) || q.lower[i-1] == "and" || q.lower[i-1] == "please")
}

// stem is that of a word of a schema.
type stem struct {
	text string
	said bool // a token of the question has it
}

// stemsOf returns the stems of words of a schema, which are often the same, and
// whether the question has some of them. The result is valid until it is
// called again.
func (q *question) stemsOf(words []string) (stems []string, some bool) {
	q.scratch = q.scratch[:0]
	for _, w := range words {
		s, ok := q.known[w]
		if !ok {
			s.text = english.Stem(w)
			s.said = slices.Contains(q.stems, s.text)
			q.known[w] = s
		}
		q.scratch = append(q.scratch, s.text)
		some = some || s.said
	}
	return q.scratch, some
}

// markJoined marks the tokens that are a name when spaces and hyphens are left out:
// user name, username; e-mail, email.
func (q *question) markJoined(words []string, row []uint8) {
	if words[0] != "" && !q.initials[words[0][0]] || !q.mayStart(words) {
		return
	}
	name := strings.Join(words, "")
	if len(name) < 4 && !strings.ContainsAny(name, "0123456789") {
		return // q1 and x3 are names, a b is not
	}
	for i := range q.tokens {
		rest, last := name, i
		for last < len(q.tokens) && last < i+longestValue {
			next, ok := strings.CutPrefix(rest, q.lower[last])
			if !ok && (q.lower[last] != "-" || last == i) {
				break
			}
			if ok {
				rest = next
			}
			if (rest == "" || rest != name && stemTail(rest)) && !(len(words) == 1 && last == i) {
				mark(row, i, last)
				break
			}
			last++
		}
	}
}

// mayStart reports whether the words, without spaces, begin with some token. Most
// do not, and need not be put together.
func (q *question) mayStart(words []string) bool {
	for _, token := range q.lower {
		rest := token
		for i := 0; rest != "" && i < len(words); i++ {
			n := min(len(rest), len(words[i]))
			if rest[:n] != words[i][:n] {
				break
			}
			rest = rest[n:]
		}
		if rest == "" {
			return true
		}
	}
	return false
}

// stemTail reports whether what is left of a name is the ending of a plural.
func stemTail(rest string) bool { return rest == "s" }

// mark marks tokens as those of a whole name or value.
func mark(row []uint8, first, last int) {
	for i := first; i <= last; i++ {
		row[i] = whole
	}
}

// whole is NameExact and ValueExact.
const whole = 2

// markValues adds how the tokens relate to a column's values.
func (q *question) markValues(c *schema.Column, row []uint8) {
	found := q.row
	clear(found)
	if c.Values != nil && c.Values.HasWords() {
		q.markTexts(c.Values, found)
	}
	q.markBounds(c, found)
	for i, relation := range found {
		row[i] += relation
	}
}

// markTexts marks words of values and whole values.
func (q *question) markTexts(v *schema.Values, found []uint8) {
	some := q.markValueWords(v, found)
	for _, a := range q.aliases {
		if _, ok := v.AnyAlias(a.others); ok {
			mark(found, a.First, a.Last)
		}
	}
	if some {
		q.markWholeValues(v, found)
	}
}

// markValueWords marks words of values, and reports whether there can be whole ones.
func (q *question) markValueWords(v *schema.Values, found []uint8) (some bool) {
	for i := range q.folded {
		q.held[i] = unasked
		if q.content[i] || isDigits(q.lower[i]) || q.kinds[i] == Quoted {
			some = q.holds(v, i) || some
		}
		if q.held[i] == yes && q.content[i] && len(q.lower[i]) > 2 && !lex.Thin(q.lower[i]) {
			found[i] = ValueWord
		}
	}
	return some
}

// markWholeValues marks whole values, the longest at each place.
func (q *question) markWholeValues(v *schema.Values, found []uint8) {
	for i := range q.tokens {
		if !q.holds(v, i) {
			continue
		}
		last := i
		for last+1 < len(q.tokens) && last+1 < i+longestValue && (len(q.folded[last+1]) == 0 || q.holds(v, last+1)) {
			last++
		}
		for ; last >= i; last-- {
			if q.held[last] == yes && q.isValue(v, i, last) {
				mark(found, i, last)
				break
			}
		}
	}
}

// Whether a value holds a token, as far as was asked.
const (
	unasked uint8 = iota
	yes
	no
)

// holds reports whether a token's words are in values, and remembers it.
func (q *question) holds(v *schema.Values, i int) bool {
	if q.held[i] == unasked {
		q.held[i] = yes
		if len(q.folded[i]) == 0 {
			q.held[i] = no
		}
		for _, stem := range q.folded[i] {
			if !v.Holds(stem) {
				q.held[i] = no
				break
			}
		}
	}
	return q.held[i] == yes
}

// isValue reports whether tokens are a whole value.
func (q *question) isValue(v *schema.Values, first, last int) bool {
	span := lex.Span{First: first, Last: last}
	key, known := q.keys[span]
	if !known {
		key = q.key(span)
		q.keys[span] = key
	}
	if key == nil {
		return false
	}
	_, ok := v.Alike(*key)
	return ok
}

// key returns what to look a span up by. Words that hold a sentence together are
// no value by themselves, unless they are in quotes.
func (q *question) key(s lex.Span) *schema.Key {
	for i := s.First; i <= s.Last; i++ {
		if q.kinds[i] == Quoted || !lex.Thin(q.lower[i]) && len(q.folded[i]) > 0 {
			key := schema.KeyOf(q.text[q.tokens[s.First].Start:q.tokens[s.Last].End])
			return &key
		}
	}
	return nil
}

// markBounds marks numbers and dates that are values or within the bounds of them.
func (q *question) markBounds(c *schema.Column, found []uint8) {
	if len(q.counts) > 0 {
		low, high, ok := numberBounds(c)
		for _, n := range q.counts {
			switch {
			case c.Values != nil && c.Values.HasNumber(n.decimal):
				q.markUnrelated(found, n.first, n.last, ValueNumber)
			case ok && low <= n.value && n.value <= high:
				q.markUnrelated(found, n.first, n.last, ValueRange)
			}
		}
	}
	if len(q.times) == 0 || class(c.Type) != TypeTime {
		return
	}
	low, high, ok := timeBounds(c)
	for _, p := range q.times {
		if ok && (p.From.IsZero() || !p.From.After(high)) && (p.Until.IsZero() || p.Until.After(low)) {
			q.markUnrelated(found, p.First, p.Last, ValueRange)
		}
	}
}

// markUnrelated marks the tokens of which nothing better is known than that a value has
// them. Words that only hold a sentence together are left out.
func (q *question) markUnrelated(row []uint8, first, last int, relation uint8) {
	for i := first; i <= last; i++ {
		if row[i] <= ValueWord && (q.kinds[i] == DateKind || !lex.Function(q.lower[i])) {
			row[i] = relation
		}
	}
}

func numberBounds(c *schema.Column) (low, high float64, ok bool) {
	if class(c.Type) == TypeNumber {
		low, errLow := strconv.ParseFloat(c.Min, 64)
		high, errHigh := strconv.ParseFloat(c.Max, 64)
		if errLow == nil && errHigh == nil {
			return low, high, true
		}
	}
	if c.Values != nil && c.Values.Numeric() {
		return c.Values.Range()
	}
	return 0, 0, false
}

func timeBounds(c *schema.Column) (low, high time.Time, ok bool) {
	low, okLow := readTime(c.Min)
	high, okHigh := readTime(c.Max)
	return low, high, okLow && okHigh
}

func readTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, time.DateTime} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// The classes of column types.
const (
	TypeText uint8 = iota
	TypeNumber
	TypeTime
	TypeBoolean
	TypeOther
	Types = 5
)

// class returns a column's type in the networks' numbers.
func class(t quern.Type) uint8 {
	switch t.Class() {
	case quern.ClassText:
		return TypeText
	case quern.ClassNumber:
		return TypeNumber
	case quern.ClassTime:
		return TypeTime
	case quern.ClassBoolean:
		return TypeBoolean
	}
	return TypeOther
}
