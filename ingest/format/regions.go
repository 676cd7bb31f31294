package format

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// region is a part of a sheet that is a table.
type region struct {
	first, last int64 // its rows in the sheet, from 1; last 0: to the end
	left, right int   // its columns, from 0, the last not included; right 0: to the end
	rows        [][]string
	numbers     []int64 // of the rows, in the sheet
	whole       bool    // rows are all that there are
}

// cut returns what a row of the sheet has in the region; ok is false when that is
// nothing.
func (g region) cut(row []string, number int64) (_ []string, ok bool) {
	if number < g.first || g.last > 0 && number > g.last {
		return nil, false
	}
	if g.right > 0 && g.right < len(row) {
		row = row[:g.right]
	}
	row = row[min(g.left, len(row)):]
	return row, filled(row) > 0
}

// smallCells is how many cells of a sheet are held to find its tables.
const smallCells = 500_000

// sample returns the rows of a sheet that tables are looked for in: all of a small one,
// the first of others.
func (s bookSheet) sample() (all region, width int, err error) {
	rows, err := s.open()
	if err != nil {
		return all, 0, err
	}
	defer func() { _ = rows.Close() }()
	for cells := 0; ; {
		if many := cells > smallCells; len(all.rows) >= sheetSample && (!s.small || many) {
			all.rows, all.numbers = all.rows[:sheetSample], all.numbers[:sheetSample]
			s.small = false
			break
		}
		row, number, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return all, 0, err
		}
		cells += len(row)
		all.rows, all.numbers = append(all.rows, append([]string(nil), row...)), append(all.numbers, number)
	}
	all.whole = s.small
	return all, rows.wide(), nil
}

// split takes the rows of a sheet apart into its tables: those below one another, and
// in each of them those beside one another.
func (g region) split() (tables []region) {
	below := []region{g}
	if g.whole {
		below = g.splitBelow()
	}
	for _, b := range below {
		tables = append(tables, b.splitBeside()...)
	}
	return tables
}

// splitBelow parts tables that have empty rows between them. What stands below such
// rows is a table of its own when it begins with names that values stand under.
func (g region) splitBelow() []region {
	all := []region{{first: g.first}}
	for i := 0; i < len(g.rows); {
		end := i + 1
		for end < len(g.rows) && g.numbers[end] == g.numbers[end-1]+1 {
			end++
		}
		last := &all[len(all)-1]
		if i > 0 && beginsTable(g.rows[i:end]) && beginsTable(last.rows) {
			last.last = g.numbers[i] - 1
			all = append(all, region{first: g.numbers[i]})
			last = &all[len(all)-1]
		}
		last.rows, last.numbers = append(last.rows, g.rows[i:end]...), append(last.numbers, g.numbers[i:end]...)
		i = end
	}
	return all
}

// beginsTable reports whether rows begin with a header: names with mostly values under
// one of them.
func beginsTable(rows [][]string) bool {
	h := findHead(rows[:min(len(rows), sheetSample)], nil)
	if h.rows == 0 || filled(h.names) < 2 {
		return false
	}
	below := rows[h.titles+h.rows:]
	below = below[:min(len(below), sheetSample)]
	for column, name := range h.names {
		if strings.TrimSpace(name) == "" {
			continue
		}
		values, cells := 0, 0
		for _, row := range below {
			if column < len(row) && strings.TrimSpace(row[column]) != "" {
				cells++
				if looksLikeValue(strings.TrimSpace(row[column])) {
					values++
				}
			}
		}
		if cells > 0 && values*2 > cells {
			return true
		}
	}
	return false
}

// splitBeside parts tables that have empty columns between them. Groups of columns
// that fill the same rows under names of their own are one table with room in it.
func (g region) splitBeside() []region {
	groups := g.columnGroups()
	if len(groups) < 2 {
		return []region{g}
	}
	seen, same := map[string]bool{}, true
	for i := range groups {
		if groups[i].right-groups[i].left < 2 || !beginsTable(groups[i].rows) {
			return []region{g}
		}
		for _, name := range findHead(groups[i].rows, nil).names {
			key := strings.ToLower(strings.TrimSpace(name))
			same = same && (key == "" || !seen[key])
			seen[key] = true
		}
		same = same && len(groups[i].rows) == len(groups[0].rows)
	}
	if same {
		return []region{g}
	}
	groups[len(groups)-1].right = 0
	return groups
}

// columnGroups returns the runs of columns that hold something, with the rows of each.
func (g region) columnGroups() (groups []region) {
	var used []bool
	for _, row := range g.rows {
		for c, cell := range row {
			for len(used) <= c {
				used = append(used, false)
			}
			used[c] = used[c] || strings.TrimSpace(cell) != ""
		}
	}
	for c := 0; c < len(used); c++ {
		if !used[c] {
			continue
		}
		part := region{first: g.first, last: g.last, left: c}
		for c < len(used) && used[c] {
			c++
		}
		part.right = c
		for i, row := range g.rows {
			if cells, ok := part.cut(row, g.numbers[i]); ok {
				part.rows, part.numbers = append(part.rows, cells), append(part.numbers, g.numbers[i])
			}
		}
		groups = append(groups, part)
	}
	return groups
}

// name is what a table of a sheet is called: the title above it, or its place.
func (g region) name(sheet string, place int) string {
	if titles := findHead(g.rows[:min(len(g.rows), sheetSample)], nil).titles; titles > 0 {
		for _, cell := range g.rows[titles-1] {
			if cell = strings.TrimSpace(cell); cell != "" {
				return sheet + ", " + cell
			}
		}
	}
	return fmt.Sprintf("%s, table %d", sheet, place)
}
