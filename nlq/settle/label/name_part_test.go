package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartsOfNames: a word that is a part of what a column is called is no value of another.
func TestPartsOfNames(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"no":1,"name":"Ann","type":"annual","fee_month":49,"status":"active"},{"no":2,"name":"Bert","type":"monthly","fee_month":30,"status":"active"},
		{"no":3,"name":"Cleo","type":"monthly","fee_month":30,"status":"left"},{"no":4,"name":"Dan","type":"annual","fee_month":49,"status":"active"},{"no":5,"name":"Eve","type":"monthly","fee_month":35,"status":"active"}]`)
	h.Put("sales", `[{"sale":1,"date":"2023-03-01","total":12,"pay":"card","loyalty":"yes"},{"sale":2,"date":"2023-03-02","total":8,"pay":"cash","loyalty":"yes"},
		{"sale":3,"date":"2023-03-02","total":8,"pay":"card","loyalty":"no"},{"sale":4,"date":"2023-04-02","total":20,"pay":"cash","loyalty":"yes"},{"sale":5,"date":"2023-04-03","total":21,"pay":"card","loyalty":"no"}]`)
	h.Answers(map[string]string{
		"how much do we collect in monthly fees from active members?": "163",
		"How many sales were on the loyalty card?":                    "3",
		"How many sales were paid by card?":                           "3",
	})
}
