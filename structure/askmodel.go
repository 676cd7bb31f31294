package structure

import (
	"context"
	"slices"
	"strings"

	"quern"
)

const (
	nameInstructions = `You bring columns of tables from several sources to wanted columns. For every column of the data say which wanted column means the same, or null when none does. Look at names, descriptions and examples. Several columns may mean the same wanted one.

`
	validInstructions = `You check rows. For every row of the data say whether the values of its columns are what their descriptions want, and for one that is not, the column and the reason in a few words. Say so of every row exactly once, by its number. A value that you merely find unusual is valid.

`
	// checkedAtOnce is how many rows a model checks in one request.
	checkedAtOnce = 50
	mostReason    = 200 // characters
)

// shownColumn is a column with some of its values.
type shownColumn struct {
	Key      string   `json:"key"`
	Name     string   `json:"name"`
	Examples []string `json:"examples"`
}

// askModel asks a model which wanted columns the columns are; nil when it gives no
// answer that can be used.
func (s *normaliseStep) askModel(ctx context.Context, columns []source, rows []Row) map[string]string {
	m := &modelRun{about: &s.about, fields: s.fields}
	chosen := map[string]string{}
	groups := [][]source{columns}
	if s.Mode == modeFieldByField {
		groups = nil
		for _, c := range columns {
			groups = append(groups, []source{c})
		}
	}
	for _, some := range groups {
		if err := m.askNames(ctx, some, rows, chosen); err != nil {
			m.fail(err)
			s.note("%s; the columns were brought to their names without it", m.reason)
			s.report().Model = ""
			return nil
		}
	}
	return chosen
}

func (m *modelRun) askNames(ctx context.Context, columns []source, rows []Row, chosen map[string]string) error {
	keys, shown := make([]any, len(columns)), make([]shownColumn, len(columns))
	for i, c := range columns {
		key := fieldKey(i)
		keys[i], shown[i] = "c"+key, shownColumn{"c" + key, c.name, examples(rows, c.name)}
	}
	wanted := make([]any, len(m.fields))
	for i := range m.fields {
		wanted[i] = fieldKey(i)
	}
	schema := object(map[string]any{"columns": map[string]any{"type": "array", "items": object(map[string]any{
		"column": map[string]any{"type": "string", "enum": keys},
		"wanted": map[string]any{"anyOf": []any{map[string]any{"type": "null"}, map[string]any{"type": "string", "enum": wanted}}},
	})}})
	data := m.guidance()
	data["columns"], data["wanted"] = shown, shownFields(m.fields)
	r, err := m.request(nameInstructions, "names", schema, data)
	if err != nil {
		return err
	}
	return m.ask(ctx, r, func(answer string) error {
		read, err := decodeAnswer[struct {
			Columns []struct {
				Column string
				Wanted *string
			}
		}](answer)
		if err != nil {
			return err
		}
		for _, c := range read.Columns {
			at := slices.Index(keys, any(c.Column))
			if at < 0 {
				return errUnusable
			}
			if c.Wanted == nil {
				continue
			}
			to := slices.Index(wanted, any(*c.Wanted))
			if to < 0 {
				return errUnusable
			}
			chosen[columns[at].name] = m.fields[to].name
		}
		return nil
	})
}

// examples are some values of a column.
func examples(rows []Row, name string) []string {
	const most, longest = 3, 80
	found := []string{}
	for i := range rows {
		text := quern.Clip(strings.TrimSpace(rows[i].text(name)), longest)
		if text != "" && !slices.Contains(found, text) {
			if found = append(found, text); len(found) == most {
				break
			}
		}
	}
	return found
}

// askModel has a model look at the rows that are valid so far. Those of a request that
// it gives no usable answer for stay as they are.
func (s *validateStep) askModel(ctx context.Context, rows []Row) {
	m := &modelRun{about: &s.about}
	for _, r := range s.rules {
		m.fields = append(m.fields, r.field)
	}
	var open []int
	for i := range rows {
		if at := rows[i].find(quern.ValidColumn); rows[i].Members[at].Value == true {
			open = append(open, i)
		}
	}
	unchecked := 0
	for some := range slices.Chunk(open, checkedAtOnce) {
		if err := m.checkRows(ctx, rows, some); err != nil {
			m.fail(err)
			unchecked += len(some)
		}
	}
	if unchecked > 0 {
		s.report().Unread += int64(unchecked)
		s.note("%s for %d rows; those were checked by rules alone", m.reason, unchecked)
	}
}

// checkRows asks about some rows. The answer must name each of them once.
func (m *modelRun) checkRows(ctx context.Context, rows []Row, some []int) error {
	keys, shown := []any{}, make([]map[string]string, len(some))
	for i := range m.fields {
		keys = append(keys, fieldKey(i))
	}
	for n, i := range some {
		shown[n] = map[string]string{}
		for k, f := range m.fields {
			shown[n][fieldKey(k)] = quern.Clip(rows[i].text(f.name), 1000)
		}
	}
	text := map[string]any{"type": "string"}
	schema := object(map[string]any{"rows": map[string]any{"type": "array", "items": object(map[string]any{
		"row": map[string]any{"type": "integer"}, "valid": map[string]any{"type": "boolean"},
		"column": map[string]any{"anyOf": []any{map[string]any{"type": "null"}, map[string]any{"type": "string", "enum": keys}}}, "reason": text,
	})}})
	data := m.guidance()
	data["columns"], data["rows, numbered from 1"] = shownFields(m.fields), shown
	r, err := m.request(validInstructions, "valid", schema, data)
	if err != nil {
		return err
	}
	type verdict struct {
		Row    int
		Valid  bool
		Column *string
		Reason string
	}
	var verdicts []verdict
	err = m.ask(ctx, r, func(answer string) error {
		read, err := decodeAnswer[struct{ Rows []verdict }](answer)
		if err != nil {
			return err
		}
		seen := map[int]bool{}
		for _, v := range read.Rows {
			if v.Row < 1 || v.Row > len(some) || seen[v.Row] {
				return errUnusable
			}
			seen[v.Row] = true
		}
		if len(seen) != len(some) {
			return errUnusable
		}
		verdicts = read.Rows
		return nil
	})
	for _, v := range verdicts {
		if v.Valid {
			continue
		}
		row := &rows[some[v.Row-1]]
		row.set(Member{Name: quern.ValidColumn, Value: false})
		if at := slices.Index(keys, any(deref(v.Column))); at >= 0 {
			markInvalid(row, m.fields[at].name, "the model says: "+quern.Clip(strings.Join(strings.Fields(v.Reason), " "), mostReason))
		}
	}
	return err
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
