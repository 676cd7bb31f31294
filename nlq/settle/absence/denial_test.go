package absence_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestDenialsOfOtherThings: what is denied elsewhere in a text turns no column round whose name
// denies, a number of what is counted denies nothing, and an email address is the email.
func TestDenialsOfOtherThings(t *testing.T) {
	t.Parallel()
	nlqtest.Goats(t).Answers(map[string]string{
		"Which guests showed up but did not pay?":                "Cy Fox",
		"Which guests did not show up?":                          "Bob Ray; Di Oak",
		"Show me the guests who did not show up":                 "Bob Ray; Di Oak",
		"Show the guests who showed up":                          "Ann Lee; Cy Fox",
		"How many bookings showed up with no more than 3 people": "2",
		"How many families have no children?":                    "1",
		"What is the email address of Ann Lee?":                  "a@x.org",
	})
}

// TestNamesThatDeny: a column whose name says what is not so is tested for what the text says.
func TestNamesThatDeny(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"no_show", "noshow"} {
		h := nlqtest.NewHouse(t)
		h.Put("visits", strings.ReplaceAll(`[
			{"visit_no":1,"reason":"repair","seen_by":"Ott","NAME":"yes"},{"visit_no":2,"reason":"tuning","seen_by":"Ott","NAME":"no"},
			{"visit_no":3,"reason":"tuning","seen_by":"Carstens","NAME":"no"},{"visit_no":4,"reason":"tuning","seen_by":"Ott","NAME":"no"}]`, "NAME", name))
		h.Answers(map[string]string{
			"How many no-shows were there?":       "1",
			"Which visits were no-shows?":         "1",
			"How many visits were not no-shows?":  "3",
			"Which reason has the most no-shows?": "repair",
			"What share of visits were no-shows?": "25",
			"How many no-shows did Ott have?":     "1",
			"How many visit no-shows were there?": "1",
		})
	}
	h := nlqtest.NewHouse(t)
	h.Put("rooms", `[{"room":"Oak","no_smoking":true,"not_paid":false},{"room":"Elm","no_smoking":false,"not_paid":true},{"room":"Ash","no_smoking":true,"not_paid":true}]`)
	h.Answers(map[string]string{
		"Which rooms are no smoking?":             "Ash; Oak",
		"Which rooms are non-smoking?":            "Ash; Oak",
		"How many rooms are unpaid?":              "2",
		"How many rooms are not paid?":            "2",
		"How many rooms are paid?":                "1",
		"How many rooms have no_smoking = false?": "1",
	})
}
