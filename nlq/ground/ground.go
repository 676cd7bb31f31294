// Package ground owns what the rules of the translator stand on: a text, the data that it is asked
// of, and what several of them ask of the two. It changes neither, and knows no rule.
package ground

import (
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/feature"
	"quern/nlq/follow"
	"quern/nlq/schema"
	"quern/nlq/vector"
)

// Asked is a question and the data that it is asked of.
type Asked struct {
	Question nlq.Question
	Whole    schema.View   // all that the asker sees
	Vectors  *vector.Table // what words mean
	Without  []Mechanism   // that are left out, to measure what they are worth
}

// Wording is a text that can be read by itself: the question, the question with
// its pronouns resolved, or a part of it.
type Wording struct {
	Text string
	Rows *follow.Rows // the rows that it is about; nil: all
	// Own is where the question's own words begin: before them are those of the
	// questions before it.
	Own int
}

// Grounding is a text and how it relates to the data.
type Grounding struct {
	Wording
	Asked    *Asked
	View     schema.View // the part of the data that the text may be about
	Features *feature.Features
}

// Accounts returns the text as the accounts of its words take it.
func (g *Grounding) Accounts() account.Text {
	return account.Text{Text: g.Text, View: g.View, Features: g.Features}
}
