package ask

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
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

// escape makes a text one that Markdown shows as it is, on one line: nothing in
// it can begin a table, a link, code, emphasis or HTML.
func escape(text string) string { return escaped(clip(clean(text), maxText)) }

// escapeCell is escape for a value, which is cut sooner.
func escapeCell(text string) string { return escaped(clip(clean(text), maxCell)) }

func escaped(text string) string {
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

// clean takes out what could move a cursor, hide text or turn its direction,
// and makes all space single blanks.
func clean(text string) string {
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
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:most]), " ") + cutMark
}

// sentenceEnd gives a text with a full stop.
func sentenceEnd(text string) string {
	if text = strings.TrimSpace(text); text == "" || strings.ContainsRune(".?!", rune(text[len(text)-1])) {
		return text
	}
	return text + "."
}

// capital begins a text with a large letter.
func capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// joined joins texts as people do.
func joined(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}
