package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatTheDataDoNotTell: a question that no rows answer gets none, and the
// asker is told why.
func TestWhatTheDataDoNotTell(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for text, want := range map[string]string{
		"Delete all cancelled orders":                    "change nothing",
		"please remove the shop Harbour":                 "change nothing",
		"Why were orders cancelled?":                     "not why",
		"Predict next month's orders":                    "not what will be",
		"How much money will Corner earn?":               "not what will be",
		"How is the shop Harbour doing?":                 "compare by",
		"What shall we have for dinner?":                 "compare by",
		"What is the average draught of the orders?":     `"draught"`,
		"Which shops have a swimming pool?":              `"swimming"`,
		"How many orders did the astronauts place?":      `"astronauts"`,
		"What is the blood pressure of each shop owner?": "",
	} {
		got := h.Read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, want) {
			t.Errorf("Translate(%q) = %+v, want a question back with %q", text, got, want)
		}
	}
}

// TestSiblingsAreNotReworded: whoever asks for one thing is not given another of its sort, nor
// is that looked for as another meaning of the word.
func TestSiblingsAreNotReworded(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("players", `[
		{"id":1,"name":"Nora Quinn","town":"Ashby","mail":"nora@example.org","wt_g":410,"ring_colour":"red"},
		{"id":2,"name":"Olga Ritz","town":"Kirk","mail":"olga@example.org","wt_g":520,"ring_colour":"blue"}]`)
	for text, word := range map[string]string{
		"What is Nora Quinn's phone number?":   "phone",
		"Which street does Olga Ritz live in?": "street",
		"What is the wingspan of Nora Quinn?":  "wingspan",
	} {
		got := h.Read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, word) {
			t.Errorf("Translate(%q) = %s %v, want that nothing answers to %s", text, got.SQL, got.Clarification, word)
		}
	}
	h.Answers(map[string]string{"What is the email of Olga Ritz?": "olga@example.org", "Which town does Olga Ritz live in?": "Kirk"})
}

// TestDoubtLeavesAChoice: what could be answered without the word in doubt is
// offered, and asking for it gets it.
func TestDoubtLeavesAChoice(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	back := h.Read("What is the average draught of the orders?", nil).Clarification
	if back == nil || len(back.Choices) == 0 {
		t.Fatalf("Translate() = %+v, want choices", back)
	}
	for _, c := range back.Choices {
		if got := h.Read(c.Question, nil); got.Query == nil || strings.Contains(strings.ToLower(c.Label), "draught") {
			t.Errorf("Translate(%q) = %+v, want a query, and no word of draughts in it", c.Question, got)
		}
	}
}

// TestPartsOfAYear: a part of a year by its days is not made the year.
func TestPartsOfAYear(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("fabrics", `[{"fab":"F1","fab_name":"Tweed","stock_m":4},{"fab":"F2","fab_name":"Linen","stock_m":40},{"fab":"F3","fab_name":"Chintz","stock_m":2}]`)
	h.Put("jobs", `[{"job_no":1,"fab":"F1","due":"2025-12-27","piece":"bar stools"},{"job_no":2,"fab":"F2","due":"2025-11-02","piece":"sofa"},{"job_no":3,"fab":"F2","due":"2025-12-24","piece":"sofa"}]`)
	got := h.Read("whats due between christmas eve and new year 2025", nil)
	if got.Query == nil || h.RowsOf(h.Ada, got) != "1; 3" {
		t.Errorf("Translate(due at Christmas) = %s %v, want jobs 1 and 3", got.SQL, got.Clarification)
	}
}

// TestReasonsThatAreRecorded: a column of reasons answers why.
func TestReasonsThatAreRecorded(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("refunds", `[{"customer":"Ada","reason":"broken"},{"customer":"Bo","reason":"late"}]`)
	got := h.Read("Why did customers get refunds?", nil)
	if got.Clarification != nil && strings.Contains(got.Clarification.Question, "not why") {
		t.Errorf("Translate() = %+v, want the reasons or another question back", got.Clarification)
	}
}

// TestOtherWordsAreNoDoubt: who says it in words that mean the same is not doubted for that.
func TestOtherWordsAreNoDoubt(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"client_no":1,"surname":"Ito","town":"Lyon"},{"client_no":2,"surname":"Bell","town":"Nice"}]`)
	h.Put("boats", `[{"boat":"Tern","year":1990,"price":4000},{"boat":"Gull","year":2010,"price":9000},{"boat":"Skua","year":2001,"price":1000}]`)
	wanted := map[string]string{
		"How many customers do we have?":          "2",
		"How many boats do we own?":               "3",
		"Which boats are dearer than the average": "Gull",
	}
	h.Answers(wanted)
	for question := range wanted {
		if got := h.Read(question, nil); got.Doubt {
			t.Errorf("Translate(%q) has the notes %q, want no doubt", question, got.Notes)
		}
	}
}

// TestOtherNamesOfTheSameRows: who could also be shown by their numbers are the same, and no other
// answer that is told of.
func TestOtherNamesOfTheSameRows(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"client_no":1,"surname":"Ito","town":"Lyon","paid":"yes","fee":12.5},{"client_no":2,"surname":"Bell","town":"Nice","paid":"no","fee":7},
		{"client_no":3,"surname":"Okoye","town":"Lyon","paid":"yes","fee":30.25}]`)
	wanted := map[string]string{"who has not paid": "Bell", "Which clients are from Lyon?": "Ito; Okoye"}
	h.Answers(wanted)
	for question := range wanted {
		for _, note := range h.Read(question, nil).Notes {
			if strings.Contains(note, "client no") {
				t.Errorf("Translate(%q) has the note %q, want none of numbers", question, note)
			}
		}
	}
}

// TestSiblingsAreNotEachOther: whoever asks for a phone is not given an address.
func TestSiblingsAreNotEachOther(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("tenants", `[{"tenant":"Mr Adeyemi","email":"a@example.org","town":"Lyon","rent":700},{"tenant":"Mrs Bell","email":"b@example.org","town":"Nice","rent":650}]`)
	for _, question := range []string{"What is Mr Adeyemi's phone number?", "Which street does Mrs Bell live in?"} {
		if got := h.Read(question, nil); got.Query != nil {
			t.Errorf("Translate(%q) = %s, want a question back", question, got.SQL)
		}
	}
	h.Answers(map[string]string{"What is Mr Adeyemi's email?": "a@example.org"})
}

// TestWhatWillBe: no row tells whether something will happen.
func TestWhatWillBe(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, question := range []string{"Will Corner order again?", "When will Harbour need a new roof?"} {
		if got := h.Read(question, nil); got.Query != nil || !strings.Contains(got.Clarification.Question, "not what will be") {
			t.Errorf("Translate(%q) = %+v, want that it cannot be told", question, got)
		}
	}
}

// TestReasonsOfOtherThings: why something happened is no count of how often it did, also where
// the data have reasons of something else.
func TestReasonsOfOtherThings(t *testing.T) {
	t.Parallel()
	h := nlqtest.Fair(t)
	got := h.Read("Why do so many people buy kites?", nil)
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, "not why") {
		t.Errorf("Translate(a reason) = %s %v, want that the data do not say why", got.SQL, got.Clarification)
	}
}

// TestWhoWillWin: nobody knows yet.
func TestWhoWillWin(t *testing.T) {
	t.Parallel()
	h := nlqtest.League(t)
	for _, text := range []string{"who will win the league?", "close card 3"} {
		if got := h.Read(text, nil); got.Clarification == nil {
			t.Errorf("Translate(%q) = %s, want a refusal", text, got.SQL)
		}
	}
}

// TestMissingCells: a cell that is empty tells nothing.
func TestMissingCells(t *testing.T) {
	t.Parallel()
	h := nlqtest.Office(t)
	got := h.Read("What is the phone number of Nordlicht Verlag?", nil)
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, "no phone") {
		t.Errorf("Translate() = %s %+v, want that there is no phone", got.SQL, got.Clarification)
	}
	h.Answers(map[string]string{"What is the phone number of Alpenwerk?": "044 1"})
}

func TestReadingsOfOtherQuestions(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, text := range []string{"Tell me a joke about cats", "Who won the world cup?", "What is the weather in Oslo?"} {
		if got := h.Read(text, nil); got.Clarification == nil {
			t.Errorf("Translate(%q) = %s, want a question back", text, got.Reading)
		}
	}
}

// A kind that the data do not have is none that they have, and neither is a name.
func TestKindsThatAreNotThere(t *testing.T) {
	t.Parallel()
	h := nlqtest.Herd(t)
	for text, want := range map[string]string{
		"how many Dadant hives are there":      "Dadant",
		"which hives are the best ones?":       "name what to compare by",
		"whats the average":                    "of what",
		"take the hive H1 off the list":        "change nothing",
		"how busy will the hives be in August": "not what will be",
	} {
		got := h.Read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, want) {
			t.Errorf("Translate(%q) = %+v %+v, want a question back with %q", text, got.SQL, got.Clarification, want)
		}
	}
}

// TestNothingAnswersTo: an answer says which of its words it is not sure of where it counts what no
// word of the data is, or gives the time of something else.
func TestNothingAnswersTo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("flights", `[{"no":1,"dt":"2023-03-01","balloon":"Bluebell","state":"flown"},{"no":2,"dt":"2023-03-08","balloon":"Bluebell","state":"flown"},{"no":3,"dt":"2023-03-15","balloon":"Robin","state":"called off"}]`)
	h.Put("customers", `[{"no":1,"name":"Ann","town":"Lyon","hives":4},{"no":2,"name":"Bert","town":"Lyon","hives":2},{"no":3,"name":"Cleo","town":"Nice","hives":9}]`)
	for _, text := range []string{"When was Bluebell last serviced?", "how many beekeepers per town"} {
		if got := h.Read(text, nil); got.Query != nil && !got.Doubt {
			t.Errorf("Translate(%q) = %s without doubt, want doubt", text, got.SQL)
		}
	}
	if got := h.Read("When did Bluebell last fly?", nil); got.Query == nil || got.Doubt {
		t.Errorf("when it last flew = %v, %q, want an answer without doubt", got.SQL, got.Notes)
	}
}

// Deeds and judgements are declined whatever is recorded, and a column of yes and no
// holds no guess.
func TestWhatIsRecorded(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("readings", `[{"day":"2025-02-03","used":9,"estimated":"yes","note":"cold"},{"day":"2025-02-04","used":7,"estimated":"no","note":"cold"},
		{"day":"2025-02-05","used":7,"estimated":"no","note":"mild"}]`)
	for _, text := range []string{"what will the reading be next january", "delete all readings", "which is best"} {
		if got := h.Read(text, nil); got.Query != nil {
			t.Errorf("Translate(%q) = %+v, want it declined", text, got.Query)
		}
	}
}

// TestReasonsWhyNot: a column of reasons says why rows are, not why something did not happen.
func TestReasonsWhyNot(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("visits", `[{"visit":1,"patient":"Ann Lee","day":"2023-08-01","reason":"check-up","status":"came"},{"visit":2,"patient":"Bert Roy","day":"2023-08-03","reason":"filling","status":"no-show"}]`)
	got := h.Read("Why did Bert Roy not turn up in August?", nil)
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, "not why") {
		t.Errorf("Translate(why not) = %s %v, want that the data do not say why", got.SQL, got.Clarification)
	}
	h.Answers(map[string]string{"For what reason did Ann Lee come in August?": "check-up"})
}
