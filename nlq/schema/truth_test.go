package schema_test

import (
	"slices"
	"testing"

	"quern"
	"quern/nlq/schema"
)

func TestColumnsThatSayYesOrNo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ     quern.Type
		values  []string
		yes, no string
		ok      bool
	}{
		{quern.Text, []string{"Y", "N"}, "Y", "N", true},
		{quern.Text, []string{"no", "Yes"}, "Yes", "no", true},
		{quern.Integer, []string{"0", "1"}, "1", "0", true},
		{quern.Text, []string{"TRUE"}, "TRUE", "false", true},
		{quern.Text, []string{"no"}, "yes", "no", true},
		{quern.Boolean, nil, "true", "false", true},
		{quern.Text, []string{"F"}, "", "", false}, // women only
		{quern.Integer, []string{"1"}, "", "", false},
		{quern.Text, []string{"Y", "0"}, "", "", false},
		{quern.Text, []string{"M", "F"}, "", "", false},
		{quern.Text, []string{"yes", "no", "maybe"}, "yes", "no", true}, // a few of which it says neither
		{quern.Text, []string{"yes", "no", "n/a", "lost"}, "yes", "no", true},
		{quern.Text, []string{"yes", "no", "maybe", "later", "lost"}, "", "", false},
		{quern.Text, []string{"yes", "maybe"}, "", "", false},
		{quern.Text, []string{"Y", "N", "X"}, "", "", false},
		{quern.Text, []string{"No", "Y", "yes", "n", "no", "y", "N"}, "Y", "No", true}, // many hands
		{quern.Text, []string{"t", "f", "n"}, "", "", false},
		{quern.Text, nil, "", "", false},
	} {
		v := schema.NewValues(0)
		for _, text := range c.values {
			v.Add(text)
		}
		v.Done()
		column := schema.Column{Type: c.typ, Values: v}
		if yes, no, ok := column.Truth(); ok != c.ok || ok && (yes != c.yes || no != c.no) {
			t.Errorf("%v %q: %q, %q, %t; want %q, %q, %t", c.typ, c.values, yes, no, ok, c.yes, c.no, c.ok)
		}
	}
}

// TestYesInSeveralSpellings compares with all the ways in which a column says yes.
func TestYesInSeveralSpellings(t *testing.T) {
	t.Parallel()
	v := schema.NewValues(0)
	for _, text := range []string{"No", "Y", "yes", "n", "Yes", "y"} {
		v.Add(text)
	}
	v.Done()
	column := schema.Column{Type: quern.Text, Values: v}
	for said, want := range map[string][]string{"Y": {"Y", "y", "yes", "Yes"}, "No": {"No", "n"}, "perhaps": nil} {
		if got := column.Spellings(said); !slices.Equal(got, want) {
			t.Errorf("Spellings(%q) = %q, want %q", said, got, want)
		}
	}
}
