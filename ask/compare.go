package ask

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
)

// The ways in which people ask for a comparison.
var (
	compares = regexp.MustCompile(`(?i)^(?:please |can you |could you |now )*compare (?:me )?(?P<body>.+)$`)
	between  = regexp.MustCompile(`(?i)^(?:what(?:'s| is| was)|show(?: me)?|give me|tell me|calculate|compute|find)?(?: the)? ?` +
		`(?:difference|gap|comparison)(?: in (?P<measure>[^,]+?))? between (?P<body>.+)$`)
	versus   = regexp.MustCompile(`(?i)^(?P<left>.+?),? (?:versus|vs\.?|compared (?:to|with)|as against) (?P<right>.+)$`)
	howDoes  = regexp.MustCompile(`(?i)^how (?:does|do|did) (?P<left>.+?) compare (?:to|with|against) (?P<right>.+)$`)
	manyMore = regexp.MustCompile(`(?i)^how many (?:more|fewer) (?P<rows>.+?) (?P<are>are|were|have|had|in|from|by|of|with) (?P<left>.+?)` +
		` than (?:are |were |have |had |in |from |by |of |with )?(?P<right>.+)$`)
	byMeasure = regexp.MustCompile(`(?i)^(?P<body>.+?) (?:by|in terms of|with respect to|regarding|on) (?:their |its |the )?` +
		`(?P<measure>` + english.ByMeasures.Pattern() + `\b.*)$`)
	opposed = regexp.MustCompile(`(?i) (?:with|to|against|versus|vs\.?) `)
	// requests is how a thing begins that is a question or a wish already.
	requests = regexp.MustCompile(`(?i)^` + english.Interrogatives.With(english.Requests).Pattern() + `\b`)
	measured = english.Measures.Finder()
)

// mostCompared bounds a comparison.
const mostCompared = 6

// comparison takes a question apart that asks to compare things; nil when it
// does not. Each part can be understood alone. known reports whether a word is
// one of the data's names.
func comparison(question string, known func(string) bool) []string {
	text := strings.TrimRight(strings.Join(strings.Fields(question), " "), " .?!")
	if m, ok := english.Groups(manyMore, text); ok {
		count := "How many " + m.Text("rows") + " " + m.Text("are") + " "
		return []string{count + m.Text("left") + "?", count + m.Text("right") + "?"}
	}
	left, right, measure := opposites(text)
	if left == "" || right == "" {
		return nil
	}
	parts := expand(left, right, known)
	if len(parts) < 2 || len(parts) > mostCompared {
		return nil
	}
	shareYear(parts)
	for i, p := range parts {
		if measure != "" {
			p = measure + " " + withPreposition(p)
		}
		parts[i] = lookUp(strings.Join(strings.Fields(p), " "), known)
	}
	return parts
}

// inYear is how a thing ends that is of a month or a quarter.
var inYear = regexp.MustCompile(`(?i)\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|` +
	`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|q[1-4]|quarter)(?P<year>,? (?:of )?\d{4})?$`)

// shareYear adds to months and quarters the year that only the last of them has: march
// and april 2025 are of one year.
func shareYear(parts []string) {
	last, ok := english.Groups(inYear, strings.TrimSpace(parts[len(parts)-1]))
	if !ok || last.Text("year") == "" {
		return
	}
	for i, p := range parts {
		if m, ok := english.Groups(inYear, strings.TrimSpace(p)); ok && m.Text("year") == "" {
			parts[i] = p + last.Text("year")
		}
	}
}

// opposites returns what is compared with what, and in what.
func opposites(text string) (left, right, measure string) {
	comparing, compare := english.Groups(compares, text)
	difference, differ := english.Groups(between, text)
	var body string
	switch {
	case compare:
		body = comparing.Text("body")
	case differ:
		body, measure = difference.Text("body"), difference.Text("measure")
	default:
		return sides(text)
	}
	if m, ok := english.Groups(byMeasure, body); ok && measure == "" {
		body, measure = m.Text("body"), m.Text("measure")
	}
	if at := opposed.FindStringIndex(body); at != nil {
		return body[:at[0]], body[at[1]:], measure
	}
	if at := strings.LastIndex(strings.ToLower(body), " and "); at > 0 {
		return body[:at], body[at+len(" and "):], measure
	}
	return "", "", ""
}

// sides returns the sides of a question that sets one thing against another.
func sides(text string) (left, right, measure string) {
	for _, form := range []*regexp.Regexp{howDoes, versus} {
		if m, ok := english.Groups(form, text); ok {
			return m.Text("left"), m.Text("right"), ""
		}
	}
	return "", "", ""
}

func isArticle(word string) bool {
	return strings.EqualFold(word, "the") || strings.EqualFold(word, "a")
}

// expand returns two or more things that were named together, each with the words
// that they share: "open and closed orders" are "open orders" and "closed orders".
func expand(left, right string, known func(string) bool) []string {
	l, r := strings.Fields(left), strings.Fields(right)
	first := strings.ToLower(r[0])
	refers := first == "that" || first == "those"
	switch {
	case refers && len(r) > 1:
		return replaceEnd(l, r[1:])
	case english.Prepositions.Has(first):
		return replaceEnd(l, r)
	case first == "the" || first == "a" || first == "an" || requests.MatchString(right):
		return []string{left, right}
	}
	at := lastPreposition(l) + 1
	for at < len(l)-1 && isArticle(l[at]) {
		at++
	}
	own := ownWords(len(l)-at, r, known)
	if at < len(l)-own && !slices.ContainsFunc(r[:own], known) && slices.ContainsFunc(l[at:len(l)-own], known) {
		at = len(l) - own // "sales 2020 and 2021"
	}
	items := listItems(strings.Join(l[at:], " "))
	if len(items) > 1 {
		own = ownWords(len(strings.Fields(items[len(items)-1])), r, known)
	}
	var all []string
	for _, item := range append(items, strings.Join(r[:own], " ")) {
		all = append(all, strings.Join([]string{strings.Join(l[:at], " "), item, strings.Join(r[own:], " ")}, " "))
	}
	return all
}

// listItems takes "a, b" apart.
func listItems(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return []string{text}
	}
	return items
}

// replaceEnd puts what stands behind a preposition in the place of what stands there on the
// left: "sales in Paris", "in Rome" become "sales in Rome".
func replaceEnd(l, r []string) []string {
	for i, word := range slices.Backward(l) {
		if strings.EqualFold(word, r[0]) {
			return []string{strings.Join(l, " "), strings.Join(append(slices.Clone(l[:i]), r...), " ")}
		}
	}
	at := lastPreposition(l)
	if at < 0 {
		at = len(l)
	}
	return []string{strings.Join(l, " "), strings.Join(append(slices.Clone(l[:at]), r...), " ")}
}

func isPreposition(word string) bool { return english.Prepositions.Has(strings.ToLower(word)) }

// lastPreposition is where the last preposition in words is; -1 when there is none.
func lastPreposition(words []string) int {
	for i, word := range slices.Backward(words) {
		if i < len(words)-1 && isPreposition(word) {
			return i
		}
	}
	return -1
}

// ownWords counts the words on the right that are the right's own: the rest is
// shared with the left, whose last thing has like words.
func ownWords(like int, r []string, known func(string) bool) int {
	end := len(r)
	for i, word := range r {
		if i > 0 && isPreposition(word) {
			end = i
			break
		}
	}
	own := min(like, end)
	if own < end && !slices.ContainsFunc(r[own:end], known) {
		own = end // "new york", of which the data know nothing, is one name
	}
	for own < end && !known(r[own]) && isTitle(r[own]) && isTitle(r[own-1]) {
		own++
	}
	return own
}

func isTitle(word string) bool { return word != "" && word[0] >= 'A' && word[0] <= 'Z' }

// withPreposition returns a thing behind a preposition, its own or "of", so that a
// measure can stand before it.
func withPreposition(thing string) string {
	if first, _, _ := strings.Cut(thing, " "); isPreposition(first) {
		return thing
	}
	return "of " + thing
}

// lookUp makes a question of a thing to look up.
func lookUp(thing string, known func(string) bool) string {
	words := strings.Fields(thing)
	switch {
	case requests.MatchString(thing):
		return asQuestion(thing)
	case measured.MatchString(thing):
		if strings.EqualFold(words[0], "the") {
			words = words[1:]
		}
		return "What is the " + strings.Join(words, " ") + "?"
	case slices.ContainsFunc(headWords(words), known):
		if strings.EqualFold(words[0], "the") {
			words = words[1:]
		}
		return "How many " + strings.Join(words, " ") + " are there?"
	}
	if at := len(headWords(words)); at < len(words) && slices.ContainsFunc(words[at:], known) {
		return "What is the " + strings.TrimPrefix(thing, "the ") + "?" // "revenue of orders"
	}
	return "Show " + thing + "."
}

// headWords returns the words before the first preposition, four at most: what a
// thing is, without what it is of.
func headWords(words []string) []string {
	words = words[:min(len(words), 4)]
	if at := slices.IndexFunc(words, isPreposition); at >= 0 {
		return words[:at]
	}
	return words
}
