package tree

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// leastAlike is how alike in spelling a word must be to one that is searched.
	leastAlike = 0.9
	// shortestAlike is how many letters a word has that may be spelled otherwise.
	shortestAlike = 4
	// mostTogether is how many columns are searched as one text: the engine lets no value become many times as large as
	// the data.
	mostTogether = 50
	// scoreColumn is the column of a result that tells of its rows.
	scoreColumn = "__metadata"
)

// searchesOf returns the searches that all rows of a query were found by, if its rows
// are rows of datasets, so that each has a score.
func searchesOf(q *Query) []Search {
	s := q.Select
	if s == nil || !ungrouped(s) {
		return nil
	}
	conds := []Cond{s.Where}
	if and, ok := s.Where.(And); ok {
		conds = and.Conds
	}
	var all []Search
	for _, c := range conds {
		if search, ok := c.(Search); ok {
			all = append(all, search)
		}
	}
	return all
}

// scoreItem writes the column that holds the rows' scores.
func (p *printer) scoreItem(all []Search) {
	p.write(", {'score': round(least(")
	each(p, ", ", all, p.wordScores)
	p.write("), 4)} AS ", quoteName(scoreColumn))
}

// alike writes that every word of a search, or one spelled alike, is there.
func (p *printer) alike(s Search) {
	p.write("least(")
	p.wordScores(s)
	p.write(") >= ", strconv.FormatFloat(leastAlike, 'f', -1, 64))
}

// wordScores writes, for every word of a search, how alike the row's likest word
// is: 1 when it is the same. Numbers and short words are the same or not.
func (p *printer) wordScores(s Search) {
	together := slices.Collect(slices.Chunk(s.Columns, mostTogether))
	each(p, ", ", s.Words, func(w string) {
		if len(together) == 1 {
			p.wordScore(w, s.Columns)
			return
		}
		p.write("greatest(")
		each(p, ", ", together, func(columns []Column) { p.wordScore(w, columns) })
		p.write(")")
	})
}

// wordScore writes how alike to a word the likest of columns' words is.
func (p *printer) wordScore(w string, columns []Column) {
	p.write("list_max(list_transform(")
	p.rowWords(columns)
	if mayDiffer(w) {
		p.write(", lambda w: jaro_winkler_similarity(w, ", quoteText(w), ")))")
	} else {
		p.write(", lambda w: CAST(w = ", quoteText(w), " AS DOUBLE)))")
	}
}

// rowWords writes the words of columns as a list.
func (p *printer) rowWords(columns []Column) {
	p.write("regexp_extract_all(lower(concat_ws(' ', ")
	each(p, ", ", columns, func(c Column) { p.expr(c) })
	p.write(")), ", quoteText(wordPattern), ")")
}

func mayDiffer(w string) bool {
	return utf8.RuneCountInString(w) >= shortestAlike && !strings.ContainsFunc(w, unicode.IsDigit)
}
