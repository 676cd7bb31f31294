package duckdb

import (
	"regexp"
	"slices"
	"strings"

	"quern"
)

// star is a * of a query that stands for all columns of datasets, among other things.
type star struct {
	at       int      // where in the text
	tables   []table  // that it stands for
	excluded []string // columns that the query itself leaves out of it
}

// table is a dataset under the name that the columns of a query go by.
type table struct {
	mention mention
	name    string
}

// hiddenColumns are the columns of tables that are given when they are named, never by *.
func hiddenColumns(s shownTable) (names []string) {
	if len(s.table.Columns) == 0 {
		return nil
	}
	if s.table.RowIDs {
		names = append(names, quern.RowColumn)
	}
	for _, l := range s.table.Labels {
		names = append(names, l.Column.Name)
	}
	return names
}

// noteStars remembers the stars of a SELECT and the datasets that they stand for.
func (w *walker) noteStars(n map[string]any, s *scope) {
	items, _ := n["select_list"].([]any)
	from, _ := n["from_table"].(map[string]any)
	for _, item := range items {
		node, _ := item.(map[string]any)
		if columns, _ := node["columns"].(bool); columns || str(node, "class") != "STAR" || node["expr"] != nil {
			continue
		}
		of := star{at: location(node), excluded: excludedNames(node)}
		if of.at == 0 { // it is not written
			of.at = w.beginsAt(from)
		}
		for _, t := range datasetsOf(from, s) {
			if of.at >= 0 && (str(node, "relation_name") == "" || strings.EqualFold(str(node, "relation_name"), t.name)) {
				of.tables = append(of.tables, t)
			}
		}
		if len(of.tables) > 0 {
			w.stars = append(w.stars, of)
		}
	}
}

// beginsAt returns where the FROM of a query without SELECT stands; -1 when it does not
// begin with the name of a table.
func (w *walker) beginsAt(from map[string]any) int {
	for str(from, "type") == "JOIN" {
		from, _ = from["left"].(map[string]any)
	}
	at := location(from)
	if str(from, "type") != "BASE_TABLE" || at < 0 || at > len(w.sql) {
		return -1
	}
	if word := fromBefore.FindStringIndex(w.sql[:at]); word != nil {
		return word[0]
	}
	return -1
}

// excludedNames returns the columns that a star leaves out.
func excludedNames(star map[string]any) (names []string) {
	plain, _ := star["exclude_list"].([]any)
	for _, v := range plain {
		if name, ok := v.(string); ok {
			names = append(names, quern.NameKey(name))
		}
	}
	qualified, _ := star["qualified_exclude_list"].([]any)
	for _, v := range qualified {
		if column, ok := v.(map[string]any); ok {
			names = append(names, quern.NameKey(str(column, "column")))
		}
	}
	return names
}

// datasetsOf returns the datasets that a FROM names outside of subqueries.
func datasetsOf(n map[string]any, s *scope) (all []table) {
	switch str(n, "type") {
	case "JOIN":
		left, _ := n["left"].(map[string]any)
		right, _ := n["right"].(map[string]any)
		return append(datasetsOf(left, s), datasetsOf(right, s)...)
	case "BASE_TABLE":
		m, isDataset := mentionOf(n, s)
		if !isDataset {
			return nil
		}
		t := table{mention: m, name: str(n, "alias")}
		if t.name == "" {
			t.name = str(n, "table_name")
		}
		return []table{t}
	}
	return nil
}

var (
	starText    = regexp.MustCompile(`^(?:(?:"(?:[^"]|"")*"|[^\s"'.*()]+)\s*\.\s*)*\*`)
	excludeText = regexp.MustCompile(`^\s*(?i:exclude|except)\s*\(`)
	excludeName = regexp.MustCompile(`^\s*(?i:exclude|except)\s+((?:"(?:[^"]|"")*"|[^\s",;()]+))`)
	fromText    = regexp.MustCompile(`^(?i:from)\b`)
	fromBefore  = regexp.MustCompile(`\b(?i:from)[\s(]*$`)
)

// hideFromStars changes a query so that its stars do not stand for hidden columns.
func hideFromStars(sql string, stars []star, shown []shownTable) string {
	slices.SortFunc(stars, func(a, b star) int { return b.at - a.at }) // the last one first, so that places stay
	for _, s := range stars {
		var hidden []string
		for _, t := range s.tables {
			at := slices.IndexFunc(shown, func(s shownTable) bool { return refKey(s.ref) == refKey(t.mention.ref) })
			for _, name := range hiddenColumns(shown[at]) {
				if !slices.Contains(s.excluded, name) {
					hidden = append(hidden, quoteName(t.name)+"."+quoteName(name))
				}
			}
		}
		if len(hidden) > 0 && s.at < len(sql) {
			sql = sql[:s.at] + exclude(sql[s.at:], strings.Join(hidden, ", "))
		}
	}
	return sql
}

// exclude writes columns to be left out into the text of a star, or of a query that
// has one without writing it.
func exclude(text, columns string) string {
	if fromText.MatchString(text) {
		return "SELECT * EXCLUDE (" + columns + ") " + text
	}
	written := starText.FindString(text)
	if written == "" {
		return text
	}
	rest := text[len(written):]
	if list := excludeText.FindString(rest); list != "" {
		return written + list + columns + ", " + rest[len(list):]
	}
	if one := excludeName.FindStringSubmatch(rest); one != nil {
		return written + " EXCLUDE (" + columns + ", " + one[1] + ")" + rest[len(one[0]):]
	}
	return written + " EXCLUDE (" + columns + ")" + rest
}
