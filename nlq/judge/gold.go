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

// right runs a set's own query.
func (h *House) right(ctx context.Context, d Database, q Question) (gold, error) {
	if strings.TrimSpace(q.SQL) == "" {
		return gold{}, errors.New("there is no query")
	}
	ctx, cancel := context.WithTimeout(ctx, goldTime)
	defer cancel()
	rows, err := d.answer(ctx, h, q.SQL)
	return gold{rows, orders.MatchString(q.SQL)}, err
}
