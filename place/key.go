package place

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plain are letters that no decomposition makes plain.
var plain = strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

// Key is a name as names are compared: in lowercase, without marks on letters,
// with one blank for whatever is not a letter or digit.
func Key(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFD.String(plain.Replace(strings.ToLower(name))) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		case r != '\'' && r != '’':
			gap = true
		}
	}
	return b.String()
}
