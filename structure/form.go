package structure

// form is one way in which a document may be written: it reports whether it is, and fills
// in the records then.
type form func(*found) bool

// plain is a form that its lines alone tell.
func plain(find func([]textLine) ([]record, bool)) form {
	return func(f *found) (ok bool) {
		f.records, ok = find(f.lines)
		return ok
	}
}

func (s *tableStep) asList(f *found) (ok bool) {
	f.records, ok = findList(f.lines)
	return ok && !s.wantsAny(f.records)
}

func (s *tableStep) asGrid(ways ...cutter) form {
	return plain(func(lines []textLine) ([]record, bool) { return s.gridRecords(lines, ways...) })
}

// asWideGrid is a grid of cells apart by spaces that cannot be taken for prose.
func (s *tableStep) asWideGrid(f *found) bool {
	g, ok := findGrid(f.lines, cutSpaces)
	if !ok || len(g.header) <= 2 && (!g.isWhole(len(f.lines)) || isLogged(f.lines)) {
		return false
	}
	f.records, _ = s.gridRecords(f.lines, cutSpaces)
	return true
}

// asPattern is lines of one pattern, which is kept for the lines that follow.
func (s *tableStep) asPattern(f *found) bool {
	p, ok := learnPattern(f.lines)
	if !ok {
		return false
	}
	f.records, f.cues = p.records(f.lines), p.cues()
	if f.byLine {
		s.pattern = p
	}
	return true
}
