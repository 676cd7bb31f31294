package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartsInWhatHappened: of two columns that lead to the same people, the one that the text speaks of
// is meant, and otherwise that which more rows have.
func TestPartsInWhatHappened(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"mno":1,"name":"Ann Lee"},{"mno":2,"name":"Bert Roy"},{"mno":3,"name":"Cleo Fay"},{"mno":4,"name":"Dan Ives"}]`)
	h.Put("goals", `[{"goal_id":1,"fx":1,"scorer":"Ann Lee","min":3,"assist":null},{"goal_id":2,"fx":1,"scorer":"Ann Lee","min":13,"assist":"Bert Roy"},
		{"goal_id":3,"fx":2,"scorer":"Ann Lee","min":33,"assist":"Bert Roy"},{"goal_id":4,"fx":2,"scorer":"Cleo Fay","min":34,"assist":"Ann Lee"},
		{"goal_id":5,"fx":3,"scorer":"Cleo Fay","min":54,"assist":null}]`)
	h.Link(h.Ada, "ada.trade.goals.scorer", "ada.trade.members.name")
	h.Link(h.Ada, "ada.trade.goals.assist", "ada.trade.members.name")
	h.Answers(map[string]string{
		"members with more than two goals": "Ann Lee",
		"who assisted most often?":         "Bert Roy",
		"which members have never scored?": "Bert Roy; Dan Ives",
		"members without a goal":           "Bert Roy; Dan Ives",
		"who scored the most goals?":       "Ann Lee",
	})
}
