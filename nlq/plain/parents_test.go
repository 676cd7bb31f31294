package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestParents: somebody's mum or dad is the parent; who fetched somebody is a value.
func TestParents(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("pupils", `[{"pupil_id":1,"name":"Ann Lee","parent":"Sam Lee","mobile":"071"},{"pupil_id":2,"name":"Bo Ray","parent":"Kim Ray","mobile":"072"},
		{"pupil_id":3,"name":"Cy Dow","parent":"Lou Dow","mobile":"073"}]`)
	h.Put("visits", `[{"date":"2023-09-04","pupil_id":1,"mark":"here","fetched_by":"dad"},{"date":"2023-09-04","pupil_id":2,"mark":"ill","fetched_by":null},
		{"date":"2023-09-05","pupil_id":3,"mark":"here","fetched_by":"mum"},{"date":"2023-09-05","pupil_id":1,"mark":"here","fetched_by":"dad"},{"date":"2023-09-06","pupil_id":2,"mark":"ill","fetched_by":"mum"}]`)
	h.Link(h.Ada, "ada.trade.visits.pupil_id", "ada.trade.pupils.pupil_id")
	h.Answers(map[string]string{
		"who is Bo Ray's mum?":                              "Kim Ray",
		"mobile of Ann Lee's mum or dad":                    "071",
		"Which pupils were fetched by mum or dad?":          "Ann Lee; Bo Ray; Cy Dow",
		"Which pupils were fetched by dad?":                 "Ann Lee",
		"Parents of pupils who were ill, with their mobile": "Kim Ray 072",
	})
}
