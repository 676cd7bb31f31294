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
	into   *target
	about  quern.IngestedTable
	key    []byte // the start of a row: its first member's name
	row    bytes.Buffer
	shapes *shaper
	flat   *flattener
	parts  parts
	line   []byte
}

// children are the datasets of the lists in the rows of one file.
type children struct {
	*jsonReading
	all    []*childTable
	byPath map[string]*childTable
	key    string // the member that is the key; empty: the number of the row
	number string // the column that this is kept in
	from   int64  // the number of the first row
	value  []byte // the key of the current row
}

// beginChildren finds out which lists of the rows become datasets, and makes them ready.
func (j *jsonReading) beginChildren(ctx context.Context, it format.Item) error {
	named := j.job.Options.Lists
	if j.flat.depth == 0 || j.job.Options.Into == quern.IntoOne {
		return nil
	}
	plan, err := planLists(it.Path, j.around, j.flat.opens)
	if err != nil || plan == nil {
		return err
	}
	c := &children{jsonReading: j, byPath: map[string]*childTable{}, key: plan.key, from: j.dataset.NextRow}
	for _, l := range plan.lists {
		name, said := named[l.name()]
		j.lists[l.name()] = true
		stays := said && name == "" || j.flat.keep[strings.ToLower(l.name())]
		if stays {
			continue
		}
		if err := c.add(ctx, l, name); err != nil {
			return err
		}
	}
	if len(c.all) == 0 {
		return nil
	}
	if c.key == "" {
		c.number = notTaken(numberName, plan.names)
		j.target.numbered, j.target.numberedFrom = true, c.from-j.target.rows
	}
	c.nameKeys()
	j.children, j.flat.lists = c, c.byPath
	return nil
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
func (c *children) add(ctx context.Context, l *listMember, name string) error {
	parent := c.target
	into := parent.lists[l.name()]
	if into == nil {
		t := &found{label: l.name(), named: name}
		if parent != c.targets[0] {
			t.label = c.found.label + " " + l.name()
		}
		var err error
		if into, err = c.besideFirst(ctx, t, []*found{c.found, t}); err != nil {
			return err
		}
		if parent.lists == nil {
			parent.lists = map[string]*target{}
		}
		parent.lists[l.name()] = into
		c.targets = append(c.targets, into)
	}
	child := &childTable{member: l, into: into, parts: parts{dir: c.dir}}
	child.about = *c.about
	child.about.Notes, child.about.Columns = nil, nil
	if child.about.Member != "" {
		child.about.Member += "/"
	}
	child.about.Member += storable(strings.Join(l.path, "."))
	child.flat = newFlattener(into.dataset, c.job.Options.Nested)
	child.shapes = newShaper(&child.row, c.service.limits)
	c.all, c.byPath[strings.Join(l.path, "\x00")] = append(c.all, child), child
	return nil
}

// nameKeys names the columns of the keys in the datasets of lists: as the key is named
// where that says what it is of, or else behind the name of the dataset.
func (c *children) nameKeys() {
	base := c.key
	if base == "" {
		base = c.number
	}
	if words := nameWords(base); len(words) == 1 || c.key == "" {
		base = c.dataset.Name + "_" + base
	}
	for _, child := range c.all {
		name := child.keyBefore(base)
		if name == "" || child.member.members[strings.ToLower(name)] {
			name = notTaken(base, child.member.members)
		}
		child.flat.taken[strings.ToLower(name)] = true
		child.key, _ = jsontext.AppendQuote(nil, name) // names are UTF-8
		child.key = append(child.key, ':')
	}
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

// begin takes the key of the next row out of it, and returns the row with the key where
// it does not have one.
func (c *children) begin(row jsontext.Value) jsontext.Value {
	if c.key == "" {
		c.value = strconv.AppendInt(c.value[:0], c.from+c.parts.rows, 10)
		name, _ := jsontext.AppendQuote(nil, c.number)
		numbered := append(append(append([]byte{'{'}, name...), ':'), c.value...)
		if rest := skipSpace(row, 1); row[rest] != '}' {
			numbered = append(numbered, ',')
		}
		return append(numbered, row[1:]...)
	}
	c.value = c.value[:0]
	eachMember(row, func(name string, value jsontext.Value) {
		if name == c.key {
			c.value = append(c.value, value...)
		}
	})
	return row
}

// take stores the objects of the lists of a row that was stored.
func (c *children) take(taken []takenList) error {
	parent := c.target
	defer func() { c.target = parent }()
	for _, t := range taken {
		c.target = t.of.into
		var err error
		eachItem(t.list, func(item jsontext.Value) {
			if err == nil {
				err = c.item(t.of, item)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// item stores one object of a list.
func (c *children) item(child *childTable, item jsontext.Value) error {
	flat, err := child.flat.row(item)
	if err != nil {
		return err
	}
	child.line = append(append(append(child.line[:0], '{'), child.key...), c.value...)
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
	return child.parts.row(bytes.TrimSuffix(child.row.Bytes(), []byte("\n")))
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
			child.member.name(), unquoted(child.key), parent.dataset.Name))
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
	notes := []string{"lists of objects in rows became datasets: " + strings.Join(into, ", ")}
	if c.key == "" {
		notes = append(notes, "no member tells all rows apart; their numbers are kept in "+c.number)
	}
	return notes
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
