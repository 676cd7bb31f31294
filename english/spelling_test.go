package english

import "testing"

func TestRespell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"avrage": "average", "avergae": "average", "averrage": "average", "wich": "which", "hightest": "highest", "numbr": "number",
		"average": "", "rage": "", "cat": "", "members": "", "": "",
	} {
		if got, ok := Respell(word); got != want || ok != (want != "") {
			t.Errorf("Respell(%q) = %q, %t, want %q", word, got, ok, want)
		}
	}
}

func TestNamePart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  Part
	}{
		{[]string{"first", "name"}, FirstName}, {[]string{"forename"}, FirstName}, {[]string{"last"}, LastName},
		{[]string{"surname"}, LastName}, {[]string{"last", "visit"}, NoName}, {[]string{"name"}, NoName}, {nil, NoName},
	} {
		if got := NamePart(c.words); got != c.want {
			t.Errorf("NamePart(%q) = %d, want %d", c.words, got, c.want)
		}
	}
}
