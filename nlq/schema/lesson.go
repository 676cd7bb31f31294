package schema

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/knowledge"
	"quern/nlq/lex"
	"quern/tree"
)

// partKind is what sort of thing a query names.
type partKind uint8

const (
	datasetPart   partKind = iota
	columnPart             // text is empty
	valuePart              // text is the value
	measurePart            // text is the expression
	conditionPart          // text is the condition
)

// part is something that a query names, for which a question may have a word.
type part struct {
	kind            partKind
	dataset, column string // keys of names
	text            string
}

// lesson is a wording of a verified question, and what its query names.
type lesson struct {
	entry string
	all   []lessonWord
	named []part // without regard to what the wording says
	words []lessonWord
	parts []part // as words, those that names say already left out
	// denies says that the wording has a negation: what its query names may be the
	// opposite of its words.
	denies bool
}

// lessonWord is a word of a wording that nothing explains yet.
type lessonWord struct {
	text, stem string
	at         int // its place among the tokens
}

// lessonsOf returns what the wordings of verified questions may teach.
func (s *Schema) lessonsOf(all []knowledge.Verified) []lesson {
	var made []lesson
	e := explainer{s, s.meanings()}
	for _, v := range all {
		q, err := tree.Parse(v.Query)
		if err != nil {
			continue
		}
		for _, wording := range v.Questions {
			if len(made) == mostAligned {
				return made
			}
			text := v.Filled(wording)
			l := lesson{entry: v.Name, all: contentOf(text), named: partsOf(q, nil), words: contentOf(text),
				parts: partsOf(q, english.Stems(lex.Lower(lex.Tokens(text)))), denies: slices.ContainsFunc(lex.Lower(lex.Tokens(text)), english.Negations.Has)}
			e.explain(&l)
			made = append(made, l)
		}
	}
	return made
}

// contentOf returns the words of a text that can name something in the data.
func contentOf(text string) []lessonWord {
	var all []lessonWord
	for i, w := range lex.Lower(lex.Tokens(text)) {
		if startsWithLetter(w) && !saysHow(w) {
			all = append(all, lessonWord{w, english.Stem(w), i})
		}
	}
	return all
}

// saysHow reports whether a word says what is done with the data rather than what they
// are.
func saysHow(w string) bool {
	for _, set := range []english.Set{english.Requests, english.Openers, english.Telling, english.Negations, english.More, english.Less,
		english.Superlatives, english.Measures, english.TimeParts, english.Yes, english.No} {
		if set.Has(w) {
			return true
		}
	}
	return lex.Function(w) || lex.IsNumberWord(w)
}

// partsOf returns what a query names. Constants that the wording has need no word.
func partsOf(q *tree.Query, said []string) []part {
	var all []part
	add := func(p part) {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	tree.EachQuery(tree.Clone(q), func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		f := finder{from: q.Select.From, said: said, add: add}
		for _, source := range q.Select.From {
			add(part{kind: datasetPart, dataset: quern.NameKey(source.Dataset.Dataset)})
		}
		for _, c := range tree.Conjuncts(q.Select.Where) {
			f.condition(c)
		}
		q.Select.Where = nil
		for i := range q.Select.Items {
			if f.item(q.Select.Items[i].Expr) {
				q.Select.Items[i].Expr = tree.Literal{} // its columns are of the measure
			}
		}
		tree.EachColumn(q, f.column)
	})
	return all
}

// finder finds what one select names.
type finder struct {
	from []tree.Source
	said []string // the stems of the wording
	add  func(part)
}

// dataset returns the key of the dataset that a column is of; empty: not known.
func (f *finder) dataset(c tree.Column) string {
	for _, s := range f.from {
		if tree.SameName(c.Source, s.Ref()) || c.Source == "" && len(f.from) == 1 {
			return quern.NameKey(s.Dataset.Dataset)
		}
	}
	return ""
}

func (f *finder) column(c tree.Column) {
	if of := f.dataset(c); of != "" {
		f.add(part{kind: columnPart, dataset: of, column: quern.NameKey(c.Name)})
	}
}

// condition adds what a condition names: a value where it is that a column has one, a
// column where the wording has the constant, or the condition as a whole.
func (f *finder) condition(c tree.Cond) {
	columns, said := f.namedBy(c)
	if len(columns) != 1 {
		for _, column := range columns {
			f.column(column)
		}
		return
	}
	of := f.dataset(columns[0])
	_, missing := c.(tree.IsNull)
	value, isEqual := equalTo(c)
	switch {
	case of == "":
	case isEqual && value.Kind == tree.Boolean, said && !missing:
		f.column(columns[0])
	case isEqual:
		f.add(part{kind: valuePart, dataset: of, column: quern.NameKey(columns[0].Name), text: value.Text})
	default:
		if text, ok := conditionText(c); ok {
			f.add(part{kind: conditionPart, dataset: of, text: text})
		}
	}
}

// namedBy returns the columns of a condition, and whether the wording has all of its
// constants.
func (f *finder) namedBy(c tree.Cond) (columns []tree.Column, said bool) {
	said = true
	tree.ReplaceValues(&tree.Query{Select: &tree.Select{Where: c}}, func(e tree.Expr) tree.Expr {
		switch e := e.(type) {
		case tree.Column:
			columns = append(columns, e)
		case tree.Literal:
			said = said && f.says(e.Text)
		}
		return e
	})
	if in, ok := c.(tree.In); ok {
		for _, l := range in.List {
			said = said && f.says(l.Text)
		}
	}
	return columns, said
}

// equalTo returns the constant that a condition says a column has.
func equalTo(c tree.Cond) (value tree.Literal, ok bool) {
	is, ok := c.(tree.Compare)
	if !ok || is.Op != tree.Equal {
		return value, false
	}
	value, ok = is.Right.(tree.Literal)
	return value, ok
}

// says reports whether the wording has a constant.
func (f *finder) says(constant string) bool {
	words := english.Stems(lex.Lower(lex.Tokens(constant)))
	for i := 0; i+len(words) <= len(f.said); i++ {
		if slices.Equal(f.said[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

// item adds what is computed of the rows of one dataset as a measure, and reports
// whether it is one.
func (f *finder) item(e tree.Expr) bool {
	if a, ok := e.(tree.Aggregate); ok {
		e = a.Arg
	}
	a, ok := e.(tree.Arith)
	if !ok {
		return false
	}
	of := map[string]bool{}
	q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.CloneExpr(a)}}}}
	tree.EachColumn(q, func(c tree.Column) { of[f.dataset(c)] = true })
	if len(of) != 1 || of[""] {
		return false
	}
	text, ok := expressionText(a)
	for dataset := range of {
		if ok {
			f.add(part{kind: measurePart, dataset: dataset, text: text})
		}
	}
	return ok
}

// expressionText writes a value as a measure does.
func expressionText(e tree.Expr) (string, bool) {
	text, ok := printed(&tree.Select{Items: []tree.Item{{Expr: tree.CloneExpr(e)}}})
	if !ok {
		return "", false
	}
	text, _, ok = strings.Cut(strings.TrimPrefix(text, "SELECT "), " FROM ")
	return text, ok
}

// conditionText writes a condition as entries do.
func conditionText(c tree.Cond) (string, bool) {
	text, ok := printed(&tree.Select{Items: []tree.Item{{Expr: tree.Star{}}}, Where: tree.CloneCond(c)})
	if !ok {
		return "", false
	}
	_, text, ok = strings.Cut(text, " WHERE ")
	return text, ok
}

// printed prints a select over one dataset with its columns alone.
func printed(s *tree.Select) (string, bool) {
	s.From = []tree.Source{{Dataset: tree.Name{Dataset: "d"}}}
	q := &tree.Query{Select: s}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if c, ok := e.(tree.Column); ok {
			return tree.Column{Name: c.Name}
		}
		return e
	})
	text, err := tree.Print(q)
	return text, err == nil
}

// explainer knows what names and values say already.
type explainer struct {
	*Schema
	meanings map[part][][]string // the taught words for values
}

// explain takes out of a lesson the words and parts that names or values say already.
func (e *explainer) explain(l *lesson) {
	said := make(map[string]bool, len(l.words))
	for _, w := range l.words {
		said[w.stem] = true
	}
	explained := map[string]bool{}
	names := func(p part) bool {
		for _, name := range e.namesOf(p) {
			stems := english.Stems(name)
			if len(stems) == 0 || slices.ContainsFunc(stems, func(stem string) bool { return !said[stem] }) {
				continue
			}
			for _, stem := range stems {
				explained[stem] = true
			}
			return true
		}
		return false
	}
	l.parts = slices.DeleteFunc(l.parts, func(p part) bool {
		if p.kind == valuePart { // the name of the column does not say which value
			names(part{kind: columnPart, dataset: p.dataset, column: p.column})
		}
		return names(p)
	})
	if l.denies {
		l.parts = slices.DeleteFunc(l.parts, func(p part) bool { return p.kind == valuePart || p.kind == conditionPart })
	}
	l.words = slices.DeleteFunc(l.words, func(w lessonWord) bool { return explained[w.stem] })
}

// namesOf returns what a part is called, in words.
func (e *explainer) namesOf(p part) [][]string {
	if p.kind == valuePart {
		return e.meanings[p]
	}
	for _, t := range e.Tables {
		if quern.NameKey(t.Path.Dataset) != p.dataset {
			continue
		}
		if p.kind == datasetPart {
			return append([][]string{t.Words}, t.Names...)
		}
		for i := t.First; i < t.First+t.Len; i++ {
			c := &e.Columns[i]
			switch {
			case p.kind == columnPart && quern.NameKey(c.Name) == p.column:
				return append([][]string{c.Words}, c.Names...)
			case c.Formula != nil && (p.kind == measurePart || p.kind == conditionPart) && sameFormula(c.Formula, p.text):
				return append([][]string{c.Words}, c.Names...)
			}
		}
	}
	return nil
}

func sameFormula(f *Formula, text string) bool {
	if f.Value != nil {
		own, ok := expressionText(f.Value)
		return ok && own == text
	}
	own, ok := conditionText(f.Cond)
	return ok && own == text
}

// meanings returns the taught words for values.
func (s *Schema) meanings() map[part][][]string {
	all := map[part][][]string{}
	if s.Taught == nil {
		return all
	}
	for _, w := range s.Taught.Words {
		if w.Value == nil {
			continue
		}
		dataset, column := knowledge.Column(w.Means)
		of := part{kind: valuePart, dataset: quern.NameKey(dataset), column: quern.NameKey(column), text: *w.Value}
		all[of] = append(all[of], lex.Lower(lex.Tokens(w.Word)))
	}
	return all
}
