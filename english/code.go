package english

import (
	"regexp"
	"strings"
)

// Code is a value as data have it, and what people call it.
type Code struct{ Value, Meaning string }

const (
	// longestMeaning is the most words that a code means.
	longestMeaning = 5
	// longestCode is the most characters of a code.
	longestCode = 12
)

var (
	// equation is a code and a sign of equality; what it means follows.
	equation = regexp.MustCompile(`(?P<code>["'“‘]?[\p{L}\p{N}_+-]+["'”’]?)\s*(?:=>|->|→|==?)\s*`)
	// listed is a code and its meaning among others: "1 open", "VA: vaccination", "Y if discontinued".
	listed = regexp.MustCompile(`^(?P<before>.*?[:,(]\s*)?(?P<code>["'“‘]?(?:\d{1,6}|\p{Lu}[\p{Lu}\d]{0,3}|\p{L}\d{0,2})["'”’]?)` +
		`(?:\s*[:–—-]\s*|\s+(?:is|are|means|stands for|if|when|for)\s+|\s+)(?P<meaning>\p{L}[\p{L} '-]*)[.?!]?$`)
	// bare is a list of initials that everybody knows: m/w/d, Y/N.
	bare = regexp.MustCompile(`(?:^|[\s(:,])(?P<codes>\p{L}(?:/\p{L}){1,3})(?:$|[\s).,;])`)
)

// initials are the codes that lists of them need not explain, by all letters of
// the list.
var initials = map[string]map[string]string{
	"mw": sexes, "mf": sexes, "mwd": sexes, "mfd": sexes, "mfx": sexes, "fm": sexes, "wm": sexes, "wmd": sexes,
	"yn": answers, "jn": answers, "ny": answers, "nj": answers, "tf": {"t": "true", "f": "false"},
}

var (
	sexes   = map[string]string{"m": "male", "w": "female", "f": "female", "d": "diverse", "x": "other"}
	answers = map[string]string{"y": "yes", "j": "yes", "n": "no"}
)

// Codes returns the codes that a text explains, and the text without them: "status:
// 1 open, 2 paid" has two, and leaves "status:".
func Codes(text string) (codes []Code, rest string) {
	for _, read := range []func(string) ([]Code, string){equations, listing, initialList} {
		if codes, rest = read(text); len(codes) > 0 {
			return codes, rest
		}
	}
	return nil, text
}

// equations reads codes with signs of equality: "X = blocked", "0=no 1=yes".
func equations(text string) (codes []Code, rest string) {
	found := equation.FindAllStringSubmatchIndex(text, -1)
	end := 0
	for i, at := range found {
		until := len(text)
		if i+1 < len(found) {
			until = found[i+1][0]
		}
		if cut := strings.IndexAny(text[at[1]:until], ",;|/\n()."); cut >= 0 {
			until = at[1] + cut
		}
		if c, ok := newCode(text[at[2]:at[3]], text[at[1]:until]); ok {
			codes, end = append(codes, c), until
		}
	}
	if len(codes) == 0 {
		return nil, text
	}
	return codes, join(text[:found[0][0]], text[end:])
}

// listing reads two codes or more that stand before what they mean.
func listing(text string) (codes []Code, rest string) {
	parts := listParts(text)
	var starts []int
	last := 0
	seen := map[string]bool{}
	for _, p := range parts {
		m, ok := Groups(listed, text[p[0]:p[1]])
		if !ok {
			continue
		}
		from, _ := m.Span("code")
		c, ok := newCode(m.Text("code"), m.Text("meaning"))
		if !ok || seen[c.Value] {
			return nil, text
		}
		seen[c.Value] = true
		codes = append(codes, c)
		starts, last = append(starts, p[0]+from), p[1]
	}
	if len(codes) > 2 && isOdd(codes) {
		codes, starts = codes[1:], starts[1:]
	}
	if len(codes) < 2 {
		return nil, text
	}
	return codes, join(text[:starts[0]], text[last:])
}

// isOdd reports whether the first of several codes is longer than all others, and
// is therefore the name of what they are codes of: "QC result, Y passed, N failed".
func isOdd(codes []Code) bool {
	for _, c := range codes[1:] {
		if len(c.Value) >= len(codes[0].Value) {
			return false
		}
	}
	return strings.Trim(codes[0].Value, "0123456789") != ""
}

var separators = regexp.MustCompile(`\s*(?:[,;|/\n()]|\s(?:and|or)\s)\s*`)

// listParts returns the bounds of the parts of a list.
func listParts(text string) [][2]int {
	var parts [][2]int
	from := 0
	for _, at := range separators.FindAllStringIndex(text, -1) {
		parts = append(parts, [2]int{from, at[0]})
		from = at[1]
	}
	return append(parts, [2]int{from, len(text)})
}

// initialList reads a list of initials.
func initialList(text string) (codes []Code, rest string) {
	m, ok := Groups(bare, text)
	if !ok {
		return nil, text
	}
	letters := strings.Split(m.Text("codes"), "/")
	means := initials[strings.ToLower(strings.Join(letters, ""))]
	if means == nil {
		return nil, text
	}
	for _, l := range letters {
		codes = append(codes, Code{l, means[strings.ToLower(l)]})
	}
	from, to := m.Span("codes")
	return codes, join(text[:from], text[to:])
}

// newCode makes a code of its two sides, whichever of them is the code; ok is false
// when neither looks like one.
func newCode(value, meaning string) (c Code, ok bool) {
	value, meaning = unquoted(value), unquoted(meaning)
	if isCode(meaning) && !isCode(value) {
		value, meaning = meaning, value
	}
	words := len(strings.Fields(meaning))
	if value == "" || meaning == "" || len(value) > longestCode || words > longestMeaning {
		return Code{}, false
	}
	return Code{value, meaning}, true
}

// isCode reports whether a text looks like a code rather than like a word.
func isCode(text string) bool {
	const short = 3
	return len(text) <= short || strings.Trim(text, "0123456789") == ""
}

func unquoted(text string) string { return strings.Trim(text, " \t\"'“”‘’.?!") }

// join puts the two sides of what was taken out together.
func join(before, after string) string {
	return strings.TrimSpace(strings.TrimRight(before, " ,;(/") + " " + strings.TrimLeft(after, " ,;)/"))
}
