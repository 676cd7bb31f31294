package lex

import (
	"regexp"

	"quern/english"
)

var (
	orMore = regexp.MustCompile(`(?i)^\W*\w*\W*(?:or|and) ` + english.OrMore.Pattern() + `\b`)
	orLess = regexp.MustCompile(`(?i)^\W*\w*\W*(?:or|and) ` + english.OrLess.Pattern() + `\b`)
)

// BoundBehind returns the comparison that the words behind a constant make of it: 5 or
// more is >=, 2022 or earlier <=. It is empty where they say nothing of the kind.
func BoundBehind(behind string) string {
	switch {
	case orMore.MatchString(behind):
		return ">="
	case orLess.MatchString(behind):
		return "<="
	}
	return ""
}
