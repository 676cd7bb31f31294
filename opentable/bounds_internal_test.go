package opentable

import (
	"encoding/hex"
	"strings"
	"testing"

	"quern"
)

func TestBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 20)
	for _, c := range []struct {
		text  string
		typ   quern.Type
		upper bool
		want  string // in hex; empty for none
	}{
		{"0", quern.Decimal(9, 2), false, "00"}, {"1.28", quern.Decimal(9, 2), false, "0080"}, {"-1.28", quern.Decimal(9, 2), false, "80"},
		{"-1.29", quern.Decimal(9, 2), false, "ff7f"}, {"2.55", quern.Decimal(9, 2), false, "00ff"}, {"1.234", quern.Decimal(9, 2), false, ""},
		{"1970-01-02", quern.Date, false, "01000000"}, {"1969-12-31", quern.Date, false, "ffffffff"},
		{"1970-01-01T00:00:00.000001Z", quern.Timestamp, false, "0100000000000000"},
		{"true", quern.Boolean, false, "01"}, {"x", quern.Boolean, false, ""}, {"NaN", quern.Double, false, ""}, {"", quern.Text, false, ""},
		{"abc", quern.Text, true, "616263"}, {long, quern.Text, false, strings.Repeat("c3a4", 16)},
		{long, quern.Text, true, strings.Repeat("c3a4", 15) + "c3a5"}, {strings.Repeat("\U0010FFFF", 17), quern.Text, true, ""},
		{strings.Repeat("\uD7FF", 17), quern.Text, true, strings.Repeat("ed9fbf", 15) + "ee8080"}, {"{}", quern.JSON, false, ""},
	} {
		value, ok := bound(c.text, c.typ, c.upper)
		if got := hex.EncodeToString(value); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("bound(%.20q, %s, %v) = %s, %v, want %q", c.text, c.typ, c.upper, got, ok, c.want)
		}
	}
}

func TestWhatEnginesWiden(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to quern.Type
		want     bool
	}{
		{quern.Integer, quern.Integer, true}, {quern.Integer, quern.Double, false}, {quern.Integer, quern.Text, false},
		{quern.Integer, quern.Decimal(20, 0), false}, {quern.Decimal(9, 2), quern.Decimal(12, 2), true},
		{quern.Decimal(12, 2), quern.Decimal(9, 2), false}, {quern.Decimal(9, 2), quern.Decimal(12, 3), false},
		{quern.Text, quern.JSON, false}, {quern.Date, quern.Text, false},
	} {
		if got := widens(c.from, c.to); got != c.want {
			t.Errorf("widens(%s, %s) = %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

func TestNamesOfEveryListedVersionAreMapped(t *testing.T) {
	t.Parallel()
	field := func(id int, name string) quern.Field {
		return quern.Field{ID: id, Column: quern.Column{Name: name, Type: quern.Text}}
	}
	got := nameMapping([]quern.Field{field(3, "c"), field(1, "ID")}, []quern.Field{field(1, "id"), field(2, "gone")}, []quern.Field{field(1, "id")})
	want := `[{"field-id":1,"names":["ID","id"]},{"field-id":2,"names":["gone"]},{"field-id":3,"names":["c"]}]`
	if got != want {
		t.Errorf("nameMapping() = %s, want %s", got, want)
	}
}
