package embedded_test

import "testing"

// TestPartsOfNames: a word that is a part of what a column is called is no value of another.
func TestPartsOfNames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("members"), `[{"no":1,"name":"Ann","type":"annual","fee_month":49,"status":"active"},{"no":2,"name":"Bert","type":"monthly","fee_month":30,"status":"active"},
		{"no":3,"name":"Cleo","type":"monthly","fee_month":30,"status":"left"},{"no":4,"name":"Dan","type":"annual","fee_month":49,"status":"active"},{"no":5,"name":"Eve","type":"monthly","fee_month":35,"status":"active"}]`)
	h.dataset(at("sales"), `[{"sale":1,"date":"2023-03-01","total":12,"pay":"card","loyalty":"yes"},{"sale":2,"date":"2023-03-02","total":8,"pay":"cash","loyalty":"yes"},
		{"sale":3,"date":"2023-03-02","total":8,"pay":"card","loyalty":"no"},{"sale":4,"date":"2023-04-02","total":20,"pay":"cash","loyalty":"yes"},{"sale":5,"date":"2023-04-03","total":21,"pay":"card","loyalty":"no"}]`)
	h.answers(map[string]string{
		"how much do we collect in monthly fees from active members?": "163",
		"How many sales were on the loyalty card?":                    "3",
		"How many sales were paid by card?":                           "3",
	})
}

// TestToBeDone: what is ready to be collected is not collected.
func TestToBeDone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("jobs"), `[{"job":1,"item":"coat","state":"ready"},{"job":2,"item":"suit","state":"collected"},{"job":3,"item":"dress","state":"ready"},{"job":4,"item":"skirt","state":"in work"},
		{"job":5,"item":"coat","state":"collected"},{"job":6,"item":"suit","state":"collected"}]`)
	h.answers(map[string]string{
		"how many jobs are ready to be picked up?": "2",
		"how many jobs have been picked up?":       "3",
	})
}

// TestMarkedAsThere: who turned up is marked so by a column of yes and no, on both sides of a comparison.
func TestMarkedAsThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("shifts"), `[{"dt":"2023-03-01","vol":"Sheila","came":"y"},{"dt":"2023-03-08","vol":"Sheila","came":"n"},{"dt":"2023-03-15","vol":"Sheila","came":"n"},
		{"dt":"2023-03-01","vol":"Tom","came":"y"},{"dt":"2023-03-08","vol":"Tom","came":"y"},{"dt":"2023-03-15","vol":"Uma","came":"n"}]`)
	h.answers(map[string]string{
		"Who has turned up for more shifts than Sheila?": "Tom",
		"how many shifts has Sheila turned up for?":      "1",
	})
}

// TestShareOfSpending: a share of what is spent is one of the money.
func TestShareOfSpending(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("spending"), `[{"date":"2023-03-01","shop":"Aldi","category":"groceries","amount":50},{"date":"2023-03-02","shop":"Roma","category":"eating out","amount":40},
		{"date":"2023-03-05","shop":"Aldi","category":"groceries","amount":60},{"date":"2023-03-09","shop":"Esso","category":"car","amount":50}]`)
	h.answers(map[string]string{"what share of our spending goes on eating out": "20"})
}

// TestNothingAnswersTo: an answer says which of its words it is not sure of where it counts what no
// word of the data is, or gives the time of something else.
func TestNothingAnswersTo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("flights"), `[{"no":1,"dt":"2023-03-01","balloon":"Bluebell","state":"flown"},{"no":2,"dt":"2023-03-08","balloon":"Bluebell","state":"flown"},{"no":3,"dt":"2023-03-15","balloon":"Robin","state":"called off"}]`)
	h.dataset(at("customers"), `[{"no":1,"name":"Ann","town":"Lyon","hives":4},{"no":2,"name":"Bert","town":"Lyon","hives":2},{"no":3,"name":"Cleo","town":"Nice","hives":9}]`)
	for _, text := range []string{"When was Bluebell last serviced?", "how many beekeepers per town"} {
		if got := h.read(text, nil); got.Query != nil && !got.Doubt {
			t.Errorf("Translate(%q) = %s without doubt, want doubt", text, got.SQL)
		}
	}
	if got := h.read("When did Bluebell last fly?", nil); got.Query == nil || got.Doubt {
		t.Errorf("when it last flew = %v, %q, want an answer without doubt", got.SQL, got.Notes)
	}
}

// TestWrittenTogether: a denial that is written with its verb denies.
func TestWrittenTogether(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("orders"), `[{"order_no":1,"customer":"Ann","paid":"no","total":12},{"order_no":2,"customer":"Bert","paid":"yes","total":20},{"order_no":3,"customer":"Ann","paid":"no","total":30},{"order_no":4,"customer":"Cleo","paid":"no","total":8}]`)
	h.answers(map[string]string{
		"what percentage of our orders haven't been paid": "75",
	})
}
