package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatIsOn: what is on at a time are the rows of the one dataset with times to come.
func TestWhatIsOn(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("films", `[{"film_id":1,"title":"Heat","mins":170},{"film_id":2,"title":"Alien","mins":117},{"film_id":3,"title":"Jaws","mins":124}]`)
	h.Put("screenings", `[{"scr_no":1,"film_id":1,"day":"2023-09-12","seats":40},{"scr_no":2,"film_id":2,"day":"2023-10-07","seats":40},
		{"scr_no":3,"film_id":3,"day":"2023-11-04","seats":40},{"scr_no":4,"film_id":2,"day":"2023-11-11","seats":40},{"scr_no":5,"film_id":1,"day":"2023-12-02","seats":40}]`)
	h.Link(h.Ada, "ada.trade.screenings.film_id", "ada.trade.films.film_id")
	h.Answers(map[string]string{
		"What's on in November 2023?": "Alien; Jaws",
		"what's on next month?":       "Alien; Jaws",
		"What's on in December 2023?": "Heat",
	})
	if got := h.Read("What's on at the bar?", nil); got.Query != nil {
		t.Errorf("what is on at a place = %s, want a question back", got.SQL)
	}
}
