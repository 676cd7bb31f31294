package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestSharesOfATime asks which part is such of the rows of a time.
func TestSharesOfATime(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("jobs", `[{"job_no":1,"customer":"Carl","move_date":"2022-01-09","status":"done"},{"job_no":2,"customer":"Rosie","move_date":"2022-03-01","status":"cancelled"},
		{"job_no":3,"customer":"Ann","move_date":"2022-05-01","status":"done"},{"job_no":4,"customer":"Bo","move_date":"2022-06-01","status":"done"},
		{"job_no":5,"customer":"Cy","move_date":"2023-02-01","status":"cancelled"},{"job_no":6,"customer":"Di","move_date":"2023-03-01","status":"done"},
		{"job_no":7,"customer":"Ed","move_date":"2023-04-01","status":"done"},{"job_no":8,"customer":"Flo","move_date":"2023-05-01","status":"done"}]`)
	h.Answers(map[string]string{
		"What percentage of the jobs dated 2022 ended up cancelled?": "25",
		"What percentage of the jobs in 2022 were cancelled?":        "25",
		"What percentage of our jobs last year got cancelled?":       "25",
		"What percentage of all jobs were cancelled in 2022?":        "12.5",
	})
}
