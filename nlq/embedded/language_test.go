package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestOtherLanguagesAreTold asks in German, of datasets with English and with German
// names.
func TestOtherLanguagesAreTold(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	if got := h.Read("Wie viele Bestellungen gibt es?", nil); got.Clarification == nil || !strings.Contains(got.Clarification.Question, "German") {
		t.Errorf("Translate in German = %+v, want a question back that says so", got)
	}
	if got := h.Read("how many open orders are there?", nil); got.Query == nil || len(got.Notes) > 0 {
		t.Errorf("Translate in English = %+v, want rows without notes", got)
	}
	h.Put("Kunden", `[{"Kunde":"Anna","Stadt":"Kiel"},{"Kunde":"Bert","Stadt":"Bonn"}]`)
	switch got := h.Read("Wie viele Kunden gibt es?", nil); {
	case got.Query != nil && (!got.Doubt || !strings.Contains(strings.Join(got.Notes, " "), "German")):
		t.Errorf("Translate in German = %s with %q, want it in doubt", got.SQL, got.Notes)
	case got.Clarification != nil && !strings.Contains(got.Clarification.Question, "German"):
		t.Errorf("Translate in German asks back %q, want it to say so", got.Clarification.Question)
	}
}
