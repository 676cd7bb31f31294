package embedded_test

import "testing"

func TestRowsAreCalledByTheirNames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("Machines"), `[
		{"Machine_ID":1,"Machine":"Lathe","Bought":"2019-05-02","Under_warranty":false},
		{"Machine_ID":2,"Machine":"Mill","Bought":"2023-01-15","Under_warranty":true},
		{"Machine_ID":3,"Machine":"Saw","Bought":"2021-08-30","Under_warranty":false}]`)
	h.answers(map[string]string{
		"which machines are not under warranty?":                       "Lathe; Saw",
		"which machines were bought in 2023?":                          "Mill",
		"what are the machine ids of machines not under warranty?":     "1; 3",
		"list the machine id of the machines that were bought in 2021": "3",
	})
}
