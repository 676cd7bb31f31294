package embedded_test

import (
	"testing"

	"quern"
)

// school makes pupils and teachers who share classrooms, courses of departments, and halls
// with numbers in the names of their columns.
func (h *house) school() *house {
	h.t.Helper()
	h.dataset(at("pupils"), `[
		{"pupil_no":1,"first_name":"Ann","last_name":"Lee","grade":4,"classroom":108},{"pupil_no":2,"first_name":"Ben","last_name":"Orr","grade":4,"classroom":108},
		{"pupil_no":3,"first_name":"Cara","last_name":"Pitt","grade":5,"classroom":110},{"pupil_no":4,"first_name":"Ann","last_name":"Moor","grade":5,"classroom":108}]`)
	h.dataset(at("teachers"), `[{"last_name":"Covin","first_name":"Jerome","classroom":108},{"last_name":"Otha","first_name":"Moyer","classroom":110}]`)
	h.dataset(at("courses"), `[
		{"course_id":1,"title":"Logic","dept":"Statistics"},{"course_id":2,"title":"Logic","dept":"Psychology"},
		{"course_id":3,"title":"Sampling","dept":"Statistics"},{"course_id":4,"title":"Memory","dept":"Psychology"}]`)
	h.dataset(at("halls"), `[
		{"hall_id":1,"name":"Arena","capacity":70000,"lane_600":3,"open_date":"1840-05-01","wind_speed_mph":14},
		{"hall_id":2,"name":"Dome","capacity":900,"lane_600":5,"open_date":"1907-03-09","wind_speed_mph":22}]`)
	h.Link(h.ada, "ada.trade.pupils.classroom", "ada.trade.teachers.classroom")
	return h
}

// TestWhatIsSharedIsNobodysNumber: a room in which somebody teaches is shown as the room, and
// a name is shown by the part that is asked for.
func TestWhatIsSharedIsNobodysNumber(t *testing.T) {
	t.Parallel()
	newHouse(t).school().answers(map[string]string{
		"Which classroom has the most pupils?":                       "108",
		"How many pupils are in each classroom?":                     "108 3; 110 1",
		"What are the forenames of the pupils in grade 4?":           "Ann; Ben",
		"What is the most common forename of the pupils?":            "Ann",
		"What are the full names of the pupils in grade 4?":          "Ann Lee; Ben Orr",
		"Which course titles are in both Statistics and Psychology?": "Logic",
	})
}

// TestNumbersAreShortForNothing: a number is read as it stands, whatever names have others in
// them, and one that could be a year is of the column that is named before it.
func TestNumbersAreShortForNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t).school()
	h.dataset(at("flats"), `[{"flat_id":1,"street":"Ash Row","rent":970},{"flat_id":2,"street":"Elm Way","rent":1050},{"flat_id":3,"street":"Oak End","rent":1900}]`)
	h.answers(map[string]string{
		"Which halls have a capacity greater than 60000?":   "Arena",
		"Which flats have a rent between 1000 and 1100?":    "Elm Way",
		"Which flats have a rent between 1800 and 2000?":    "Oak End",
		"What is the highest wind speed in miles per hour?": "22",
		"How many halls were founded before 1850?":          "1",
	})
}

// TestNothingIsMissingAndThere: a column that is to be missing is not compared with anything.
func TestNothingIsMissingAndThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	visits := "visits of patients"
	h.Dataset(h.ada, "trade/tbl_b", `[
		{"b_id":1,"b_dt":"2025-05-02","b_fu":null,"b_ds":"Y"},{"b_id":2,"b_dt":"2025-05-09","b_fu":"2025-06-01","b_ds":"N"},{"b_id":3,"b_dt":"2025-04-11","b_fu":null,"b_ds":"N"}]`,
		quern.InferDefinition{DataDescription: &visits, SchemaDefinition: map[string]string{
			"b_dt": "date of the visit", "b_fu": "date of the follow up, empty when there is none", "b_ds": "Y if disputed"}})
	h.answers(map[string]string{"How many visits are disputed?": "1", "how many visits are not disputed?": "2"})
	got := h.read("how many visits in may 2025 had no follow up", nil)
	if got.Query != nil && h.rows(h.ada, got) == "0" {
		t.Errorf("Translate(no follow up in may) = %s, which no row can be", got.SQL)
	}
}
