package tree

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fluentText is how the fluent form is written.
var fluentText = language{symbols: "&& || == != <= >= ( ) [ ] , . ! = < > - + / * : $ @ #", quoted: fluentQuoted}

var escapes = map[byte]rune{'"': '"', '\'': '\'', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r'}

func fluentQuoted(text string, at int) (token, int, *Error) {
	quote, kind := text[at], tokenText
	if quote == '`' {
		kind = tokenName
	}
	var value strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && kind == tokenName && value.Len() == 0:
			return token{}, 0, errorAt(text, at, "a name is empty")
		case c == quote:
			return token{kind, value.String(), at}, i + 1, nil
		case c != '\\':
			value.WriteByte(c)
		default:
			r, size := escaped(text[i+1:])
			if size == 0 {
				return token{}, 0, errorAt(text, i, "no such escape in a text")
			}
			value.WriteRune(r)
			i += size
		}
	}
	return token{}, 0, errorAt(text, at, "a quote is not closed")
}

// escaped reads what follows a backslash, and how long it is; 0 when it means
// nothing.
func escaped(text string) (r rune, size int) {
	if text == "" {
		return 0, 0
	}
	if r, ok := escapes[text[0]]; ok || text[0] == '`' {
		if !ok {
			r = '`'
		}
		return r, 1
	}
	if text[0] != 'u' || len(text) < 5 {
		return 0, 0
	}
	code, err := strconv.ParseUint(text[1:5], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		return 0, 0
	}
	return rune(code), 5
}

// fluentStart is how the fluent form begins.
var fluentStart = regexp.MustCompile(`^\s*Ontology(?:Object)?\s*\(`)

// IsFluent reports whether a query's text is in the fluent form.
func IsFluent(text string) bool { return fluentStart.MatchString(text) }

// wholeDataset is a query that stands for all of a dataset: nothing, a star, or
// the start of the fluent form alone, its dataset with or without quotes.
var wholeDataset = regexp.MustCompile(`^\s*(?:\*|Ontology(?:Object)?\s*\(\s*(?P<quote>["']?)(?P<path>[^"'()]*)(?P<end>["']?)\s*\)\s*(?:\.\s*get\s*\(\s*\))?)?\s*$`)

// WholeDataset reports whether a query asks for all rows of a dataset, and
// returns what it names of it, from the dataset's own name outwards: up to three
// names, none when it names nothing.
func WholeDataset(text string) (names []string, whole bool) {
	found := wholeDataset.FindStringSubmatch(text)
	if found == nil || found[wholeDataset.SubexpIndex("quote")] != found[wholeDataset.SubexpIndex("end")] {
		return nil, false
	}
	path := strings.TrimSpace(found[wholeDataset.SubexpIndex("path")])
	if path == "" {
		return nil, !strings.Contains(text, "(")
	}
	names = strings.Split(path, "/")
	slices.Reverse(names)
	return names, len(names) <= 3
}

// ParseFluent reads the fluent form. Each step works on the rows of the one
// before:
//
//	Ontology("ds")            the rows of a dataset: ds, namespace/ds or owner/namespace/ds;
//	                          OntologyObject("ds") is the same
//	.filter(a == 1 && …, …)   those that fulfil all conditions
//	.filter().column("a == 1")  the same
//	.search("words")          those in whose text columns all the words occur
//	.find("ds")               the rows of another dataset that are linked to one of them,
//	                          along the shortest path of at most MaxPath links
//	.find("ds").follow("a")   the same, along the link of column a of the dataset before
//	.searchAround(n).find(…)  the same, along at most n links, MaxPath when left out
//	.follow("a", …)           the rows that the columns' links lead to
//	.select("a", "b")         only these columns
//	.sortAscending("a"), .sortDescending("a"), .sort("a", "DESC")   in this order; the
//	                          first key counts first
//	.limit(n)                 the first n
//	.get()                    nothing new; the last step
//
// Every row of the result appears once, however many rows lead to it. Select,
// order and limit come last, or before a find or follow, which then starts from
// those rows.
func ParseFluent(text string) (*Query, error) {
	tokens, err := lex(text, fluentText)
	if err != nil {
		return nil, err
	}
	p := &fluentParser{cursor: cursor{text: text, tokens: tokens}}
	if err := p.start(); err != nil {
		return nil, err
	}
	for !p.done && p.eat(".") {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	switch {
	case p.peek().kind != tokenEnd && p.done:
		return nil, p.unexpected("the end")
	case p.peek().kind != tokenEnd:
		return nil, p.unexpected("'.' and a step")
	case p.around > 0:
		return nil, p.fail(p.aroundAt, "searchAround is followed by find: say which of the datasets around to go to")
	case p.open:
		return nil, p.fail(p.peek(), "filter without a condition is followed by column")
	}
	return p.query, nil
}

type fluentParser struct {
	cursor
	query    *Query
	conds    []Cond // of the query
	around   int    // of the searchAround that waits for its find
	aroundAt token
	open     bool // a filter waits for its column
	found    bool // the step before was find
	done     bool // get was the step before
	hops     int
}

// maxHops bounds how often a query moves to another dataset.
const maxHops = 20

func (p *fluentParser) start() *Error {
	t := p.take()
	begins := t.text == "Ontology" || t.text == "OntologyObject"
	if t.kind != tokenWord || !begins {
		return p.fail(t, `expected Ontology("namespace/dataset"), not %s`, t.shown())
	}
	if err := p.need("("); err != nil {
		return err
	}
	name, err := p.dataset()
	if err != nil {
		return err
	}
	p.query = rowsOf(name)
	return p.need(")")
}

// rowsOf is the query for all rows of a dataset.
func rowsOf(n Name) *Query {
	return &Query{Select: &Select{Items: []Item{{Expr: Star{}}}, From: []Source{{Dataset: n}}}}
}

// dataset reads the path of a dataset, in quotes or bare.
func (p *fluentParser) dataset() (Name, *Error) {
	t := p.peek()
	text := t.text
	if t.kind == tokenText {
		p.take()
	} else {
		text = p.bare()
	}
	n, ok := pathName(strings.Split(text, "/"))
	if !ok {
		return n, p.fail(t, `a dataset is named "dataset", "namespace/dataset" or "owner/namespace/dataset"`)
	}
	return n, nil
}

// bare reads what stands before the next comma or parenthesis, as it is written.
func (p *fluentParser) bare() string {
	from := p.peek().at
	for !p.is(",") && !p.is(")") && !p.is("(") && p.peek().kind != tokenEnd {
		p.take()
	}
	return strings.TrimSpace(p.text[from:p.peek().at])
}

func (p *fluentParser) quoted(what string) (string, *Error) {
	if p.peek().kind != tokenText {
		return "", p.unexpected(what)
	}
	return p.take().text, nil
}

// column reads the name of a column, in quotes or bare.
func (p *fluentParser) column() (string, *Error) {
	t := p.take()
	if t.kind != tokenText && t.kind != tokenName && t.kind != tokenWord {
		return "", p.fail(t, "expected a column, not %s", t.shown())
	}
	if t.text == "" {
		return "", p.fail(t, "a name is empty")
	}
	return t.text, nil
}

// columns reads one or more names of columns.
func (p *fluentParser) columns() (names []string, err *Error) {
	for {
		name, err := p.column()
		if err != nil {
			return nil, err
		}
		if names = append(names, name); !p.eat(",") {
			return names, nil
		}
	}
}
