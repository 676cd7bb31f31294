package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhoWon: who won came in at place 1, the best place is the least, and whoever won is told by the
// results themselves.
func TestWhoWon(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("races", `[{"race_id":1,"date":"2023-05-01","race":"Spring Cup","officer":"Ned Hale"},{"race_id":2,"date":"2023-06-01","race":"June Dash","officer":"Ned Hale"},{"race_id":3,"date":"2023-11-05","race":"Frost Bowl"},{"race_id":4,"date":"2023-12-05","race":"Yule Cup","officer":"Ida Roe"}]`)
	h.Put("results", `[{"race_id":1,"helm":"Ann Fox","place":1},{"race_id":1,"helm":"Bo Lind","place":2},{"race_id":1,"helm":"Cy Marsh","place":3},
		{"race_id":2,"helm":"Bo Lind","place":3},{"race_id":2,"helm":"Ann Fox","place":1},{"race_id":2,"helm":"Cy Marsh","place":2}]`)
	h.Link(h.Ada, "ada.trade.results.race_id", "ada.trade.races.race_id")
	h.Answers(map[string]string{
		"Which races has Ann Fox won?":               "June Dash; Spring Cup",
		"who has won the most races":                 "Ann Fox",
		"who came second in the June Dash?":          "Cy Marsh",
		"the best place that each helm has come in":  "Ann Fox 1; Bo Lind 2; Cy Marsh 2",
		"when's the next race":                       "2023-11-05",
		"Which upcoming races still need an officer": "Frost Bowl",
	})
}
