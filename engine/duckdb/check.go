package duckdb

import (
	"regexp"
	"strconv"
	"strings"
)

func (w *walker) statement(n map[string]any, s *scope, depth int) error {
	return w.members(n, fields{
		"node": node((*walker).query),
		// Parameters are refused where they stand, with their place.
		"named_param_map": ignored,
	}, s, depth)
}

// query checks a SELECT, a set operation or a recursive CTE. CTEs see those
// before them; a recursive one sees itself on its right side only.
func (w *walker) query(n map[string]any, s *scope, depth int) error {
	kind := str(n, "type")
	allowed, ok := queryNodes[kind]
	if !ok {
		return refuse(-1, "this form of query is not allowed")
	}
	s, err := w.ctes(n["cte_map"], s, depth)
	if err != nil {
		return err
	}
	if err := w.members(n, allowed, s, depth); err != nil {
		return err
	}
	w.noteStars(n, s)
	right, ok := n["right"].(map[string]any)
	if kind != "RECURSIVE_CTE_NODE" || !ok {
		return nil
	}
	return w.query(right, s.with(str(n, "cte_name")), depth+1)
}

func (w *walker) ctes(v any, s *scope, depth int) (*scope, error) {
	cteMap, _ := v.(map[string]any)
	items, _ := cteMap["map"].([]any)
	isMap := len(cteMap) == 1 && items != nil
	if v != nil && !isMap {
		return nil, refuse(-1, "this form of WITH is not allowed")
	}
	for _, item := range items {
		entry, _ := item.(map[string]any)
		body, ok := entry["value"].(map[string]any)
		if !ok || len(entry) != 2 {
			return nil, refuse(-1, "this form of WITH is not allowed")
		}
		err := w.members(body, fields{
			"aliases": scalar, "materialized": scalar, "key_targets": blank("USING KEY is not allowed"),
			"query": node(func(w *walker, n map[string]any, s *scope, depth int) error {
				return w.statement(n, s, depth)
			}),
		}, s, depth+1)
		if err != nil {
			return nil, err
		}
		s = s.with(str(entry, "key"))
	}
	return s, nil
}

func (w *walker) modifier(n map[string]any, s *scope, depth int) error {
	allowed, ok := modifiers[str(n, "type")]
	if !ok {
		return refuse(-1, "this form of query is not allowed")
	}
	return w.members(n, allowed, s, depth)
}

func (w *walker) table(n map[string]any, s *scope, depth int) error {
	kind := str(n, "type")
	allowed, ok := tableNodes[kind]
	if !ok {
		if kind == "SHOW_REF" {
			return refuse(location(n), "DESCRIBE, SHOW and SUMMARIZE are not allowed; "+
				"to see columns use SELECT * FROM a dataset LIMIT 1, or its metadata")
		}
		return refuse(location(n), "this form of FROM is not allowed")
	}
	if err := w.members(n, allowed, s, depth); err != nil {
		return err
	}
	switch {
	case kind == "BASE_TABLE":
		return w.mention(n, s)
	case str(n, "ref_type") == "NATURAL":
		w.natural = max(location(n), 0)
	}
	return nil
}

func (w *walker) tableFunction(n map[string]any, s *scope, depth int) error {
	name := strings.ToLower(str(n, "function_name"))
	if str(n, "class") != "FUNCTION" || !allowedFunctions.table[name] {
		return refuse(location(n), "the table function %s is not available", quoteName(str(n, "function_name")))
	}
	return w.members(n, expressions["FUNCTION"], s, depth)
}

func (w *walker) expression(n map[string]any, s *scope, depth int) error {
	class, at := str(n, "class"), location(n)
	allowed, ok := expressions[class]
	if !ok {
		if class == "PARAMETER" {
			return refuse(at, "parameters are not allowed")
		}
		return refuse(at, "this form of expression is not allowed")
	}
	switch class {
	case "FUNCTION", "WINDOW":
		name := strings.ToLower(str(n, "function_name"))
		if !allowedFunctions.scalar[name] {
			return refuse(at, "the function %s is not available", quoteName(str(n, "function_name")))
		}
		if class == "WINDOW" && collectors[name] {
			return refuse(at, "%s is not available over a window", name)
		}
		if boundedFunctions[name] && str(n, "schema") != "" {
			return refuse(at, "write %s without anything in front of it", name)
		}
		formats := name == "format" || name == "printf"
		if formats && !plainFormat(n) {
			return refuse(at, "%s needs a constant format whose widths add up to at most %d", name, maxWidths)
		}
	case "OPERATOR":
		if !operators[str(n, "type")] {
			return refuse(at, "this operator is not allowed")
		}
	case "TYPE":
		if !typeNames[strings.ToLower(str(n, "type_name"))] {
			return refuse(at, "the type %s is not available", quoteName(str(n, "type_name")))
		}
	}
	return w.members(n, allowed, s, depth)
}

// valueType checks the type of a literal or of a cast: one that the parser knew
// at once, or one (UNBOUND) that will be looked up by its name.
func (w *walker) valueType(n map[string]any, s *scope, depth int) error {
	if !valueTypes[str(n, "id")] {
		return refuse(-1, "constants of type %s are not allowed", str(n, "id"))
	}
	return w.members(n, fields{"id": scalar, "type_info": node((*walker).typeInfo)}, s, depth)
}

func (w *walker) typeInfo(n map[string]any, s *scope, depth int) error {
	return w.members(n, fields{
		"type": scalar, "alias": scalar, "extension_info": blank("this type is not allowed"),
		"width": scalar, "scale": scalar, "size": scalar, "collation": scalar,
		"child_type":  node((*walker).valueType),
		"child_types": list(object(fields{"first": scalar, "second": node((*walker).valueType)})),
		"expr":        node((*walker).expression),
	}, s, depth)
}

// maxWidths is the most characters that the widths of a format add up to.
const maxWidths = 1000

var (
	nestedFormat = regexp.MustCompile(`\*|\{[^{}]*\{`)
	formatWidth  = regexp.MustCompile(`[0-9]+`)
)

// plainFormat reports whether a call of format or printf names no widths that
// could make its result out of proportion.
func plainFormat(n map[string]any) bool {
	arguments, _ := n["children"].([]any)
	if len(arguments) == 0 {
		return false
	}
	first, _ := arguments[0].(map[string]any)
	value, _ := first["value"].(map[string]any)
	text, ok := value["value"].(string)
	if str(first, "class") != "CONSTANT" || !ok || nestedFormat.MatchString(text) {
		return false
	}
	sum := 0
	for _, digits := range formatWidth.FindAllString(text, -1) {
		width, err := strconv.Atoi(digits)
		if sum += width; err != nil || sum > maxWidths {
			return false
		}
	}
	return true
}
