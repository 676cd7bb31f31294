package link

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/engine"
	"quern/english"
)

const (
	// sampleSize is how many hashes of a column are kept: the smallest, so that
	// those of two columns are of the same values where they have any in common.
	sampleSize = 512
	// margin is how many times more hashes are looked at than kept, for the
	// number of distinct values is only an estimate.
	margin = 4
	// mostColumns bounds the columns of a dataset that links are looked for at.
	mostColumns = 200
	// batch is how many columns one query of the engine hashes.
	batch = 16
)

// class is a type as far as values can be equal.
type class string

const (
	numbers class = "number"
	texts   class = "text"
)

// classOf returns the class of a type; empty when its values make no links.
func classOf(t quern.Type) class {
	if _, _, decimal := t.DecimalSize(); decimal || t == quern.Integer || t == quern.Double {
		return numbers
	}
	if t == quern.Text {
		return texts
	}
	return ""
}

// sketch is what is known of a column's values.
type sketch struct {
	Name  string `json:"name"`
	Class class  `json:"class"`
	Whole bool   `json:"whole,omitempty"` // every distinct value is in Hashes
	// Hashes are the smallest of the values' hashes, in order, as bytes.
	Hashes []byte `json:"hashes,omitempty"`
	// Limit bounds what Hashes holds: every value with a smaller hash is there.
	Limit int64 `json:"limit,omitempty"`
	// Rows is how many rows have a value in Hashes.
	Rows     int64 `json:"rows,omitempty"`
	Distinct int64 `json:"distinct,omitempty"` // about
	Position int   `json:"position,omitempty"`
	Wholes   bool  `json:"wholes,omitempty"` // numbers without fractions
	// Span is how many whole numbers lie between the least and the greatest; 0
	// when that is not known.
	Span float64 `json:"span,omitempty"`
	// Least is the least of them; 0 when that is not known.
	Least float64 `json:"least,omitempty"`
	// Coded says that the texts are codes, such as S01 to S20.
	Coded bool `json:"coded,omitempty"`
	// Named says that the texts are names of two parts or more, as people have them.
	Named bool `json:"named,omitempty"`
	// Unread says that hashing the column took more time or memory than a query
	// may take, so that nothing is known of it.
	Unread bool `json:"unread,omitempty"`
}

// hashBytes is what a hash takes.
const hashBytes = 8

func firstHash(packed []byte) int64 { return int64(binary.LittleEndian.Uint64(packed)) }

// hashes unpacks Hashes.
func (s sketch) hashes() []int64 {
	all := make([]int64, s.sampled())
	for i := range all {
		all[i] = firstHash(s.Hashes[hashBytes*i:])
	}
	return all
}

// sampled is how many hashes there are.
func (s sketch) sampled() int { return len(s.Hashes) / hashBytes }

func (s *sketch) setHashes(all []int64) {
	s.Hashes = nil
	for _, h := range all {
		s.Hashes = binary.LittleEndian.AppendUint64(s.Hashes, uint64(h))
	}
}

// empty reports whether there are no values.
func (s sketch) empty() bool { return len(s.Hashes) == 0 }

// uniqueness is the share of rows whose value no row before had.
func (s sketch) uniqueness() float64 {
	if s.Rows == 0 {
		return 0
	}
	return float64(s.sampled()) / float64(s.Rows)
}

// isKey reports whether values identify rows, but for a few.
func (s sketch) isKey() bool { return s.uniqueness() >= leastUnique }

// isNearKey reports whether all values but one identify rows. In a small table a
// single doubled key is a large share, and no reason to give up a link.
func (s sketch) isNearKey() bool {
	return s.Whole && s.Distinct >= leastNearKey && s.Rows-s.Distinct == 1
}

// hashSQL writes the 63-bit hash of a column's values.
func hashSQL(name string, c class) string {
	value := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	if c == numbers {
		value = "CAST(" + value + " AS DOUBLE)" // so that 1 and 1.0 are one value
	}
	return "CAST(hash(" + value + ") >> 1 AS BIGINT)"
}

// newSketch returns a sketch of a column without its values.
func newSketch(c quern.DatasetColumn, position int, rows int64, cl class) sketch {
	_, scale, _ := c.Type.DecimalSize()
	unscaled := c.Type != quern.Double && scale == 0
	least, span := bounds(c)
	return sketch{
		Name: c.Name, Class: cl, Position: position, Least: least, Span: span, Distinct: min(c.Stats.Distinct.Estimate(), rows-c.Stats.Nulls),
		Wholes: c.Type == quern.Integer || c.Type == quern.Text || unscaled,
		Coded:  cl == texts && code.MatchString(c.Stats.Min) && code.MatchString(c.Stats.Max),
		Named:  cl == texts && english.IsWholeName(c.Stats.Min) && english.IsWholeName(c.Stats.Max),
	}
}

// code is a text that stands for something by its letters and number.
var code = regexp.MustCompile(`^\pL{1,4}[-/ ]?\d{1,8}$`)

// sketches hashes the columns of a dataset.
func (s *Service) sketches(ctx context.Context, from content) ([]sketch, error) {
	all := make([]sketch, 0, len(from.dataset.Columns))
	for i, c := range from.dataset.Columns {
		if cl := classOf(c.Type); cl != "" && len(all) < mostColumns {
			all = append(all, newSketch(c, i, from.dataset.Rows, cl))
		}
	}
	return all, s.fill(ctx, from, all)
}

// fill hashes the values of the sketched columns.
func (s *Service) fill(ctx context.Context, from content, all []sketch) error {
	if from.dataset.Rows == 0 || len(all) == 0 {
		return nil
	}
	table, release, err := from.open(ctx)
	if err != nil {
		return err
	}
	defer release()
	for part := range slices.Chunk(all, batch) {
		err := s.hash(ctx, table, part)
		if kind := quern.KindOf(err); kind == quern.Timeout || kind == quern.Invalid {
			s.log.WarnContext(ctx, "columns are too large to look for links at", "dataset", from.dataset.ID, "error", err)
			for i := range part {
				part[i] = sketch{Name: part[i].Name, Class: part[i].Class, Unread: true}
			}
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bounds returns the least number of a column, and how many whole numbers its bounds leave
// room for.
func bounds(c quern.DatasetColumn) (least, span float64) {
	least, errLeast := strconv.ParseFloat(c.Stats.Min, 64)
	greatest, errGreatest := strconv.ParseFloat(c.Stats.Max, 64)
	if c.BoundsUnknown || errLeast != nil || errGreatest != nil {
		return 0, 0
	}
	return least, greatest - least + 1
}

// hash fills sketches from a table.
func (s *Service) hash(ctx context.Context, table engine.Table, part []sketch) error {
	selects := make([]string, len(part))
	for i := range part {
		part[i].Limit = math.MaxInt64
		if part[i].Distinct > margin*sampleSize {
			part[i].Limit = int64(float64(math.MaxInt64) * margin * sampleSize / float64(part[i].Distinct))
		}
		name := `"` + strings.ReplaceAll(part[i].Name, `"`, `""`) + `"`
		selects[i] = fmt.Sprintf(`(SELECT %d AS c, h, count(*) AS n
			FROM (SELECT %s AS h FROM t WHERE %s IS NOT NULL) WHERE h < %d GROUP BY h ORDER BY h LIMIT %d)`,
			i, hashSQL(part[i].Name, part[i].Class), name, part[i].Limit, sampleSize+1)
	}
	hashes := make([][]int64, len(part))
	counts := make([][]int64, len(part))
	err := s.each(ctx, table, strings.Join(selects, " UNION ALL "), func(row []any) {
		i, h, n := row[0].(int64), row[1].(int64), row[2].(int64)
		hashes[i], counts[i] = append(hashes[i], h), append(counts[i], n)
	})
	for i := range part {
		part[i].take(hashes[i], counts[i])
	}
	return err
}

// take keeps what fits of the hashes, which come in any order.
func (s *sketch) take(hashes, counts []int64) {
	order := make([]int, len(hashes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if hashes[a] < hashes[b] {
			return -1
		}
		return 1
	})
	if len(order) > sampleSize {
		s.Limit = hashes[order[sampleSize]]
		order = order[:sampleSize]
	}
	s.Whole = s.Limit == math.MaxInt64
	kept := make([]int64, len(order))
	s.Rows = 0
	for i, at := range order {
		kept[i] = hashes[at]
		s.Rows += counts[at]
	}
	s.setHashes(kept)
	if s.Whole {
		s.Distinct = int64(len(kept))
	}
}

// each runs a query of ours over one table, named t.
func (s *Service) each(ctx context.Context, table engine.Table, sql string, row func([]any)) error {
	rows, err := s.engine.Query(ctx, engine.Query{
		SQL:     sql,
		Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return table, nil },
	})
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row(rows.Row())
	}
	return rows.Err()
}
