package ask

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"quern/ask/prose"
	"quern/english"
)

const (
	// mostSteps bounds a plan.
	mostSteps = 8
	// leastWords is how many words a question has at least that stands behind
	// another in a sentence.
	leastWords = 3
)

// beginning is a word that a question or a wish begins with.
var beginning = english.Interrogatives.With(english.Auxiliaries, english.Commands)

var (
	// starts is how a question, or a wish, begins.
	starts = regexp.MustCompile(`(?i)^(?:` + english.Openers.Pattern() + `,? )*` + beginning.Pattern() + `\b`)
	// interrogative is how a question begins that ends in a question mark.
	interrogative = regexp.MustCompile(`(?i)^` + english.Interrogatives.With(english.Auxiliaries).Pattern() + `\b`)
	// joint is where one question ends and another begins within a sentence.
	joint = regexp.MustCompile(`(?i)(?:\s*[,;])?\s+(?:and(?: also| then)?|also|then|plus|as well as|;)\s+` +
		`(?P<next>(?:please )?(?:` + strings.Join([]string{
		`how many`,
		`how much`,
		`how (?:old|long|far|often|big|high|large)\b`,
		`what (?:is|are|was|were)\b`,
		`what's\b`,
		`which [^,]+? (?:is|are|was|were|has|have|had|did|does|do)\b`,
		`who (?:is|are|was|were|has|have)\b`,
		`when (?:is|was|were|did)\b`,
		`where (?:is|are|was|were)\b`,
		`list\b`,
		`show (?:me|the|all)\b`,
		`give me\b`,
		`count (?:the|all|how)\b`,
		`tell me\b`,
	}, "|") + `))`)
	// ofEach is how a part asks about every row of the part before: one query answers both.
	ofEach = regexp.MustCompile(`(?i)\b(?:each|every|` + english.PersonalPronouns.Pattern() + `|respective|respectively|corresponding)\b`)
	// ofThem is how a part asks about some of the rows of the part before.
	ofThem = regexp.MustCompile(`(?i)^(?:please )?` +
		`(?:how many|which|who|what (?:share|percentage|percent|fraction|proportion)) of (?:them|those|these)\b`)
)

// split takes a question apart into the questions that it is made of. What is
// said around them stays with the question it stands before. Behind more than a
// plan can hold, the rest is not looked at.
func split(question string) []string {
	var all []string
	preface := ""
	for _, sentence := range sentences(question) {
		if len(all) > mostSteps {
			return all
		}
		switch {
		case isTalk(sentence):
		case !starts.MatchString(sentence) && !strings.HasSuffix(sentence, "?"):
			preface = strings.TrimSpace(preface + " " + sentence)
		default:
			parts := clauses(sentence)
			parts[0] = strings.TrimSpace(preface + " " + parts[0])
			all, preface = append(all, parts...), ""
		}
	}
	switch {
	case len(all) == 0:
		return []string{strings.TrimSpace(question)}
	case preface != "":
		all[len(all)-1] += " " + preface
	}
	return all
}

// clauses parts a sentence where another question begins in it.
func clauses(sentence string) []string {
	if !starts.MatchString(sentence) {
		return []string{sentence}
	}
	var all []string
	for len(all) < mostSteps {
		m, ok := english.Groups(joint, sentence)
		if !ok {
			break
		}
		end, _ := m.Span("")
		next, _ := m.Span("next")
		before, rest := sentence[:end], sentence[next:]
		quoted := strings.Count(before, `"`)%2 == 1
		needsBefore := ofEach.MatchString(rest) && !ofThem.MatchString(rest)
		if quoted || needsBefore || len(strings.Fields(rest)) < leastWords {
			break
		}
		all = append(all, asQuestion(before))
		sentence = rest
	}
	if len(all) == 0 {
		return []string{sentence}
	}
	return append(all, asQuestion(sentence))
}

// asQuestion writes a part of a sentence as a sentence of its own.
func asQuestion(part string) string {
	part = english.Capitalize(strings.TrimRight(strings.TrimSpace(part), " ,;"))
	if strings.ContainsAny(part[max(len(part)-1, 0):], ".?!") {
		return part
	}
	if interrogative.MatchString(part) {
		return part + "?"
	}
	return part + "."
}

// sentences takes a text apart at line breaks and at the ends of sentences.
func sentences(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(prose.WithoutMarker(line))
		start, quoted := 0, false
		for i, r := range line {
			switch {
			case r == '"' || r == '“' || r == '”':
				quoted = !quoted
			case quoted || !strings.ContainsRune(".?!;", r) || !endsSentence(line, i):
			default:
				all = append(all, strings.TrimRight(strings.TrimSpace(line[start:i+1]), ";"))
				start = i + 1
			}
		}
		all = append(all, strings.TrimSpace(line[start:]))
	}
	return slices.DeleteFunc(all, func(s string) bool { return strings.Trim(s, " .?!;") == "" })
}

// endsSentence reports whether the mark at i stands at the end of a sentence.
func endsSentence(line string, i int) bool {
	rest := strings.TrimLeft(line[i+1:], `"”'`)
	if rest == "" {
		return false // the line's own end
	}
	if rest[0] != ' ' {
		return false
	}
	if line[i] != '.' {
		return true
	}
	words := strings.Fields(line[:i])
	if len(words) > 0 && english.Shortened.Has(strings.ToLower(words[len(words)-1])) {
		return false
	}
	rest = strings.TrimSpace(rest)
	return starts.MatchString(rest) || unicode.IsUpper([]rune(rest)[0])
}
