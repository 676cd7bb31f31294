package embedded

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"quern/english"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

const (
	// mostPatterns is how many wordings are kept taken apart.
	mostPatterns = 20_000
	// longestParameter is the most words that a parameter takes.
	longestParameter = 7
	// patternConfidence is how sure an answer after a pattern is.
	patternConfidence = 0.7
)

// pattern is a wording of a verified question, taken apart.
type pattern struct {
	words      []patternWord // those that say something, in their order
	parameters []string
}

// patternWord is a word of a wording that says something.
type patternWord struct{ text, stem string }

// patterns keeps wordings that were taken apart.
type patterns struct {
	mu  sync.Mutex
	all map[string]*pattern
}

func (p *patterns) of(wording string) *pattern {
	p.mu.Lock()
	defer p.mu.Unlock()
	if made := p.all[wording]; made != nil {
		return made
	}
	if p.all == nil || len(p.all) >= mostPatterns {
		p.all = map[string]*pattern{}
	}
	made := &pattern{}
	rest := wording
	for {
		before, behind, ok := strings.Cut(rest, "{")
		made.words = append(made.words, tellingWords(before)...)
		if !ok {
			break
		}
		name, after, _ := strings.Cut(behind, "}")
		made.parameters = append(made.parameters, name)
		rest = after
	}
	p.all[wording] = made
	return made
}

// tellingWords returns the words of a text that say something, questions, negations
// and comparisons among them.
func tellingWords(text string) []patternWord {
	var all []patternWord
	for _, t := range lex.Lower(lex.Tokens(text)) {
		if isTelling(t) {
			all = append(all, patternWord{t, english.Stem(t)})
		}
	}
	return all
}

var tellingFunctions = english.Telling

func isTelling(word string) bool {
	switch {
	case tellingFunctions.Has(word) || english.Negations.Has(word) || english.More.Has(word) || english.Less.Has(word) || english.Superlatives.Has(word):
		return true
	case !english.IsWordRune([]rune(word)[0]) || lex.Function(word) || english.Requests.Has(word) || english.Openers.Has(word):
		return false
	}
	return true
}

// said is a question taken apart once, to be held against many patterns.
type said struct {
	tokens       []lex.Token
	words, stems []string
	telling      []bool
}

func newSaid(text string) *said {
	s := &said{tokens: lex.Tokens(text)}
	s.words = lex.Lower(s.tokens)
	s.stems = english.Stems(s.words)
	for _, w := range s.words {
		s.telling = append(s.telling, isTelling(w))
	}
	return s
}

// mostMeant is how many words of a pattern a question may say with other words.
const mostMeant = 2

// mayFollow reports whether the question has enough of a pattern's words to be
// looked at.
func (s *said) mayFollow(p *pattern) bool {
	missing := 0
	for _, w := range p.words {
		if !slices.Contains(s.stems, w.stem) {
			missing++
		}
	}
	return missing <= mostMeant && missing < len(p.words)+len(p.parameters)
}

// verified returns the answer to a question that somebody vouches for, or that
// follows the pattern of one.
func (r *reader) verified() (nlq.Translation, bool) {
	if r.Question.Previous != nil && len(lex.Tokens(r.Question.Text)) < 4 {
		return nlq.Translation{}, false // more likely a change of what was asked before
	}
	if r.Whole.Taught == nil {
		return nlq.Translation{}, false
	}
	said := newSaid(r.Question.Text)
	var near *fit
	for _, v := range r.Whole.Taught.Verified {
		for _, wording := range v.Questions {
			f, ok := r.fits(v, r.patterns.of(wording), said)
			if ok && len(f.beside) == 0 {
				if t, ok := r.vouched(f); ok {
					return t, true
				}
			}
			if ok && near == nil {
				near = f
			}
		}
	}
	if near != nil {
		return r.vouched(near)
	}
	return r.measureAlone(said)
}

// measureAlone returns the answer to a question that names nothing but a measure:
// what of all rows is usually meant.
func (r *reader) measureAlone(s *said) (nlq.Translation, bool) {
	for _, m := range r.Whole.Taught.Measures {
		if m.Aggregate == "" || m.Aggregate == string(tree.Count) {
			continue
		}
		for _, name := range append([]string{m.Name}, m.Words...) {
			f, ok := r.fits(knowledge.Verified{}, r.patterns.of(strings.NewReplacer("{", " ", "}", " ").Replace(name)), s)
			if !ok || len(f.beside) > 0 {
				continue
			}
			path := tree.Schema{In: r.Whole.In}.Complete(tree.Name{Dataset: m.Dataset})
			value := tree.Aggregate{Func: tree.Func(m.Aggregate), Arg: tree.Column{Source: m.Dataset, Name: m.Name}}
			q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: value}}, From: []tree.Source{{Dataset: path, Alias: m.Dataset}}}}
			if c, ok := r.candidate(q, 1); ok {
				return c.translation(1), true
			}
		}
	}
	return nlq.Translation{}, false
}

// fit is how a question follows a pattern.
type fit struct {
	of     knowledge.Verified
	values map[string]tree.Literal // of the parameters
	said   map[string]string       // the parameters as the question has them
	beside []string                // words of the question that only mean what a word of the pattern does
}

// fits reports whether every word of the question that says something is one of the
// pattern, means the same as one, or is of a parameter, and the other way round.
func (r *reader) fits(v knowledge.Verified, p *pattern, s *said) (*fit, bool) {
	if !s.mayFollow(p) {
		return nil, false
	}
	tokens, words := s.tokens, s.words
	left := slices.Clone(p.words)
	var others []int // tokens that are not the pattern's
	for i := range words {
		if at := slices.IndexFunc(left, func(l patternWord) bool { return l.stem == s.stems[i] }); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else if s.telling[i] {
			others = append(others, i)
		}
	}
	if len(left) > len(others) || len(others) > len(left)+longestParameter*len(p.parameters) {
		return nil, false
	}
	f := &fit{of: v, values: map[string]tree.Literal{}, said: map[string]string{}}
	for _, name := range p.parameters {
		var ok bool
		if others, ok = r.fill(f, name, tokens, others); !ok {
			return nil, false
		}
	}
	for _, i := range others {
		at := slices.IndexFunc(left, func(l patternWord) bool { return r.meanTheSame(l.text, words[i]) })
		if at < 0 {
			return nil, false
		}
		left = slices.Delete(left, at, at+1)
		f.beside = append(f.beside, tokens[i].Text)
	}
	return f, len(left) == 0
}

// meanTheSame reports whether two words are synonyms, or forms of ones.
func (r *reader) meanTheSame(a, b string) bool {
	if isFixed(a) || isFixed(b) {
		return false
	}
	first, second := r.Vectors.ID(a), r.Vectors.ID(b)
	forms := func(id int32) []int32 { return append([]int32{id}, r.Vectors.Bases(id)...) }
	for _, x := range forms(first) {
		for _, y := range forms(second) {
			if x == y && x > 2 || slices.Contains(r.Vectors.Related(x), y) {
				return true
			}
		}
	}
	return false
}

// isFixed reports whether a word is one that no other stands for.
func isFixed(w string) bool {
	return tellingFunctions.Has(w) || english.Negations.Has(w) || english.More.Has(w) || english.Less.Has(w) || english.Superlatives.Has(w)
}

// fill finds the value of a parameter among some words of the question, and returns
// the others.
func (r *reader) fill(f *fit, name string, tokens []lex.Token, others []int) (rest []int, ok bool) {
	p := slices.IndexFunc(f.of.Parameters, func(p knowledge.Parameter) bool { return tree.SameName(p.Name, name) })
	if p < 0 {
		return others, false
	}
	column, kind, ok := r.compared(f.of.Query, f.of.Parameters[p].Value)
	if !ok {
		return others, false
	}
	for length := min(longestParameter, len(others)); length > 0; length-- {
		for from := 0; from+length <= len(others); from++ {
			first, last := others[from], others[from+length-1]
			text := strings.Trim(r.Question.Text[tokens[first].Start:tokens[last].End], `"' `)
			if literal, ok := parameterValue(text, column, kind, r.Question.Now); ok {
				f.values[f.of.Parameters[p].Value], f.said[name] = literal, literal.Text
				return slices.Delete(slices.Clone(others), from, from+length), true
			}
		}
	}
	return others, false
}

// compared returns the column that a query compares with a constant, and the
// constant's kind.
func (r *reader) compared(sql, value string) (column *schema.Column, kind tree.LiteralKind, ok bool) {
	q, err := tree.Parse(sql)
	if err != nil {
		return nil, 0, false
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, c := range tree.Conjuncts(q.Select.Where) {
			compare, isCompare := c.(tree.Compare)
			literal, isLiteral := compare.Right.(tree.Literal)
			left, isColumn := compare.Left.(tree.Column)
			if !isCompare || !isLiteral || !isColumn || literal.Text != value {
				continue
			}
			kind, ok = literal.Kind, true
			if left.Source == "" && len(q.Select.From) == 1 {
				left.Source = q.Select.From[0].Ref()
			}
			if id, found := r.Whole.ColumnOf(q.Select.From, left); found {
				column = &r.Whole.Columns[id]
			}
		}
	})
	return column, kind, ok
}

// parameterValue returns what a text means as the value of a parameter.
func parameterValue(text string, column *schema.Column, kind tree.LiteralKind, now time.Time) (tree.Literal, bool) {
	switch kind {
	case tree.Number:
		if column != nil && column.Values != nil {
			if value, ok := column.Values.Meant(text); ok {
				return tree.Literal{Kind: kind, Text: value}, true
			}
		}
		number, ok := lex.Number(text)
		return tree.Literal{Kind: kind, Text: number}, ok
	case tree.Date:
		from, _, ok := lex.ReadPeriod(text, now)
		return tree.Literal{Kind: kind, Text: from.Format(time.DateOnly)}, ok && !from.IsZero()
	case tree.Text:
		if column == nil || column.Values == nil {
			return tree.Literal{}, false
		}
		value, ok := column.Values.Alike(schema.KeyOf(text))
		if !ok {
			value, ok = column.Values.AnyAlias(schema.AliasesOf(text))
		}
		return tree.Literal{Kind: kind, Text: value}, ok
	}
	return tree.Literal{}, false
}

// vouched returns the query of a verified question with the values of the asked one.
func (r *reader) vouched(f *fit) (nlq.Translation, bool) {
	q, err := tree.Parse(f.of.Query)
	if err != nil {
		return nlq.Translation{}, false
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
			if l, ok := e.(tree.Literal); ok {
				if value, ok := f.values[l.Text]; ok && value.Kind == l.Kind {
					return value
				}
			}
			return e
		})
	})
	if err := tree.Resolve(q, r.known, r.Whole.TreeLinks()); err != nil {
		return nlq.Translation{}, false
	}
	c, ok := r.validated(grammar.StableOrder(r.Whole.Schema, q), 1)
	if !ok {
		return nlq.Translation{}, false
	}
	c.used = []string{f.note()}
	if len(f.beside) > 0 {
		return c.translation(patternConfidence), true
	}
	return c.translation(1), true
}

// note says whose query it is, and with which values.
func (f *fit) note() string {
	by := "verified by " + f.of.By
	if len(f.beside) > 0 {
		by = fmt.Sprintf("after the pattern of %q, verified by %s", f.of.Name, f.of.By)
	}
	var values []string
	for _, p := range f.of.Parameters {
		if said, ok := f.said[p.Name]; ok {
			values = append(values, fmt.Sprintf("%s = %s", p.Name, said))
		}
	}
	if len(values) > 0 {
		by += ", with " + english.List(values, "and")
	}
	return by + "."
}
