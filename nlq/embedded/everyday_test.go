package embedded_test

import (
	"strings"
	"testing"
)

// TestHoursOfMinutes: hours are sixty of the minutes that the data have.
func TestHoursOfMinutes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("massages"), `[{"massage":1,"client":"Ada","day":"2024-03-01","mins":45,"charge":40,"paid":"yes"},{"massage":2,"client":"Bo","day":"2024-03-04","mins":90,"charge":70,"paid":"no"},
		{"massage":3,"client":"Ada","day":"2024-04-02","mins":75,"charge":60,"paid":"yes"},{"massage":4,"client":"Cy","day":"2024-05-09","mins":30,"charge":30,"paid":"no"}]`)
	h.answers(map[string]string{
		"Which massages took longer than an hour?": "2; 3",
		"How many massages took 90 minutes?":       "1",
		"What do I earn per hour, overall?":        "50",
	})
}

// TestDistinctListsOfWhatIsKnown: a cell that nobody filled in is none of the values.
func TestDistinctListsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("repairs"), `[{"repair":1,"part":"brakes","garage":"Hill","cost":90},{"repair":2,"part":"tyres","garage":null,"cost":40},
		{"repair":3,"part":"oil","garage":"Dale","cost":30},{"repair":4,"part":"lamp","garage":"Hill","cost":10}]`)
	h.answers(map[string]string{"Which garages have we used?": "Dale; Hill"})
}

// TestPercentsOfMoney: a tax in percent is a part of the amount, and is not added as it is.
func TestPercentsOfMoney(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("invoices"), `[{"invoice":1,"net":400,"vat":20,"paid":"yes"},{"invoice":2,"net":1000,"vat":10,"paid":"no"},{"invoice":3,"net":300,"vat":0,"paid":"no"}]`)
	h.answers(map[string]string{"What is the gross total of all invoices, net plus vat?": "1880"})
}

// TestAreas: an area that no column holds is one side times the other.
func TestAreas(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("panes"), `[{"pane":"P1","width_cm":100,"height_cm":20,"price":30},{"pane":"P2","width_cm":60,"height_cm":60,"price":45},{"pane":"P3","width_cm":30,"height_cm":110,"price":40}]`)
	h.answers(map[string]string{"Which pane has the biggest surface area?": "P2"})
}

// TestPartsOfWeekdays: a Friday afternoon is a Friday and a time of day, in two columns.
func TestPartsOfWeekdays(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("lessons"), `[{"lesson":1,"day":"2024-03-01","time":"15:15","pupil":"Ada"},{"lesson":2,"day":"2024-03-01","time":"09:00","pupil":"Bo"},
		{"lesson":3,"day":"2024-03-04","time":"14:00","pupil":"Cy"},{"lesson":4,"day":"2024-03-08","time":"12:30","pupil":"Di"}]`)
	h.answers(map[string]string{"Which lessons were on a Friday afternoon?": "1; 4"})
}

// TestSiblingsAreNotEachOther: whoever asks for a phone is not given an address.
func TestSiblingsAreNotEachOther(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("tenants"), `[{"tenant":"Mr Adeyemi","email":"a@example.org","town":"Lyon","rent":700},{"tenant":"Mrs Bell","email":"b@example.org","town":"Nice","rent":650}]`)
	for _, question := range []string{"What is Mr Adeyemi's phone number?", "Which street does Mrs Bell live in?"} {
		if got := h.read(question, nil); got.Query != nil {
			t.Errorf("Translate(%q) = %s, want a question back", question, got.SQL)
		}
	}
	h.answers(map[string]string{"What is Mr Adeyemi's email?": "a@example.org"})
}

// TestMakesAndModels: a thing without a name is called by who made it and its model.
func TestMakesAndModels(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("cameras"), `[{"serial":"X1","make":"Leica","model":"M6","price":2400},{"serial":"X2","make":"Nikon","model":"F3","price":400},{"serial":"X3","make":"Nikon","model":"FM2","price":300}]`)
	h.answers(map[string]string{"Which cameras cost more than 350?": "Leica M6; Nikon F3"})
}

// TestWhatWillBe: no row tells whether something will happen.
func TestWhatWillBe(t *testing.T) {
	t.Parallel()
	h := newHouse(t).trade()
	for _, question := range []string{"Will Corner order again?", "When will Harbour need a new roof?"} {
		if got := h.read(question, nil); got.Query != nil || !strings.Contains(got.Clarification.Question, "not what will be") {
			t.Errorf("Translate(%q) = %+v, want that it cannot be told", question, got)
		}
	}
}

// TestHowOftenIsOfWhatHappens: how many times and never are of what happens at a time, not of
// what is there.
func TestHowOftenIsOfWhatHappens(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("owners"), `[{"owner_id":1,"name":"Ada","since":"2001-01-01"},{"owner_id":2,"name":"Bo","since":"2002-02-02"},{"owner_id":3,"name":"Cy","since":"2003-03-03"}]`)
	h.dataset(at("boilers"), `[{"boiler_id":"B1","owner_id":1,"fuel":"gas"},{"boiler_id":"B2","owner_id":2,"fuel":"oil"},{"boiler_id":"B3","owner_id":2,"fuel":"gas"},{"boiler_id":"B4","owner_id":3,"fuel":"oil"}]`)
	h.dataset(at("visits"), `[{"visit":1,"boiler_id":"B1","date":"2024-01-01"},{"visit":2,"boiler_id":"B1","date":"2024-02-01"},{"visit":3,"boiler_id":"B1","date":"2024-03-01"},{"visit":4,"boiler_id":"B2","date":"2024-03-01"}]`)
	h.Link(h.ada, "ada.trade.boilers.owner_id", "ada.trade.owners.owner_id")
	h.Link(h.ada, "ada.trade.visits.boiler_id", "ada.trade.boilers.boiler_id")
	h.answers(map[string]string{
		"Which owners have I never been to?":                      "Cy",
		"Which owners have I visited more than two times? Names.": "Ada",
	})
}

// TestDifferencesAlone: by how much is one number.
func TestDifferencesAlone(t *testing.T) {
	t.Parallel()
	h := newHouse(t).trade()
	h.answers(map[string]string{"By how much did the total price of orders differ between 2021 and 2022?": "154.5"})
}

// TestYearsThatAreNamed: the year of books that were published in one is that of the column.
func TestYearsThatAreNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("maps"), `[{"map_no":1,"title":"Alps","printed":1911,"bought_on":"2020-01-01"},{"map_no":2,"title":"Jura","printed":1950,"bought_on":"2021-01-01"},{"map_no":3,"title":"Rhine","printed":1902,"bought_on":"2022-01-01"}]`)
	h.answers(map[string]string{
		"Show title and year of the maps printed before 1935": "Alps 1911; Rhine 1902",
		"How many maps are in the stock list?":                "3",
		"How many maps are on our list?":                      "3",
	})
}

// TestOutOfService: what is out of service is not in it.
func TestOutOfService(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("lifts"), `[{"lift":"North","floors":4,"in_service":"yes"},{"lift":"South","floors":6,"in_service":"no"},{"lift":"East","floors":9,"in_service":"yes"}]`)
	h.answers(map[string]string{"Which lifts are currently out of service?": "South"})
}

// TestTogetherOverALimit: what was billed on a project is all of its bills, and a project is
// called by its title rather than by its code.
func TestTogetherOverALimit(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("projects"), `[{"proj":"P101","title":"Bridge","budget":1000},{"proj":"P102","title":"Tower","budget":900},{"proj":"P103","title":"Dam","budget":500}]`)
	h.dataset(at("bills"), `[{"bill":1,"proj":"P101","net":600},{"bill":2,"proj":"P101","net":700},{"bill":3,"proj":"P102","net":300},{"bill":4,"proj":"P103","net":501}]`)
	h.Link(h.ada, "ada.trade.bills.proj", "ada.trade.projects.proj")
	h.answers(map[string]string{"On which projects have we billed more than the budget?": "Bridge; Dam"})
}

// TestNumbersOfTheFirst: the heaviest thing in kilos is a number.
func TestNumbersOfTheFirst(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("parcels"), `[{"parcel":1,"weight_kg":12,"price":5},{"parcel":2,"weight_kg":31,"price":9},{"parcel":3,"weight_kg":7,"price":4}]`)
	h.answers(map[string]string{
		"What's the heaviest parcel we carried, in kg?": "31",
		"What does our most expensive parcel cost?":     "9",
		"What was the most expensive parcel?":           "2",
	})
}

// TestMonthsOfAYear: what is paid each month comes to twelve times as much in a year.
func TestMonthsOfAYear(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("subscriptions"), `[{"service":"Paper","per_month":10,"category":"news"},{"service":"Gym","per_month":30,"category":"sport"},{"service":"Radio","per_month":5,"category":"news"}]`)
	h.answers(map[string]string{
		"What do all subscriptions cost us over a year?": "540",
		"What do all subscriptions cost us per month?":   "45",
	})
}
