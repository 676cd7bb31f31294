package structure

import (
	"context"
	"slices"
	"strings"
)

// runModel makes rows of documents with a model. What it gives no answer for is read
// without it.
func (s *tableStep) runModel(ctx context.Context, docs []document, rows []Row) ([]Row, error) {
	if s.asked == nil {
		s.asked = &modelRun{about: &s.about, fields: s.fields}
	}
	m := s.asked
	texts := make([]string, len(docs))
	var pieces []piece
	for i, d := range docs {
		if d.nested == nil {
			texts[i] = joined(d.lines)
			pieces = append(pieces, windows(i, texts[i])...)
		}
	}
	if len(m.fields) == 0 && len(pieces) > 0 {
		if err := m.proposeFields(ctx, pieces[0].text); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			m.fail(err)
			s.note("%s; the texts were read without it", m.reason)
			return s.write(s.read(docs), rows), nil
		}
	}
	made, failed, err := m.readPieces(ctx, pieces)
	if err != nil {
		return nil, err
	}
	byDocument := make([][]modelRow, len(docs))
	for _, some := range made {
		for _, r := range some {
			byDocument[r.piece.document] = append(byDocument[r.piece.document], r)
		}
	}
	all := make([]found, len(docs))
	for i, d := range docs {
		all[i] = found{document: d}
		if read := reconcile(byDocument[i]); len(read) > 0 {
			all[i].records = s.modelRecords(d, texts[i], read)
		}
	}
	s.addFailed(all, failed)
	s.addMissed(all, texts)
	if m.invented > 0 {
		s.note("%d values that the model gave are not in the texts and were left out", m.invented)
	}
	return s.write(all, rows), nil
}

// modelRecords makes records of the rows that a model made of a document. Lines that no
// row is of are told.
func (s *tableStep) modelRecords(d document, text string, rows []modelRow) []record {
	var all []record
	covered := make([]bool, len(text))
	for _, r := range rows {
		start, end := r.at.start, r.at.end
		if at := strings.LastIndexByte(text[:start], '\n'); at >= 0 {
			start = at + 1
		} else {
			start = 0
		}
		if at := strings.IndexByte(text[end:], '\n'); at >= 0 {
			end += at
		} else {
			end = len(text)
		}
		one := record{text: text[start:end], line: lineAt(d, text, start)}
		for _, v := range r.values {
			v.at = span{v.at.start - start, v.at.end - start}
			one.values = append(one.values, v)
		}
		for i := start; i < end; i++ {
			covered[i] = true
		}
		all = append(all, one)
	}
	s.noteUncovered(text, covered)
	return all
}

// lineAt returns the number of the line that a place of a document is in.
func lineAt(d document, text string, place int) int64 {
	nth := 0
	for line := range strings.SplitSeq(text[:place], "\n") {
		if line != "" {
			nth++
		}
	}
	return d.lines[min(nth, len(d.lines)-1)].number
}

// noteUncovered tells how many lines no row was made of.
func (s *tableStep) noteUncovered(text string, covered []bool) {
	at, none := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" && !slices.Contains(covered[at:at+len(line)], true) {
			none++
		}
		at += len(line) + 1
	}
	if none > 0 {
		s.report().Unread += int64(none)
		s.note("%d lines gave no row", none)
	}
}

// addFailed reads the pieces that the model gave no answer for without it, where it read
// others of the document.
func (s *tableStep) addFailed(all []found, failed []piece) {
	if len(failed) == 0 {
		return
	}
	s.note("%s for %d of the texts' parts; those were read without it", s.asked.reason, len(failed))
	for _, p := range failed {
		f := &all[p.document]
		f.failed = true
		if len(f.records) == 0 {
			continue
		}
		part := []found{s.readDocument(document{lines: linesOf(p.text), row: f.row})}
		s.nameFields(part)
		for _, r := range part[0].records {
			// Where parts overlap, another may have read the record.
			known := slices.ContainsFunc(f.records, func(o record) bool { return strings.Contains(o.text, r.text) || strings.Contains(r.text, o.text) })
			if !known {
				f.records = append(f.records, r)
			}
		}
	}
}

// addMissed reads the documents that the model made no row of without it. One in which
// that finds nothing either is kept as text.
func (s *tableStep) addMissed(all []found, texts []string) {
	var missed []int
	var docs []document
	for i, f := range all {
		if len(f.records) == 0 && texts[i] != "" {
			missed, docs = append(missed, i), append(docs, f.document)
		}
	}
	if len(docs) == 0 {
		return
	}
	read, found, rows := s.read(docs), 0, 0
	for n, i := range missed {
		some := 0
		for _, r := range read[n].records {
			if r.unread == "" {
				some++
			}
		}
		switch {
		case all[i].failed:
			all[i].records = read[n].records
		case some > 0:
			all[i].records = read[n].records
			found, rows = found+1, rows+some
		default:
			all[i].records = []record{{text: texts[i], line: docs[n].lines[0].number, unread: "the model found no record in it"}}
		}
	}
	if found > 0 {
		s.note("the model found no record in %d of the texts; read without it, they gave %d rows", found, rows)
	}
}
