package duckdb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"quern"
	"quern/engine"
)

// sparseFiles are the segments of a job whose files have only parts of them, by the names that
// the engine has for the files.
type sparseFiles map[string]engine.Segment

// sparseOf returns those of the segments of tables that are sparse.
func sparseOf(shown []shownTable, name fileNames) sparseFiles {
	var files sparseFiles
	for _, t := range shown {
		for _, s := range t.table.Segments {
			if s.Sparse == "" {
				continue
			}
			if files == nil {
				files = sparseFiles{}
			}
			files[name(s.Path)] = s
		}
	}
	return files
}

// isSparse reports whether segments of tables are sparse.
func isSparse(shown []shownTable) bool {
	return slices.ContainsFunc(shown, func(t shownTable) bool {
		return slices.ContainsFunc(t.table.Segments, func(s engine.Segment) bool { return s.Sparse != "" })
	})
}

// sparseFiles are those of the job.
func (j *job) sparseFiles() sparseFiles {
	if j.kept != nil {
		return j.kept.sparse
	}
	return j.sparse
}

// isSparse reports whether a file of the job, by the path that it has outside or by the
// engine's name, is sparse.
func (j *job) isSparse(path string) bool {
	for name, s := range j.sparseFiles() {
		if name == path || s.Path == path {
			return true
		}
	}
	return false
}

// fetch has all that a query reads of sparse files brought into them. What a kept instance
// had fetched for the same query is still there.
func (j *job) fetch(q engine.Query, sql string) error {
	files := j.sparseFiles()
	if len(files) == 0 || j.kept != nil && j.kept.fetched[sql] {
		return nil
	}
	if q.Fetch == nil {
		return errors.New("duckdb: nobody fetches what sparse segments lack")
	}
	spans, err := j.spansOf(sql, files)
	if err != nil {
		return err
	}
	if err := q.Fetch(j.ctx, spans); err != nil {
		return &resolveError{err}
	}
	if j.kept != nil && len(j.kept.fetched) < maxStatements && len(sql) <= maxRemembered {
		j.kept.fetched[sql] = true
	}
	return nil
}

// spansOf returns the bytes that a query reads of sparse files; all of them where that
// cannot be told.
func (j *job) spansOf(sql string, files sparseFiles) ([]engine.Span, error) {
	spans, ok := j.plannedSpans(sql, files)
	if !ok {
		spans, ok = j.explainedSpans(sql, files)
	}
	if ok || j.ctx.Err() != nil {
		return spans, j.ctx.Err()
	}
	spans = nil
	for file, segment := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		spans = append(spans, engine.Span{Sparse: segment.Sparse, To: info.Size()})
	}
	return spans, nil
}

// plannedSpans returns what the reads of a query's plan read.
func (j *job) plannedSpans(sql string, files sparseFiles) (spans []engine.Span, ok bool) {
	reads, err := j.plannedReads(sql)
	if err != nil {
		return nil, false
	}
	for _, read := range reads {
		for _, file := range read.Data.Files {
			segment, is := files[file]
			if !is {
				continue
			}
			some, ok := read.spans(file, segment)
			if !ok {
				return nil, false
			}
			spans = append(spans, some...)
		}
	}
	return spans, true
}

// plannedReads returns the reads of files in the engine's own plan of a query. Planning
// reads no more of files than their feet.
func (j *job) plannedReads(sql string) (reads []plannedRead, err error) {
	var text []byte
	err = j.each("SELECT json_serialize_plan("+quoteText(sql)+", optimize := true)", func(s *stream) {
		text = bytes.Clone(s.vectors[0].bytes(0))
	})
	if err != nil {
		return nil, err
	}
	var plan struct {
		Error bool  `json:"error"`
		Plans []any `json:"plans"`
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&plan); err != nil {
		return nil, err
	}
	if plan.Error || len(plan.Plans) != 1 {
		return nil, errors.New("duckdb: the plan of a query cannot be written down")
	}
	return readsIn(plan.Plans[0], nil)
}

// plannedRead is a read of files in a plan.
type plannedRead struct {
	Name    string   `json:"name"`  // of the function that reads
	Names   []string `json:"names"` // of the columns of the files
	Columns []struct {
		Index *uint64 `json:"index"` // in Names; beyond them are columns that no file has
	} `json:"column_indexes"`
	Filters struct {
		Filters []struct {
			Column *uint64         `json:"key"` // in Names
			Filter json.RawMessage `json:"value"`
		} `json:"filters"`
	} `json:"table_filters"`
	Data struct {
		Files []string `json:"files"`
	} `json:"function_data"`
}

// readsIn adds the reads in a part of a plan. They may be anywhere in it.
func readsIn(part any, reads []plannedRead) (_ []plannedRead, err error) {
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			if reads, err = readsIn(item, reads); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		if part["type"] == "LOGICAL_GET" {
			return addRead(part, reads)
		}
		for _, member := range part {
			if reads, err = readsIn(member, reads); err != nil {
				return nil, err
			}
		}
	}
	return reads, nil
}

func addRead(part map[string]any, reads []plannedRead) ([]plannedRead, error) {
	text, err := json.Marshal(part)
	if err != nil {
		return nil, err
	}
	var read plannedRead
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	return readsIn(part["children"], append(reads, read))
}

// spans returns the bytes that are read of a file: of the columns that are named, the row
// groups that the filters do not exclude. ok is false where that cannot be told.
func (r plannedRead) spans(path string, segment engine.Segment) (spans []engine.Span, ok bool) {
	if r.Name != "read_parquet" || len(r.Columns) == 0 {
		return nil, false
	}
	columns := map[string]bool{}
	for _, c := range r.Columns {
		if c.Index == nil {
			return nil, false
		}
		if *c.Index < uint64(len(r.Names)) {
			columns[r.Names[*c.Index]] = true
		}
	}
	filters := map[string][]numberRange{}
	for _, f := range r.Filters.Filters {
		if f.Column == nil || *f.Column >= uint64(len(r.Names)) {
			continue
		}
		name := r.Names[*f.Column]
		columns[name], filters[name] = true, nil
		if at := slices.IndexFunc(segment.Columns, func(c quern.Column) bool { return c.Name == name }); at >= 0 {
			filters[name] = admitted(f.Filter, segment.Columns[at].Type)
		}
	}
	return spansIn(path, segment, columns, filters)
}

// spansIn returns the bytes of columns of a file, of the row groups that filters do not
// exclude.
func spansIn(path string, segment engine.Segment, columns map[string]bool, filters map[string][]numberRange) (spans []engine.Span, ok bool) {
	foot, err := readFoot(path)
	if err != nil {
		return nil, false
	}
	described, err := readFooter(foot)
	if err != nil {
		return nil, false
	}
	for _, group := range described.groups {
		for _, at := range group.read(columns, filters) {
			spans = append(spans, engine.Span{Sparse: segment.Sparse, From: at[0], To: at[1]})
		}
	}
	return spans, true
}

// readFoot reads the foot of a file.
func readFoot(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return engine.ReadFoot(file, info.Size())
}

// read returns where the engine reads in a group: columns with their Bloom filters or, when a
// filter excludes all of its rows, at most the Bloom filters of the other columns that have
// filters, in which it may look first.
func (g rowGroup) read(columns map[string]bool, filters map[string][]numberRange) (all [][2]int64) {
	excluded := slices.ContainsFunc(g.chunks, func(c columnChunk) bool { return c.excluded(filters[c.column]) })
	for _, chunk := range g.chunks {
		_, filtered := filters[chunk.column]
		looked := !excluded || filtered && !chunk.excluded(filters[chunk.column])
		if !columns[chunk.column] || !looked {
			continue
		}
		if !excluded {
			all = append(all, [2]int64{chunk.from, chunk.to})
		}
		if chunk.filter[1] > 0 {
			all = append(all, chunk.filter)
		}
	}
	return all
}

// excluded reports whether no value of a column is among those that its filters admit.
func (c columnChunk) excluded(filters []numberRange) bool {
	least, most, known := c.bounds()
	return known && slices.ContainsFunc(filters, func(admits numberRange) bool { return most < admits.least || least > admits.most })
}

// numberRange is whole numbers, both ends among them.
type numberRange struct{ least, most int64 }

// planFilter is a filter of a column in a plan.
type planFilter struct {
	Type       string            `json:"filter_type"`
	Comparison string            `json:"comparison_type"`
	Children   []json.RawMessage `json:"child_filters"`
	Constant   struct {
		Type struct {
			ID   string `json:"id"`
			Info struct {
				Scale int `json:"scale"`
			} `json:"type_info"`
		} `json:"type"`
		Null  bool            `json:"is_null"`
		Value json.RawMessage `json:"value"`
	} `json:"constant"`
}

// admitted returns the numbers that a filter lets through of a column, as they are stored:
// every one has to be in all of the numberRanges. Filters that are not comparisons with a
// constant of the column's own type exclude nothing here.
func admitted(text json.RawMessage, column quern.Type) (all []numberRange) {
	var f planFilter
	if json.Unmarshal(text, &f) != nil {
		return nil
	}
	if f.Type == "CONJUNCTION_AND" {
		for _, child := range f.Children {
			all = append(all, admitted(child, column)...)
		}
		return all
	}
	value, ok := f.number(column)
	if f.Type != "CONSTANT_COMPARISON" || !ok {
		return nil
	}
	const least, most = -1 << 63, 1<<63 - 1
	switch f.Comparison {
	case "COMPARE_EQUAL":
		return []numberRange{{value, value}}
	case "COMPARE_GREATERTHAN", "COMPARE_GREATERTHANOREQUALTO":
		return []numberRange{{value, most}}
	case "COMPARE_LESSTHAN", "COMPARE_LESSTHANOREQUALTO":
		return []numberRange{{least, value}}
	}
	return nil
}

// number returns a filter's constant as a column of its type stores it.
func (f planFilter) number(column quern.Type) (value int64, ok bool) {
	want, err := sqlType(column)
	precision, scale, decimal := column.DecimalSize()
	given := f.Constant.Type.ID
	switch {
	case err != nil || f.Constant.Null:
		return 0, false
	case decimal && precision <= 18:
		ok = given == "DECIMAL" && f.Constant.Type.Info.Scale == scale
	case column == quern.Timestamp:
		ok = given == "TIMESTAMP WITH TIME ZONE"
	case column == quern.Integer, column == quern.Date:
		ok = given == want
	}
	if !ok {
		return 0, false
	}
	_, err = fmt.Sscan(string(f.Constant.Value), &value)
	return value, err == nil
}
