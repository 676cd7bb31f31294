package ingest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/catalog"
)

// cleanNames makes column names of what a file writes above its columns: letters,
// digits and single underscores, unique whatever the capitals.
func cleanNames(originals []string) []string {
	names, taken := make([]string, len(originals)), map[string]bool{}
	for i, original := range originals {
		base := cleanName(original)
		if base == "" {
			base = fmt.Sprintf("column_%d", i+1)
		}
		name := base
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

func cleanName(original string) string {
	var b strings.Builder
	gap := false
	for _, r := range original {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			if b.Len() == 0 && unicode.IsDigit(r) {
				b.WriteByte('_')
			}
			b.WriteRune(r)
			gap = false
		default:
			gap = true
		}
	}
	name := b.String()
	const most = maxColumnName - 8 // room for what makes it unique
	if utf8.RuneCountInString(name) > most {
		name = string([]rune(name)[:most])
	}
	return name
}

// looseKey is a column's name without capitals and separators.
func looseKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// matchNames sets every column of a file to the name of the dataset's column that
// it is: of the same name or, failing that, of the only one whose name differs in
// capitals and separators alone.
func matchNames(d quern.Dataset, batch []catalog.Batch) {
	exact, loose := map[string]string{}, map[string]string{}
	for _, c := range d.Columns {
		exact[strings.ToLower(c.Name)] = c.Name
		key := looseKey(c.Name)
		if _, twice := loose[key]; twice || key == "" {
			loose[key] = ""
			continue
		}
		loose[key] = c.Name
	}
	used := map[string]bool{}
	for i, b := range batch {
		if name, ok := exact[strings.ToLower(b.Name)]; ok {
			batch[i].Name = name
			used[name] = true
		}
	}
	for i, b := range batch {
		if name := loose[looseKey(b.Name)]; name != "" && !used[name] && exact[strings.ToLower(b.Name)] == "" {
			batch[i].Name = name
			used[name] = true
		}
	}
}
