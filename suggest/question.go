package suggest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/ask"
	"quern/english"
	"quern/nlq"
	"quern/nlq/judge"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/propose"
	"quern/query"
	"quern/tree"
)

const (
	// leastSure is how sure the translator must be of a question that is offered.
	leastSure = 0.6
	// mostRows is how many rows a question that is offered may find.
	mostRows = 200
	// fewest and mostGroups are how many different values a column has that things are
	// grouped by.
	fewest, mostGroups = 2, 30
)

// idea is a question that may be offered, and the query that it is meant to be.
type idea struct{ text, query string }

// questions returns questions that the translator reads as they are meant, and that
// find something: verified ones first, then some about every dataset in turn.
func (s *Service) questions(ctx context.Context, p quern.Principal, in *scene, whole *schema.Schema) ([]Question, error) {
	model, err := s.o.Models.Model(ask.Embedded, ask.Embedded)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	t := &trier{service: s, principal: p, in: in.in, translator: model.Translator}
	made := []Question{}
	for _, i := range s.ideas(in, whole) {
		if len(made) == mostQuestions || t.tried == mostTried {
			break
		}
		q, ok, err := t.try(limited, i)
		if limited.Err() != nil {
			break // what is found by now is offered
		}
		if err != nil {
			return nil, err
		}
		if ok {
			made = append(made, q)
		}
	}
	return made, context.Cause(ctx)
}

// trier asks questions as somebody.
type trier struct {
	service    *Service
	principal  quern.Principal
	in         quern.NamespacePath
	translator nlq.Translator
	tried      int
}

// try asks a question; ok is false when it is not to be offered.
func (t *trier) try(ctx context.Context, i idea) (q Question, ok bool, err error) {
	t.tried++
	read, err := t.translator.Translate(ctx, t.principal, nlq.Question{In: t.in, Text: i.text, Now: t.service.o.Now()})
	if err != nil || read.Query == nil || read.Doubt || read.Confidence < leastSure {
		return q, false, err
	}
	want, err := t.rows(ctx, i.query)
	if err != nil || len(want) == 0 || len(want) > mostRows {
		return q, false, ignoreInvalid(err)
	}
	got, err := t.rows(ctx, read.SQL)
	if err != nil || !judge.Same(want, got, judge.Order{}) {
		return q, false, ignoreInvalid(err)
	}
	return Question{i.text, read.SQL, len(got)}, true, nil
}

// ignoreInvalid lets a query pass that cannot run: its question is not offered.
func ignoreInvalid(err error) error {
	if quern.Is(err, quern.Invalid) {
		return nil
	}
	return err
}

func (t *trier) rows(ctx context.Context, sql string) ([][]any, error) {
	return judge.Rows(ctx, t.service.o.Query, t.principal, query.Request{In: t.in, SQL: sql, MaxRows: mostRows + 1})
}

// ideas returns what may be asked, a few of each dataset in turn.
func (s *Service) ideas(in *scene, whole *schema.Schema) []idea {
	var lists [][]idea
	var verified []idea
	for _, v := range in.current.Verified {
		verified = append(verified, idea{v.Filled(v.Questions[0]), v.Query})
	}
	lists = append(lists, verified)
	for i := range whole.Tables {
		if whole.Tables[i].Rows > 0 {
			lists = append(lists, about(whole, i))
		}
	}
	var all []idea
	for turn := 0; ; turn++ {
		before := len(all)
		for _, list := range lists {
			if turn < len(list) {
				all = append(all, list[turn])
			}
		}
		if len(all) == before {
			break
		}
	}
	// Those with names that nobody would say come last.
	slices.SortStableFunc(all, func(a, b idea) int { return cmp.Compare(unspoken(a.text), unspoken(b.text)) })
	return all
}

// unspoken counts the words of a text that are parts of names rather than words.
func unspoken(text string) int {
	n := 0
	for _, w := range strings.Fields(strings.Trim(text, "?")) {
		if len(w) == 1 && w != "a" || len(w) == 2 && !lex.Function(w) {
			n++
		}
	}
	return n
}

// about returns questions about a dataset: how many rows there are, in all and of each
// kind, the sum, the average and the ends of what is measured, and rows of a kind.
func about(whole *schema.Schema, table int) []idea {
	t := whole.Tables[table]
	things := plural(t.Words)
	from := propose.Quoted(t.Path.Dataset)
	var kinds, measures []schema.Column
	for _, c := range whole.Columns[t.First : t.First+t.Len] {
		switch {
		case c.Formula != nil || c.Key() || len(c.Words) == 0:
		case c.Type == quern.Text && c.Distinct >= fewest && c.Distinct <= mostGroups:
			kinds = append(kinds, c)
		case c.Type.Numeric() && !isName(c) && c.Distinct > fewest:
			measures = append(measures, c)
		}
	}
	all := []idea{{fmt.Sprintf("how many %s are there?", things), "SELECT count(*) FROM " + from}}
	for i := range max(len(kinds), len(measures)) {
		if i < len(kinds) {
			all = append(all, ofKind(kinds[i], things, from)...)
		}
		if i < len(measures) {
			all = append(all, ofMeasure(measures[i], from))
		}
		if i < len(kinds) && i < len(measures) {
			name, value := spoken(kinds[i]), spoken(measures[i])
			all = append(all, idea{fmt.Sprintf("what is the average %s per %s?", value, name),
				fmt.Sprintf("SELECT %s, avg(%s) FROM %s GROUP BY %[1]s", propose.Quoted(kinds[i].Name), propose.Quoted(measures[i].Name), from)})
		}
	}
	return all
}

// ofKind returns questions about the kinds of rows.
func ofKind(c schema.Column, things, from string) []idea {
	all := []idea{{fmt.Sprintf("how many %s are there per %s?", things, spoken(c)),
		fmt.Sprintf("SELECT %s, count(*) FROM %s GROUP BY %[1]s", propose.Quoted(c.Name), from)}}
	if c.Values == nil {
		return all
	}
	for _, v := range c.Values.Sample(1) {
		all = append(all, idea{fmt.Sprintf("how many %s have the %s %s?", things, spoken(c), v),
			fmt.Sprintf("SELECT count(*) FROM %s WHERE %s = '%s'", from, propose.Quoted(c.Name), strings.ReplaceAll(v, "'", "''"))})
	}
	return all
}

// ofMeasure returns a question about a number: its sum, or its average where sums make
// no sense.
func ofMeasure(c schema.Column, from string) idea {
	word, function := "average", "avg"
	if last := c.Words[len(c.Words)-1]; (english.Summed.Has(last) || english.Money.Has(last) || english.Quantities.Has(last)) && len(c.Never) == 0 {
		word, function = "total", string(tree.Sum)
	}
	return idea{fmt.Sprintf("what is the %s %s?", word, spoken(c)), fmt.Sprintf("SELECT %s(%s) FROM %s", function, propose.Quoted(c.Name), from)}
}

// isName reports whether the numbers of a column are names.
func isName(c schema.Column) bool {
	last := c.Words[len(c.Words)-1]
	return english.Identifiers.Has(last) || english.KeyNames.Has(last)
}

// plural returns what the rows of a dataset are called, several of them.
func plural(words []string) string {
	if len(words) == 0 {
		return "rows"
	}
	last := len(words) - 1
	return strings.Join(append(slices.Clone(words[:last]), english.Plural(english.Singular(words[last]))), " ")
}

func spoken(c schema.Column) string { return strings.Join(c.Words, " ") }
