package embedded

import (
	"fmt"
	"strings"

	"quern"
	"quern/nlq"
	"quern/nlq/schema"
	"quern/tree"
)

const (
	// threshold is the confidence below which the asker is asked back.
	threshold = 0.15
	// leastSlight is the confidence below which a question that names nothing of
	// the data is taken to be about something else.
	leastSlight = 0.8
	// leastForeign is the same for one most of whose words say nothing of the
	// data, as in another language.
	leastForeign = 0.5
	// followConfidence is how sure a previous query that was changed is.
	followConfidence = 0.9
	// mostChoices is how many readings are offered.
	mostChoices = 3
)

// choose takes the reading that is likeliest right, or asks back.
func (r *reader) choose(all []*candidate) nlq.Translation {
	for _, c := range all {
		if strings.EqualFold(tree.English(c.query), r.question.Text) {
			return r.translation(c, 1) // a reading that was offered
		}
	}
	best, confidence := r.best(all)
	switch {
	case best == nil, confidence < leastSlight && r.evidence() < named:
		return ask(r.unrelated())
	case confidence < threshold, confidence < leastForeign && (r.foreign() || r.ignores(best)):
		t := ask(r.which(all))
		t.Confidence = confidence
		return t
	}
	said := r.amended(best)
	if said == best && best.query.Select != nil && r.leaves(best) {
		t := ask(r.which(all))
		t.Confidence = confidence
		return t
	}
	return r.doubting(r.titled(said), all, confidence)
}

// best gives the candidate that is likeliest right among those that ran, and how
// likely that is; nil when none did.
func (r *reader) best(all []*candidate) (*candidate, float64) {
	var ran []*candidate
	for _, c := range all {
		if c.found != nil && c.found.failed == nil {
			ran = append(ran, c)
		}
	}
	if len(ran) == 0 {
		return nil, 0
	}
	best, confidence := r.translator.judgement.best(r.signs(ran, all))
	return ran[best], confidence
}

func (r *reader) translation(c *candidate, confidence float64) nlq.Translation {
	return nlq.Translation{Query: c.query, SQL: c.sql, Reading: tree.English(c.query), Confidence: confidence, Score: c.score}
}

func ask(c quern.Clarification) nlq.Translation {
	if c.Choices == nil {
		c.Choices = []quern.Choice{}
	}
	return nlq.Translation{Clarification: &c}
}

// which asks for one of the likeliest readings that give different things.
func (r *reader) which(all []*candidate) quern.Clarification {
	c := quern.Clarification{Question: "I am not sure what you mean. Which of these would answer it?"}
	c.Choices = r.choices(all, nil, mostChoices)
	if len(c.Choices) == 0 {
		return r.unrelated()
	}
	return c
}

// nothingThere says that there is nothing to ask about yet.
func nothingThere(s *schema.Schema) quern.Clarification {
	if len(s.Tables) == 0 {
		return quern.Clarification{Question: "There are no datasets here yet. Upload a file or ingest rows first; then ask again."}
	}
	return quern.Clarification{Question: fmt.Sprintf("%s no rows yet. Ingest some first; then ask again.", capital(haveNames(s)))}
}

// unrelated says what could be asked about instead.
func (r *reader) unrelated() quern.Clarification {
	text := "I found nothing in the data that this question could be about."
	if r.question.Previous != nil {
		text = "I could not tell what this changes in the answer before. Please ask the whole question."
	}
	return quern.Clarification{Question: text + " The datasets here are " + names(r.whole) + "; ask with their names, their columns or values in them."}
}

func haveNames(s *schema.Schema) string {
	if len(s.Tables) == 1 {
		return names(s) + " has"
	}
	return names(s) + " have"
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

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
