package embedded

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern/nlq"
	"quern/nlq/lex"
)

// pronouns are the words by which a question refers back.
var pronouns = regexp.MustCompile(`(?i)\b(they|them|their|theirs|those|these|it|its|he|she|him|his|her|ones?|of which)\b`)

// wording is how a question names the rows that it refers back to: MANY and ONE
// stand for what the rows are called.
type wording struct {
	said *regexp.Regexp
	as   string
	// asked allows that the question names other rows before, as in "which orders
	// did they place?".
	asked bool
	// loose says that the rows are not named, so that a condition of the question
	// takes the place of theirs: "how many are from Oslo?".
	loose bool
}

func say(said, as string) wording { return wording{said: regexp.MustCompile(`(?i)` + said), as: as} }

// wordings are tried in this order; each may apply.
var wordings = []wording{
	say(`^of (?:which|them|those|these),? (how many|which|what|who)\b`, "$1 MANY"),
	say(`\bwho of (?:them|those|these)\b`, "which MANY"),
	say(`\b(how many|which|what|any|some|all|each|none|most|many|list|show|count|give|me) (?:ones? )?of (?:them|those|these|which)\b`, "$1 MANY"),
	say(`\bof (?:them|those|these)\b`, "of MANY"),
	{said: regexp.MustCompile(`(?i)^(how many|which) (are|were|have|had|do|did|come|came|live|lived|cost|in|from|with|without|since|before|after|over|under)\b`), as: "$1 MANY $2", loose: true},
	say(`\b(?:which|what) ones\b`, "which MANY"),
	say(`\b(?:which|what) one\b`, "which ONE"),
	say(`\bthe (\w+) ones\b`, "the $1 MANY"),
	say(`\bthe (\w+) one\b`, "the $1 ONE"),
	{said: regexp.MustCompile(`(?i)^((?:on |in |for |at |to |with |from )?(?:which|what|how|when|where|whose)\b[^,]*? (?:do|did|does|are|were|have|had|has|can|could|will|would)) (?:they|those|these)\b`), as: "$1 MANY", asked: true},
	{said: regexp.MustCompile(`(?i)^((?:on |in |for |at |to |with |from )?(?:which|what|how|when|where|whose)\b[^,]*? (?:did|does|is|was|has|had|can|could|will|would)) (?:it|he|she)\b`), as: "$1 the ONE", asked: true},
	say(`\b(?:they|them|those|these)\b`, "MANY"),
	say(`\b(?:it|he|she|him)\b`, "the ONE"),
	say(`\btheir ([\w ]+?)((?: in total| on average| altogether| overall| together)?[ ?.!]*)$`, "the $1 of MANY$2"),
	say(`\b(?:its|his|her) ([\w ]+?)([ ?.!]*)$`, "the $1 of the ONE$2"),
	say(`\btheirs?\b`, "ONE"),
	say(`\b(?:its|his|her)\b`, "ONE"),
}

var (
	// opening are words before a follow-up that say nothing of it.
	opening = regexp.MustCompile(`(?i)^(?:(?:and|but|so|now|then|ok|okay|also|please)\b[, ]*)+`)
	// wish is how a question or a wish begins; other follow-ups change the query.
	wish = regexp.MustCompile(`(?i)^(?:(?:on|in|for|at|to|with|from|of|by) (?:which|what|whom|how|them|those|these)|how|what|what's|which|who|who's|whom|whose|when|where|is|are|was|were|do|does|did|has|have|can|could|list|show|give|tell|find|count|display|name|calculate|compute|get|sum|their|its|his|her)\b`)
	// clearly is how a question refers back whatever else it says.
	clearly = regexp.MustCompile(`(?i)\b(?:(?:how many|which|who|what) of (?:them|those|these)|(?:do|did|does|are|were|have|had) they|(?:which|what) ones?)\b`)
	// fragment is how a follow-up begins that is no question without the one before.
	fragment = regexp.MustCompile(`(?i)^(?:only|just|except|excluding|without|but not) `)
	// superlative is a follow-up that asks for the first of the same rows by
	// another measure.
	superlative = regexp.MustCompile(`(?i)^(?:(?:what|how) about |who is |who's |which is |what is |what's )?the ((?:most|least) \w+|\w{2,}est)(?: one| ones)?[ ?.!]*$`)
)

// referring reads a question that refers back to the rows of the previous query:
// as one that names them, of those rows alone. ok is false when it stands on its
// own.
func (r *reader) referring(ctx context.Context) (t nlq.Translation, ok bool, err error) {
	if r.question.Previous == nil || !strings.Contains(strings.TrimSpace(r.question.Text), " ") {
		return t, false, nil
	}
	ref, ok := r.referent()
	if !ok {
		lost := clearly.MatchString(r.question.Text) && !r.namesTable(r.question.Text)
		return ask(r.unrelated()), lost, nil
	}
	text, ok := ref.spelled(r.question.Text)
	if !ok {
		lost := fragment.MatchString(opening.ReplaceAllString(r.question.Text, "")) && !r.namesTable(r.question.Text)
		return ask(r.unrelated()), lost, nil
	}
	rest := *r
	rest.question.Text, rest.among = text, ref
	t, err = rest.alone(ctx)
	return t, true, err
}

// spelled writes a question with the name of what it refers to. ok is false when
// it does not refer back.
func (ref *reference) spelled(text string) (string, bool) {
	said := opening.ReplaceAllString(strings.TrimSpace(text), "")
	many, one := ref.names()
	if m := superlative.FindStringSubmatch(said); m != nil {
		ref.rows.Limit = nil
		return "Which " + one + " is the " + m[1] + "?", ref.rows.Select != nil
	}
	if !wish.MatchString(said) {
		return "", false
	}
	named := strings.NewReplacer("MANY", many, "ONE", one)
	changed := said
	for _, w := range wordings {
		at := w.said.FindStringSubmatchIndex(changed)
		if at == nil || !ref.back(changed[:at[0]], changed[at[0]:at[1]], w.asked) || w.loose && ref.reader.namesTable(changed) {
			continue
		}
		ref.loose = ref.loose || w.loose
		as := string(w.said.ExpandString(nil, named.Replace(w.as), changed, at))
		changed = changed[:at[0]] + as + doubled(changed[at[1]:], many, one)
	}
	return changed, changed != said
}

// doubled leaves out the name behind a pronoun that was replaced by it: "those
// orders" are orders.
func doubled(rest, many, one string) string {
	for _, name := range []string{many, one} {
		if len(rest) > len(name) && strings.EqualFold(rest[1:len(name)+1], name) {
			return rest[len(name)+1:]
		}
	}
	return rest
}

// back reports whether a pronoun refers back, and not to what the question names
// before it.
func (ref *reference) back(before, said string, asked bool) bool {
	if asked {
		return ref.reader.mention(said, ref.table) < 0
	}
	if ref.reader.namesTable(before) {
		return false
	}
	tokens := lex.Tokens(before)
	return !slices.ContainsFunc(tokens[min(1, len(tokens)):], func(t lex.Token) bool {
		return t.Text != strings.ToLower(t.Text) || t.Text == `"`
	})
}

// namesTable reports whether a text names a table.
func (r *reader) namesTable(text string) bool {
	for i := range r.whole.Tables {
		if r.mention(text, i) >= 0 {
			return true
		}
	}
	return false
}
