package embedded

import (
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/schema"
	"quern/tree"
)

const (
	// mostChoices is how many readings are offered when the asker is asked back.
	mostChoices = 3
	// mostDoubts is how many other readings an answer names that may be wrong.
	mostDoubts = 2
	// noValue is how well a constant matches that no value is like.
	noValue = 0.3
)

// ask returns a question back.
func ask(c quern.Clarification) nlq.Translation {
	if c.Choices == nil {
		c.Choices = []quern.Choice{}
	}
	return nlq.Translation{Clarification: &c}
}

// which asks for one of the likeliest readings that find different things.
func (r *reader) which(all []*candidate) quern.Clarification {
	c := quern.Clarification{Question: "I am not sure what you mean. Which of these would answer it?"}
	c.Choices = r.choices(all, nil, mostChoices)
	if len(c.Choices) == 0 {
		return r.unrelated()
	}
	return c
}

// withoutPlace says that nobody can tell what a constant of a reading is of, such as a number
// that any column of numbers may be compared with.
func (r *reader) withoutPlace(constant string) quern.Clarification {
	return quern.Clarification{Question: fmt.Sprintf("I do not know which column %q is about. Please name it; the datasets here are %s.", constant, names(r.Whole.Schema))}
}

// findsNothingKnown reports whether a reading asks for columns of certain rows, and finds such
// rows, but no value: the data do not tell.
func (c *candidate) findsNothingKnown() bool {
	s := c.query.Select
	isPlain := s != nil && s.Where != nil && len(s.Group) == 0 && !slices.ContainsFunc(s.Items, func(i tree.Item) bool {
		_, isColumn := i.Expr.(tree.Column)
		return !isColumn
	})
	return isPlain && c.completes == nil && c.ran() && c.outcome.rows > 0 && c.outcome.onlyNulls
}

// missingValues says that rows are there, and what they are asked for is not.
func missingValues(q *tree.Query) quern.Clarification {
	p, _ := tree.Describe(q)
	names := make([]string, len(p.Values))
	for i, v := range p.Values {
		names[i] = v.Name
	}
	return quern.Clarification{Question: fmt.Sprintf("The data have no %s for %s%s: it is empty there.", english.List(names, "or"), p.Noun, p.Which)}
}

// alternatives says what else the question may mean than the reading that was chosen.
// Whoever asks one of those in its words gets it.
func (r *reader) alternatives(chosen *candidate, all []*candidate) string {
	var others []string
	for _, c := range r.choices(all, chosen, mostDoubts) {
		others = append(others, fmt.Sprintf("%q", c.Label))
	}
	note := "I am not sure that this is what you mean."
	if len(others) > 0 {
		note += " It may also be: " + strings.Join(others, " or ") + "."
	}
	return note
}

// choices offers the likeliest readings that find other things than one that is
// known already, if any, and than each other. Readings about values that the data
// do not have are not offered.
func (r *reader) choices(all []*candidate, known *candidate, most int) []quern.Choice {
	var seen []*candidate
	if known != nil {
		seen = append(seen, known)
	}
	var offered []quern.Choice
	for _, c := range all {
		if len(offered) == most {
			break
		}
		text, err := tree.Print(c.query)
		failed := c.outcome != nil && c.outcome.failed != nil
		if err != nil || failed || c.score <= noValue || c.misplaced != "" || isAmong(c, seen) {
			continue
		}
		seen = append(seen, c)
		label := tree.English(c.query)
		offered = append(offered, quern.Choice{Label: label, Question: label, Query: text})
		r.offer(label, c)
	}
	return offered
}

// isAmong reports whether a reading finds or says what one of some does.
func isAmong(c *candidate, some []*candidate) bool {
	for _, other := range some {
		if sameRows(other, c) || tree.English(other.query) == tree.English(c.query) {
			return true
		}
	}
	return false
}

// unrelated says what could be asked about instead.
func (r *reader) unrelated() quern.Clarification {
	text := "I found nothing in the data that this question could be about."
	if r.Question.Previous != nil && r.Question.Previous.Query != nil {
		text = "I could not tell what this changes in the answer before. Please ask the whole question."
	}
	return quern.Clarification{
		Question: text + " The datasets here are " + names(r.Whole.Schema) + "; ask with their names, their columns or values in them.",
	}
}

// names lists datasets, some of them when there are many.
func names(s *schema.Schema) string {
	const most = 8
	var all []string
	for i, t := range s.Tables {
		if i == most {
			return strings.Join(all, ", ") + fmt.Sprintf(" and %d more", len(s.Tables)-most)
		}
		all = append(all, t.Path.Dataset)
	}
	if len(all) > 1 {
		return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
	}
	return strings.Join(all, "")
}
