package structure

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern/english"
)

// fewestRecords is how many records must look alike before they are a pattern.
const fewestRecords = 3

// pattern reads records of one line each, which all have the same template. Lines
// that are indented, or do not begin as records do, go on with the one before.
type pattern struct {
	template template
	columns  []patternColumn
	pairs    bool // messages end in named values: status=200 user=ada
}

// patternColumn is a column that a slot of the template fills.
type patternColumn struct {
	slot  slot
	part  int // of what the slot holds, where that is taken apart; 0: all of it
	name  string
	shape shape
	// digits says that all values are of digits alone.
	digits bool
	cues   []string // the words beside it that all records have
}

// requestLine is what servers log of a request.
var requestLine = regexp.MustCompile(`^(?P<method>[A-Z]{3,10}) (?P<path>\S+)(?: (?P<protocol>HTTP/[\d.]+))?$`)

// learnPattern finds the pattern of lines.
func learnPattern(lines []textLine) (*pattern, bool) {
	var texts []string
	for _, l := range lines {
		if l.text[0] != ' ' && l.text[0] != '\t' {
			texts = append(texts, l.text)
		}
	}
	if len(texts) < fewestRecords {
		return nil, false
	}
	t, ok := learnTemplate(texts)
	if !ok {
		return nil, false
	}
	p := &pattern{template: t}
	p.findColumns(spread(texts, mostLearnt))
	return p, len(p.columns) > 1
}

// findColumns decides what the slots of the template are called.
func (p *pattern) findColumns(lines []string) {
	found := map[slot][]value{}
	for _, line := range lines {
		all := tokens(line)
		if places, ok := p.template.match(line, all); ok {
			for _, v := range p.template.values(line, all, places) {
				found[v.slot] = append(found[v.slot], v)
			}
		}
	}
	slots := make([]slot, 0, len(found))
	for s := range found {
		slots = append(slots, s)
	}
	slices.SortFunc(slots, func(a, b slot) int { return cmp.Or(cmp.Compare(a.anchor, b.anchor), comparePart(a.part, b.part)) })
	for _, s := range slots {
		p.addColumn(s, found[s])
	}
	p.pairs = hasPairs(found[slot{len(p.template.anchors), 0}])
	p.nameColumns()
}

// comparePart puts the words of a gap before the anchor behind it.
func comparePart(a, b int) int {
	if (a == anchorSlot) != (b == anchorSlot) {
		if a == anchorSlot {
			return 1
		}
		return -1
	}
	return cmp.Compare(a, b)
}

func (p *pattern) addColumn(s slot, values []value) {
	requests := 0
	for _, v := range values {
		if v.shape == quoted && requestLine.MatchString(v.text) {
			requests++
		}
	}
	const nearly = 0.8
	if float64(requests) >= nearly*float64(len(values)) {
		for i, name := range []string{"method", "path", "protocol"} {
			p.columns = append(p.columns, patternColumn{slot: s, part: i + 1, name: name})
		}
		return
	}
	c := patternColumn{slot: s, shape: commonShape(values), digits: true}
	for _, v := range values {
		c.digits = c.digits && strings.Trim(v.text, "0123456789") == ""
	}
	c.name, c.cues = p.label(s)
	p.columns = append(p.columns, c)
}

// commonShape is the shape of nearly all values; word when there is none.
func commonShape(values []value) shape {
	var counts [shapeCount]int
	for _, v := range values {
		counts[v.shape]++
	}
	return mostOf(&counts)
}

// mostOf is the shape that nearly all of some values have; word when there is none.
func mostOf(counts *[shapeCount]int) shape {
	all := 0
	for _, n := range counts {
		all += n
	}
	const nearly = 0.9
	for s, n := range counts {
		if float64(n) >= nearly*float64(all) {
			return shape(s)
		}
	}
	return word
}

// label returns the word before a slot that names it, as "status=" or "user:" do,
// and the words beside it.
func (p *pattern) label(s slot) (name string, cues []string) {
	t := p.template
	before := s.anchor - 1
	adjoining := s.part == anchorSlot && !t.gaps[s.anchor].filled || s.part == 0
	if before >= 0 && adjoining {
		a := t.anchors[before]
		separated := a.literal == "=" || a.literal == ":"
		if separated && before > 0 && !t.gaps[before].filled {
			if l := t.anchors[before-1]; l.shape == word && l.literal != "" {
				name = strings.ToLower(l.literal)
			}
		}
		if a.shape == word {
			cues = append(cues, a.literal)
			if !english.FunctionWords.Has(strings.ToLower(a.literal)) && isName(a.literal) {
				name = strings.ToLower(a.literal)
			}
		}
	}
	if s.part == anchorSlot && s.anchor+1 < len(t.anchors) && !t.gaps[s.anchor+1].filled && t.anchors[s.anchor+1].shape == word {
		cues = append(cues, t.anchors[s.anchor+1].literal)
	}
	return name, cues
}

// isName reports whether a word of a template could name what stands behind it.
func isName(text string) bool {
	for _, r := range text {
		if !english.IsWordRune(r) && r != '_' && r != '-' {
			return false
		}
	}
	return len(text) > 1
}

// nameColumns names the columns that no label names: by their shapes, and by what
// servers and programs log in such places.
func (p *pattern) nameColumns() {
	isTime := func(c patternColumn) bool { return c.shape == instant }
	isRequest := func(c patternColumn) bool { return c.part > 0 }
	logs := slices.ContainsFunc(p.columns[:min(3, len(p.columns))], isTime)
	if request := slices.IndexFunc(p.columns, isRequest); request >= 0 {
		p.nameRequests(request)
	}
	if logs {
		p.nameProcess()
	}
	names := map[string]int{}
	for i := range p.columns {
		c := &p.columns[i]
		if c.name == "" {
			c.name = p.usualName(*c, logs, i == len(p.columns)-1)
		}
		c.name = unique(names, c.name)
	}
}

// usualNames are what columns of logs and messages are also called, by the names that
// they get.
var usualNames = map[string][]string{
	"source": {"logger", "class", "component", "module", "sender", "author", "who"}, "source_2": {"logger", "class", "component"},
	"context": {"thread", "worker"}, "message": {"text"}, "host": {"machine", "server"},
	"program": {"process", "service", "app"}, "pid": {"process"},
	"From": {"sender", "author"}, "To": {"recipient", "receiver"}, "body": {"text", "message"},
}

// nameProcess names the machine, the program and its number as systems log them:
// "web1 sshd[2210]: …".
func (p *pattern) nameProcess() {
	for i := 2; i < len(p.columns); i++ {
		c, program, host := &p.columns[i], &p.columns[i-1], &p.columns[i-2]
		if c.name == "" && c.digits && c.shape == bracketed && program.name == "" && program.shape == word {
			c.name, program.name = "pid", "program"
			if host.name == "" && (host.shape == word || host.shape == code) {
				host.name = "host"
			}
		}
	}
}

// usualName is what a column is called by its shape and place.
func (p *pattern) usualName(c patternColumn, logs, last bool) string {
	switch c.shape {
	case word, bracketed, quoted, code, mark:
	default:
		return shapeNames[c.shape]
	}
	switch {
	case !logs:
		return "text"
	case last:
		return "message"
	case c.shape == bracketed:
		return "context"
	}
	return "source"
}

// nameRequests names what stands around a request as servers log it: who asked, the
// status, the bytes, where it came from and with what.
func (p *pattern) nameRequests(request int) {
	behind := []string{"status", "bytes", "referrer", "agent"}
	for i := range p.columns {
		c := &p.columns[i]
		switch {
		case c.name != "":
		case i < request && c.shape == word:
			c.name = "user"
		case i > request && len(behind) > 0 && c.shape == quoted && len(behind) > 2:
			c.name, behind = behind[2], behind[3:]
		case i > request && len(behind) > 0:
			c.name, behind = behind[0], behind[1:]
		}
	}
}

// unique returns a name that was not returned before.
func unique(taken map[string]int, name string) string {
	key := strings.ToLower(name)
	if taken[key]++; taken[key] == 1 {
		return name
	}
	for n := taken[key]; ; n++ {
		numbered := name + "_" + strconv.Itoa(n)
		if taken[strings.ToLower(numbered)] == 0 {
			taken[strings.ToLower(numbered)]++
			return numbered
		}
	}
}

// records reads lines.
func (p *pattern) records(lines []textLine) []record {
	var all []record
	for _, l := range lines {
		toks := tokens(l.text)
		places, ok := p.template.match(l.text, toks)
		indented := l.text[0] == ' ' || l.text[0] == '\t'
		goesOn := indented || !ok && !l.blank && p.startsFixed()
		if n := len(all); n > 0 && goesOn && all[n-1].unread == "" {
			p.goOn(&all[n-1], l)
			continue
		}
		r := record{text: l.text, line: l.number}
		if ok {
			r.values = p.read(l.text, toks, places)
		} else {
			r.unread = "does not look like the other lines"
		}
		all = append(all, r)
	}
	return all
}

// startsFixed reports whether every record begins with something of a shape, so that
// a line that does not goes on with the record before.
func (p *pattern) startsFixed() bool {
	t := p.template
	return t.anchors[0].literal == "" && !t.gaps[0].filled
}

// goOn adds a line to a record: to the text at its end, or else as more of it.
func (p *pattern) goOn(r *record, l textLine) {
	const sure = 0.8
	r.text += "\n" + l.text
	n := len(r.values)
	if n == 0 || r.values[n-1].slot.anchor != len(p.template.anchors) {
		start := len(r.text) - len(l.text)
		r.values = append(r.values, value{name: "more", text: strings.TrimSpace(l.text), at: span{start, len(r.text)},
			slot: slot{anchor: len(p.template.anchors)}, by: "pattern", sure: sure})
		return
	}
	v := &r.values[n-1]
	v.at.end = len(r.text)
	v.text = r.text[v.at.start:v.at.end]
}

// read returns what a line says in the columns.
func (p *pattern) read(line string, all []token, places []int) []value {
	const sure = 0.9
	found := p.template.values(line, all, places)
	values := make([]value, 0, len(p.columns))
	for _, c := range p.columns {
		at := slices.IndexFunc(found, func(v value) bool { return v.slot == c.slot })
		if at < 0 {
			continue
		}
		v := found[at]
		if c.part > 0 {
			m := requestLine.FindStringSubmatchIndex(v.text)
			if m == nil || m[2*c.part] < 0 {
				continue
			}
			v.at = span{v.at.start + m[2*c.part], v.at.start + m[2*c.part+1]}
			v.text = line[v.at.start:v.at.end]
		}
		v.name, v.by, v.sure = c.name, "pattern", sure
		switch {
		case isNothing(v.text):
		case p.pairs && v.slot == slot{len(p.template.anchors), 0}:
			values = append(values, p.takePairs(v)...)
		default:
			values = append(values, v)
		}
	}
	return values
}
