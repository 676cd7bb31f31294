package ask

import (
	"regexp"
	"slices"
	"strings"
)

// The ways in which people ask for a comparison.
var (
	compares  = regexp.MustCompile(`(?i)^(?:please |can you |could you |now )*compare (?:me )?(.+)$`)
	between   = regexp.MustCompile(`(?i)^(?:what(?:'s| is| was)|show(?: me)?|give me|tell me|calculate|compute|find)?(?: the)? ?(?:difference|gap|comparison)(?: in ([^,]+?))? between (.+)$`)
	versus    = regexp.MustCompile(`(?i)^(.+?),? (?:versus|vs\.?|compared (?:to|with)|as against) (.+)$`)
	howDoes   = regexp.MustCompile(`(?i)^how (?:does|do|did) (.+?) compare (?:to|with|against) (.+)$`)
	manyMore  = regexp.MustCompile(`(?i)^how many (?:more|fewer) (.+?) (are|were|have|had|in|from|by|of|with) (.+?) than (?:are |were |have |had |in |from |by |of |with )?(.+)$`)
	byMeasure = regexp.MustCompile(`(?i)^(.+?) (?:by|in terms of|with respect to|regarding|on) (?:their |its |the )?((?:number|count|total|sum|average|mean|median|maximum|minimum|max|min|highest|lowest|price|cost|revenue|sales)\b.*)$`)
	opposed   = regexp.MustCompile(`(?i) (?:with|to|against|versus|vs\.?) `)
	measured  = regexp.MustCompile(`(?i)\b(how many|how much|number|count|total|sum|average|mean|avg|median|maximum|minimum|max|min|highest|lowest|largest|smallest|oldest|youngest|most|least|latest|earliest|amount|percentage|share|rate)\b`)
	asks      = regexp.MustCompile(`(?i)^(how|what|which|who|when|where|show|list|give|count|find)\b`)
	// hinges are the words that hold a thing to what is asked of it.
	hinges = strings.Fields("in of for at from during on by with about since before after within under over per to through until")
)

// mostCompared bounds a comparison.
const mostCompared = 6

// comparison takes a question apart that asks to compare things; nil when it
// does not. Each part can be understood alone. known reports whether a word is
// one of the data's names.
func comparison(question string, known func(string) bool) []string {
	text := strings.TrimRight(strings.Join(strings.Fields(question), " "), " .?!")
	if m := manyMore.FindStringSubmatch(text); m != nil {
		return []string{"How many " + m[1] + " " + m[2] + " " + m[3] + "?", "How many " + m[1] + " " + m[2] + " " + m[4] + "?"}
	}
	left, right, measure := opposites(text)
	if left == "" || right == "" {
		return nil
	}
	parts := expand(left, right, known)
	if len(parts) < 2 || len(parts) > mostCompared {
		return nil
	}
	for i, p := range parts {
		if measure != "" {
			p = measure + " " + hinged(p)
		}
		parts[i] = wished(strings.Join(strings.Fields(p), " "), known)
	}
	return parts
}

// opposites gives what is compared with what, and in what.
func opposites(text string) (left, right, measure string) {
	for _, form := range []*regexp.Regexp{howDoes, versus} {
		if m := form.FindStringSubmatch(text); m != nil && !compares.MatchString(text) && !between.MatchString(text) {
			return m[1], m[2], ""
		}
	}
	body := ""
	if m := compares.FindStringSubmatch(text); m != nil {
		body = m[1]
	} else if m := between.FindStringSubmatch(text); m != nil {
		measure, body = m[1], m[2]
	}
	if m := byMeasure.FindStringSubmatch(body); m != nil && measure == "" {
		body, measure = m[1], m[2]
	}
	if at := opposed.FindStringIndex(body); at != nil {
		return body[:at[0]], body[at[1]:], measure
	}
	if at := strings.LastIndex(strings.ToLower(body), " and "); at > 0 {
		return body[:at], body[at+len(" and "):], measure
	}
	return "", "", ""
}

// expand gives each of two or more things that were named together the words
// that they share: "open and closed orders" are "open orders" and "closed orders".
func expand(left, right string, known func(string) bool) []string {
	l, r := strings.Fields(left), strings.Fields(right)
	first := strings.ToLower(r[0])
	switch {
	case (first == "that" || first == "those") && len(r) > 1:
		return alike(l, r[1:])
	case slices.Contains(hinges, first):
		return alike(l, r)
	case first == "the" || first == "a" || first == "an" || asks.MatchString(right):
		return []string{left, right}
	}
	at := lastHinge(l) + 1
	for at < len(l)-1 && (strings.EqualFold(l[at], "the") || strings.EqualFold(l[at], "a")) {
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

// alike puts what stands behind a hinge in the place of what stands there on the
// left: "sales in Paris", "in Rome" give "sales in Rome".
func alike(l, r []string) []string {
	for i, word := range slices.Backward(l) {
		if strings.EqualFold(word, r[0]) {
			return []string{strings.Join(l, " "), strings.Join(append(slices.Clone(l[:i]), r...), " ")}
		}
	}
	at := lastHinge(l)
	if at < 0 {
		at = len(l)
	}
	return []string{strings.Join(l, " "), strings.Join(append(slices.Clone(l[:at]), r...), " ")}
}

// lastHinge is where the last hinge in words is; -1 when there is none.
func lastHinge(words []string) int {
	for i, word := range slices.Backward(words) {
		if i < len(words)-1 && slices.Contains(hinges, strings.ToLower(word)) {
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
		if i > 0 && slices.Contains(hinges, strings.ToLower(word)) {
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

// hinged gives a thing a hinge if it has none, so that a measure can stand before it.
func hinged(thing string) string {
	if first, _, _ := strings.Cut(thing, " "); slices.Contains(hinges, strings.ToLower(first)) {
		return thing
	}
	return "of " + thing
}

// wished makes a question of a thing to look up.
func wished(thing string, known func(string) bool) string {
	words := strings.Fields(thing)
	switch {
	case asks.MatchString(thing):
		return asQuestion(thing)
	case measured.MatchString(thing):
		if strings.EqualFold(words[0], "the") {
			words = words[1:]
		}
		return "What is the " + strings.Join(words, " ") + "?"
	case slices.ContainsFunc(headOf(words), known):
		if strings.EqualFold(words[0], "the") {
			words = words[1:]
		}
		return "How many " + strings.Join(words, " ") + " are there?"
	}
	if at := len(headOf(words)); at < len(words) && slices.ContainsFunc(words[at:], known) {
		return "What is the " + strings.TrimPrefix(thing, "the ") + "?" // "revenue of orders"
	}
	return "Show " + thing + "."
}

// headOf gives the words before the first hinge, four at most: what a thing is,
// without what it is of.
func headOf(words []string) []string {
	words = words[:min(len(words), 4)]
	if at := slices.IndexFunc(words, func(word string) bool { return slices.Contains(hinges, strings.ToLower(word)) }); at >= 0 {
		return words[:at]
	}
	return words
}
