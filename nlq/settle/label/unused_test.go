package label_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatNobodyAskedOf: a dataset that rows refer to is not joined where neither the question nor the
// query has to do with it, for it would take those away that refer to none.
func TestWhatNobodyAskedOf(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("shows", `[{"show_id":1,"title":"Oliver!","genre":"musical"},{"show_id":2,"title":"Hamlet","genre":"drama"}]`)
	h.Put("volunteers", `[{"vol_id":1,"name":"Sam","role":"lighting","current_show":"Hamlet","hrs_this_yr":98},{"vol_id":2,"name":"Tilda","role":"set build","current_show":null,"hrs_this_yr":113},
		{"vol_id":3,"name":"Uma","role":"lighting","current_show":"Oliver!","hrs_this_yr":40}]`)
	h.Link(h.Ada, "ada.trade.volunteers.current_show", "ada.trade.shows.title")
	h.Answers(map[string]string{
		"who did the most hours this year":        "Tilda",
		"which volunteers work on a musical show": "Uma",
	})
	if got := h.Read("who did the most hours this year", nil); strings.Contains(got.SQL, "JOIN") {
		t.Errorf("Translate(the most hours) = %s, want no join", got.SQL)
	}
}
