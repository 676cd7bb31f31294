package ingest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
)

const (
	// usualDepth is how many levels of objects in objects become columns where nothing
	// else is said.
	usualDepth = 3
	// widestObject is how many members an object may have to become columns: one with
	// more is rather a list of its own.
	widestObject = 50
)

// flattener makes columns of the objects in the rows of a JSON file: address.city
// becomes address_city. Lists stay as they are, but for those that go into datasets of
// their own.
type flattener struct {
	depth int
	keep  map[string]bool   // columns of the dataset that hold nested values, in small letters
	names map[string]string // of columns, by the path to the value
	taken map[string]bool
	made  []string // columns that were made of objects, in order
	left  []string // members that stayed nested, in order
	empty []string // objects without members, in order
	out   []byte
	lists map[string]*childTable // lists that go into datasets of their own, by their path
	apart []takenList            // those of the current row
}

func newFlattener(d quern.Dataset, depth *int) *flattener {
	f := &flattener{depth: usualDepth, keep: map[string]bool{}, names: map[string]string{}, taken: map[string]bool{}}
	if depth != nil {
		f.depth = *depth
	}
	for _, c := range d.Columns {
		if c.Type == quern.JSON {
			f.keep[quern.NameKey(c.Name)] = true
		}
	}
	return f
}

// row returns a row, an object that is known to be JSON, with the members of objects in
// it as members of its own. It is valid until the next.
func (f *flattener) row(row jsontext.Value) (jsontext.Value, error) {
	if f.depth == 0 {
		return row, nil
	}
	f.out, f.apart = append(f.out[:0], '{'), f.apart[:0]
	if err := f.members(row, nil); err != nil {
		return nil, err
	}
	f.out = append(f.out, '}')
	return f.out, nil
}

func (f *flattener) members(object jsontext.Value, path []string) error {
	for at := skipSpace(object, 1); object[at] != '}'; {
		end := stringEnd(object, at)
		name, err := jsontext.AppendUnquote(nil, object[at:end])
		if err != nil {
			return err
		}
		at = skipSpace(object, skipSpace(object, end)+1)
		end = valueEnd(object, at)
		if err := f.member(append(path, string(name)), object[at:end]); err != nil {
			return err
		}
		if at = skipSpace(object, end); object[at] == ',' {
			at = skipSpace(object, at+1)
		}
	}
	return nil
}

func (f *flattener) member(path []string, value jsontext.Value) error {
	if value[0] == '{' && f.opens(path, value) {
		return f.members(value, path)
	}
	if child := f.lists[strings.Join(path, "\x00")]; child != nil {
		if value[0] == '[' {
			f.apart = append(f.apart, takenList{child, value})
		}
		return nil // null, or a list
	}
	if value[0] == '{' && f.mayOpen(path) && len(memberNames(value)) == 0 {
		f.empty = noteOnce(f.empty, strings.Join(path, "_"))
		return nil
	}
	name := f.name(path)
	if value[0] == '{' || value[0] == '[' {
		f.left = noteOnce(f.left, name)
	}
	if len(f.out) > 1 {
		f.out = append(f.out, ',')
	}
	var err error
	if f.out, err = jsontext.AppendQuote(f.out, name); err != nil {
		return err
	}
	f.out = append(append(f.out, ':'), value...)
	return nil
}

// opens reports whether an object becomes columns.
func (f *flattener) opens(path []string, value jsontext.Value) bool {
	n := len(memberNames(value))
	return f.mayOpen(path) && n > 0 && n <= widestObject
}

// mayOpen reports whether objects at a path become columns.
func (f *flattener) mayOpen(path []string) bool {
	return len(path) <= f.depth && !f.keep[strings.ToLower(strings.Join(path, "_"))]
}

// keeps reports whether a path leads to, or through, a column that holds nested values.
func (f *flattener) keeps(path []string) bool {
	for n := range path {
		if f.keep[strings.ToLower(strings.Join(path[:n+1], "_"))] {
			return true
		}
	}
	return false
}

// name is the name of the column for a path. One that is taken gets a number.
func (f *flattener) name(path []string) string {
	key := strings.Join(path, "\x00")
	if name, ok := f.names[key]; ok {
		return name
	}
	base := strings.Join(path, "_")
	name := base
	for n := 2; f.taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	if len(path) == 1 {
		name = base // what is written twice in other capitals is the row's own fault
	}
	f.taken[strings.ToLower(name)] = true
	if len(f.names) < 4*maxFlatNames {
		f.names[key] = name
	}
	if len(path) > 1 {
		f.made = noteOnce(f.made, name)
	}
	return name
}

// maxFlatNames bounds the paths that are remembered.
const maxFlatNames = 16_384

// noteOnce adds a name to a short list of them.
func noteOnce(list []string, name string) []string {
	if len(list) > maxNamed || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// notes tells what became of nested values.
func (f *flattener) notes() (notes []string) {
	list := func(names []string) string {
		if len(names) > maxNamed {
			return strings.Join(names[:maxNamed], ", ") + ", …"
		}
		return strings.Join(names, ", ")
	}
	if len(f.made) > 0 {
		notes = append(notes, "objects in rows became columns: "+list(f.made))
	}
	if len(f.left) > 0 {
		notes = append(notes, "lists and objects that stayed nested: "+list(f.left))
	}
	var nowhere []string // objects that have members in no row
	for _, name := range f.empty {
		if !slices.ContainsFunc(f.made, func(made string) bool { return strings.HasPrefix(made, name+"_") }) {
			nowhere = append(nowhere, name)
		}
	}
	if len(nowhere) > 0 {
		notes = append(notes, "objects without members were left out: "+list(nowhere))
	}
	return notes
}
