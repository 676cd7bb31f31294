package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// pronouns are the words by which a question refers back.
var pronouns = english.Pronouns.Finder()

// wording is how a question names the rows that it refers back to. In its
// replacement MANY and ONE stand for what the rows are called.
type wording struct {
	pattern     *regexp.Regexp
	replacement string
	// otherRows allows that the question names other rows before, as in "which
	// orders did they place?".
	otherRows bool
	// unnamed says that the rows are not named at all, so that a condition of the
	// question takes the place of theirs: "how many are from Oslo?".
	unnamed bool
}

// The pronouns for many rows and for one, as patterns.
var (
	plural   = english.PluralPronouns.Pattern()
	singular = english.SingularPronouns.Pattern()
)

// wordings are tried in this order; each may apply.
var wordings = []wording{
	say(`^of (?:which|`+plural+`),? (?P<ask>how many|which|what|who)\b`, "${ask} MANY"),
	say(`\bwho of `+plural+`\b`, "which MANY"),
	say(`\b(?P<ask>how many|which|what|any|some|all|each|none|most|many|list|show|count|give|me)`+
		` (?:ones? )?of (?:which|`+plural+`)\b`, "${ask} MANY"),
	say(`\bof `+plural+`\b`, "of MANY"),
	{pattern: insensitive(`^(?P<ask>how many|which) (?P<verb>are|were|have|had|do|did|come|came|live|lived|cost|in|from|with|without|since|` +
		`before|after|over|under)\b`), replacement: "${ask} MANY ${verb}", unnamed: true},
	say(`\b(?:which|what) ones\b`, "which MANY"),
	say(`\b(?:which|what) one\b`, "which ONE"),
	say(`\bthe (?P<kind>\w+) ones\b`, "the ${kind} MANY"),
	say(`\bthe (?P<kind>\w+) one\b`, "the ${kind} ONE"),
	{pattern: insensitive(`^(?P<ask>` + askingStart + ` (?:do|did|does|are|were|have|had|has|can|could|will|would)) (?:they|those|these)\b`),
		replacement: "${ask} MANY", otherRows: true},
	{pattern: insensitive(`^(?P<ask>` + askingStart + ` (?:did|does|is|was|has|had|can|could|will|would)) (?:it|he|she)\b`),
		replacement: "${ask} the ONE", otherRows: true},
	say(`\b`+plural+`\b`, "MANY"),
	say(`\b`+singular+`\b`, "the ONE"),
	say(`\btheir (?P<what>[\w ]+?)(?P<end>(?: in total| on average| altogether| overall| together)?[ ?.!]*)$`, "the ${what} of MANY${end}"),
	say(`\b(?:its|his|her) (?P<what>[\w ]+?)(?P<end>[ ?.!]*)$`, "the ${what} of the ONE${end}"),
	say(`\btheirs?\b`, "ONE"),
	say(`\b(?:its|his|her)\b`, "ONE"),
}

// askingStart is how a question begins whose verb comes later.
const askingStart = `(?:on |in |for |at |to |with |from )?(?:which|what|how|when|where|whose)\b[^,]*?`

func insensitive(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + pattern) }

func say(pattern, replacement string) wording {
	return wording{pattern: insensitive(pattern), replacement: replacement}
}

var (
	// opening are words before a follow-up that say nothing of it.
	opening = insensitive(`^(?:` + english.Openers.Pattern() + `\b[, ]*)+`)
	// request is how a question or a wish begins; other follow-ups change the query.
	request = insensitive(`^(?:(?:on|in|for|at|to|with|from|of|by) (?:which|what|whom|how|` + plural + `)|` +
		english.Interrogatives.With(english.Auxiliaries, english.Commands, english.Possessives).Pattern() + `)\b`)
	// backReference is how a question refers back whatever else it says.
	backReference = insensitive(`\b(?:(?:how many|which|who|what) of ` + plural +
		`|(?:do|did|does|are|were|have|had) they|(?:which|what) ones?)\b`)
	// fragment is how a follow-up begins that is no question without the one before.
	fragment = insensitive(`^` + english.Fragments.Pattern() + ` `)
	// isThat is how a question asks what the rows before come to.
	isThat = insensitive(`\b(?:is|are|was|were|does|do) (?:that|this)(?: \w+){0,3}[ ?.!]*$`)
	// beginsWithAnd is how a follow-up begins that goes on from the question before.
	beginsWithAnd = insensitive(`^and\b`)
	// superlative is a follow-up that asks for the first of the same rows by another
	// measure.
	superlative = insensitive(`^(?:(?:what|how) about |who is |who's |which is |what is |what's )?the ` +
		`(?P<most>(?:most|least) \w+|\w{2,}est)(?: one| ones)?[ ?.!]*$`)
)

var (
	// hanging finds the words by which a text goes on from the one before it.
	hanging = insensitive(`^(?:` + english.Openers.With(english.Suggestions, english.Fragments).Pattern() + `|same|the same|not|or)\b` +
		`|\b(?:instead|too|as well|there|then|each|that|this|only|again)[ ?.!]*$` +
		`|\b(?:is|was|are|were|do|does|did|of|for|in|from|to|than|has|had|have) (?:that|this|it|he|she|they|them|those|these)\b` +
		`|\b(?:it|them|they|she|he)\b|\b(?:from|in|at) there\b|\b(?:that|this) (?:much|many|one)\b|\bones?\b`)
	// existential is "there" that refers to nothing.
	existential = insensitive(`\b(?:is|are|was|were) there\b`)
)

// Hangs reports whether a text seems to go on from the one before it: it says so, it
// refers to something that it does not name, or it is hardly a question by itself.
func Hangs(v schema.View, text string) bool {
	const fewest = 5 // words of a question that names no table
	text = existential.ReplaceAllString(strings.TrimSpace(text), "")
	if asksBack.MatchString(text) {
		return true
	}
	at := hanging.FindStringIndex(text)
	if at == nil {
		return len(strings.Fields(text)) < fewest && (!v.MentionsTable(text) || beside.MatchString(text))
	}
	return at[0] == 0 || !v.MentionsTable(asked.ReplaceAllString(text[:at[0]], ""))
}

var (
	// asksBack finds words that refer to something before, whatever the text names.
	asksBack = insensitive(`^(?:which|what|who|whose|where|when|how)(?: \w+){0,2} (?:is|was|are|were|do|does|did|has|had|have) (?:that|this|it|they|those|these|he|she)\b` +
		`|\b(?:from|in|at|to) there\b|\b(?:that|this) (?:much|many)\b|\beach of (?:them|those|these)\b`)
	// beside is how a short text begins that says of which rows, or by what.
	beside = insensitive(`^(?:` + english.GroupCues.Pattern() + `|in|for|from|with|without|at|on|since|before|after|over|under|of)\b`)
	// asked is what a question asks for, which its pronouns do not mean.
	asked = insensitive(`^(?:and |so |but )?(?:how many|how much|which|what|whose) \w+`)
)

// Reference is a question about the rows of the turn before it, as one that stands
// on its own.
type Reference struct {
	Text string // the question with the name of the rows instead of a pronoun
	Rows *Rows  // what its readings are to be restricted to
}

// Refer reads a question that refers back to the rows of the previous turn; nil
// when it stands on its own. lost reports that it does refer back, but to rows
// that nothing can tell.
func Refer(v schema.View, turn nlq.Turn, text string) (ref *Reference, lost bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, " ") {
		return nil, false
	}
	rows, ok := RowsOf(v, turn.Query, turn.Question)
	if !ok {
		return nil, backReference.MatchString(text) && !v.MentionsTable(text)
	}
	resolved, ok := rows.resolvePronouns(text)
	if !ok {
		said := opening.ReplaceAllString(text, "")
		goesOn := fragment.MatchString(said) || isThat.MatchString(said) || beginsWithAnd.MatchString(text) && !request.MatchString(said)
		return nil, goesOn && !v.MentionsTable(text)
	}
	return &Reference{Text: resolved, Rows: rows}, false
}

// resolvePronouns returns a question with the name of the rows instead of the
// words that refer to them; ok is false when it does not refer back.
func (r *Rows) resolvePronouns(text string) (resolved string, ok bool) {
	said := opening.ReplaceAllString(text, "")
	many, one := r.names()
	if m, ok := english.Groups(superlative, said); ok {
		r.query.Limit = nil
		return "Which " + one + " is the " + m.Text("most") + "?", r.query.Select != nil
	}
	if !request.MatchString(said) {
		return "", false
	}
	named := strings.NewReplacer("MANY", many, "ONE", one)
	changed := said
	for _, w := range wordings {
		m, ok := english.Groups(w.pattern, changed)
		other := w.unnamed && r.view.MentionsTable(changed)
		if !ok || other {
			continue
		}
		from, to := m.Span("")
		if !r.refersBack(changed[:from], changed[from:to], w.otherRows) {
			continue
		}
		r.replaceable = r.replaceable || w.unnamed
		changed = changed[:from] + m.Expand(named.Replace(w.replacement)) + cutName(changed[to:], many, one)
	}
	return changed, changed != said
}

// cutName leaves out the name behind a pronoun that was replaced by it: "those
// orders" are orders.
func cutName(rest, many, one string) string {
	for _, name := range []string{many, one} {
		if len(rest) > len(name) && strings.EqualFold(rest[1:len(name)+1], name) {
			return rest[len(name)+1:]
		}
	}
	return rest
}

// refersBack reports whether a pronoun refers to the rows before, and not to what
// the question names in front of it.
func (r *Rows) refersBack(before, said string, otherRows bool) bool {
	if otherRows {
		return r.view.Mention(said, r.Table) < 0
	}
	if r.view.MentionsTable(before) {
		return false
	}
	tokens := lex.Tokens(before)
	return !slices.ContainsFunc(tokens[min(1, len(tokens)):], func(t lex.Token) bool {
		return t.Text != strings.ToLower(t.Text) || t.Text == `"`
	})
}
