package judge

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"
)

// gold is the right answer to a question.
type gold struct {
	rows    [][]any
	ordered bool
}

// goldTime is how long a set's own query may take.
const goldTime = 20 * time.Second

var orders = regexp.MustCompile(`(?i)\border\s+by\b`)

// Ordered reports whether a query says in which order its rows are.
func Ordered(sql string) bool { return orders.MatchString(sql) }

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
	return gold{rows, Ordered(sql)}, err
}
