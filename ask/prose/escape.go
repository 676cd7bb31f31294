package prose

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
)

// maxCell is the most characters of a value that an answer shows, and maxText
// the most of a sentence about a query.
const (
	maxCell = 80
	maxText = 600
	cutMark = "… (cut)"
)

// entity is what Markdown takes for a character written as a name or number.
var entity = regexp.MustCompile(`^&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// Escape makes a text one that Markdown shows as it is, on one line: nothing in
// it can begin a table, a link, code, emphasis or HTML.
func Escape(text string) string { return escapeMarks(clip(Clean(text), maxText)) }

// EscapeCell is Escape for a value, which is cut sooner.
func EscapeCell(text string) string { return escapeMarks(clip(Clean(text), maxCell)) }

func escapeMarks(text string) string {
	var b strings.Builder
	before := ' '
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune("\\`*[]<>|~", r),
			r == '_' && !(isWord(before) && isWord(next)),
			r == '!' && next == '[',
			r == '&' && entity.MatchString(text[i:]):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Clean takes out what could move a cursor, hide text or turn its direction,
// and makes all space single blanks.
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r), unicode.IsSpace(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return ' '
		case r == '\u200c' || r == '\u200d':
			return r // these join letters
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// clip cuts a text that is too long, and says so.
func clip(text string, most int) string {
	short := quern.Clip(text, most)
	if short == text {
		return text
	}
	return strings.TrimRight(strings.TrimSuffix(short, "…"), " ") + cutMark
}

// marker begins an item of a list.
var marker = regexp.MustCompile(`^\s*(?:[-*•]|\(?(?:[0-9]{1,2}|[a-h])[.)])\s+`)

// WithoutMarker returns a line without what marks it as an item of a list.
func WithoutMarker(line string) string { return marker.ReplaceAllString(line, "") }
