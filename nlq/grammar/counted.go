package grammar

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// countedTable returns the table of a path whose rows a select counts: the one that
// the question names as counted, or else the one that the derivation counts. It
// returns -1 when neither can be, for each group has but one of its rows.
func (b *builder) countedTable(p *part, w joinPath) int {
	cues := countCues
	switch {
	case len(p.Group) == 0:
	case p.Having != nil:
		cues = slices.Concat(cues, endCues, []cue{numberCue})
	default:
		cues = slices.Concat(cues, endCues)
	}
	for _, noun := range b.countedNouns(cues) {
		t := b.nounTable(noun, w.tables)
		if t >= 0 && !b.groupsByKey(p, w, t) {
			return t
		}
	}
	star := p.starTable()
	if star < 0 || b.groupsByKey(p, w, star) {
		return -1
	}
	return star
}

// starTable returns the one table whose rows a derivation counts; -1 when it counts
// rows of several, or none.
func (p *part) starTable() int {
	if len(p.counted) == 0 || slices.ContainsFunc(p.counted, func(t int) bool { return t != p.counted[0] }) {
		return -1
	}
	return p.counted[0]
}

// groupsByKey reports whether a select has a group for each row of a table: by its
// key, by a column that is joined with it, or by what people call its rows.
func (b *builder) groupsByKey(p *part, w joinPath, table int) bool {
	for i := range w.on {
		x, y := w.join(i)
		for _, ends := range [][2]pathEnd{{x, y}, {y, x}} {
			same := ends[0].table == table && b.schema.Columns[ends[0].column].Key()
			if same && slices.Contains(p.Group, tree.Expr(columnOf(b.schema, ends[1].column))) {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.Group, func(g tree.Expr) bool {
		c, ok := g.(tree.Column)
		return ok && c.Source == b.schema.Tables[table].Path.Dataset && (b.isKey(table, c) || b.isLabel(table, c))
	})
}

// isLabel reports whether people call the rows of a table by a column.
func (b *builder) isLabel(table int, column tree.Column) bool {
	labels := schema.View{Schema: b.schema}.LabelsOf(table)
	return slices.ContainsFunc(labels, func(id int) bool { return b.schema.Columns[id].Name == column.Name })
}

// mentionCounted adds the table that the question counts the rows of to those of a
// select that counts rows linked to it instead: the ships that arrived, not the
// arrivals.
func (b *builder) mentionCounted(p *part) {
	if b.depth > 1 || len(p.Group) > 0 || len(p.Items) != 1 || !isStarCount(p.Items[0].Expr) {
		return
	}
	for _, noun := range b.countedNouns(countCues) {
		if b.nounTable(noun, p.tables) >= 0 {
			return
		}
		for _, l := range b.schema.Links {
			one := b.schema.Columns[l.To]
			linked := b.schema.Columns[l.From].Table == p.starTable() && one.Key()
			if linked && b.nounTable(noun, []int{one.Table}) >= 0 {
				p.mention(one.Table)
				return
			}
		}
	}
}

// cue reports whether what is counted is named behind a word of the question; both
// are in lower case, and before is empty for the first.
type cue func(before, word string) bool

var (
	countCues = []cue{
		func(before, word string) bool { return before == "how" && word == "many" },
		func(before, word string) bool { return before == "number" && word == "of" },
		func(_, word string) bool { return word == "count" },
	}
	endCues = []cue{
		func(_, word string) bool { return english.ManyEnds.Has(word) || english.FewEnds.Has(word) },
	}
	numberCue = func(_, word string) bool {
		_, ok := lex.Number(word)
		return ok
	}
)

// countedNouns returns the words of the question that may name what is counted: those
// behind a cue, up to the next word that only holds the sentence together.
func (b *builder) countedNouns(cues []cue) (nouns [][]int) {
	words := lex.Lower(b.question.Tokens)
	before := ""
	for i, word := range words {
		if slices.ContainsFunc(cues, func(c cue) bool { return c(before, word) }) {
			if noun := nounAfter(words, i); len(noun) > 0 {
				nouns = append(nouns, noun)
			}
		}
		before = word
	}
	return nouns
}

// nounAfter returns the words from one on that may be a noun and what is said of it.
func nounAfter(words []string, at int) (noun []int) {
	const longest = 4
	for i := at + 1; i < len(words) && len(noun) < longest; i++ {
		switch word := words[i]; {
		case english.CountFillers.Has(word) && len(noun) == 0:
		case lex.Function(word) || strings.Trim(word, ".,;:?!()") == "":
			return noun
		default:
			noun = append(noun, i)
		}
	}
	return noun
}

// nounTable returns the one of some tables that a noun names: by its own name, or by
// a kind of rows that it has; -1 when it names none.
func (b *builder) nounTable(noun []int, tables []int) int {
	named := -1
	for _, at := range noun {
		word := english.Singular(strings.ToLower(b.question.Tokens[at].Text))
		for _, t := range tables {
			if words := b.schema.Tables[t].Words; len(words) > 0 && english.Singular(words[len(words)-1]) == word {
				named = t
			}
		}
	}
	if named >= 0 {
		return named
	}
	return b.kindTable(noun, tables)
}

// kindTable returns the one of some tables that has a column of kinds, one of which
// is named by a noun: tankers, among ships.
func (b *builder) kindTable(noun []int, tables []int) int {
	var column *schema.Column
	for i, t := range b.tokens {
		switch {
		case t.Kind == Column:
			column = &b.schema.Columns[t.ID]
		case t == symbol(symSpan) && column != nil && !column.Key():
			first, last := b.tokens[i+1].ID, b.tokens[i+2].ID
			if slices.Contains(tables, column.Table) && slices.ContainsFunc(noun, func(at int) bool { return at >= first && at <= last }) {
				return column.Table
			}
		}
	}
	return -1
}
