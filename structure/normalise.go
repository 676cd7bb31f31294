package structure

import (
	"context"
	"slices"
	"strings"

	"quern"
)

// The modes of normalise: all columns weighed against each other, each wanted column
// by itself, or by what names mean.
const (
	modeAllInOne     = "all-in-one"
	modeFieldByField = "field-by-field"
	modeEmbeddings   = "embeddings"
)

// normaliseStep brings the columns of rows to the wanted names.
type normaliseStep struct {
	about
	fields []field
	names  map[string]string // columns that were decided, by their key
}

func (s *normaliseStep) run(ctx context.Context, rows []Row) ([]Row, error) {
	if len(s.fields) == 0 {
		return nil, invalid(quern.Fault("required", s.at("targetCols"), "is required where no definition says what columns are wanted"))
	}
	if len(rows) == 0 {
		return rows, nil
	}
	if s.names == nil {
		s.names = map[string]string{}
	}
	fresh := s.undecided(rows)
	var chosen map[string]string
	if s.model.Model != nil && s.Mode != modeEmbeddings && len(fresh) > 0 {
		chosen = s.askModel(ctx, fresh, rows)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if chosen == nil {
		chosen = s.decide(fresh)
	}
	for _, c := range fresh {
		s.names[quern.NameKey(c.name)] = chosen[c.name]
	}
	for i := range rows {
		s.rename(&rows[i])
	}
	return rows, nil
}

// undecided are the columns that no batch before had, with the shapes of their
// values.
func (s *normaliseStep) undecided(rows []Row) []source {
	values := map[string][]value{}
	for i := range rows {
		for _, m := range rows[i].Members {
			if text := textOf(m.Value); text != "" {
				key := quern.NameKey(m.Name)
				values[key] = append(values[key], value{shape: shapeOf(text)})
			}
		}
	}
	var fresh []source
	for _, name := range columnsOf(rows) {
		if _, known := s.names[quern.NameKey(name)]; !known {
			fresh = append(fresh, source{name: name, shape: commonShape(values[quern.NameKey(name)])})
		}
	}
	return fresh
}

// decide returns the wanted column that each column is taken for.
func (s *normaliseStep) decide(columns []source) map[string]string {
	alike := s.work.service.o.Alike
	if s.Mode == modeEmbeddings && alike == nil {
		s.note("this server has nothing that compares meanings; names were compared by their words")
	}
	chosen := map[string]string{}
	if s.Mode != modeFieldByField {
		chosen = assign(columns, s.fields, alike)
	}
	// Sources call the same thing by different names: what is left goes to the field
	// that it fits best, even if another column went there already.
	for _, c := range columns {
		if chosen[c.name] != "" {
			continue
		}
		if f, ok := s.onlyShape(c); ok {
			chosen[c.name] = f
			continue
		}
		best, second := likely, 0.0
		for _, f := range s.fields {
			switch score := f.score(c, alike); {
			case score > best:
				best, second, chosen[c.name] = score, best, f.name
			case score > second:
				second = score
			}
		}
		if best == second {
			delete(chosen, c.name)
		}
	}
	return chosen
}

// onlyShape returns the one field that takes values which look like those of a column,
// where few others do: addresses of all kinds, and dates.
func (s *normaliseStep) onlyShape(c source) (name string, ok bool) {
	if !slices.Contains([]shape{day, instant, email, url, phone, ip, uuid}, c.shape) {
		return "", false
	}
	for _, f := range s.fields {
		if len(f.shapes) > 0 && f.takes(c.shape) {
			if ok {
				return "", false
			}
			name, ok = f.name, true
		}
	}
	return name, ok
}

// rename gives the row the wanted names. A column that would take the place of
// another value keeps its own.
func (s *normaliseStep) rename(r *Row) {
	for i := range r.Members {
		m := &r.Members[i]
		to := s.names[quern.NameKey(m.Name)]
		if to == "" || m.Name == to || strings.HasPrefix(m.Name, quern.InternalPrefix) {
			continue
		}
		if at := r.find(to); at >= 0 && at != i {
			if r.Members[at].Value != nil {
				s.note("%s was left as it is where %s has a value already", m.Name, to)
				continue
			}
			r.Members[at].Name = "" // taken out below
		}
		from := m.Name
		m.Name = to
		if at := r.find(quern.ProvenancePrefix + from); at >= 0 {
			r.Members[at].Name = quern.ProvenancePrefix + to
		} else {
			const sure = 0.8
			defer r.set(Member{Name: quern.ProvenancePrefix + to, Value: provenance{From: from, By: "name", Confidence: sure}.json()})
		}
	}
	r.Members = slices.DeleteFunc(r.Members, func(m Member) bool { return m.Name == "" })
	for _, f := range s.fields {
		if r.find(f.name) < 0 {
			r.Members = append(r.Members, Member{Name: f.name})
		}
	}
}
