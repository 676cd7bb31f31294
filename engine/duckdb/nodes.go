package duckdb

import (
	"maps"
	"strings"
)

// These tables are the allow-list: every kind of node that a query may have,
// with every member. They are filled in init because they refer to each other.
var (
	queryNodes  map[string]fields // by type
	tableNodes  map[string]fields // by type
	expressions map[string]fields // by class
	modifiers   map[string]fields // by type
)

// operators are the types of the class OPERATOR that are allowed.
var operators = words(`ARRAY_EXTRACT ARRAY_SLICE STRUCT_EXTRACT ARRAY_CONSTRUCTOR COMPARE_IN
	COMPARE_NOT_IN GROUPING_FUNCTION OPERATOR_COALESCE OPERATOR_IS_NOT_NULL OPERATOR_IS_NULL
	OPERATOR_NOT OPERATOR_NULLIF OPERATOR_TRY OPERATOR_UNPACK ARROW`)

// valueTypes are the types that a constant in the text can have.
var valueTypes = words(`BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT
	UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL VARCHAR BLOB DATE TIME TIMESTAMP INTERVAL
	NULL LIST STRUCT UNBOUND`)

// typeNames are the types that people may cast to.
var typeNames = words(`bool boolean logical tinyint int1 smallint int2 int16 short integer int
	int4 int32 signed bigint int8 int64 long oid hugeint int128 utinyint uint8 usmallint uint16
	uinteger uint32 ubigint uint64 uhugeint uint128 float float4 real float32 double float8
	float64 decimal dec numeric varchar char bpchar text string nvarchar blob bytea binary
	varbinary date time timetz timestamp datetime timestamptz timestamp_s timestamp_ms
	timestamp_us timestamp_ns interval uuid guid json list array struct row map union enum
	null`)

func init() {
	typeNames["timestamp with time zone"] = true
	typeNames["time with time zone"] = true
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

func join(all ...fields) fields {
	out := fields{}
	for _, f := range all {
		maps.Copy(out, f)
	}
	return out
}

func init() {
	p := parts{expr: node((*walker).expression), query: node((*walker).query), table: node((*walker).table),
		statement: node((*walker).statement)}
	p.exprs = list(p.expr)
	p.orders = list(object(fields{"type": scalar, "null_order": scalar, "expression": p.expr}))
	p.value = object(fields{"type": node((*walker).valueType), "is_null": scalar, "value": constant})
	p.sample = object(fields{"sample_size": p.value, "is_percentage": scalar, "method": scalar, "seed": scalar})
	p.listQueries()
	p.listTables()
	p.listExpressions()
}

// parts are the fields that many kinds of node share.
type parts struct {
	expr, exprs, query, table, statement, orders, value, sample field
}

func (p parts) listQueries() {
	// The CTEs are checked first, before everything that may name them.
	common := fields{"type": scalar, "cte_map": ignored, "modifiers": list(node((*walker).modifier))}
	modifiers = map[string]fields{
		"DISTINCT_MODIFIER":      {"type": scalar, "distinct_on_targets": p.exprs},
		"ORDER_MODIFIER":         {"type": scalar, "orders": p.orders},
		"LIMIT_MODIFIER":         {"type": scalar, "limit": p.expr, "offset": p.expr},
		"LIMIT_PERCENT_MODIFIER": {"type": scalar, "limit": p.expr, "offset": p.expr},
	}
	queryNodes = map[string]fields{
		"SELECT_NODE": join(common, fields{
			"select_list": p.exprs, "from_table": p.table, "where_clause": p.expr,
			"group_expressions": p.exprs, "group_sets": scalar, "aggregate_handling": scalar,
			"having": p.expr, "sample": p.sample, "qualify": p.expr,
		}),
		"SET_OPERATION_NODE": join(common, fields{
			"setop_type": scalar, "setop_all": scalar, "left": p.query, "right": p.query, "children": list(p.query),
		}),
		"RECURSIVE_CTE_NODE": join(common, fields{
			"cte_name": scalar, "union_all": scalar, "left": p.query, "right": ignored,
			"aliases": scalar, "key_targets": blank("USING KEY is not allowed"),
		}),
	}
}

func (p parts) listTables() {
	common := fields{"type": scalar, "alias": scalar, "sample": p.sample, "query_location": scalar}
	tableNodes = map[string]fields{
		"EMPTY": common,
		"BASE_TABLE": join(common, fields{
			"schema_name": scalar, "table_name": scalar, "catalog_name": scalar,
			"column_name_alias": scalar, "at_clause": blank("AT is not allowed"),
		}),
		"SUBQUERY": join(common, fields{"subquery": p.statement, "column_name_alias": scalar}),
		"JOIN": join(common, fields{
			"left": p.table, "right": p.table, "condition": p.expr, "join_type": scalar, "ref_type": scalar,
			"using_columns": scalar, "delim_flipped": scalar, "is_implicit": scalar,
			"duplicate_eliminated_columns": blank("this form of join is not allowed"),
		}),
		"TABLE_FUNCTION": join(common, fields{
			"function": node((*walker).tableFunction), "column_name_alias": scalar, "with_ordinality": scalar,
		}),
		"EXPRESSION_LIST": join(common, fields{
			"expected_names": scalar, "expected_types": blank("this form of VALUES is not allowed"),
			"values": list(p.exprs),
		}),
		"PIVOT": join(common, fields{
			"source": p.table, "aggregates": p.exprs, "unpivot_names": scalar, "groups": scalar,
			"column_name_alias": scalar, "include_nulls": scalar,
			"pivots": list(object(fields{
				"pivot_expressions": p.exprs, "unpivot_names": scalar, "pivot_enum": blank("PIVOT over an enum is not allowed"),
				"entries": list(object(fields{"values": list(p.value), "star_expr": p.expr, "alias": scalar})),
			})),
		}),
	}
}

func (p parts) listExpressions() {
	common := fields{"class": scalar, "type": scalar, "alias": scalar, "query_location": scalar}
	column := object(fields{"catalog": scalar, "schema": scalar, "table": scalar, "column": scalar})
	expressions = map[string]fields{
		"BETWEEN":              {"input": p.expr, "lower": p.expr, "upper": p.expr},
		"CASE":                 {"case_checks": list(object(fields{"when_expr": p.expr, "then_expr": p.expr})), "else_expr": p.expr},
		"CAST":                 {"child": p.expr, "cast_type": node((*walker).valueType), "try_cast": scalar},
		"COLLATE":              {"child": p.expr, "collation": scalar},
		"COLUMN_REF":           {"column_names": scalar},
		"COMPARISON":           {"left": p.expr, "right": p.expr},
		"CONJUNCTION":          {"children": p.exprs},
		"CONSTANT":             {"value": p.value},
		"LAMBDA":               {"lhs": p.expr, "expr": p.expr, "syntax_type": scalar},
		"OPERATOR":             {"children": p.exprs},
		"POSITIONAL_REFERENCE": {"index": scalar},
		"FUNCTION": {
			"function_name": scalar, "schema": scalar, "catalog": blank("a function has no catalog"),
			"children": p.exprs, "filter": p.expr, "distinct": scalar, "is_operator": scalar,
			"export_state": blank("EXPORT_STATE is not allowed"),
			"order_bys":    object(fields{"type": scalar, "orders": p.orders}),
		},
		"STAR": {
			"relation_name": scalar, "exclude_list": scalar, "columns": scalar, "expr": p.expr,
			"replace_list":           list(object(fields{"key": scalar, "value": p.expr})),
			"qualified_exclude_list": list(column),
			"rename_list":            list(object(fields{"key": column, "value": scalar})),
		},
		"SUBQUERY": {"subquery_type": scalar, "subquery": p.statement, "child": p.expr, "comparison_type": scalar},
		"TYPE": {"catalog": blank("a type has no catalog"), "schema": blank("a type has no schema"), "type_name": scalar,
			"children": p.exprs},
		"WINDOW": {
			"function_name": scalar, "schema": scalar, "catalog": blank("a function has no catalog"),
			"children": p.exprs, "partitions": p.exprs, "orders": p.orders, "arg_orders": p.orders, "start": scalar,
			"end": scalar, "start_expr": p.expr, "end_expr": p.expr, "offset_expr": p.expr, "default_expr": p.expr,
			"ignore_nulls": scalar, "filter_expr": p.expr, "exclude_clause": scalar, "distinct": scalar,
		},
	}
	for class, own := range expressions {
		expressions[class] = join(common, own)
	}
}

// ignored is for members that the node's own check looks into.
func ignored(*walker, any, *scope, int) error { return nil }

// constant accepts a literal's value: plain data, at most an object of two
// halves for large numbers, never a node.
func constant(_ *walker, v any, _ *scope, _ int) error {
	if halves, ok := v.(map[string]any); ok {
		for _, half := range halves {
			if !isScalar(half) {
				return refuse(-1, "this form of constant is not allowed")
			}
		}
		return nil
	}
	return scalar(nil, v, nil, 0)
}
