package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestHowMuchDearer: two rows that a text names are taken from each other in what its comparative is
// about; that is no list of what is dearer.
func TestHowMuchDearer(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("paper", `[{"stock":"Silk 350","gsm":350,"finish":"silk","sheets_left":900,"price_1000":48},{"stock":"Silk 170","gsm":170,"finish":"silk","sheets_left":2500,"price_1000":21},
		{"stock":"Laser White 80","gsm":80,"finish":"uncoated","sheets_left":9600,"price_1000":7},{"stock":"Laser White 100","gsm":100,"finish":"uncoated","sheets_left":4300,"price_1000":10}]`)
	h.Put("machines", `[{"code":"M01","machine":"Big Canon","bought":"2021-03-15","cost":18500},{"code":"M02","machine":"Small Canon","bought":"2023-06-01","cost":7200},
		{"code":"M03","machine":"Mono Ricoh","bought":"2018-11-05","cost":5400}]`)
	h.Answers(map[string]string{
		"how much dearer is Silk 350 than Silk 170?":                      "27",
		"how much cheaper is Silk 170 than Silk 350?":                     "27",
		"by how much is Silk 350 more expensive than Silk 170?":           "27",
		"how much more expensive was the Big Canon than the Small Canon?": "11300",
		"difference in cost between the Big Canon and the Small Canon":    "11300",
		"how many more sheets of Silk 170 than of Silk 350 are left?":     "1600",
		"which paper is dearer than Silk 170?":                            "Silk 350",
	})
}
