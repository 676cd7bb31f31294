package judge

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// gold is the right answer to a question.
type gold struct {
	rows    [][]any
	order   Order
	rounded int // the decimals that its query rounds to, or -1
}

// is reports whether rows are the right answer. Where its query rounds, rows that are the
// same when they are rounded are right.
func (g gold) is(rows [][]any) bool {
	if Same(g.rows, rows, g.order) {
		return true
	}
	return g.rounded >= 0 && Same(g.rows, round(rows, g.rounded), g.order)
}

// round returns rows with their numbers rounded to some decimals.
func round(rows [][]any, decimals int) [][]any {
	all := make([][]any, len(rows))
	for i, row := range rows {
		all[i] = slices.Clone(row)
		for j, v := range row {
			if n, ok := v.(json.Number); ok {
				f, err := n.Float64()
				if err != nil {
					continue
				}
				v = f
			}
			if f, ok := v.(float64); ok {
				unit := math.Pow10(decimals)
				all[i][j] = math.Round(f*unit) / unit
			}
		}
	}
	return all
}

var rounds = regexp.MustCompile(`(?i)\bround\s*\(`)

// Decimals returns how many decimals a query rounds to where it rounds first, or -1.
func Decimals(sql string) int {
	at := rounds.FindStringIndex(sql)
	if at == nil {
		return -1
	}
	depth, comma := 1, -1
	for i := at[1]; i < len(sql); i++ {
		switch sql[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 1 {
				comma = i + 1
			}
		}
		if depth == 0 {
			if comma < 0 {
				return 0
			}
			n, err := strconv.Atoi(strings.TrimSpace(sql[comma:i]))
			if err != nil {
				return -1
			}
			return n
		}
	}
	return -1
}

// goldTime is how long a set's own query may take.
const goldTime = 20 * time.Second

// right runs a set's own query and those of other fair readings; a question that
// is not answerable has none.
func (h *Product) right(ctx context.Context, d Database, q Question) ([]gold, error) {
	if q.Unanswerable {
		return nil, nil
	}
	var all []gold
	for _, sql := range append([]string{q.SQL}, q.Also...) {
		one, err := h.gold(ctx, d, sql)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// gold runs one query of a set.
func (h *Product) gold(ctx context.Context, d Database, sql string) (gold, error) {
	if strings.TrimSpace(sql) == "" {
		return gold{}, errors.New("there is no query")
	}
	ctx, cancel := context.WithTimeout(ctx, goldTime)
	defer cancel()
	rows, err := d.answer(ctx, h, sql)
	return gold{rows, OrderOf(sql), Decimals(sql)}, err
}
