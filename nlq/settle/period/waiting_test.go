package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWaiting: who waits has waited since they asked.
func TestWaiting(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"no":1,"name":"Ann","status":"active","applied":"2018-04-02","joined":"2019-01-01"},{"no":2,"name":"Bert","status":"waiting","applied":"2022-09-02"},
		{"no":3,"name":"Cleo","status":"waiting","applied":"2021-02-02"},{"no":4,"name":"Dan","status":"waiting","applied":"2020-06-02"},{"no":5,"name":"Eve","status":"left","applied":"2017-06-02","joined":"2018-06-02"}]`)
	h.Put("visits", `[{"visit":1,"date":"2023-10-03","walker":"Kim"},{"visit":2,"date":"2023-10-04"},{"visit":3,"date":"2023-09-04","walker":"Lou"},{"visit":4,"date":"2023-10-09"}]`)
	h.Answers(map[string]string{
		"Which two people have been on the waiting list longest?": "Cleo; Dan",
		"Who has been waiting for more than two years?":           "Cleo; Dan",
		"which visits still need a walker?":                       "2; 4",
	})
}
