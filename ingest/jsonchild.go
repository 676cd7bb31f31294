package ingest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
)

// numberName is the column with the numbers of rows that nothing else tells apart.
const numberName = "row_number"

// childTable is the dataset that the objects of a list in rows become rows of, each
// with the key of the row that it was in.
type childTable struct {
	member *listMember
	parent *target // of the rows that the list is in
	into   *target
	about  quern.IngestedTable
	key    []byte  // the start of a row: its first member's name
	own    *rowKey // of its rows, for those of lists in them; nil: none becomes a dataset
	row    bytes.Buffer
	shapes *shaper
	flat   *flattener
	parts  parts
	line   []byte
}

// children are the datasets of the lists in the rows of one file.
type children struct {
	*jsonReading
	all []*childTable // those of lists in lists behind those that they are in
	own *rowKey       // of the rows of the file
}

// rowKey is what tells rows that have lists apart.
type rowKey struct {
	member string // the member that does; empty: the number of the row
	column string // the column that this is kept in
	first  int64  // the number of the first row
	value  []byte // of the current row
}

// beginChildren finds out which lists of the rows become datasets, and makes them ready.
func (j *jsonReading) beginChildren(ctx context.Context, text format.TextFile) error {
	if j.flat.depth == 0 || j.job.Options.Into == quern.IntoOne {
		return nil
	}
	plan, err := planLists(text, j.around, j.flat)
	if err != nil || plan == nil {
		return err
	}
	c := &children{jsonReading: j}
	if c.own, err = c.addAll(ctx, plan, j.target, j.flat); err != nil || c.own == nil {
		return err
	}
	j.children = c
	return nil
}

// addAll makes the datasets ready of the lists in the rows of one, which flat flattens, and
// of the lists in those. It returns what tells the rows apart; nil when all lists stay nested.
func (c *children) addAll(ctx context.Context, plan *listPlan, parent *target, flat *flattener) (*rowKey, error) {
	var added []*childTable
	byPath := map[string]*childTable{}
	for _, l := range plan.lists {
		name, said := c.job.Options.Lists[l.name()]
		c.lists[l.name()] = true
		if said && name == "" || flat.keeps(l.path) || len(c.all) == maxLists {
			continue
		}
		child, err := c.add(ctx, l, parent, name)
		if err != nil {
			return nil, err
		}
		c.all, added = append(c.all, child), append(added, child)
		byPath[strings.Join(l.path, "\x00")] = child
	}
	if len(added) == 0 {
		return nil, nil
	}
	own := &rowKey{member: plan.key}
	if own.member == "" {
		own.column, own.first = notTaken(numberName, plan.names), parent.dataset.NextRow
		parent.numbered, parent.numberedFrom = true, own.first-parent.rows
	}
	flat.lists = byPath
	base := own.childColumn(parent.dataset.Name)
	for _, child := range added {
		child.nameKey(base)
		if child.member.inner == nil {
			continue
		}
		var err error
		if child.own, err = c.addAll(ctx, child.member.inner, child.into, child.flat); err != nil {
			return nil, err
		}
	}
	return own, nil
}

// notTaken returns a name, with a number behind it where it is taken.
func notTaken(base string, taken map[string]bool) string {
	name := base
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	return name
}

// add makes the dataset of a list ready, under a name if one is given.
func (c *children) add(ctx context.Context, l *listMember, parent *target, name string) (*childTable, error) {
	into := parent.lists[l.name()]
	if into == nil {
		t := &found{label: l.name(), named: name}
		switch {
		case parent != c.target && name == "":
			t.named = besideName(parent.dataset.Name, strings.Join(l.path, "_"))
		case parent != c.targets[0]:
			t.label = c.found.label + " " + l.name()
		}
		var err error
		if into, err = c.besideFirst(ctx, t, []*found{c.found, t}); err != nil {
			return nil, err
		}
		if parent.lists == nil {
			parent.lists = map[string]*target{}
		}
		parent.lists[l.name()] = into
		c.targets = append(c.targets, into)
	}
	child := &childTable{member: l, parent: parent, into: into, parts: parts{dir: c.dir}}
	child.about = *c.about
	child.about.Notes, child.about.Columns = nil, nil
	if child.about.Member != "" {
		child.about.Member += "/"
	}
	child.about.Member += storable(strings.Join(l.whole, "."))
	child.flat = newFlattener(into.dataset, c.job.Options.Nested)
	child.shapes = newShaper(&child.row, c.service.limits)
	return child, nil
}

// childColumn is what the column of the keys is called in the datasets of lists: as the key
// is where that says what it is of, or else behind the name of the dataset.
func (k *rowKey) childColumn(dataset string) string {
	if k.member == "" {
		return dataset + "_" + k.column
	}
	if len(nameWords(k.member)) == 1 {
		return dataset + "_" + k.member
	}
	return k.member
}

// nameKey names the column of the keys.
func (t *childTable) nameKey(base string) {
	members := t.member.scan.names
	name := t.keyBefore(base)
	if name == "" || members[strings.ToLower(name)] {
		name = notTaken(base, members)
	}
	t.flat.taken[strings.ToLower(name)] = true
	members[strings.ToLower(name)] = true
	t.key, _ = jsontext.AppendQuote(nil, name) // names are UTF-8
	t.key = append(t.key, ':')
}

// keyBefore is the column that earlier files of the dataset have their keys in, the first
// that was stored; empty when that is another.
func (t *childTable) keyBefore(base string) string {
	if len(t.into.dataset.Columns) == 0 {
		return ""
	}
	name := t.into.dataset.Columns[0].Name
	if number, ok := strings.CutPrefix(strings.ToLower(name), strings.ToLower(base)); ok && strings.Trim(number, "_0123456789") == "" {
		return name
	}
	return ""
}

// of takes the key of a row out of it, and returns the row with the key where it does not
// have one. stored is how many rows were stored before it.
func (k *rowKey) of(row jsontext.Value, stored int64) jsontext.Value {
	if k.member == "" {
		k.value = strconv.AppendInt(k.value[:0], k.first+stored, 10)
		name, _ := jsontext.AppendQuote(nil, k.column)
		numbered := append(append(append([]byte{'{'}, name...), ':'), k.value...)
		if rest := skipSpace(row, 1); row[rest] != '}' {
			numbered = append(numbered, ',')
		}
		return append(numbered, row[1:]...)
	}
	k.value = k.value[:0]
	eachMember(row, func(name string, value jsontext.Value) {
		if name == k.member {
			k.value = append(k.value, value...)
		}
	})
	return row
}

// take stores the objects of the lists of a row that was stored, with its key.
func (c *children) take(taken []takenList, key []byte) error {
	parent := c.target
	defer func() { c.target = parent }()
	for _, t := range taken {
		var err error
		eachItem(t.list, func(item jsontext.Value) {
			if err == nil {
				c.target = t.of.into
				err = c.item(t.of, item, key)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// item stores one object of a list, and those of lists in it.
func (c *children) item(child *childTable, item jsontext.Value, key []byte) error {
	row := item
	if child.own != nil {
		row = child.own.of(item, child.parts.rows)
	}
	flat, err := child.flat.row(row)
	if err != nil {
		return err
	}
	child.line = append(append(append(child.line[:0], '{'), child.key...), key...)
	if rest := skipSpace(flat, 1); flat[rest] != '}' {
		child.line = append(child.line, ',')
	}
	child.line = append(child.line, flat[1:]...)
	child.row.Reset()
	s := child.shapes
	s.bad, s.rows = problems{}, child.parts.rows
	if err := s.row(child.line); err != nil {
		return err
	}
	if err := s.out.Flush(); err != nil {
		return err
	}
	if s.bad.count > 0 {
		return c.reject(&child.about, &format.Fault{
			Line: c.line, Row: child.parts.rows + 1, Reason: s.reason(), Text: format.Clip(item),
		})
	}
	c.noteSource(&child.about, child.parts.rows+1, 0)
	if err := child.parts.row(bytes.TrimSuffix(child.row.Bytes(), []byte("\n"))); err != nil || child.own == nil {
		return err
	}
	return c.take(child.flat.apart, child.own.value)
}

// write makes segments of the rows of lists.
func (c *children) write(ctx context.Context) error {
	parent, complete := c.target, c.looking.complete
	defer func() { c.target = parent }()
	for _, child := range c.all {
		c.target = child.into
		c.look()
		c.looking.complete = complete
		if err := child.parts.flush(); err != nil {
			return err
		}
		batch := child.shapes.columns
		originals := make([]string, len(batch))
		for i, b := range batch {
			originals[i] = b.Name
		}
		if err := c.fit(batch); err != nil {
			return err
		}
		before := c.dataset
		if err := c.pieceAll(ctx, child.parts.done, batch); err != nil {
			return err
		}
		child.about.Rows = child.parts.rows
		child.about.Notes = append(child.about.Notes, fmt.Sprintf("a row for every object of the list %s; %s is the key of %s",
			child.member.name(), unquoted(child.key), child.parent.dataset.Name))
		child.about.Notes = append(child.about.Notes, child.own.notes()...)
		child.about.Notes = append(child.about.Notes, child.flat.notes()...)
		if err := c.describe(&child.about, originals, batch, before); err != nil {
			return err
		}
	}
	return nil
}

// notes tells what became of the lists.
func (c *children) notes() []string {
	var into []string
	for _, child := range c.all {
		into = append(into, child.member.name()+" ("+child.into.dataset.Name+")")
	}
	return append([]string{"lists of objects in rows became datasets: " + strings.Join(into, ", ")}, c.own.notes()...)
}

// notes tells where the numbers of rows are kept; there need be no lists in them.
func (k *rowKey) notes() []string {
	if k == nil || k.member != "" {
		return nil
	}
	return []string{"no member tells all rows apart; their numbers are kept in " + k.column}
}

// close lets go of parts that were not ended.
func (c *children) close() {
	for _, child := range c.all {
		child.parts.close()
	}
}

// unquoted is the name that a member begins with.
func unquoted(member []byte) string {
	name, _ := jsontext.AppendUnquote(nil, bytes.TrimSuffix(member, []byte{':'})) // it was quoted here
	return string(name)
}

// takenList is a list of the current row that goes into a dataset of its own.
type takenList struct {
	of   *childTable
	list jsontext.Value
}

// missingLists refuses names of lists that no file has.
func (r *reading) missingLists() error {
	var missing []string
	for name := range r.job.Options.Lists {
		if !r.lists[name] {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	whole := r.job.Options.Nested != nil && *r.job.Options.Nested == 0
	if r.job.Options.Into == quern.IntoOne || whole {
		return refused("lists: with into: one or nestedLevels: 0 all lists stay nested; %s cannot be named", quoteShort(missing[0]))
	}
	return refused("lists: %s is no list of objects in the rows of the files", quoteShort(missing[0]))
}

// numberedAsRead fails with catalog.ErrReplan when rows were numbered for other places than
// those that they come to.
func (t *target) numberedAsRead(before quern.Dataset) error {
	if t.numbered && before.NextRow != t.numberedFrom {
		return catalog.ErrReplan
	}
	return nil
}
