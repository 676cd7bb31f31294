package apart

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// mayCompare finds a word that may be a comparative.
	mayCompare = regexp.MustCompile(`(?i)\b(?P<more>more|less|fewer|[a-z]{3,}er)\b(?: (?P<adjective>expensive|popular|recent|valuable|profitable|experienced|frequent|common)\b)?`)
	// asksWhether begins a question that yes or no would answer.
	asksWhether = regexp.MustCompile(`(?i)^\W*(?:(?:and|so) )*(?P<verb>did|does|do|has|have|had|is|was|are|were)(?: the)?\s*$`)
	// between stands between two values that are compared, or offered.
	between = regexp.MustCompile(`(?i)(?P<or> or (?:the |did |does |has |is |was )?)|(?P<more> (?:more|less) \w+| \w{3,}er) than (?:the )?`)
	// doneMore asks whether more was done with one than with another: did we spend more on.
	doneMore = regexp.MustCompile(`(?i)^\W*(?P<done>(?:did|do|does|have|has) (?:we|i|they|you|people|customers|clients|members) [^?]*?\bmore\b[^?]*?) (?:on|in|at|from|with|to|for|by)(?: the)?\s*$`)
	// isItMore asks which of two is more, to somebody who does something with it: is it cheaper to buy.
	isItMore = regexp.MustCompile(`(?i)^\W*(?:is it|what is|what's|whats) (?P<more>(?:more|less) \w+|[a-z]{3,}er)(?: to \w+)?[\s,:]*$`)
	// nounless asks which, and does not say of what.
	nounless = regexp.MustCompile(`(?i)^\W*(?:which|what)(?:'s)? (?:one |of them )?(?P<verb>is|was|are|were|costs?|has|had|sells?|sold|earns?|earned|made|makes|takes?|took|lasts?|weighs?|got|gets?|brought|brings?)\b`)
)

// offered are two values of one column between which a text asks to choose.
type offered struct {
	column   int
	one, two string
	ask      string // what it asks of them, without them
}

// readWhichOf reads a text that asks which of two is more of something, by their names: as the text
// that asks which is the most, of these two alone. Whoever asks whether one is more than the other is
// told which is. ok is false when it is no such text.
func (r Reader) readWhichOf(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	choice, ok := r.offeredIn(w.Text)
	if !ok {
		return t, false, nil
	}
	as := superlative(choice.ask)
	return r.reread(ctx, w, as+"?", func(q *tree.Query) bool { return r.chooseOf(q, choice) })
}

// offeredIn returns the two values that a text offers.
func (r Reader) offeredIn(text string) (choice offered, ok bool) {
	const longest = 300 // bytes of a text that offers two
	if len(text) > longest || !isComparing(text) {
		return choice, false
	}
	text = strings.TrimRight(text, " ?!.")
	for _, at := range between.FindAllStringSubmatchIndex(text, -1) {
		m, _ := english.Groups(between, text[at[0]:at[1]])
		before, after := text[:at[0]], text[at[1]:]
		for id, c := range r.Whole.Columns {
			if c.Type != quern.Text || c.Values == nil || len(c.Words) == 0 {
				continue
			}
			one, okOne := valueAtEnd(c, before)
			two, okTwo := valueAtStart(c, after)
			if !okOne || !okTwo || one.value == two.value {
				continue
			}
			choice = offered{column: id, one: one.value, two: two.value}
			if choice.ask, ok = r.askOf(c, before[:one.start], strings.TrimSpace(m.Text("more")), after[two.end:]); ok {
				return choice, true
			}
		}
	}
	return choice, false
}

// askOf returns what a text asks of two values of a column, by what stands before them, between them
// and behind them.
func (r Reader) askOf(c schema.Column, before, than, behind string) (ask string, ok bool) {
	noun := c.Words[len(c.Words)-1]
	if words := r.Whole.Tables[c.Table].Words; english.Labels.Has(noun) && len(words) > 0 {
		noun = english.Singular(words[len(words)-1])
	}
	m, isWhether := english.Groups(asksWhether, before)
	switch {
	case isWhether && than != "":
		return "which " + noun + " " + m.Text("verb") + " " + than + behind, true
	case than != "":
		return "", false
	case isWhether && isComparing(behind):
		verb := m.Text("verb")
		if strings.HasPrefix(strings.ToLower(verb), "d") {
			verb = ""
		}
		return strings.Join(strings.Fields("which "+noun+" "+verb+" "+behind), " "), true
	case !isComparing(before):
		return "", false
	}
	if m, ok := english.Groups(doneMore, before); ok {
		return "which " + noun + " " + strings.TrimSpace(m.Text("done")) + behind, true
	}
	if strings.TrimSpace(behind) != "" {
		return "", false
	}
	if m, ok := english.Groups(isItMore, before); ok {
		return "which " + noun + " is " + m.Text("more"), true
	}
	ask = strings.TrimRight(before, " ,:-")
	if m, ok := english.Groups(nounless, ask); ok {
		at, _ := m.Span("verb")
		ask = "which " + noun + " " + ask[at:]
	}
	return ask, true
}

// comparative returns where the last comparative of a text is; ok is false where it has none. A customer
// is no more of something.
func comparative(text string) (m english.Match, start int, ok bool) {
	all := mayCompare.FindAllStringIndex(text, -1)
	for _, at := range slices.Backward(all) {
		m, _ = english.Groups(mayCompare, text[at[0]:at[1]])
		word := strings.ToLower(m.Text("more"))
		_, _, isEnd := english.End(superlativeOf(word))
		if isEnd || word == "more" || english.More.Has(word) && word != "over" && word != "after" || english.Less.Has(word) && word != "under" {
			return m, at[0], true
		}
	}
	return m, 0, false
}

func isComparing(text string) bool {
	_, _, ok := comparative(text)
	return ok
}

// superlative returns a text with its comparative as a superlative: who took the most.
func superlative(ask string) string {
	m, at, ok := comparative(ask)
	if !ok {
		return ask
	}
	start, end := m.Span("")
	start, end = start+at, end+at
	by := map[string]string{"more": "most", "less": "least", "fewer": "fewest"}[strings.ToLower(m.Text("more"))]
	switch {
	case by == "":
		by = superlativeOf(strings.ToLower(m.Text("more")))
	case m.Has("adjective"):
		by += " " + m.Text("adjective")
	}
	return ask[:start] + "the " + by + ask[end:]
}

// chooseOf holds a query for the first of all to two.
func (r Reader) chooseOf(q *tree.Query, choice offered) bool {
	s := q.Select
	if s == nil || q.Limit == nil || len(q.Order) != 1 || s.Having != nil {
		return false
	}
	c := r.Whole.Columns[choice.column]
	for _, source := range s.From {
		for _, id := range r.Whole.ColumnsOf(source) {
			column := tree.Column{Source: source.Ref(), Name: r.Whole.Columns[id].Name}
			shown := slices.ContainsFunc(s.Items, func(i tree.Item) bool { return i.Expr == tree.Expr(column) })
			one, two, has := choice.one, choice.two, true
			if id != choice.column {
				one, two, has = bothIn(r.Whole.Columns[id], choice)
			}
			if !has || id != choice.column && !shown {
				continue
			}
			if !shown && len(s.Group) > 0 && !c.Key() {
				continue
			}
			values := []tree.Literal{{Kind: tree.Text, Text: one}, {Kind: tree.Text, Text: two}}
			s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.In{Expr: column, List: values})...)
			return true
		}
	}
	return false
}

// bothIn returns two values as another column has them.
func bothIn(c schema.Column, choice offered) (one, two string, ok bool) {
	if c.Values == nil {
		return "", "", false
	}
	one, okOne := c.Values.Alike(schema.KeyOf(choice.one))
	two, okTwo := c.Values.Alike(schema.KeyOf(choice.two))
	return one, two, okOne && okTwo
}

// valueAtEnd returns the value of a column that a text ends in, the longest.
func valueAtEnd(c schema.Column, text string) (found saidValue, ok bool) {
	return valueWhere(c, text, func(v saidValue) bool { return strings.Trim(text[v.end:], " ,") == "" })
}

// valueAtStart returns the value of a column that a text begins with, the longest.
func valueAtStart(c schema.Column, text string) (found saidValue, ok bool) {
	return valueWhere(c, text, func(v saidValue) bool { return strings.TrimSpace(text[:v.start]) == "" })
}
