package english_test

import (
	"testing"

	"quern/english"
)

func TestNamesHaveNouns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, head string
		isMany     bool
		many       string // empty: none
	}{
		{"rental id", "id", false, "rental ids"},
		{"remarks", "remarks", true, "remarks"},
		{"tickets sold", "tickets", true, ""},
		{"days of hire", "days", true, "days of hire"},
		{"date of birth", "date", false, "dates of birth"},
		{"status", "status", false, "statuses"},
		{"news", "news", false, ""},
		{"address", "address", false, "addresses"},
		{"launched at", "", false, ""},
	} {
		many, ok := english.NameOfMany(c.name)
		if head := english.Head(c.name); head != c.head || english.IsMany(c.name) != c.isMany || ok != (c.many != "") || ok && many != c.many {
			t.Errorf("%q has the noun %q, many: %t, and of many %q (%t), want %+v", c.name, head, english.IsMany(c.name), many, ok, c)
		}
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"paid": true, "fully paid": true, "active": true, "retired": true, "newsletter": false, "deposit paid": false, "rush": false} {
		if got := english.IsState(name); got != want {
			t.Errorf("IsState(%q) = %t, want %t", name, got, want)
		}
	}
}

func TestMoneyNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"unit price": true, "fees": true, "fee per night": true, "amount paid": true, "total": true, "total points": false, "days": false} {
		if got := english.IsMoneyName(name); got != want {
			t.Errorf("IsMoneyName(%q) = %t, want %t", name, got, want)
		}
	}
}

func TestTimeNouns(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"bought on": "bought date", "due date": "due date", "from": "value of from"} {
		if got := english.TimeNoun(name); got != want {
			t.Errorf("TimeNoun(%q) = %q, want %q", name, got, want)
		}
	}
}
