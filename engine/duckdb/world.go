package duckdb

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"quern/engine"
)

// world is what one user sees in one query: the content of the tables and their names. It is
// zero where that is not to be kept.
type world struct {
	sum  [sha256.Size]byte
	rows int64 // of all tables
}

// worldOf names what a user sees in a query.
func worldOf(user string, shown []shownTable, aliases map[string]string) (w world) {
	if user == "" || len(shown) == 0 {
		return w
	}
	rows := int64(0)
	type view struct {
		Schema, Name string
		Table        any
	}
	views := make([]view, len(shown))
	for i, s := range shown {
		t := s.table
		if len(t.Columns) == 0 || len(t.Labels) > 0 || len(t.Segments) > maxKeptSegments {
			return w
		}
		t.Segments = slices.Clone(t.Segments)
		for at := range t.Segments {
			if rows += t.Segments[at].Rows; t.Segments[at].Content == "" {
				return w
			}
			t.Segments[at].Path = ""
		}
		views[i].Table = t
		views[i].Schema, views[i].Name = viewName(s.ref, aliases)
	}
	text, err := json.Marshal([]any{user, views})
	if err != nil {
		return w
	}
	return world{sha256.Sum256(text), rows}
}

// keeperOf returns who keeps a world: in memory what is small.
func (e *Engine) keeperOf(w world) *keeper {
	if w.rows > e.options.keptRows || e.keeper.refuses(w) {
		return e.viewKeeper
	}
	return e.keeper
}

// enterWorld readies an instance that has the tables: one that has them already, or one
// with views of their files.
func (j *job) enterWorld(q engine.Query, shown []shownTable, aliases map[string]string) error {
	w := worldOf(q.User, shown, aliases)
	j.keeper = j.engine.keeperOf(w)
	kept, load := j.keeper.take(w)
	if kept == nil {
		if err := j.findFiles(q, shown); err != nil {
			return err
		}
	}
	if load {
		kept = j.keeper.load(j.ctx, w, shown, aliases)
	}
	if kept == nil {
		return j.makeViews(shown, aliases)
	}
	j.kept, j.in = kept, kept.instance
	j.tables, j.paths = kept.files, kept.files
	return nil
}

// findFiles completes tables that were resolved without their files.
func (j *job) findFiles(q engine.Query, shown []shownTable) (err error) {
	for i, s := range shown {
		if q.Files == nil || !slices.ContainsFunc(s.table.Segments, func(s engine.Segment) bool { return s.Path == "" }) {
			continue
		}
		if shown[i].table, err = q.Files(j.ctx, s.ref); err != nil {
			return &resolveError{err}
		}
	}
	return nil
}
