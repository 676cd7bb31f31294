package rest_test

import (
	"testing"

	"quern"
	"quern/api"
)

// TestWordsAndDoubtAreTold in answers and in the runs that are kept.
func TestWordsAndDoubtAreTold(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		fleet(t, h)
		h.script.Accounts("Which ships are there?",
			quern.Word{Start: 6, End: 11, Text: "ships", State: quern.WordGuessed, Means: "the dataset boats",
				Instead: []quern.Meaning{{Means: "the dataset rafts", Question: "Which rafts are there?"}}})
		h.script.Accounts("What about ships?", quern.Word{Start: 11, End: 16, Text: "ships", State: quern.WordUnknown})
		m := questionIn(t, h, api.QueryRequest{NaturalLanguageQuery: "Which ships are there?"}).Metadata
		guessed := func(words []api.Word) bool {
			return len(words) == 1 && words[0].State == api.WordStateGuessed && words[0].Start == 6 && words[0].End == 11 &&
				words[0].Means == "the dataset boats" && len(words[0].Instead) == 1 && words[0].Instead[0].Question == "Which rafts are there?"
		}
		if !guessed(m.Words) || !m.Doubt || len(m.Notes) != 1 {
			t.Errorf("metadata = %+v, want the word guessed, doubt and its note", m)
		}
		kept := into[api.Run](t, h.want(200, "ada", "GET", "/query/runs/"+m.RunID, "")).Result
		if step := kept.Steps[0]; !guessed(step.Words) || !step.Doubt || !kept.Doubt {
			t.Errorf("the run keeps %+v, want the word guessed and doubt", kept)
		}
		m = questionIn(t, h, api.QueryRequest{NaturalLanguageQuery: "What about ships?"}).Metadata
		if len(m.Words) != 1 || m.Words[0].State != api.WordStateUnknown || len(m.Clarification.Choices) != 2 {
			t.Errorf("metadata of a question back = %+v, want the word unknown", m)
		}
		m = questionIn(t, h, api.QueryRequest{NaturalLanguageQuery: "How many ships are there?"}).Metadata
		if m.Words != nil || m.Doubt {
			t.Errorf("metadata = %+v, want no word and no doubt", m)
		}
	})
}
