package quern

import (
	"strings"
	"unicode/utf8"
)

// MaxQuestion is the most characters a question may have.
const MaxQuestion = 10_000

// Clip returns at most most characters of a text, as valid UTF-8, with an
// ellipsis behind them where some were left out. It reads no further into the
// text than it must.
func Clip(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return strings.ToValidUTF8(text[:i], string(utf8.RuneError)) + "…"
		}
		n++
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
