package engine

import (
	"fmt"
	"strings"
)

// UniqueNames returns the names of a result's columns, those that are there already,
// whatever their case, with a number behind them.
func UniqueNames(names []string) []string {
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		taken[strings.ToLower(name)] = true
	}
	seen := make(map[string]bool, len(names))
	all := make([]string, len(names))
	for i, name := range names {
		unique := name
		for n, used := 1, seen; used[strings.ToLower(unique)]; n++ {
			unique, used = fmt.Sprintf("%s_%d", name, n), taken
		}
		seen[strings.ToLower(unique)], taken[strings.ToLower(unique)] = true, true
		all[i] = unique
	}
	return all
}
