package absence_test

import (
	"slices"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhoIsStillThere: those of now have not left, and kinds that stand side by side are both meant.
func TestWhoIsStillThere(t *testing.T) {
	t.Parallel()
	nlqtest.Lodge(t).Answers(map[string]string{
		"How many members do we have of each type at the moment?": "family 2; honorary 1; student 1",
		"How many members do we have of each type?":               "family 3; honorary 1; student 2",
		"Which members are honorary or student?":                  "Ann Vale; Bo Carr; Cy Dunn",
		"List the honorary and student members.":                  "Ann Vale; Bo Carr; Cy Dunn",
	})
}

// TestWhatGoesOn: those of now are of a kind that goes on, or have not ended.
func TestWhatGoesOn(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("cooks", `[{"cook_id":1,"name":"Ada Birch"},{"cook_id":2,"name":"Bob Crane"},{"cook_id":3,"name":"Cam Drew"}]`)
	h.Put("placements", `[{"pl_no":1,"cook":1,"kitchen":"North","state":"active"},{"pl_no":2,"cook":1,"kitchen":"South","state":"active"},{"pl_no":3,"cook":2,"kitchen":"North","state":"active"},
		{"pl_no":4,"cook":2,"kitchen":"West","state":"finished"},{"pl_no":5,"cook":3,"kitchen":"South","state":"dropped"},{"pl_no":6,"cook":3,"kitchen":"North","state":"finished"}]`)
	h.Link(h.Ada, "ada.trade.placements.cook", "ada.trade.cooks.cook_id")
	h.Answers(map[string]string{
		"Which cooks have at least two placements at the moment?": "Ada Birch",
		"Which cooks have at least two placements?":               "Ada Birch; Bob Crane; Cam Drew",
		"Which placements are finished?":                          "4; 6",
		"How many placements are there in the North kitchen?":     "3",
	})
	got := h.Read("Which cooks have at least two placements at the moment?", nil)
	if !slices.Contains(got.Notes, `I read "at the moment" as the value active of the column state.`) {
		t.Errorf("Translate(at the moment) notes %q, want what was read as what", got.Notes)
	}
}

// TestStillWithUs: those of now are those who have not left, or whose time has not ended.
func TestStillWithUs(t *testing.T) {
	t.Parallel()
	nlqtest.Agency(t).Answers(map[string]string{
		"How many clients do we look after at the moment?": "2",
		"which clients do we currently have in Ashby":      "Ida Moor",
		"Which carers still work here?":                    "Ann Lee; Cy Orr",
		"which carers have left?":                          "Bo Kay",
		"how many carers have we had?":                     "3",
	})
}
