package embedded_test

import "testing"

// TestWhoWon: who won came in at place 1, the best place is the least, and whoever won is told by the
// results themselves.
func TestWhoWon(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("races"), `[{"race_id":1,"date":"2023-05-01","race":"Spring Cup","officer":"Ned Hale"},{"race_id":2,"date":"2023-06-01","race":"June Dash","officer":"Ned Hale"},{"race_id":3,"date":"2023-11-05","race":"Frost Bowl"},{"race_id":4,"date":"2023-12-05","race":"Yule Cup","officer":"Ida Roe"}]`)
	h.dataset(at("results"), `[{"race_id":1,"helm":"Ann Fox","place":1},{"race_id":1,"helm":"Bo Lind","place":2},{"race_id":1,"helm":"Cy Marsh","place":3},
		{"race_id":2,"helm":"Bo Lind","place":3},{"race_id":2,"helm":"Ann Fox","place":1},{"race_id":2,"helm":"Cy Marsh","place":2}]`)
	h.Link(h.ada, "ada.trade.results.race_id", "ada.trade.races.race_id")
	h.answers(map[string]string{
		"Which races has Ann Fox won?":               "June Dash; Spring Cup",
		"who has won the most races":                 "Ann Fox",
		"who came second in the June Dash?":          "Cy Marsh",
		"the best place that each helm has come in":  "Ann Fox 1; Bo Lind 2; Cy Marsh 2",
		"when's the next race":                       "2023-11-05",
		"Which upcoming races still need an officer": "Frost Bowl",
	})
}

// TestRoomFor: what takes something has room for it and more.
func TestRoomFor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("moorings"), `[{"berth":"A1","kind":"swing","max_len_m":8},{"berth":"A2","kind":"swing","max_len_m":10},{"berth":"A3","kind":"swing","max_len_m":12},{"berth":"B1","kind":"pontoon","max_len_m":12},{"berth":"B2","kind":"pontoon","max_len_m":9}]`)
	h.dataset(at("orders"), `[{"order_no":1,"total":10,"paid":"no","status":"done"},{"order_no":2,"total":25,"paid":"yes","status":"done"},{"order_no":3,"total":7,"paid":"no","status":"baking"},{"order_no":4,"total":12,"paid":"no","status":"done"},{"order_no":5,"total":12,"paid":"yes","status":"done"}]`)
	h.answers(map[string]string{
		"Which swing moorings would take a 10 metre boat?":        "A2; A3",
		"how much are we owed in total for orders that are done?": "22",
	})
}
