package judge

import (
	"context"
	"regexp"
	"strings"

	"quern/tree"
)

// tree reads SQLite's SQL.
func (d *file) tree(ctx context.Context, text string) (*tree.Query, error) {
	names := map[string]bool{}
	tables, err := d.tables(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tables {
		names[strings.ToLower(t)] = true
		columns, err := d.columns(ctx, t)
		if err != nil {
			return nil, err
		}
		for _, c := range columns {
			names[strings.ToLower(c)] = true
		}
	}
	parsed, err := tree.Parse(standard(text, names))
	if err != nil {
		return nil, err
	}
	return parsed, nil
}

var quoted = regexp.MustCompile("\"[^\"]*\"|'(?:[^']|'')*'|`[^`]*`")

// standard writes SQLite's SQL as everyone reads it: a text in double quotes
// that names nothing is a constant there.
func standard(text string, names map[string]bool) string {
	text = strings.NewReplacer("‘", "'", "’", "'").Replace(strings.TrimRight(strings.TrimSpace(text), "; "))
	text = quoted.ReplaceAllStringFunc(text, func(s string) string {
		inner := s[1 : len(s)-1]
		switch {
		case s[0] == '`':
			return `"` + inner + `"`
		case s[0] == '"' && !names[strings.ToLower(inner)]:
			return "'" + strings.ReplaceAll(inner, "'", "''") + "'"
		}
		return s
	})
	return strings.NewReplacer("! =", "!=", "> =", ">=", "< =", "<=").Replace(text)
}
