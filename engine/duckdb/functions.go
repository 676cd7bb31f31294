package duckdb

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed functions.txt
var functionsText string

// functionLists says which functions people may call, by lower-case name.
type functionLists struct {
	scalar map[string]bool // in expressions: scalars, aggregates, windows, operators
	table  map[string]bool // in FROM
	denied []string        // decided against; patterns may end in *
}

// boundedFunctions are those that bounds.sql stands in front of. Only their bare
// name finds the bounded form.
var boundedFunctions = func() map[string]bool {
	names := map[string]bool{}
	for _, match := range regexp.MustCompile(`CREATE MACRO (\w+)`).FindAllStringSubmatch(boundsSQL, -1) {
		names[match[1]] = true
	}
	return names
}()

var allowedFunctions = parseFunctions(functionsText)

func parseFunctions(text string) functionLists {
	lists := functionLists{scalar: map[string]bool{}, table: map[string]bool{}}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		default:
			lists.add(section, strings.Fields(strings.ToLower(line)))
		}
	}
	return lists
}

func (l *functionLists) add(section string, names []string) {
	for _, name := range names {
		switch {
		case strings.HasPrefix(section, "deny"):
			l.denied = append(l.denied, name)
		case section == "table functions":
			l.table[name] = true
		default:
			l.scalar[name] = true
		}
	}
}
