package prompt

import (
	"fmt"
	"strings"

	"quern/knowledge"
	"quern/nlq/schema"
)

// The most of what is taught that a prompt shows.
const (
	mostLessons  = 200
	mostVerified = 20
)

// example is a verified question as a prompt shows it.
type example struct {
	Questions []string `json:"questions"`
	SQL       string   `json:"sql"`
}

// lessons returns what is taught about the namespace in lines. Words are those that
// the question has. Without values, what may be out of a row is left out.
func (b *Brief) lessons(values bool) []string {
	var all []string
	add := func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		secret := !values && strings.Contains(line, "'")
		if len(all) < mostLessons && !secret {
			all = append(all, line)
		}
	}
	for _, m := range b.taught.Measures {
		usual := ""
		if m.Aggregate != "" {
			usual = ", usually its " + m.Aggregate
		}
		add("%s of %s is %s%s", strings.Join(append([]string{m.Name}, m.Words...), " or "), m.Dataset, m.Expression, usual)
		if len(m.Never) > 0 {
			add("%s of %s never has a %s", m.Name, m.Dataset, strings.Join(m.Never, " or "))
		}
	}
	for _, c := range b.taught.Conditions {
		if c.Always {
			add("%s: always add %s unless the question says %s", c.Dataset, c.Where, strings.Join(c.Lift, " or "))
			continue
		}
		add("%s %s are those where %s", strings.Join(append([]string{c.Name}, c.Words...), " or "), c.Dataset, c.Where)
	}
	for _, a := range b.taught.Adjectives {
		add("%s means the %s %s", a.Word, a.End, a.Column)
	}
	for _, d := range b.taught.Datasets {
		if d.Time != "" {
			add("times of %s are %s.%s", d.Dataset, d.Dataset, d.Time)
		}
		if d.Label != "" {
			add("people call a row of %s by %s", d.Dataset, d.Label)
		}
	}
	b.addWords(add)
	return all
}

func (b *Brief) addWords(add func(format string, args ...any)) {
	for _, w := range b.taught.Words {
		if !schema.Says(b.text, w.Word) {
			continue
		}
		if w.Value != nil {
			add("%s means %s = '%s'", w.Word, w.Means, *w.Value)
			continue
		}
		add("%s means %s", w.Word, w.Means)
	}
	for _, l := range b.taught.Links {
		if len(l.Words) > 0 {
			add("%s means the link %s = %s", strings.Join(l.Words, " or "), l.From, l.To)
		}
	}
}

// examples returns the verified questions that share a word with the question.
func (b *Brief) examples(values bool) []example {
	var all []example
	for _, v := range b.taught.Verified {
		secret := !values && strings.Contains(v.Query, "'")
		if len(all) < mostVerified && !secret && b.sharesWord(v) {
			all = append(all, example{v.Questions, v.Query})
		}
	}
	return all
}

func (b *Brief) sharesWord(v knowledge.Verified) bool {
	const shortest = 4 // letters of a word that says something
	for _, q := range v.Questions {
		for w := range strings.FieldsSeq(q) {
			if len(w) >= shortest && schema.Says(b.text, strings.Trim(w, "?.,!")) {
				return true
			}
		}
	}
	return false
}
