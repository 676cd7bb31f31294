package duckdb

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/engine"
)

// walker holds a parsed query against the allow-list and collects the datasets
// it names. Whatever it does not know, it refuses.
type walker struct {
	sql      string
	mentions []mention
	stars    []star
	natural  int // where a natural join stands; -1: nowhere
}

// scope is the CTEs that are visible at a place of the query.
type scope struct {
	name  string
	outer *scope
}

func (s *scope) has(name string) bool {
	for ; s != nil; s = s.outer {
		if s.name == quern.NameKey(name) {
			return true
		}
	}
	return false
}

func (s *scope) with(name string) *scope { return &scope{name: quern.NameKey(name), outer: s} }

// field checks the value of one member of a node.
type field func(w *walker, v any, s *scope, depth int) error

// fields are all members that a kind of node may have.
type fields map[string]field

// members checks a node's members, refusing any that the kind does not list. It
// goes through them in the order of their names, so that of several wrong
// places always the same is reported.
func (w *walker) members(node map[string]any, allowed fields, s *scope, depth int) error {
	if depth > maxDepth {
		return refuse(location(node), "the query nests deeper than %d levels", maxDepth)
	}
	names := make([]string, 0, len(node))
	for name := range node {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		check, ok := allowed[name]
		if !ok {
			return refuse(location(node), "this form of query is not allowed (%s)", name)
		}
		if err := check(w, node[name], s, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// scalar accepts names, flags, numbers and lists of them: what cannot hold a
// node.
func scalar(_ *walker, v any, _ *scope, _ int) error {
	if !isScalar(v) {
		return refuse(-1, "this form of query is not allowed")
	}
	return nil
}

func isScalar(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return false
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !isScalar(item) })
	}
	return true
}

// blank accepts only what says nothing.
func blank(reason string) field {
	return func(_ *walker, v any, _ *scope, _ int) error {
		switch v := v.(type) {
		case nil:
			return nil
		case string:
			if v == "" {
				return nil
			}
		case bool:
			if !v {
				return nil
			}
		case []any:
			if len(v) == 0 {
				return nil
			}
		}
		return refuse(-1, "%s", reason)
	}
}

// node makes a field that holds one node, or null.
func node(check func(w *walker, n map[string]any, s *scope, depth int) error) field {
	return func(w *walker, v any, s *scope, depth int) error {
		switch v := v.(type) {
		case nil:
			return nil
		case map[string]any:
			return check(w, v, s, depth)
		}
		return refuse(-1, "this form of query is not allowed")
	}
}

// list makes a field that holds a list.
func list(item field) field {
	return func(w *walker, v any, s *scope, depth int) error {
		items, ok := v.([]any)
		if !ok && v != nil {
			return refuse(-1, "this form of query is not allowed")
		}
		for _, v := range items {
			if err := item(w, v, s, depth); err != nil {
				return err
			}
		}
		return nil
	}
}

// object makes a field that holds a part without a kind of its own.
func object(allowed fields) field {
	return node(func(w *walker, n map[string]any, s *scope, depth int) error {
		return w.members(n, allowed, s, depth)
	})
}

func str(n map[string]any, name string) string {
	s, _ := n[name].(string)
	return s
}

// location is the byte of the text that a node begins at, -1 when unknown.
func location(n map[string]any) int {
	number, _ := n["query_location"].(json.Number)
	at, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return -1
	}
	return int(at)
}

// mention resolves the name of a table: a CTE in scope, or a dataset.
func (w *walker) mention(n map[string]any, s *scope) error {
	if str(n, "catalog_name") != "" {
		return refuse(location(n), `a dataset is named as dataset, namespace.dataset or "owner/namespace/dataset"`)
	}
	m, isDataset := mentionOf(n, s)
	if !isDataset {
		return nil
	}
	wrong := m.ref.Owner == "" && strings.Contains(str(n, "table_name"), "/") ||
		m.ref.Namespace != "" && !quern.ValidName(m.ref.Namespace) || !quern.ValidName(m.ref.Dataset)
	if wrong {
		return unknownDataset(m.at, m.ref)
	}
	w.mentions = append(w.mentions, m)
	return nil
}

// mentionOf returns the dataset that a table of a query is, unless it is a CTE.
func mentionOf(n map[string]any, s *scope) (m mention, isDataset bool) {
	table, schema := str(n, "table_name"), str(n, "schema_name")
	if schema == "" && s.has(table) {
		return m, false
	}
	ref := engine.Ref{Namespace: schema, Dataset: table}
	if parts := strings.Split(table, "/"); schema == "" && len(parts) == 3 {
		ref = engine.Ref{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]}
	}
	return mention{ref: ref, at: location(n)}, true
}

// unknownDataset is the one answer for a dataset that does not exist and for
// one that the caller may not see.
func unknownDataset(at int, ref engine.Ref) *refusal {
	return refuse(at, "there is no dataset %s", quoteName(refText(ref)))
}

func refText(ref engine.Ref) string {
	switch {
	case ref.Owner != "":
		return ref.Owner + "/" + ref.Namespace + "/" + ref.Dataset
	case ref.Namespace != "":
		return ref.Namespace + "." + ref.Dataset
	}
	return ref.Dataset
}
