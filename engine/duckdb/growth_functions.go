package duckdb

import (
	"encoding/json"
	"strconv"
	"strings"

	"quern"
)

// How functions make values larger.
var (
	// combiners are functions whose result holds all arguments.
	combiners = words(`|| concat concat_ws list_concat list_cat array_concat array_cat list_append array_append
		list_prepend array_prepend array_push_back array_push_front list_value list_pack array_value struct_pack
		row map map_concat map_from_entries struct_insert struct_update struct_concat json_object json_array
		json_merge_patch list_zip array_zip format printf union_value`)
	// separators are functions that put their second argument between items.
	separators = words("array_to_string string_agg group_concat listagg list_string_agg")
	// generators are functions whose result is as large as a number says, and those
	// that bounds.sql lets grow up to a fixed size.
	generators = words(`repeat lpad rpad bitstring range generate_series list_resize array_resize replace
		regexp_replace to_base bar equi_width_bins enum_range`)
	// collectors are aggregates whose result holds the values of many rows.
	collectors = words(`string_agg group_concat listagg list array_agg json_group_array json_group_object
		json_group_structure histogram histogram_exact approx_top_k map`)
	// measures are functions whose result is small whatever they are given.
	measures = words(`length len strlen char_length character_length octet_length bit_length array_length
		list_count json_array_length cardinality length_grapheme hash md5 sha1 sha256 count count_star
		approx_count_distinct contains starts_with ends_with prefix suffix list_contains array_contains
		list_has array_has list_position array_position instr strpos position regexp_matches
		regexp_full_match typeof json_type json_valid ascii ord unicode levenshtein damerau_levenshtein
		+ - * / // % ** ^ abs round floor ceil sum avg median stddev year month day hour minute`)
	// folds are functions that carry a value from item to item.
	folds = words("list_reduce array_reduce reduce")
	// lengthFactors says as how many characters a function writes one.
	lengthFactors = map[string]int{
		"hex": 2, "to_hex": 2, "bin": 8, "to_binary": 8, "url_encode": 3, "regexp_escape": 2, "base64": 2,
		"to_base64": 2, "to_json": 2, "json_quote": 2, "array_to_json": 2, "row_to_json": 2, "nfc_normalize": 3,
		"string_split": 4, "str_split": 4, "split": 4, "string_to_array": 4, "string_split_regex": 4,
		"str_split_regex": 4, "regexp_split_to_array": 4, "regexp_split_to_table": 4, "regexp_extract_all": 4,
	}
)

// childSum adds the sizes of a node's parts up. Constants count by their length,
// because a query can hold many and its own length bounds them.
func (g *growthCheck) childSum(n map[string]any, at visible) int {
	size, constants := 0, 0
	for _, v := range items(n, "children") {
		if item, _ := v.(map[string]any); str(item, "class") == "CONSTANT" {
			constants += len(literal(item))
			continue
		}
		size += g.largestPart(v, at)
	}
	return max(size+constants/64, 1)
}

// literal is the text of a constant.
func literal(n map[string]any) string { return str(member(n, "value"), "value") }

// count is a constant number, as far as it is one.
func count(v any) (int, bool) {
	n, _ := v.(map[string]any)
	number, ok := member(n, "value")["value"].(json.Number)
	size, err := strconv.Atoi(string(number))
	return size, ok && err == nil && str(n, "class") == "CONSTANT"
}

func (g *growthCheck) functionSize(n map[string]any, at visible) int {
	name := strings.ToLower(str(n, "function_name"))
	size := g.argumentSize(n, name, at)
	for part, v := range n {
		if part != "children" {
			size = max(size, g.largestPart(v, at))
		}
	}
	switch {
	case measures[name]:
		return 1
	case collectors[name]:
		return max(size, uncountedSize)
	case lengthFactors[name] > 0:
		return size * lengthFactors[name]
	}
	return size
}

// argumentSize returns how large the arguments of a function are together, where
// they come together, or else the largest.
func (g *growthCheck) argumentSize(n map[string]any, name string, at visible) int {
	arguments := items(n, "children")
	for i, v := range arguments {
		lambda, _ := v.(map[string]any)
		if i > 0 && str(lambda, "class") == "LAMBDA" {
			return g.lambdaSize(n, lambda, folds[name], at)
		}
	}
	switch {
	case generators[name]:
		return g.generatedSize(arguments, name, at)
	case separators[name] && len(arguments) > 1:
		return g.largestPart(arguments[0], at) * g.separatorSize(arguments[1], at)
	case name == "concat_ws" && len(arguments) > 0:
		return g.childSum(n, at) + len(arguments)*(g.separatorSize(arguments[0], at)-1)
	case combiners[name]:
		return g.childSum(n, at)
	}
	return g.largestPart(n["children"], at)
}

// separatorSize is how much stands between all items: it counts by its length.
func (g *growthCheck) separatorSize(v any, at visible) int {
	if n, _ := v.(map[string]any); str(n, "class") == "CONSTANT" {
		return 1 + len(literal(n))/16
	}
	return perItemFactor * g.largestPart(v, at)
}

// generatedSize returns how large the result of a function is that makes text or items: as
// large as a constant in its arguments says, or else uncountedSize.
func (g *growthCheck) generatedSize(arguments []any, name string, at visible) int {
	size := g.largestPart(arguments, at)
	switch name {
	case "range", "generate_series":
		most := 0
		for _, v := range arguments {
			n, ok := count(v)
			if !ok {
				return max(size, uncountedSize)
			}
			most = max(most, n, -n)
		}
		return max(size, min(1+most/64, uncountedSize))
	case "replace", "regexp_replace":
		if len(arguments) > 2 {
			with, _ := arguments[2].(map[string]any)
			if str(with, "class") == "CONSTANT" {
				return max(size, min(len(literal(with)), uncountedSize))
			}
		}
		return max(size, uncountedSize)
	}
	if len(arguments) < 2 {
		return max(size, uncountedSize)
	}
	n, ok := count(arguments[1])
	switch {
	case len(arguments) > 2 && strings.HasSuffix(name, "_resize"):
		return uncountedSize * g.separatorSize(arguments[2], at)
	case !ok:
		return max(size, uncountedSize)
	case name == "repeat":
		return max(size, min(size*n, uncountedSize))
	}
	return max(size, min(1+n/64, uncountedSize))
}

// lambdaSize returns how large a list can become whose items are replaced by the
// lambda's.
func (g *growthCheck) lambdaSize(n, lambda map[string]any, folds bool, at visible) int {
	items := items(n, "children")
	var names []string
	collectNames(lambda["lhs"], &names)
	body := func(outer, first, rest int) int {
		params := map[string]int{}
		for name, size := range at.params {
			params[name] = outer * size
		}
		for i, name := range names {
			if params[quern.NameKey(name)] = rest; i == 0 {
				params[quern.NameKey(name)] = first
			}
		}
		return g.largestPart(lambda["expr"], visible{cells: at.cells.scaled(outer), params: params, ctes: at.ctes})
	}
	size := 1
	for _, v := range items {
		if other, _ := v.(map[string]any); str(other, "class") != "LAMBDA" {
			size = max(size, g.largestPart(v, at))
		}
	}
	if folds && body(1, uncountedSize, 1) >= 2*uncountedSize {
		return refusedSize
	}
	return size * body(perItemFactor, 1, 1)
}

func collectNames(v any, names *[]string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			collectNames(item, names)
		}
	case map[string]any:
		if str(v, "class") == "COLUMN_REF" {
			for _, name := range items(v, "column_names") {
				if text, ok := name.(string); ok {
					*names = append(*names, text)
				}
			}
		}
		collectNames(v["children"], names)
	}
}
