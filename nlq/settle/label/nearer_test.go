package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestKindsBeforeWhatOthersAreOf asks for kinds by their first word, which rows far away have as a whole.
func TestKindsBeforeWhatOthersAreOf(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("instruments", `[{"tag":"MI-01","kind":"violin 1/2","maker":"Stentor","value":180,"lent_to":101},{"tag":"MI-02","kind":"violin 3/4","maker":"Stentor","value":235,"lent_to":102},
		{"tag":"MI-03","kind":"violin 3/4","maker":"Yamaha","value":300,"lent_to":null},{"tag":"MI-04","kind":"flute","maker":"Yamaha","value":400,"lent_to":103},
		{"tag":"MI-05","kind":"flute","maker":"Trevor","value":350,"lent_to":null},{"tag":"MI-06","kind":"cello","maker":"Trevor","value":900,"lent_to":null}]`)
	h.Put("pupils", `[{"pupil_no":101,"first_name":"Ada","surname":"Carver","main_teacher":"T01"},{"pupil_no":102,"first_name":"Ben","surname":"Tobin","main_teacher":"T02"},
		{"pupil_no":103,"first_name":"Cy","surname":"Dale","main_teacher":"T02"}]`)
	h.Put("teachers", `[{"t_id":"T01","teacher":"Eleanor Voss","plays":"violin","hourly":38},{"t_id":"T02","teacher":"Marcus Adeyemi","plays":"guitar","hourly":34}]`)
	h.Link(h.Ada, "ada.trade.instruments.lent_to", "ada.trade.pupils.pupil_no")
	h.Link(h.Ada, "ada.trade.pupils.main_teacher", "ada.trade.teachers.t_id")
	h.Answers(map[string]string{
		"what are all our violins worth together":          "715",
		"What are our flutes worth together?":              "750",
		"How many pupils have a teacher who plays violin?": "1",
	})
}
