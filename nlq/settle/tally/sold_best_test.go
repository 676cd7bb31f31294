package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestSoldBest: what sold best has sold the most, where its own rows say how many.
func TestSoldBest(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("sessions", `[{"sess_no":1,"kind":"public","cap":60,"sold":37},{"sess_no":2,"kind":"public","cap":60,"sold":58},{"sess_no":3,"kind":"club","cap":60,"sold":60}]`)
	h.Put("hire", `[{"hire_no":1,"sess_no":1,"item":"skates"},{"hire_no":2,"sess_no":1,"item":"helmet"},{"hire_no":3,"sess_no":2,"item":"skates"},{"hire_no":4,"sess_no":3,"item":"skates"}]`)
	h.Link(h.Ada, "ada.trade.hire.sess_no", "ada.trade.sessions.sess_no")
	h.Answers(map[string]string{"Which public session sold best?": "2"})
}
