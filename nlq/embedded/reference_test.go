package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq"
	"quern/nlq/nlqtest"
)

func TestRowsThatAreReferredTo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ before, question, rows string }{
		{dearest, "How many of them are open?", "2"},
		{dearest, "How many of them are in Marseille?", "2"},
		{perCity + ` ORDER BY count(*) DESC LIMIT 1`, "How many of them are open?", "1"},
		{joined + ` WHERE "shops"."town" = 'Lyon'`, "How many of them are open?", "2"},
		{ids + ` EXCEPT ` + inParis, "How many of them are open?", "2"},
		{`SELECT "shops"."name" FROM "ada/trade/shops" AS "shops" WHERE "shops"."town" = 'Lyon'`, "How many orders do they have?", "4"},
		{`SELECT "shops"."name" FROM "ada/trade/shops" AS "shops" ORDER BY "shops"."founded" LIMIT 1`, "How many orders does it have?", "2"},
		{`SELECT count(*) FROM "ada/trade/orders" AS "o" WHERE "o"."city" = 'Paris'`, "How many of them are open?", "1"},
		{`SELECT DISTINCT "orders"."city" FROM "ada/trade/orders" AS "orders" WHERE "orders"."status" = 'open'`, "What is their average price?", "120.16666666666667"},
	} {
		got := h.Read(c.question, parsed(t, c.before))
		if got.Clarification != nil {
			t.Errorf("Translate(%q) after %s asks back %q, want %s", c.question, c.before, got.Clarification.Question, c.rows)
			continue
		}
		if rows := h.RowsOf(h.Ada, got); rows != c.rows && !strings.HasPrefix(rows, c.rows+" ") {
			t.Errorf("Translate(%q) after %s = %s, which gives %s, want %s", c.question, c.before, got.SQL, rows, c.rows)
		}
		nlqtest.CheckReading(t, c.question, got)
	}
}

// A question about rows that cannot be told is asked back, and never answered
// about all rows instead.
func TestRowsThatCannotBeToldAreAskedFor(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	h.Put("notes", `[{"note":"late","city":"Paris"},{"note":"late","city":"Lyon"},{"note":"lost","city":"Paris"}]`)
	for _, before := range []string{
		`SELECT "private"."x" FROM "bob/trade/private" AS "private"`,
		ids + ` UNION ` + inParis,
		`SELECT "notes"."note" FROM "ada/trade/notes" AS "notes" ORDER BY "notes"."city" LIMIT 2`,
	} {
		if got := h.Read("How many of them are open?", parsed(t, before)); got.Clarification == nil {
			t.Errorf("Translate(how many of them) after %s = %s, want a question back", before, got.SQL)
		}
	}
}

// Others' rows stay out of what is referred to, even by a turn that was theirs.
func TestReferencesObeyRights(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	q := nlqtest.Question("How many of them are open?")
	q.Previous = &nlq.Turn{Question: "List the orders in Paris", Query: parsed(t, inParis).Query}
	if got, err := h.Translate(t.Context(), h.Bob, q); err == nil {
		t.Errorf("Translate as a stranger = %+v, want an error", got)
	}
}
