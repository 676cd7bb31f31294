package duckdb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"quern"
	"quern/engine"
)

// maxSQL bounds a query's characters, as the contract does, so that neither
// parser nor tree grow large.
const maxSQL = 100_000

const (
	// maxChecked is how many queries are remembered to be allowed.
	maxChecked = 256
	// maxRemembered bounds the text of a query that is remembered.
	maxRemembered = 4096
)

// maxParsers bounds how many queries are parsed at once.
const maxParsers = 8

// maxDepth bounds how deeply a query may nest.
const maxDepth = 400

// refusal is a query that is wrong or not allowed, with the place in its text.
type refusal struct {
	at     int // byte offset, negative when unknown
	reason string
}

func (r *refusal) Error() string { return r.reason }

func refuse(at int, format string, args ...any) *refusal {
	return &refusal{at: at, reason: fmt.Sprintf(format, args...)}
}

// mention is a dataset that a query names.
type mention struct {
	ref engine.Ref
	at  int // where in the text, negative when unknown
}

// guard parses queries in instances of its own that have no data at all.
type guard struct {
	options Options
	parsers chan *parser // nil for one that is not opened yet

	mu      sync.Mutex
	checked map[string]*walker // queries that are allowed, by their text, which alone decides
}

// parser is an instance and the statement in it that parses queries.
type parser struct {
	*instance
	parse *stream
}

func (p *parser) close() {
	p.parse.close()
	p.instance.close()
}

func newGuard(o Options) (*guard, error) {
	n := min(o.Concurrency, maxParsers)
	g := &guard{options: o, parsers: make(chan *parser, n), checked: map[string]*walker{}}
	for range n - 1 {
		g.parsers <- nil
	}
	var first *parser
	if !o.AtNeed {
		var err error
		if first, err = g.open(); err != nil {
			return nil, err
		}
	}
	g.parsers <- first
	return g, nil
}

func (g *guard) open() (*parser, error) {
	o := g.options
	o.Threads = 1
	in, err := openInstance(o)
	if err != nil {
		return nil, err
	}
	if err := in.lock(context.Background(), nil, nil); err != nil {
		in.close()
		return nil, err
	}
	parse, err := in.prepare(context.Background(), "SELECT json_serialize_sql($1::VARCHAR)::VARCHAR")
	if err != nil {
		in.close()
		return nil, err
	}
	return &parser{in, parse}, nil
}

// close must come after the last check.
func (g *guard) close() {
	for range cap(g.parsers) {
		if in := <-g.parsers; in != nil {
			in.close()
		}
	}
}

// check returns what sql names, or a refusal.
func (g *guard) check(ctx context.Context, sql string) (*walker, error) {
	if err := checkText(sql); err != nil {
		return nil, err
	}
	g.mu.Lock()
	known := g.checked[sql]
	g.mu.Unlock()
	if known != nil {
		return known, nil
	}
	text, err := g.parse(ctx, sql)
	if err != nil {
		return nil, err
	}
	w := &walker{sql: sql, natural: -1}
	if err := w.root(text); err != nil {
		return nil, err
	}
	g.remember(w)
	return w, nil
}

// remember keeps what was found out about a query that is allowed.
func (g *guard) remember(w *walker) {
	if len(w.sql) > maxRemembered {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.checked) >= maxChecked {
		clear(g.checked)
	}
	g.checked[w.sql] = w
}

func checkText(sql string) error {
	switch {
	case len(sql) > maxSQL && utf8.RuneCountInString(sql) > maxSQL:
		return refuse(-1, "the query is longer than %d characters", maxSQL)
	case !utf8.ValidString(sql):
		return refuse(-1, "the query is not valid UTF-8")
	case strings.IndexByte(sql, 0) >= 0:
		return refuse(strings.IndexByte(sql, 0), "the query contains a NUL character")
	}
	return checkNesting(sql)
}

// checkNesting refuses text that could nest too deeply for a parser's stack. It
// counts brackets without regard to quotes, which only errs towards refusing.
func checkNesting(sql string) error {
	depth := 0
	for i := range len(sql) {
		switch sql[i] {
		case '(', '[', '{':
			if depth++; depth > maxDepth {
				return refuse(i, "the query nests deeper than %d levels", maxDepth)
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return nil
}

// parse returns the tree of sql as JSON.
func (g *guard) parse(ctx context.Context, sql string) (tree []byte, err error) {
	var in *parser
	select {
	case in = <-g.parsers:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { g.parsers <- in }()
	if in == nil {
		if in, err = g.open(); err != nil {
			return nil, err
		}
	}
	s := in.parse
	defer s.endResult()
	if err := s.bindText(sql); err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	ok, err := s.next(ctx)
	if err != nil || !ok {
		return nil, fmt.Errorf("duckdb: parser gave no tree: %w", err)
	}
	s.load()
	return bytes.Clone(s.vectors[0].bytes(0)), nil
}

// root checks what the parser answered: an error, or a list of statements.
func (w *walker) root(text []byte) error {
	var answer struct {
		Error      bool             `json:"error"`
		Type       string           `json:"error_type"`
		Message    string           `json:"error_message"`
		Subtype    string           `json:"error_subtype"`
		Position   json.Number      `json:"position"`
		Statements []map[string]any `json:"statements"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		return fmt.Errorf("duckdb: parser's tree: %w", err)
	}
	if answer.Error {
		if answer.Type != "parser" && answer.Type != "syntax" {
			return refuse(-1, "only a single SELECT statement is allowed")
		}
		if strings.HasPrefix(answer.Message, "Max expression depth") || strings.HasPrefix(answer.Message, "memory exhausted") {
			return refuse(-1, "the query nests too deeply")
		}
		f := &fault{Position: string(answer.Position)}
		at, ok := f.offset()
		if !ok {
			at = -1
		}
		return refuse(at, "%s", firstLine(answer.Message))
	}
	switch len(answer.Statements) {
	case 0:
		return refuse(-1, "the query is empty")
	case 1:
		if err := w.statement(answer.Statements[0], nil, 0); err != nil {
			return err
		}
		return checkGrowth(answer.Statements[0])
	}
	return refuse(-1, "only one statement is allowed")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// invalid turns a refusal into the error that callers get.
func (r *refusal) invalid(sql string) *quern.Error {
	if place := placeOf(sql, r.at); place != "" {
		return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s: %s", place, r.reason)
	}
	return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s", r.reason)
}

// placeOf says where a byte of the text is, for people.
func placeOf(sql string, at int) string {
	if at < 0 || at > len(sql) {
		return ""
	}
	before := sql[:at]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}
