package duckdb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/engine"
)

// sqlType returns the engine's type of a column.
func sqlType(t quern.Type) (string, error) {
	switch t {
	case quern.Boolean:
		return "BOOLEAN", nil
	case quern.Integer:
		return "BIGINT", nil
	case quern.Double:
		return "DOUBLE", nil
	case quern.Date:
		return "DATE", nil
	case quern.Timestamp:
		return "TIMESTAMPTZ", nil
	case quern.Text:
		return "VARCHAR", nil
	case quern.JSON:
		return "JSON", nil
	}
	precision, scale, ok := t.DecimalSize()
	if !ok || precision < 1 || precision > quern.MaxDecimalDigits || scale < 0 || scale > precision {
		return "", fmt.Errorf("duckdb: no column type %q", t)
	}
	return fmt.Sprintf("DECIMAL(%d,%d)", precision, scale), nil
}

// timestampSQL writes a timestamp in RFC 3339, without trailing zeros.
const timestampSQL = `(regexp_replace(strftime(%s, '%%Y-%%m-%%dT%%H:%%M:%%S.%%f'), '\.?0+$', '') || 'Z')`

// widen writes the expression that turns a column of type from into type to
// without changing a value.
func widen(expr string, from, to quern.Type) (string, error) {
	target, err := sqlType(to)
	if err != nil || from == to {
		return expr, err
	}
	_, _, decimal := from.DecimalSize()
	_, _, decimalTo := to.DecimalSize()
	switch {
	case to == quern.Text && from == quern.Timestamp:
		return fmt.Sprintf(timestampSQL, expr), nil
	case to == quern.Text && decimal:
		return decimalText(expr, from), nil
	case to == quern.Text && from == quern.Double:
		return "regexp_replace(CAST(" + expr + " AS VARCHAR), '\\.0$', '')", nil
	case to == quern.JSON && from == quern.Timestamp:
		return "to_json(" + fmt.Sprintf(timestampSQL, expr) + ")", nil
	case to == quern.JSON && decimal:
		return "CAST(" + numeralText(expr) + " AS JSON)", nil
	case decimalTo && from == quern.Double:
		// By way of the shortest text, so that 0.1 stays 0.1.
		return "CAST(CAST(" + expr + " AS VARCHAR) AS " + target + ")", nil
	case to == quern.JSON:
		return "to_json(" + expr + ")", nil
	}
	return "CAST(" + expr + " AS " + target + ")", nil
}

// numeralText writes a decimal with a digit before its point, which the engine
// leaves out when no digit can stand there.
func numeralText(expr string) string {
	return "regexp_replace(CAST(" + expr + " AS VARCHAR), '^(-?)[.]', '\\10.')"
}

// decimalText writes a decimal without trailing zeros, so that a number has the
// same text whichever number type held it.
func decimalText(expr string, t quern.Type) string {
	text := numeralText(expr)
	if _, scale, _ := t.DecimalSize(); scale == 0 {
		return text
	}
	return "rtrim(rtrim(" + text + ", '0'), '.')"
}

// tablePaths lists the files that tableSQL reads.
func tablePaths(t engine.Table, from int64) []string {
	var paths []string
	for _, run := range runs(t.Segments, from) {
		for _, s := range run {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// tableSQL writes the query that reads t. Rows come in order of id; from skips
// those with a smaller id.
func tableSQL(t engine.Table, from int64, name fileNames) (string, error) {
	var parts []string
	for _, run := range runs(t.Segments, from) {
		part, err := runSQL(t, run, name)
		if err != nil {
			return "", err
		}
		if first := run[0]; first.FirstRow < from {
			part = skip(part, first, from-first.FirstRow)
		}
		if part, err = labelled(t, part, run); err != nil {
			return "", err
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return emptySQL(t)
	}
	return strings.Join(parts, " UNION ALL "), nil
}

// skip leaves out a segment's first rows. The reader's row numbers make that
// cheap, unless a column of the same name stands before them.
func skip(part string, s engine.Segment, rows int64) string {
	if holds(s, rowNumber) {
		return fmt.Sprintf("SELECT * FROM (%s OFFSET %d)", part, rows)
	}
	return fmt.Sprintf("%s WHERE %s >= %d", part, rowNumber, rows)
}

// The columns by which the reader tells where a row stands, unless the file has
// columns of these names.
const (
	rowNumber = "file_row_number"
	fileIndex = "file_index"
)

// holds reports whether a segment has a column of a name.
func holds(s engine.Segment, name string) bool {
	return slices.ContainsFunc(s.Columns, func(c quern.Column) bool { return quern.NameKey(c.Name) == name })
}

// rowIDItem writes the column of row ids behind a table's columns.
func rowIDItem(t engine.Table, run []engine.Segment) string {
	if len(t.Columns) == 0 {
		return ""
	}
	id := "CAST(NULL AS BIGINT)"
	switch {
	case len(run) == 0 || holds(run[0], rowNumber):
	case len(run) == 1:
		id = fmt.Sprintf("%d + %s", run[0].FirstRow, rowNumber)
	case !holds(run[0], fileIndex):
		first := make([]string, len(run))
		for i, s := range run {
			first[i] = strconv.FormatInt(s.FirstRow, 10)
		}
		id = fmt.Sprintf("[%s][CAST(%s AS BIGINT) + 1] + %s", strings.Join(first, ", "), fileIndex, rowNumber)
	}
	return fmt.Sprintf(", CAST(%s AS BIGINT) AS %s", id, quern.RowColumn)
}

// runs groups neighbouring segments that hold the same columns, leaving out
// those that end before from. One that from falls into stands alone.
func runs(segments []engine.Segment, from int64) [][]engine.Segment {
	var out [][]engine.Segment
	for _, s := range segments {
		if s.FirstRow+s.Rows <= from || s.Rows == 0 {
			continue
		}
		last := len(out) - 1
		if last >= 0 && out[last][0].FirstRow >= from && slices.Equal(out[last][0].Columns, s.Columns) {
			out[last] = append(out[last], s)
			continue
		}
		out = append(out, []engine.Segment{s})
	}
	return out
}

func runSQL(t engine.Table, run []engine.Segment, name fileNames) (string, error) {
	list, err := selectList(t, run[0].Columns)
	if err != nil {
		return "", err
	}
	files := make([]string, len(run))
	for i, s := range run {
		if files[i] = name(s.Path); strings.ContainsAny(files[i], "*?[") {
			return "", fmt.Errorf("duckdb: segment path %q holds a wildcard", files[i])
		}
	}
	if t.RowIDs || len(t.Labels) > 0 {
		list += rowIDItem(t, run)
	}
	return "SELECT " + list + " FROM read_parquet(" + quoteTexts(files) + ", hive_partitioning = false)", nil
}

// selectList maps what a file holds to what the table shows.
func selectList(t engine.Table, held []quern.Column) (string, error) {
	types := make(map[string]quern.Column, len(held))
	for _, c := range held {
		types[quern.NameKey(c.Name)] = c
	}
	items := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		name := quoteName(c.Name)
		physical, ok := types[quern.NameKey(c.Name)]
		if !ok {
			target, err := sqlType(c.Type)
			if err != nil {
				return "", err
			}
			items[i] = "CAST(NULL AS " + target + ") AS " + name
			continue
		}
		expr, from := quoteName(physical.Name), physical.Type
		if t.WasText[c.Name] && from != quern.JSON {
			var err error
			if expr, err = widen(expr, from, quern.Text); err != nil {
				return "", err
			}
			from = quern.Text
		}
		expr, err := widen(expr, from, c.Type)
		if err != nil {
			return "", err
		}
		items[i] = expr + " AS " + name
	}
	if len(items) == 0 {
		return "NULL AS " + emptyColumn, nil
	}
	return strings.Join(items, ", "), nil
}

func emptySQL(t engine.Table) (string, error) {
	list, err := selectList(t, nil)
	if err != nil {
		return "", err
	}
	if t.RowIDs || len(t.Labels) > 0 {
		list += rowIDItem(t, nil)
	}
	return labelled(t, "SELECT "+list+" WHERE false", nil)
}
