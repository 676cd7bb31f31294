package tree

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// call reads a function with its arguments: an aggregate, a match, a search or
// one of the functions.
func (p *parser) call() (node, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	t := p.take()
	name := strings.ToLower(t.text)
	if err := p.need("("); err != nil {
		return nil, err
	}
	switch name {
	case string(Count), string(Sum), string(Avg), string(Min), string(Max), string(Any), string(Median), string(Percentile),
		string(LongestGap), string(ShortestGap), string(AverageGap):
		return p.aggregate(Func(name))
	case "date_diff", "date_sub":
		return p.duration(name)
	case "try_cast":
		return p.clock()
	case "strftime":
		return p.formatted()
	case "concat":
		return p.yearQuarter()
	case "nullif":
		return p.nonZero()
	case string(Contains), string(StartsWith), string(EndsWith):
		return p.match(MatchOp(name))
	case "list_has_all":
		return p.search()
	}
	f, ok := functions[name]
	if !ok || f.format != "" || name == Clock {
		return nil, p.fail(t, "the function %s is not part of what a query tree can hold", name)
	}
	args, err := list(p, p.expr)
	if err != nil {
		return nil, err
	}
	if len(args) < f.min || len(args) > f.max {
		return nil, p.fail(t, "the function %s takes other arguments", name)
	}
	return Call{name, args}, p.need(")")
}

// clock reads what a text that is taken for a time of day is printed as.
func (p *parser) clock() (node, *Error) {
	e, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.needWord("as", "time"); err != nil {
		return nil, err
	}
	return Call{Clock, []Expr{e}}, p.need(")")
}

func (p *parser) aggregate(f Func) (node, *Error) {
	a := Aggregate{Func: f, Distinct: p.eatWord("distinct")}
	if f == Count && !a.Distinct && p.eat("*") {
		a.Arg = Star{}
	} else {
		arg, err := p.expr()
		if err != nil {
			return nil, err
		}
		a.Arg = arg
	}
	if f == Percentile {
		if err := p.percent(&a); err != nil {
			return nil, err
		}
	}
	if err := p.need(")"); err != nil {
		return nil, err
	}
	if p.word("over") {
		return nil, p.fail(p.peek(), "OVER is not part of what a query tree can hold")
	}
	return p.filtered(a)
}

// percent reads where a percentile lies.
func (p *parser) percent(a *Aggregate) *Error {
	if err := p.need(","); err != nil {
		return err
	}
	t := p.take()
	at, err := strconv.ParseFloat(t.text, 64)
	a.Percent = int(math.Round(at * 100))
	if err != nil || t.kind != tokenNumber || a.Percent < 1 || a.Percent > 99 || math.Abs(at*100-float64(a.Percent)) > 1e-9 {
		return p.fail(t, "a percentile is a whole number of percent, from 0.01 to 0.99")
	}
	return nil
}

// filtered reads the condition that says which rows an aggregate takes, if there is one.
func (p *parser) filtered(a Aggregate) (node, *Error) {
	if !p.eatWord("filter") {
		return a, nil
	}
	if err := p.need("("); err != nil {
		return nil, err
	}
	if err := p.needWord("where"); err != nil {
		return nil, err
	}
	c, err := p.cond()
	a.Where = c
	if err != nil {
		return nil, err
	}
	return a, p.need(")")
}

func (p *parser) match(op MatchOp) (node, *Error) {
	e, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	t := p.take()
	if t.kind != tokenText {
		return nil, p.fail(t, "expected a text in single quotes, not %s", t.shown())
	}
	m := Match{Op: op, Expr: e, Text: t.text}
	if c, ok := e.(Call); ok && c.Func == "lower" && t.text == strings.ToLower(t.text) {
		m.Expr, m.Fold = c.Args[0], true
	}
	return m, p.need(")")
}

// wordPattern is what a word is to the engine's search.
const wordPattern = `[\p{L}\p{N}]+`

// search reads the form that a Search is printed in; see print.search.
func (p *parser) search() (node, *Error) {
	at := p.peek()
	for _, want := range []string{"regexp_extract_all", "(", "lower", "(", "concat_ws", "(", " ", ","} {
		if t := p.take(); !strings.EqualFold(t.text, want) {
			return nil, p.fail(at, "list_has_all is read only where it searches for words")
		}
	}
	columns, err := list(p, p.column)
	if err != nil {
		return nil, err
	}
	for _, want := range []string{")", ")", ",", wordPattern, ")", ",", "["} {
		if t := p.take(); t.text != want {
			return nil, p.fail(at, "list_has_all is read only where it searches for words")
		}
	}
	words, err := list(p, p.constant)
	if err != nil {
		return nil, err
	}
	s := Search{Columns: columns}
	for _, w := range words {
		if w.Kind != Text || !isWord(w.Text) {
			return nil, p.fail(at, "a search is for words in lower case")
		}
		s.Words = append(s.Words, w.Text)
	}
	if err := p.need("]"); err != nil {
		return nil, err
	}
	return s, p.need(")")
}

var anyWord = regexp.MustCompile(wordPattern)

// Words returns the words of a text as a Search holds them.
func Words(text string) []string { return anyWord.FindAllString(strings.ToLower(text), -1) }

func isWord(text string) bool {
	words := Words(text)
	return len(words) == 1 && words[0] == text
}

// valid reports whether a literal's text is one of its kind.
func (l Literal) valid() bool {
	switch l.Kind {
	case Date:
		_, err := time.Parse(time.DateOnly, l.Text)
		return err == nil
	case Timestamp:
		_, ok := l.instant()
		return ok
	case Boolean:
		return l.Text == "true" || l.Text == "false"
	case Number:
		text := strings.TrimPrefix(l.Text, "-")
		return beginsNumber(text, 0) && number(text, 0) == len(text)
	}
	return true
}

// instant reads a date or a timestamp.
func (l Literal) instant() (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", time.RFC3339Nano, "2006-01-02 15:04:05Z07:00"} {
		if at, err := time.Parse(layout, l.Text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func (k LiteralKind) String() string {
	return [...]string{"text", "number", "boolean", "date", "timestamp"}[k]
}
