package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/ingest/format"
)

const (
	// maxLists is how many lists of the rows of a file become datasets.
	maxLists = 20
	// maxKeys is how many members of rows are looked at for one that tells rows apart,
	// and maxKeyRows how many rows all of them may tell apart.
	maxKeys, maxKeyRows = 4, 8_000_000
)

// keyWords are the last words of names of members that tell rows apart.
var keyWords = map[string]bool{}

func init() {
	for word := range strings.FieldsSeq("id uuid guid key code no nr number sku slug ref reference name email login username isbn ean iban") {
		keyWords[word] = true
	}
}

// listPlan is what becomes of the lists in the rows of a JSON file, or in the objects of
// such a list.
type listPlan struct {
	lists []*listMember
	key   string          // the member that tells rows apart; empty: none does
	names map[string]bool // of the members of rows, in small letters
}

// listMember is a member of rows that is a list of objects in all rows that have it.
type listMember struct {
	path    []string // in the row or object that the list is in
	whole   []string // with the paths of the lists that it is in
	objects int64
	wrong   bool // it is something else in some row
	scan    *listScan
	inner   *listPlan // of the lists in its objects; nil: none becomes a dataset
}

func (l *listMember) name() string { return strings.Join(l.whole, "_") }

// keyMember is a member that may tell rows apart.
type keyMember struct {
	name string
	seen []uint64 // hashes of its values, one for each row so far
	not  bool
}

// listScan looks through the rows of a file, or the objects of a list in them, once for
// their lists.
type listScan struct {
	within []string                                        // the path of the list that the objects are of; nil: rows
	levels int                                             // of lists in one another that are looked at
	opens  func(path []string, object jsontext.Value) bool // whether the members of an object are those of its row
	inner  func(path []string, object jsontext.Value) bool // opens for the objects of lists
	lists  map[string]*listMember
	order  []string
	keys   []*keyMember
	names  map[string]bool
	seed   maphash.Seed
	rows   int64
	room   *scanRoom
}

// scanRoom is what the scans of a file may still note.
type scanRoom struct{ lists, names, keys int }

// newListScan begins a scan of rows that are to be flattened.
func newListScan(flat *flattener) *listScan {
	return &listScan{levels: flat.depth, opens: flat.opens, inner: newFlattener(quern.Dataset{}, &flat.depth).opens,
		lists: map[string]*listMember{}, names: map[string]bool{}, seed: maphash.MakeSeed(),
		room: &scanRoom{maxFlatNames, 4 * maxFlatNames, maxKeyRows}}
}

// planLists finds out which lists of the rows become datasets; nil when none does. Only
// files that have some in their first rows are looked through. Lists are found in the
// objects of others as many levels deep as objects become columns.
func planLists(text format.TextFile, around *envelope, flat *flattener) (*listPlan, error) {
	first := newListScan(flat)
	if err := eachObject(text, around, peekRows, first.row); err != nil || len(first.lists) == 0 {
		return nil, err
	}
	s := newListScan(flat)
	if err := eachObject(text, around, math.MaxInt64, s.row); err != nil {
		return nil, err
	}
	return s.plan(first), nil
}

// plan is what becomes of the lists that were found, of which the scan of the first rows
// found some; nil when none becomes a dataset.
func (s *listScan) plan(first *listScan) *listPlan {
	plan := &listPlan{names: s.names}
	for _, key := range s.order {
		l, seen := s.lists[key], first.lists[key]
		if l.wrong || l.objects == 0 || seen == nil {
			continue
		}
		l.inner = l.scan.plan(seen.scan)
		plan.lists = append(plan.lists, l)
	}
	if len(plan.lists) == 0 {
		return nil
	}
	slices.SortStableFunc(s.keys, func(a, b *keyMember) int { return keyRank(a.name) - keyRank(b.name) })
	for _, k := range s.keys {
		if k.unique(s.rows) {
			plan.key = k.name
			break
		}
	}
	return plan
}

// mayBeKey reports whether a member that tells the rows of this file apart is taken to do
// so in others: lines of orders are numbered in each anew, so that objects of lists need an id.
func (s *listScan) mayBeKey(name string) bool { return s.within == nil || keyRank(name) < otherKey }

// unique reports whether the member has another value in every row.
func (k *keyMember) unique(rows int64) bool {
	if k.not || int64(len(k.seen)) != rows {
		return false
	}
	slices.Sort(k.seen)
	return len(slices.Compact(k.seen)) == int(rows)
}

// keyRank orders names of members that may be keys: an id first, a name last.
func keyRank(name string) int {
	words := nameWords(name)
	switch words[len(words)-1] {
	case "id", "uuid", "guid":
		return min(len(words), otherKey-1)
	case "name":
		return 2 * otherKey
	}
	return otherKey
}

// otherKey is the keyRank of names that are no ids.
const otherKey = 10

// nameWords splits the name of a member into words in small letters.
func nameWords(name string) []string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && !strings.HasSuffix(name[:i], "I") {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	words := strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' })
	if len(words) == 0 {
		return []string{""}
	}
	return words
}

// row looks at a row.
func (s *listScan) row(row jsontext.Value) {
	s.rows++
	eachMember(row, func(name string, value jsontext.Value) {
		if lower := strings.ToLower(name); !s.names[lower] && s.room.names > 0 {
			s.names[lower] = true
			s.room.names--
		}
		s.keyed(name, value)
		s.member([]string{name}, value)
	})
}

func (s *listScan) member(path []string, value jsontext.Value) {
	key := strings.Join(path, "\x00")
	known := s.lists[key]
	switch {
	case value[0] == 'n' || s.levels == 0:
	case value[0] == '[':
		if known == nil {
			if s.room.lists == 0 {
				return
			}
			known = s.newMember(path)
			s.lists[key], s.order = known, append(s.order, key)
			s.room.lists--
		}
		known.look(value)
	case known != nil:
		known.wrong = true
	case value[0] == '{' && s.opens(path, value):
		eachMember(value, func(name string, value jsontext.Value) { s.member(append(path, name), value) })
	}
}

// newMember makes ready to look at the lists that are at a path.
func (s *listScan) newMember(path []string) *listMember {
	l := &listMember{path: slices.Clone(path), whole: slices.Concat(s.within, path)}
	l.scan = &listScan{within: l.whole, levels: s.levels - 1, opens: s.inner, inner: s.inner,
		lists: map[string]*listMember{}, names: map[string]bool{}, seed: s.seed, room: s.room}
	return l
}

// look notes what is in a list.
func (l *listMember) look(list jsontext.Value) {
	eachItem(list, func(item jsontext.Value) {
		if l.wrong = l.wrong || item[0] != '{'; !l.wrong {
			l.objects++
			l.scan.row(item)
		}
	})
}

// keyed notes the value of a member that may tell rows apart.
func (s *listScan) keyed(name string, value jsontext.Value) {
	words := nameWords(name)
	if s.levels == 0 || !keyWords[words[len(words)-1]] || !s.mayBeKey(name) {
		return
	}
	at := slices.IndexFunc(s.keys, func(k *keyMember) bool { return k.name == name })
	if at < 0 {
		if len(s.keys) == maxKeys {
			return
		}
		at = len(s.keys)
		s.keys = append(s.keys, &keyMember{name: name})
	}
	k := s.keys[at]
	whole := value[0] >= '0' && value[0] <= '9' && !bytes.ContainsAny(value, ".eE")
	missed := int64(len(k.seen)) != s.rows-1
	if text := value[0] == '"' && len(value) > 2; k.not || missed || !text && !whole || s.room.keys == 0 {
		s.room.keys += len(k.seen)
		k.not, k.seen = true, nil
		return
	}
	s.room.keys--
	k.seen = append(k.seen, maphash.Bytes(s.seed, value))
}

// eachMember calls fn for the members of an object that is known to be JSON.
func eachMember(object jsontext.Value, fn func(name string, value jsontext.Value)) {
	for at := skipSpace(object, 1); object[at] != '}'; {
		end := stringEnd(object, at)
		name, err := jsontext.AppendUnquote(nil, object[at:end])
		at = skipSpace(object, skipSpace(object, end)+1)
		end = valueEnd(object, at)
		if err == nil {
			fn(string(name), object[at:end])
		}
		if at = skipSpace(object, end); object[at] == ',' {
			at = skipSpace(object, at+1)
		}
	}
}

// eachItem calls fn for the items of a list that is known to be JSON.
func eachItem(list jsontext.Value, fn func(item jsontext.Value)) {
	for at := skipSpace(list, 1); list[at] != ']'; {
		end := itemEnd(list, at)
		fn(list[at:end])
		if at = skipSpace(list, end); list[at] == ',' {
			at = skipSpace(list, at+1)
		}
	}
}

// itemEnd is valueEnd in a list.
func itemEnd(b []byte, at int) int {
	if b[at] == '"' || b[at] == '{' || b[at] == '[' {
		return valueEnd(b, at)
	}
	for b[at] != ',' && b[at] != ']' && b[at] > ' ' {
		at++
	}
	return at
}

// eachObject calls fn for the objects that are the rows of a file, at most so many. It ends
// where the file cannot be read, and passes over lines that are no object: what is wrong
// shows when the rows are stored.
func eachObject(text format.TextFile, around *envelope, most int64, fn func(jsontext.Value)) error {
	in, closer, err := text.Open(nil)
	if err != nil {
		return err
	}
	defer closer.Close()
	limit := &rowLimit{r: in, left: math.MaxInt64}
	buffered := bufio.NewReaderSize(limit, 256<<10)
	dec := jsontext.NewDecoder(buffered)
	switch head, _ := buffered.Peek(buffered.Size()); {
	case around != nil:
		if around.enter(dec) != nil {
			return nil
		}
	case startsWithLine(head):
		eachLine(buffered, limit, most, fn)
		return nil
	case dec.PeekKind() == '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil
		}
	}
	for range most {
		limit.left = format.MaxRecord
		if kind := dec.PeekKind(); kind == 0 || kind == ']' {
			return nil
		}
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		if value.Kind() == '{' {
			fn(value)
		}
	}
	return nil
}

// eachLine is eachObject for a file of one object a line.
func eachLine(in *bufio.Reader, limit *rowLimit, most int64, fn func(jsontext.Value)) {
	var text []byte
	for end := false; !end && most > 0; most-- {
		limit.left = format.MaxRecord
		text = text[:0]
		for more := true; more; {
			some, err := in.ReadSlice('\n')
			text, more = append(text, some...), errors.Is(err, bufio.ErrBufferFull)
			end = err != nil && !more
		}
		if line := jsontext.Value(bytes.TrimSpace(text)); len(line) > 0 && line[0] == '{' && line.IsValid() {
			fn(line)
		}
	}
}

// startsWithLine reports whether the first line of a text is a whole object.
func startsWithLine(head []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	return len(first) > 0 && first[0] == '{' && jsontext.Value(bytes.TrimSpace(first)).IsValid()
}
