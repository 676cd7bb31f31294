package embedded_test

import (
	"strings"
	"testing"
)

// TestWhatTheDataDoNotTell: a question that no rows answer gets none, and the
// asker is told why.
func TestWhatTheDataDoNotTell(t *testing.T) {
	t.Parallel()
	h := newHouse(t).trade()
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
		got := h.read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, want) {
			t.Errorf("Translate(%q) = %+v, want a question back with %q", text, got, want)
		}
	}
}

// TestSiblingsAreNotReworded: whoever asks for one thing is not given another of its sort, nor
// is that looked for as another meaning of the word.
func TestSiblingsAreNotReworded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("players"), `[
		{"id":1,"name":"Nora Quinn","town":"Ashby","mail":"nora@example.org","wt_g":410,"ring_colour":"red"},
		{"id":2,"name":"Olga Ritz","town":"Kirk","mail":"olga@example.org","wt_g":520,"ring_colour":"blue"}]`)
	for text, word := range map[string]string{
		"What is Nora Quinn's phone number?":   "phone",
		"Which street does Olga Ritz live in?": "street",
		"What is the wingspan of Nora Quinn?":  "wingspan",
	} {
		got := h.read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, word) {
			t.Errorf("Translate(%q) = %s %v, want that nothing answers to %s", text, got.SQL, got.Clarification, word)
		}
	}
	h.answers(map[string]string{"What is the email of Olga Ritz?": "olga@example.org", "Which town does Olga Ritz live in?": "Kirk"})
}

// TestDoubtLeavesAChoice: what could be answered without the word in doubt is
// offered, and asking for it gets it.
func TestDoubtLeavesAChoice(t *testing.T) {
	t.Parallel()
	h := newHouse(t).trade()
	back := h.read("What is the average draught of the orders?", nil).Clarification
	if back == nil || len(back.Choices) == 0 {
		t.Fatalf("Translate() = %+v, want choices", back)
	}
	for _, c := range back.Choices {
		if got := h.read(c.Question, nil); got.Query == nil || strings.Contains(strings.ToLower(c.Label), "draught") {
			t.Errorf("Translate(%q) = %+v, want a query, and no word of draughts in it", c.Question, got)
		}
	}
}

// TestPartsOfAYear: a part of a year by its days is not made the year.
func TestPartsOfAYear(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("fabrics"), `[{"fab":"F1","fab_name":"Tweed","stock_m":4},{"fab":"F2","fab_name":"Linen","stock_m":40},{"fab":"F3","fab_name":"Chintz","stock_m":2}]`)
	h.dataset(at("jobs"), `[{"job_no":1,"fab":"F1","due":"2025-12-27","piece":"bar stools"},{"job_no":2,"fab":"F2","due":"2025-11-02","piece":"sofa"},{"job_no":3,"fab":"F2","due":"2025-12-24","piece":"sofa"}]`)
	got := h.read("whats due between christmas eve and new year 2025", nil)
	if got.Query == nil || h.rows(h.ada, got) != "1; 3" {
		t.Errorf("Translate(due at Christmas) = %s %v, want jobs 1 and 3", got.SQL, got.Clarification)
	}
}

// TestReasonsThatAreRecorded: a column of reasons answers why.
func TestReasonsThatAreRecorded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("refunds"), `[{"customer":"Ada","reason":"broken"},{"customer":"Bo","reason":"late"}]`)
	got := h.read("Why did customers get refunds?", nil)
	if got.Clarification != nil && strings.Contains(got.Clarification.Question, "not why") {
		t.Errorf("Translate() = %+v, want the reasons or another question back", got.Clarification)
	}
}

// TestOtherWordsAreNoDoubt: who says it in words that mean the same is not doubted for that.
func TestOtherWordsAreNoDoubt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("clients"), `[{"client_no":1,"surname":"Ito","town":"Lyon"},{"client_no":2,"surname":"Bell","town":"Nice"}]`)
	h.dataset(at("boats"), `[{"boat":"Tern","year":1990,"price":4000},{"boat":"Gull","year":2010,"price":9000},{"boat":"Skua","year":2001,"price":1000}]`)
	wanted := map[string]string{
		"How many customers do we have?":          "2",
		"How many boats do we own?":               "3",
		"Which boats are dearer than the average": "Gull",
	}
	h.answers(wanted)
	for question := range wanted {
		if got := h.read(question, nil); got.Doubt {
			t.Errorf("Translate(%q) has the notes %q, want no doubt", question, got.Notes)
		}
	}
}

// TestOtherNamesOfTheSameRows: who could also be shown by their numbers are the same, and no other
// answer that is told of.
func TestOtherNamesOfTheSameRows(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("clients"), `[{"client_no":1,"surname":"Ito","town":"Lyon","paid":"yes","fee":12.5},{"client_no":2,"surname":"Bell","town":"Nice","paid":"no","fee":7},
		{"client_no":3,"surname":"Okoye","town":"Lyon","paid":"yes","fee":30.25}]`)
	wanted := map[string]string{"who has not paid": "Bell", "Which clients are from Lyon?": "Ito; Okoye"}
	h.answers(wanted)
	for question := range wanted {
		for _, note := range h.read(question, nil).Notes {
			if strings.Contains(note, "client no") {
				t.Errorf("Translate(%q) has the note %q, want none of numbers", question, note)
			}
		}
	}
}
