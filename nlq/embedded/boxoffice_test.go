package embedded_test

import (
	"strings"
	"testing"
)

// boxOffice makes the files of a theatre: bookings of several tickets at a price each, donors with
// their years of birth, vans and coaches, events that were and are to come.
func (h *house) boxOffice() *house {
	h.dataset(at("tickets"), `[{"booking":"B1","customer":"Elsie Fox","qty":1,"price_each":10.0,"paid":"Y","booked_on":"2022-05-01"},{"booking":"B2","customer":"Elsie Fox","qty":1,"price_each":12.5,"paid":"N","booked_on":"2023-05-01"},
		{"booking":"B3","customer":"Ann Lock","qty":4,"price_each":10.0,"paid":"N","booked_on":"2023-06-01"},{"booking":"B4","customer":"Leo Marchetti","qty":2,"price_each":12.5,"paid":"Y","booked_on":"2023-06-09"}]`)
	h.dataset(at("donors"), `[{"donor_id":1,"name":"Xenia Lowe","joined":"2020-03-05","yob":1990},{"donor_id":2,"name":"Abe Cole","joined":"2022-03-05","yob":1941},{"donor_id":3,"name":"Una Bell","joined":"2023-04-01","yob":1975}]`)
	h.dataset(at("vehicles"), `[{"reg":"V1","type":"van","day_rate":50.0},{"reg":"V2","type":"van","day_rate":90.0},{"reg":"V3","type":"coach","day_rate":400.0},{"reg":"V4","type":"coach","day_rate":500.0},{"reg":"V5","type":"van","day_rate":70.0}]`)
	h.dataset(at("events"), `[{"event":"Fair","date":"2023-06-10","raised":500.0,"kind":"fair"},{"event":"Quiz","date":"2023-10-12","raised":null,"kind":"quiz"},{"event":"Carols","date":"2023-12-15","raised":null,"kind":"concert"}]`)
	return h
}

// TestPiecesOfRows: a booking of four tickets is four tickets, and comes to four times the price.
func TestPiecesOfRows(t *testing.T) {
	t.Parallel()
	newHouse(t).boxOffice().answers(map[string]string{
		"which customer has bought the most tickets":        "Ann Lock",
		"how many tickets did we sell in 2023?":             "7",
		"how much money is outstanding on unpaid bookings?": "52.5",
		"How many bookings has each customer made?":         "Ann Lock 1; Elsie Fox 2; Leo Marchetti 1",
		"What is the average price each of the tickets?":    "11.25",
	})
}

// TestOldest: the oldest donor was born first; who was the first to join is another question.
func TestOldest(t *testing.T) {
	t.Parallel()
	newHouse(t).boxOffice().answers(map[string]string{"Who is the oldest donor?": "Abe Cole", "Who is the youngest donor?": "Xenia Lowe", "Who joined first?": "Xenia Lowe"})
}

// TestAverageOfItsKind: a van is compared with vans where the text says so.
func TestAverageOfItsKind(t *testing.T) {
	t.Parallel()
	newHouse(t).boxOffice().answers(map[string]string{
		"Which vans have a day rate above that of the average van?": "V2",
		"which vans are cheaper per day than the average van?":      "V1",
	})
}

// TestWhatIsNext: the next event is the first that is still to come.
func TestWhatIsNext(t *testing.T) {
	t.Parallel()
	newHouse(t).boxOffice().answers(map[string]string{"What is the next event?": "Quiz", "Which upcoming events are there?": "Carols; Quiz"})
}

// TestSinceASeason: a season without a year is the last that has begun.
func TestSinceASeason(t *testing.T) {
	t.Parallel()
	newHouse(t).boxOffice().answers(map[string]string{"How many donors have joined since spring?": "1", "How many donors joined before spring last year?": "1"})
}

// TestChangesHaveASign: this year against last is what this year has more.
func TestChangesHaveASign(t *testing.T) {
	t.Parallel()
	h := newHouse(t).boxOffice()
	got := h.read("number of bookings this year against last year", nil)
	if got.Clarification != nil || !strings.HasPrefix(h.rows(h.ada, got), "3 1") || strings.Contains(h.rows(h.ada, got), "-2") {
		t.Errorf("Translate() = %s, which gives %s, want 3, 1 and no -2", got.SQL, h.rows(h.ada, got))
	}
}

// TestOwnersWithoutApostrophes: a name with its owner's s is that name.
func TestOwnersWithoutApostrophes(t *testing.T) {
	t.Parallel()
	newHouse(t).boxOffice().answers(map[string]string{"list Leo Marchettis bookings": "B4"})
}
