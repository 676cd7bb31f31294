package embedded_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// A misspelt question is read as it was meant, says what was read as what, and has the
// words where they were typed.
func TestMisspeltQuestions(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for text, c := range map[string]struct{ meant, notes, words string }{
		"hw mny ordrs are opne?":            {"how many orders are open?", `I read "ordrs" as "orders". I read "opne" as "open".`, "ordrs opne"},
		"What is the avrege price of ordes": {"What is the average price of orders", `I read "avrege" as "average". I read "ordes" as "orders".`, "avrege price ordes"},
		"How manny orders are open?":        {"How many orders are open?", `I read "manny" as "many".`, "orders open"},
	} {
		got, want := h.Read(text, nil), h.Read(c.meant, nil)
		checkWords(t, text, got)
		var words []string
		for _, w := range got.Words {
			words = append(words, w.Text)
		}
		if want.Query == nil || got.SQL != want.SQL || strings.Join(got.Notes, " ") != c.notes || strings.Join(words, " ") != c.words {
			t.Errorf("Translate(%q) = %s, notes %q, words %q; want as %q: %s, %q, %q", text, got.SQL, got.Notes, words, c.meant, want.SQL, c.notes, c.words)
		}
	}
}

// What is asked back quotes what was typed.
func TestAskedBackAsTyped(t *testing.T) {
	t.Parallel()
	got := nlqtest.NewHouse(t).Trade().Read("How many orders have giraffs?", nil)
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, `"giraffs"`) {
		t.Errorf("Translate(giraffs) = %+v, want to be asked back about giraffs", got)
	}
}

// What is in quotes, written as a name, or in another language stays as it was typed.
func TestWhatIsNotRespelled(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, text := range []string{`orders of "opne things"`, "How many orders of Opne are there?", "Wie viele Bestellungen sind ofen und nicht bezahlt?"} {
		for _, note := range h.Read(text, nil).Notes {
			if strings.HasPrefix(note, "I read \"opne") || strings.HasPrefix(note, "I read \"ofen") {
				t.Errorf("Translate(%q) says %q, want it left as it is", text, note)
			}
		}
	}
}

// A follow-up is read as it was meant too.
func TestMisspeltFollowUps(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	before := h.Read("How many orders are there?", nil)
	got, want := h.Read("only hte opne ones", &before), h.Read("only the open ones", &before)
	if want.Query == nil || got.SQL != want.SQL || len(got.Notes) == 0 {
		t.Errorf("the follow-up = %s, notes %q, want %s and a note", got.SQL, got.Notes, want.SQL)
	}
}

// Words that were written as one are two where the data have them so, and a unit stands
// apart from its number.
func TestWordsWrittenAsOne(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("works", `[{"work":1,"job":"oil change","spot":"Bay 9","cost":40,"left_m":5},{"work":2,"job":"tyres","spot":"Bay 1","cost":90,"left_m":9},
		{"work":3,"job":"oil change","spot":"Bay 9","cost":50,"left_m":7}]`)
	h.Answers(map[string]string{
		"How many oilchange works are there?": "2",
		"total cost of works at bay9":         "90",
		"Which works have under 7m left":      "1",
	})
}

// Texts that are no questions are read or asked back, and whatever is said of their words
// quotes what was typed.
func TestOddTexts(t *testing.T) {
	t.Parallel()
	h := nlqtest.Pantry(t)
	texts := []string{"'255hr99999999999999999999kggrewé5hrmnyİstanbulbatchs", "b4, in 25, jam", "w/o batchs batchs", "w/oİstanbulmny%0.5 kg"}
	parts := strings.Fields(`hw mny in 25 '24? 7m 2kg b4 w/o İstanbul K Kilos litres "opne " batchs n 5hr may é wasnt % 25mins how manny 0.5kg Ⱥbc grew percent 2024 2025 jam 日本`)
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		var said []string
		for range 1 + r.IntN(9) {
			said = append(said, parts[r.IntN(len(parts))])
		}
		texts = append(texts, strings.Join(said, []string{" ", "", ", "}[r.IntN(3)]))
	}
	for _, text := range texts {
		checkWords(t, text, h.Read(text, nil))
	}
}

// TestOwnersWithoutApostrophes: a name with its owner's s is that name.
func TestOwnersWithoutApostrophes(t *testing.T) {
	t.Parallel()
	nlqtest.BoxOffice(t).Answers(map[string]string{"list Leo Marchettis bookings": "B4"})
}

// Names that are keywords of queries are names, and common words are understood though
// they are misspelt; what costs something has a price.
func TestKeywordsMisspellingsAndCosts(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("order", `[
		{"select":"a","group":"x","limit":3,"price":10,"cost":4},{"select":"b","group":"x","limit":5,"price":30,"cost":9},
		{"select":"c","group":"y","limit":9,"price":100,"cost":1}]`)
	h.Answers(map[string]string{
		"what is the avrage limit?":                                   "5.666666666666667",
		"total limit by group":                                        "x 8; y 9",
		"what does the order with the select b cost?":                 "30",
		"which select has a price more than twice the average price?": "c",
	})
}
