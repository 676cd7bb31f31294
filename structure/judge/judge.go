// Package judge measures how well documents become rows: steps run over documents
// whose rows are known, and what comes out is compared with them.
//
// It owns the form of such documents and what counts as found. It never shows a step
// the rows that it should make.
package judge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/structure"
)

// Document is rows with text in them, the steps that should structure them, and the
// rows that they should become.
type Document struct {
	Name       string                `json:"name"`
	Rows       []json.RawMessage     `json:"rows"`
	Steps      []quern.InferStep     `json:"steps"`
	Definition quern.InferDefinition `json:"definition"`
	Gold       []map[string]any      `json:"gold"`
}

// Documents reads documents, one JSON object a line.
func Documents(in io.Reader) ([]Document, error) {
	const longest = 32 << 20
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	var all []Document
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		dec := json.NewDecoder(strings.NewReader(lines.Text()))
		dec.UseNumber()
		var d Document
		if err := dec.Decode(&d); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if len(d.Steps) == 0 {
			return nil, fmt.Errorf("line %d: a document needs steps", n)
		}
		all = append(all, d)
	}
	return all, lines.Err()
}

// Score is how well documents became rows.
type Score struct {
	Documents int     `json:"documents"`
	Gold      int     `json:"gold_rows"`
	Found     int     `json:"found_rows"`
	Lost      int     `json:"rows_lost"`  // gold rows that no found row is
	Extra     int     `json:"rows_extra"` // found rows that no gold row is
	Precision float64 `json:"precision"`  // of the values found in the columns of the gold rows, how many are right
	Recall    float64 `json:"recall"`     // of the values of the gold rows, how many were found
	Seconds   float64 `json:"seconds"`

	right, found, wanted int
}

func (s *Score) add(o Score) {
	s.Documents += o.Documents
	s.Gold += o.Gold
	s.Found += o.Found
	s.Lost += o.Lost
	s.Extra += o.Extra
	s.Seconds += o.Seconds
	s.right += o.right
	s.found += o.found
	s.wanted += o.wanted
	s.Precision, s.Recall = share(s.right, s.found), share(s.right, s.wanted)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Verdict is how one document went.
type Verdict struct {
	Name string
	Step string // the first step, by which documents are counted
	Score
	Notes []string
}

// Evaluate structures documents and calls back with how each went. Scores are by the
// first step of the documents, and for all under "all".
func Evaluate(ctx context.Context, s *structure.Service, all []Document, each func(Verdict)) (map[string]*Score, error) {
	scores := map[string]*Score{"all": {}}
	for _, d := range all {
		v, err := evaluate(ctx, s, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		each(v)
		if scores[v.Step] == nil {
			scores[v.Step] = &Score{}
		}
		scores[v.Step].add(v.Score)
		scores["all"].add(v.Score)
	}
	return scores, nil
}

func evaluate(ctx context.Context, s *structure.Service, d Document) (Verdict, error) {
	work, err := s.Begin(structure.Job{Steps: d.Steps, Definition: d.Definition})
	if err != nil {
		return Verdict{}, err
	}
	rows := make([]structure.Row, len(d.Rows))
	for i, raw := range d.Rows {
		if rows[i], err = structure.DecodeRow(raw); err != nil {
			return Verdict{}, err
		}
		rows[i].Source = int64(i)
	}
	began := time.Now()
	made, err := work.Rows(ctx, rows)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Name: d.Name, Step: d.Steps[0].Type, Score: compare(d.Gold, made)}
	v.Seconds = time.Since(began).Seconds()
	for _, r := range work.Reports() {
		v.Notes = append(v.Notes, r.Notes...)
	}
	return v, nil
}

// compare counts what the rows have of the gold rows.
func compare(gold []map[string]any, made []structure.Row) Score {
	s := Score{Documents: 1, Gold: len(gold), Found: len(made)}
	columns := map[string]bool{}
	for _, g := range gold {
		for name := range g {
			columns[name] = true
		}
	}
	taken := make([]bool, len(made))
	from := 0
	for _, g := range gold {
		wanted := 0
		for _, v := range g {
			wanted += len(elements(v))
		}
		s.wanted += wanted
		best, most := -1, 0
		// Rows come in order: those near the one before are looked at first.
		for n := range made {
			i := (from + n) % len(made)
			if taken[i] {
				continue
			}
			if same := equalCells(g, made[i]); same > most {
				if best, most = i, same; same == wanted {
					break
				}
			}
		}
		if best < 0 || most*2 < wanted {
			s.Lost++
			continue
		}
		taken[best], from = true, best+1
		s.right += most
	}
	for i, row := range made {
		if !taken[i] {
			s.Extra++
		}
		for _, m := range row.Members {
			if columns[m.Name] {
				s.found += len(elements(m.Value))
			}
		}
	}
	s.Precision, s.Recall = share(s.right, s.found), share(s.right, s.wanted)
	return s
}

func equalCells(gold map[string]any, row structure.Row) (n int) {
	for name, want := range gold {
		at := slices.IndexFunc(row.Members, func(m structure.Member) bool { return m.Name == name })
		if at < 0 {
			continue
		}
		found := elements(row.Members[at].Value)
		for _, one := range elements(want) {
			if same := slices.IndexFunc(found, func(other any) bool { return equal(one, other) }); same >= 0 {
				found = slices.Delete(found, same, same+1)
				n++
			}
		}
	}
	return n
}

// elements are what a value counts as: its elements where it is a list, nothing where
// it is null, else itself.
func elements(value any) []any {
	if raw, ok := value.(json.RawMessage); ok {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		var nested any
		if dec.Decode(&nested) == nil {
			value = nested
		}
	}
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		return slices.Clone(v)
	}
	return []any{value}
}

// equal compares values as people would: blanks, and how numbers are written, do not
// count.
func equal(want, got any) bool {
	if object, ok := want.(map[string]any); ok { // it has at least what is wanted
		other, _ := got.(map[string]any)
		for name, v := range object {
			if !equal(v, other[name]) {
				return false
			}
		}
		return true
	}
	a, b := plain(want), plain(got)
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(number(a), 64)
	y, errY := strconv.ParseFloat(number(b), 64)
	return errX == nil && errY == nil && x == y
}

func plain(value any) string {
	return strings.Join(strings.Fields(fmt.Sprint(value)), " ")
}

func number(text string) string {
	return strings.NewReplacer("$", "", "€", "", ",", "", " ", "", "%", "").Replace(text)
}
