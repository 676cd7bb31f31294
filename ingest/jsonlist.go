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

	"quern/ingest/format"
)

const (
	// maxLists is how many lists of the rows of a file become datasets.
	maxLists = 20
	// maxKeys is how many members of rows are looked at for one that tells rows apart,
	// and maxKeyRows how many rows it may tell apart.
	maxKeys, maxKeyRows = 4, 2_000_000
)

// keyWords are the last words of names of members that tell rows apart.
var keyWords = map[string]bool{}

func init() {
	for word := range strings.FieldsSeq("id uuid guid key code no nr number sku slug ref reference name email login username isbn ean iban") {
		keyWords[word] = true
	}
}

// listPlan is what becomes of the lists in the rows of a JSON file.
type listPlan struct {
	lists []*listMember
	key   string          // the member that tells rows apart; empty: none does
	names map[string]bool // of the members of rows, in small letters
}

// listMember is a member of rows that is a list of objects in all rows that have it.
type listMember struct {
	path    []string
	objects int64
	wrong   bool            // it is something else in some row
	members map[string]bool // of the objects, in small letters
}

func (l *listMember) name() string { return strings.Join(l.path, "_") }

// keyMember is a member that may tell rows apart.
type keyMember struct {
	name string
	seen []uint64 // hashes of its values, one for each row so far
	not  bool
}

// listScan looks through the rows of a file once for their lists.
type listScan struct {
	opens func(path []string, object jsontext.Value) bool // whether the members of an object are those of its row
	lists map[string]*listMember
	order []string
	keys  []*keyMember
	names map[string]bool
	seed  maphash.Seed
	rows  int64
}

func newListScan(opens func([]string, jsontext.Value) bool) *listScan {
	return &listScan{opens: opens, lists: map[string]*listMember{}, names: map[string]bool{}, seed: maphash.MakeSeed()}
}

// planLists finds out which lists of the rows become datasets; nil when none does. Only
// files that have some in their first rows are looked through.
func planLists(path string, around *envelope, opens func([]string, jsontext.Value) bool) (*listPlan, error) {
	first := newListScan(opens)
	if err := eachObject(path, around, peekRows, first.row); err != nil || len(first.lists) == 0 {
		return nil, err
	}
	s := newListScan(opens)
	if err := eachObject(path, around, math.MaxInt64, s.row); err != nil {
		return nil, err
	}
	plan := &listPlan{names: s.names}
	for _, key := range s.order {
		if l := s.lists[key]; !l.wrong && l.objects > 0 && first.lists[key] != nil {
			plan.lists = append(plan.lists, l)
		}
	}
	if len(plan.lists) == 0 {
		return nil, nil
	}
	plan.lists = plan.lists[:min(len(plan.lists), maxLists)]
	slices.SortStableFunc(s.keys, func(a, b *keyMember) int { return keyRank(a.name) - keyRank(b.name) })
	for _, k := range s.keys {
		if k.unique(s.rows) {
			plan.key = k.name
			break
		}
	}
	return plan, nil
}

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
		return len(words)
	case "name":
		return 20
	}
	return 10
}

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
		if len(s.names) < maxFlatNames {
			s.names[strings.ToLower(name)] = true
		}
		s.keyed(name, value)
		s.member([]string{name}, value)
	})
}

func (s *listScan) member(path []string, value jsontext.Value) {
	key := strings.Join(path, "\x00")
	known := s.lists[key]
	switch {
	case value[0] == 'n':
	case value[0] == '[':
		if known == nil {
			if len(s.lists) == maxFlatNames {
				return
			}
			known = &listMember{path: slices.Clone(path), members: map[string]bool{}}
			s.lists[key], s.order = known, append(s.order, key)
		}
		known.look(value)
	case known != nil:
		known.wrong = true
	case value[0] == '{' && s.opens(path, value):
		eachMember(value, func(name string, value jsontext.Value) { s.member(append(path, name), value) })
	}
}

// look notes what is in a list.
func (l *listMember) look(list jsontext.Value) {
	eachItem(list, func(item jsontext.Value) {
		if item[0] != '{' {
			l.wrong = true
			return
		}
		l.objects++
		eachMember(item, func(name string, _ jsontext.Value) {
			if len(l.members) < maxFlatNames {
				l.members[strings.ToLower(name)] = true
			}
		})
	})
}

// keyed notes the value of a member that may tell rows apart.
func (s *listScan) keyed(name string, value jsontext.Value) {
	words := nameWords(name)
	if !keyWords[words[len(words)-1]] {
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
	if text := value[0] == '"' && len(value) > 2; k.not || missed || !text && !whole || len(k.seen) == maxKeyRows {
		k.not, k.seen = true, nil
		return
	}
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
func eachObject(path string, around *envelope, most int64, fn func(jsontext.Value)) error {
	in, closer, err := format.OpenText(path, nil)
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
