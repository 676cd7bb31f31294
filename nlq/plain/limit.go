package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// What has expired, or is overdue, has a time that is over. People hardly say which: these words
// are read as what they come to, where one column says until when something holds, or by when it
// has to be done.
const (
	isSo     = `(?:(?:is|are|was|were|has|have|had) )?`
	byNow    = `(?: (?:already|now|today|yet|by now|at the moment|right now|currently))?`
	adverbs  = `(?:(?:already|now|currently|since|still|yet) )?`
	itsOver  = `(?:expired?|lapsed?|out of (?:warranty|guarantee|date|insurance|contract)|past (?:its|their) (?:\w+[- ])?date|no longer valid|ha(?:s|ve) run out|ran out)`
	isNotSo  = `(?:(?:is|are|was|were|has|have|had|did|do|does)(?: not|n'?t)|not|never)`
	itHolds  = `(?:still (?:valid|in date|(?:under|in|within) (?:(?:its|their|the) )?(?:warranty|guarantee))|(?:under|in|within) (?:warranty|guarantee)|unexpired|` + isNotSo + ` (?:yet )?(?:expired?|lapsed?))`
	itIsLate = `(?:overdue|past due)`
)

var (
	holds   = limitForms(itHolds)
	expired = limitForms(itsOver)
	overdue = limitForms(itIsLate)
	// isNotLate finds what denies it.
	isNotLate = regexp.MustCompile(`(?i)(?:\b(?:not|never)|n't|\b(?:is|are|was|were)nt)\b[^.?]{0,12}\b` + itIsLate)
	// runOut says of what is used up that there is none left, unless it is of what a time is of.
	runOut = regexp.MustCompile(`(?i)\b(?:run|ran) out\b`)
	// ranksOrMeasures finds what asks how much something is overdue, not whether.
	ranksOrMeasures = regexp.MustCompile(`(?i)\b(?:how (?:long|many days)\b[^.?]{0,20}|how (?:much|far|badly)|most|longest|(?:more than|over|at least|by \d+)\b[^.?]{0,20}) (?:overdue|expired|lapsed|late)\b|\b(?:overdue|expired|lapsed) (?:by|for)\b`)
)

// limitForms returns the forms in which a text says that something is so: of whose time it speaks,
// before what is so, or as what is said of it.
func limitForms(what string) []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)\bwhose (?:\w+ ){1,3}?` + isSo + adverbs + what + byNow),
		regexp.MustCompile(`(?i)\b` + `(?P<attribute>expired|lapsed|unexpired|overdue) (?P<thing>\w{3,})\b`),
		regexp.MustCompile(`(?i)\b` + isSo + adverbs + what + `\b` + byNow),
	}
}

// inLimits returns the words of a text by which something has expired or is overdue, as what
// they say of a time.
func (r Rules) inLimits(text string) []english.Change {
	if ranksOrMeasures.MatchString(text) || isNotLate.MatchString(text) || r.SpeaksOfTimes(text) {
		return nil
	}
	limit, hasLimit := r.oneTime(text, english.Limits)
	due, hasDue := r.oneTime(text, english.Dues)
	switch {
	case hasLimit && holds[2].MatchString(text):
		return limitChange(text, holds, limitWords(limit)+" from today on")
	case hasLimit && expired[2].MatchString(text) && !r.hasValueIn(text, expired[2]) && (!runOut.MatchString(text) || isNamedIn(text, limit)):
		return limitChange(text, expired, limitWords(limit)+" before today")
	case hasDue && overdue[2].MatchString(text) && !r.hasValueIn(text, overdue[2]):
		done, ok := r.doneBeside(due)
		if !ok {
			return nil
		}
		undone := "no "
		if _, _, isYesNo := done.Truth(); isYesNo {
			undone = "not "
		}
		return limitChange(text, overdue, limitWords(due)+" before today and "+undone+limitWords(done))
	}
	return nil
}

// isNamedIn reports whether a text has a word of a column's name that does not say that it is a limit.
func isNamedIn(text string, c schema.Column) bool {
	return slices.ContainsFunc(c.Words, func(w string) bool { return !english.Limits.Has(w) && ground.HasWords(text, w) })
}

// limitWords are the words of a column's name.
func limitWords(c schema.Column) string { return strings.Join(c.Words, " ") }

// hasValueIn reports whether the data have a value of their own for what a pattern finds, or a
// column: a status that is expired.
func (r Rules) hasValueIn(text string, found *regexp.Regexp) bool {
	for _, word := range strings.Fields(strings.ToLower(found.FindString(text))) {
		isColumn := slices.ContainsFunc(r.Whole.Columns, func(c schema.Column) bool {
			return strings.EqualFold(c.Name, word) && !c.Type.Temporal()
		})
		if !lex.Function(word) && (isColumn || r.Whole.HasValue(word)) {
			return true
		}
	}
	return false
}

// oneTime returns the one column of times that is named by one of some words: among those of whose
// names a text has such a word, else of the datasets that it names, else among all. ok is false
// when there are several, or none.
func (r Rules) oneTime(text string, named english.Set) (c schema.Column, ok bool) {
	said := lex.Lower(lex.Tokens(text))
	var spoken, mentioned, all []schema.Column
	for _, c := range r.Whole.Columns {
		if !c.Type.Temporal() || !slices.ContainsFunc(c.Words, named.Has) {
			continue
		}
		all = append(all, c)
		if slices.ContainsFunc(c.Words, func(w string) bool { return named.Has(w) && slices.Contains(said, w) }) {
			spoken = append(spoken, c)
		}
		if r.Whole.Mention(text, c.Table) >= 0 {
			mentioned = append(mentioned, c)
		}
	}
	for _, of := range [][]schema.Column{spoken, mentioned, all} {
		if len(of) > 0 {
			return of[0], len(of) == 1
		}
	}
	return schema.Column{}, false
}

// doneBeside returns the one column, in the dataset of one that says by when something has to be
// done, that says that it was, or when.
func (r Rules) doneBeside(due schema.Column) (done schema.Column, ok bool) {
	n := 0
	for _, c := range r.Whole.Columns {
		_, _, isYesNo := c.Truth()
		if c.Table == due.Table && (c.Type.Temporal() || isYesNo) && c.Name != due.Name && slices.ContainsFunc(c.Words, english.Dones.Has) {
			done, n = c, n+1
		}
	}
	return done, n == 1
}

// limitChange returns the first form that a text has, as what something has.
func limitChange(text string, forms []*regexp.Regexp, has string) []english.Change {
	m, ok := english.Groups(forms[0], text)
	if ok {
		start, end := m.Span("")
		return []english.Change{{Start: start, End: end, By: "whose " + strings.Replace(has, " before", " is before", 1)}}
	}
	if m, ok = english.Groups(forms[1], text); ok && isThing(strings.ToLower(m.Text("thing"))) {
		start, end := m.Span("")
		return []english.Change{{Start: start, End: end, By: m.Text("thing") + " with a " + has}}
	}
	m, ok = english.Groups(forms[2], text)
	if !ok {
		return nil
	}
	start, end := m.Span("")
	verb := "with a "
	before := strings.Fields(strings.ToLower(text[:start]))
	if isRelative := len(before) > 0 && slices.Contains([]string{"that", "which", "who"}, before[len(before)-1]); isRelative || beginsWithVerb.MatchString(text[start:end]) {
		verb = "have a "
	}
	return []english.Change{{Start: start, End: end, By: verb + has}}
}

// beginsWithVerb finds a verb at the beginning of what is said of something.
var beginsWithVerb = regexp.MustCompile(`(?i)^(?:is|are|was|were|has|have|had|did|do|does)`)

// isThing reports whether a word behind an attribute is what has it: overdue jobs, but not
// overdue already.
func isThing(word string) bool {
	return !lex.Function(word) && !slices.Contains([]string{"already", "now", "today", "yet", "currently", "right", "since", "before", "per", "for", "and", "but"}, word)
}
