package english_test

import (
	"testing"

	"quern/english"
)

func TestLettersStandForWordsOfOneKindOfColumn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []string
		want   map[string]string
	}{
		{[]string{"H", "A"}, map[string]string{"home": "H", "away": "A"}},
		{[]string{"a", "h", "n"}, map[string]string{"home": "h", "neutral": "n"}},
		{[]string{"W", "L"}, map[string]string{"won": "W", "lost": "L"}},
		{[]string{"S", "M", "L", "XL"}, map[string]string{"extra large": "XL"}},
		{[]string{"FT", "PT"}, map[string]string{"part time": "PT"}},
		{[]string{"M", "L"}, nil}, // sizes, or degrees
		{[]string{"D", "W"}, nil}, // results, or deposits and withdrawals
		{[]string{"A", "B"}, nil},
		{[]string{"M", "W"}, nil},
		{[]string{"A", "I"}, nil},
		{[]string{"H"}, nil},
		{[]string{"H", "Q"}, nil},
		{[]string{"home", "away"}, nil},
		{nil, nil},
	} {
		got := map[string]string{}
		for _, code := range english.Letters(c.values) {
			got[code.Meaning] = code.Value
		}
		if c.want == nil && len(got) > 0 {
			t.Errorf("Letters(%v) = %v, want none", c.values, got)
		}
		for word, value := range c.want {
			if got[word] != value {
				t.Errorf("Letters(%v) has %q for %q, want %q", c.values, got[word], word, value)
			}
		}
	}
}
