package schema

import (
	"maps"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
)

// Meaning is what people call a value: "cancelled" is 9.
type Meaning struct{ Text, Value string }

// WithMeanings returns the index with other words for values, which need not be
// among those that it has. The first meaning of a text counts.
func (v *Values) WithMeanings(all []Meaning) *Values {
	if len(all) == 0 {
		return v
	}
	made := *v
	made.meant, made.meantWords = maps.Clone(v.meant), maps.Clone(v.meantWords)
	if made.meant == nil {
		made.meant, made.meantWords = map[uint64]string{}, map[uint64]struct{}{}
	}
	for _, m := range all {
		folded := lex.Fold(m.Text)
		words := strings.Fields(folded)
		if len(words) == 0 {
			continue
		}
		for _, key := range []uint64{hash(folded), hash(joinStems(words))} {
			if _, taken := made.meant[key]; !taken {
				made.meant[key] = m.Value
			}
		}
		for _, w := range words {
			made.meantWords[hash(english.Stem(w))] = struct{}{}
		}
	}
	return &made
}

// HasMeanings reports whether some value has other words.
func (v *Values) HasMeanings() bool { return len(v.meant) > 0 }

// Meant returns the value that people call by a text.
func (v *Values) Meant(text string) (value string, ok bool) {
	if len(v.meant) == 0 {
		return "", false
	}
	key := KeyOf(text)
	if value, ok = v.meant[key.folded]; !ok {
		value, ok = v.meant[key.stems]
	}
	return value, ok
}

// Named reports whether values of the column are called by words: it is one of
// texts, or its values have meanings.
func (c *Column) Named() bool {
	return c.Values != nil && (c.Type == quern.Text || c.Values.HasMeanings())
}

// addMeanings gives values of the column the words that codes are explained with.
func (c *Column) addMeanings(codes []english.Code) {
	if c.Type == quern.Boolean || c.Type.Temporal() {
		return
	}
	var all []Meaning
	for _, code := range codes {
		value := code.Value
		if c.Type.Numeric() {
			number, ok := lex.Number(value)
			if !ok {
				continue
			}
			value = number
		} else if c.Values != nil {
			if is, ok := c.Values.Exact(lex.Fold(value)); ok {
				value = is
			}
		}
		all = append(all, Meaning{code.Meaning, value})
	}
	if len(all) == 0 {
		return
	}
	if c.Values == nil {
		c.Values = NewValues(0)
		c.Values.Done()
		c.Values.cut = true // what it holds is not known
	}
	c.Values = c.Values.WithMeanings(all)
}

// meaningOfYes returns what a column of yes and no says when it says yes: "true =
// active", "Y if discontinued".
func (c *Column) meaningOfYes(codes []english.Code) string {
	if _, _, truth := c.Truth(); !truth {
		return ""
	}
	for _, code := range codes {
		if yes, ok := lex.Truth(code.Value); ok && yes {
			return code.Meaning
		}
	}
	return ""
}
