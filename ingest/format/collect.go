package format

// collector puts the tables of a document together while it is read once from
// front to back. Tables inside of tables are tables of their own.
type collector struct {
	budget *budget
	tables []*collected // in the order in which they begin
	open   []*collected // around the place that is being read, the innermost last
}

// collected is a table that is being put together.
type collected struct {
	rows   [][]string
	heads  int              // rows at the beginning that consist of headings
	down   map[int]spanning // by column: cells that reach into the next rows
	row    []string
	inRow  bool
	titled bool // all cells of the row so far are headings
	title  string
}

// spanning is a cell that reaches into rows below.
type spanning struct {
	text string
	rows int
}

// cellSpan is how many columns and rows a cell takes up, at least one of each.
type cellSpan struct{ columns, rows int }

// current returns the innermost open table, nil outside of tables.
func (c *collector) current() *collected {
	if len(c.open) == 0 {
		return nil
	}
	return c.open[len(c.open)-1]
}

// beginTable opens a table inside of the current one, if there is one.
func (c *collector) beginTable() error {
	if len(c.open) == maxNested {
		return refuse("tables stand in one another more than %d deep", maxNested)
	}
	if len(c.tables) == MaxTables {
		return errTables
	}
	t := &collected{down: map[int]spanning{}}
	c.tables, c.open = append(c.tables, t), append(c.open, t)
	return nil
}

// endTable closes the current table.
func (c *collector) endTable() error {
	if err := c.endRow(); err != nil || len(c.open) == 0 {
		return err
	}
	c.open = c.open[:len(c.open)-1]
	return nil
}

// beginRow ends the row before and begins another.
func (c *collector) beginRow() error {
	if err := c.endRow(); err != nil {
		return err
	}
	if t := c.current(); t != nil {
		t.inRow, t.titled, t.row = true, true, nil
		return c.budget.take("", 1)
	}
	return nil
}

// endRow completes the current row with the cells that reach into it from above.
func (c *collector) endRow() error {
	t := c.current()
	if t == nil || !t.inRow {
		return nil
	}
	t.inRow = false
	if err := c.fill(t); err != nil || len(t.row) == 0 {
		return err
	}
	if t.titled && t.heads == len(t.rows) {
		t.heads++
	}
	t.rows = append(t.rows, t.row)
	return nil
}

// cell adds a cell to the current row; outside of rows it begins one.
func (c *collector) cell(text string, heading bool, span cellSpan) error {
	t := c.current()
	if t == nil {
		return nil
	}
	if !t.inRow {
		if err := c.beginRow(); err != nil {
			return err
		}
	}
	if err := c.fill(t); err != nil {
		return err
	}
	t.titled = t.titled && heading
	if span.rows > 1 {
		for i := range min(span.columns, MaxCells) {
			t.down[len(t.row)+i] = spanning{text, span.rows - 1}
		}
	}
	return c.put(t, text, span.columns)
}

// fill adds the cells that reach into the row at the next places.
func (c *collector) fill(t *collected) error {
	for s := t.down[len(t.row)]; s.rows > 0; s = t.down[len(t.row)] {
		t.down[len(t.row)] = spanning{s.text, s.rows - 1}
		if err := c.put(t, s.text, 1); err != nil {
			return err
		}
	}
	return nil
}

// table makes a table of what was put together. Headings are those that the document
// says are some, or else what looks like them.
func (t *collected) table(member, detail string, o Options) Table {
	if o.Header != nil || t.heads == 0 || t.heads == len(t.rows) {
		return memoryTable(member, detail, t.rows, o)
	}
	var heads [][]string
	for _, row := range t.rows[:t.heads] {
		if !spansAll(row) && filled(row) > 0 {
			heads = append(heads, row)
		}
	}
	if len(heads) == 0 {
		return memoryTable(member, detail, t.rows[t.heads:], o)
	}
	return memoryHeaded(member, detail, joinHeads(heads...), t.rows[t.heads:], titleNotes(t.heads-len(heads))...)
}

// isEmpty reports whether a table has names of columns at most.
func (t *collected) isEmpty() bool {
	return t.heads == len(t.rows) || len(t.rows) == 1 && namesColumns(t.rows)
}

// put adds a cell so many times, if there is room for it.
func (c *collector) put(t *collected, text string, times int) error {
	if len(t.row)+times > MaxCells {
		return refuse("a row of a table has more than %d cells", MaxCells)
	}
	if err := c.budget.take(text, times); err != nil {
		return err
	}
	for range times {
		t.row = append(t.row, text)
	}
	return nil
}

// finish closes what is still open and returns the tables that hold a row.
func (c *collector) finish() (tables []*collected, err error) {
	for len(c.open) > 0 {
		if err := c.endTable(); err != nil {
			return nil, err
		}
	}
	for _, t := range c.tables {
		if len(t.rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables, nil
}
