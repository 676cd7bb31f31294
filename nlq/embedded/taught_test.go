package embedded_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/nlqtest"
)

func text(s string) *string { return &s }

// teach writes what is taught about ada's namespace, over what was.
func teach(t testing.TB, h *nlqtest.House, d knowledge.Document) {
	t.Helper()
	s := knowledge.New(knowledge.Options{Store: h.Store, Catalog: h.Catalog, Now: time.Now})
	now, err := s.Read(t.Context(), h.Ada, nlqtest.In)
	must(t, err)
	_, err = s.Write(t.Context(), h.Ada, nlqtest.In, knowledge.Change{Put: &d, IfVersion: now.Version})
	must(t, err)
}

// lines makes a house with lines of orders whose value is a product.
func lines(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("lines", `[
		{"line":1,"product":"Pen","quantity":2,"unit_price":3.5,"state":"X","ordered":"2024-01-05","shipped":"2024-02-01"},
		{"line":2,"product":"Cup","quantity":1,"unit_price":8,"state":"A","ordered":"2024-01-20","shipped":"2024-02-03"},
		{"line":3,"product":"Pen","quantity":10,"unit_price":3,"state":"A","ordered":"2024-02-11","shipped":"2024-02-12"},
		{"line":4,"product":"Lamp","quantity":1,"unit_price":40,"state":"A","ordered":"2024-03-02","shipped":"2024-03-09"}]`)
	return h
}

func lesson() knowledge.Document {
	return knowledge.Document{
		Words:      []knowledge.Word{{Word: "positions", Means: "lines"}, {Word: "voided", Means: "lines.state", Value: text("X")}, {Word: "article", Means: "lines.product"}},
		Measures:   []knowledge.Measure{{Name: "revenue", Words: []string{"turnover"}, Dataset: "lines", Expression: "quantity * unit_price", Aggregate: "sum"}},
		Conditions: []knowledge.Condition{{Name: "bulky", Words: []string{"large"}, Dataset: "lines", Where: "quantity >= 10"}},
		OutOfScope: []knowledge.Topic{{Topic: "salaries", Words: []string{"wages"}, Answer: "Ask the office."}},
		Verified: []knowledge.Verified{{Name: "pieces of a product", Questions: []string{"how many pieces of {product} did we sell?", "sold pieces of {product}"},
			Query: "SELECT sum(quantity) FROM lines WHERE product = 'Pen' AND state = 'A'", Parameters: []knowledge.Parameter{{Name: "product", Value: "Pen"}}}},
	}
}

func TestKnowledgeIsUsed(t *testing.T) {
	t.Parallel()
	h := lines(t)
	teach(t, h, lesson())
	h.Answers(map[string]string{
		"what is our total revenue?":                 "85",
		"what is the revenue?":                       "85",
		"total turnover per article":                 "Cup 8; Lamp 40; Pen 37",
		"how many positions are there?":              "4",
		"how many positions are voided?":             "1",
		"how many bulky lines are there?":            "1",
		"how many lines are not large?":              "3",
		"how many pieces of Lamp did we sell?":       "1",
		"How many pieces of pen did we sell, please": "10",
		"sold pieces of cup":                         "1",
	})
}

// TestKnowledgeIsNamed reads what answers say of the knowledge that they used.
func TestKnowledgeIsNamed(t *testing.T) {
	t.Parallel()
	h := lines(t)
	teach(t, h, lesson())
	for question, want := range map[string]string{
		"what is our total revenue?":           `"revenue" is quantity * unit_price here.`,
		"how many positions are voided?":       `"voided" means lines.state X here.`,
		"how many bulky lines are there?":      `"bulky" is quantity >= 10 here.`,
		"how many pieces of Lamp did we sell?": "verified by ada, with product = Lamp.",
	} {
		if got := h.Read(question, nil); !strings.Contains(strings.Join(got.Notes, "\n"), want) {
			t.Errorf("Translate(%q) has the notes %q, want %q", question, got.Notes, want)
		}
	}
	near := h.Read("how many parts of Lamp did we sell?", nil)
	if got := fmt.Sprint(near.Notes); !strings.HasPrefix(got, `[after the pattern of "pieces of a product"`) {
		t.Errorf("a question in other words has the notes %q, want it to be after a pattern", got)
	}
	if got := h.Read("what are the wages of our people?", nil); got.Clarification == nil || got.Clarification.Question != "Ask the office." {
		t.Errorf("a question out of scope = %+v, want what was taught", got)
	}
}

// TestKnowledgeIsOfWhatIsSeen asks as somebody who sees another dataset of the
// namespace alone.
func TestKnowledgeIsOfWhatIsSeen(t *testing.T) {
	t.Parallel()
	h := lines(t)
	h.Put("shops", `[{"shop":"Corner","town":"Lyon"},{"shop":"Market","town":"Nantes"}]`)
	teach(t, h, lesson())
	_, err := h.Catalog.Share(t.Context(), h.Ada, catalog.Target{Owner: "ada", Namespace: "trade", Dataset: "shops"}, quern.Share{Username: "bob", Role: quern.Viewer})
	must(t, err)
	for _, q := range []string{"how many pieces of Lamp did we sell?", "what is our total revenue?"} {
		got, err := h.Translate(t.Context(), h.Bob, nlq.Question{In: nlqtest.In, Text: q})
		must(t, err)
		if got.Query != nil || strings.Contains(fmt.Sprint(got.Notes, got.Clarification), "lines") {
			t.Errorf("Translate(%q) by one who does not see lines = %s %v, want nothing of them", q, got.SQL, got.Notes)
		}
	}
}

// TestWordsForTwoThings asks with a word that is taught to mean two things.
func TestWordsForTwoThings(t *testing.T) {
	t.Parallel()
	h := lines(t)
	d := lesson()
	d.Words = append(d.Words, knowledge.Word{Word: "article", Means: "lines.line"})
	teach(t, h, d)
	got := h.Read("list the articles", nil)
	if got.Clarification == nil || len(got.Clarification.Choices) != 2 || got.Clarification.Choices[0].Question != "list the product" {
		t.Errorf("Translate() with a word for two things = %+v, want a question back with both", got.Clarification)
	}
}

// TestWhatColumnsAreFor teaches the time, the adjectives, what never makes sense and
// what always holds.
func TestWhatColumnsAreFor(t *testing.T) {
	t.Parallel()
	h := lines(t)
	d := knowledge.Document{
		Datasets:   []knowledge.Dataset{{Dataset: "lines", Time: "ordered", Unused: []string{"line"}}},
		Adjectives: []knowledge.Adjective{{Word: "dear", Opposite: "cheap", Column: "lines.unit_price", End: knowledge.Highest}},
		Conditions: []knowledge.Condition{{Name: "valid", Dataset: "lines", Where: "state <> 'X'", Always: true, Lift: []string{"including voided"}}},
	}
	teach(t, h, d)
	h.Answers(map[string]string{
		"how many lines are there in February 2024?": "1",
		"how many lines are there?":                  "3",
		"how many lines are there, including voided": "4",
		"which product is the dearest?":              "Lamp",
		"how many lines have the state X?":           "1",
	})
	d.Datasets[0].Time = "shipped"
	teach(t, h, d)
	h.Answers(map[string]string{"how many lines are there in February 2024?": "2"})
}

// TestVerifiedQuestionsTeachTheirWords asks other questions with words that only
// verified ones have.
func TestVerifiedQuestionsTeachTheirWords(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("tbl_a", `[
		{"a_id":1,"a_nm":"Rex","a_sp":"D","a_wt":30},{"a_id":2,"a_nm":"Tom","a_sp":"C","a_wt":4},
		{"a_id":3,"a_nm":"Ada","a_sp":"D","a_wt":12},{"a_id":4,"a_nm":"Bo","a_sp":"D","a_wt":8}]`)
	if got := h.Read("how many dogs are there?", nil); got.Query != nil && !got.Doubt {
		t.Errorf("before anything is taught, dogs are read as %s, want a question back", got.SQL)
	}
	d := knowledge.Document{Verified: []knowledge.Verified{
		{Name: "names", Questions: []string{"list the animals"}, Query: "SELECT a_nm FROM tbl_a"},
		{Name: "heavy", Questions: []string{"what is the average weight of animals?"}, Query: "SELECT avg(a_wt) FROM tbl_a"},
		{Name: "dogs", Questions: []string{"average weight of dogs"}, Query: "SELECT avg(a_wt) FROM tbl_a WHERE a_sp = 'D'"},
		{Name: "dogs by name", Questions: []string{"list the dogs"}, Query: "SELECT a_nm FROM tbl_a WHERE a_sp = 'D'"},
		{Name: "cats", Questions: []string{"average weight of cats"}, Query: "SELECT avg(a_wt) FROM tbl_a WHERE a_sp = 'C'"}}}
	teach(t, h, d)
	h.Answers(map[string]string{"how many dogs are there?": "3", "what is the highest weight?": "30", "what is the total weight of cats?": "4"})
	got := h.Read("how many dogs are there?", nil)
	if !strings.Contains(fmt.Sprint(got.Notes), `"dogs" means tbl_a.a_sp D here, as in "dogs`) {
		t.Errorf("the notes are %q, want them to name the verified question", got.Notes)
	}
	without, err := h.Translate(t.Context(), h.Ada, nlq.Question{In: nlqtest.In, Text: "average weight of cats", Without: "cats"})
	must(t, err)
	if strings.Contains(without.SQL, "'C'") {
		t.Errorf("without the one question about cats they are read as %s, want them not to be known", without.SQL)
	}
}

// TestGuessesAreNamed asks with what rules propose.
func TestGuessesAreNamed(t *testing.T) {
	t.Parallel()
	h := lines(t)
	got := h.Read("what is our total revenue?", nil)
	if notes := fmt.Sprint(got.Notes); !strings.Contains(notes, "which is guessed") || !strings.Contains(got.SQL, "*") {
		t.Errorf("total revenue is %s with the notes %q, want a product that is named as guessed", got.SQL, notes)
	}
}

// TestCalendarsAreTaught asks about fiscal years and weeks.
func TestCalendarsAreTaught(t *testing.T) {
	t.Parallel()
	h := lines(t)
	teach(t, h, knowledge.Document{Datasets: []knowledge.Dataset{{Dataset: "lines", Time: "ordered", FiscalYear: "02-01", Week: "sunday"}}})
	h.Answers(map[string]string{
		"how many lines are there in fiscal year 2024?":       "2",
		"how many lines are there in FY25?":                   "2",
		"how many lines are there in Q1 of fiscal year 2025?": "2",
	})
}
