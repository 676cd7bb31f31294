package net

// The relations of a pair of items, by what the two are; learned/train/data.py has the
// same numbers.
const (
	distance = 8 // words further apart are as far

	tokenToken   = 0
	tokenColumn  = tokenToken + 2*distance + 1
	columnToken  = tokenColumn + tokenColumns
	tokenTable   = columnToken + tokenColumns
	tableToken   = tokenTable + tokenTables
	columnColumn = tableToken + tokenTables
	columnTable  = columnColumn + 5
	tableColumn  = columnTable + 4
	tableTable   = tableColumn + 4
	relations    = tableTable + 5

	tokenColumns = 21
	tokenTables  = 7
)

// How columns and tables relate.
const (
	sameTable  = 1
	itself     = 2
	linksTo    = 3
	linkedFrom = 4

	belongs    = 1
	keyOf      = 2
	linksTable = 3

	tableItself     = 1
	tableLinksTo    = 2
	tableLinkedFrom = 3
	tableBoth       = 4

	flagKey = 2 // of a column
)

// relate returns the square of relations between items.
func (in *Input) relate() []uint8 {
	q, c, n := len(in.Words), len(in.Columns), in.items()
	r := make([]uint8, n*n)
	for i := range q {
		row := r[i*n : (i+1)*n]
		for j := range q {
			row[j] = uint8(tokenToken + min(max(j-i, -distance), distance) + distance)
		}
		for j, relation := range in.TokenColumns[i] {
			relation = min(relation, tokenColumns-1)
			row[q+j] = tokenColumn + relation
			r[(q+j)*n+i] = columnToken + relation
		}
		for j, relation := range in.TokenTables[i] {
			relation = min(relation, tokenTables-1)
			row[q+c+j] = tokenTable + relation
			r[(q+c+j)*n+i] = tableToken + relation
		}
	}
	in.relateColumns(r)
	in.relateLinks(r)
	return r
}

// linked returns which columns are at a link.
func (in *Input) linked() []bool {
	all := make([]bool, len(in.Columns))
	for _, l := range in.Links {
		all[l[0]], all[l[1]] = true, true
	}
	return all
}

func (in *Input) relateColumns(r []uint8) {
	q, c, n := len(in.Words), len(in.Columns), in.items()
	for i, column := range in.Columns {
		row := r[(q+i)*n+q : (q+i+1)*n]
		for j, other := range in.Columns {
			row[j] = columnColumn
			if other.Table == column.Table {
				row[j] += sameTable
			}
		}
		row[i] = columnColumn + itself
		for t := range in.Tables {
			row[c+t] = columnTable
			r[(q+c+t)*n+q+i] = tableColumn
		}
		relation := uint8(belongs)
		if column.Flags&flagKey != 0 {
			relation = keyOf
		}
		row[c+column.Table] += relation
		r[(q+c+column.Table)*n+q+i] += relation
	}
	for t := range in.Tables {
		row := r[(q+c+t)*n+q+c : (q+c+t+1)*n]
		for u := range row {
			row[u] = tableTable
		}
		row[t] += tableItself
	}
}

func (in *Input) relateLinks(r []uint8) {
	q, c, n := len(in.Words), len(in.Columns), in.items()
	for _, l := range in.Links {
		a, b := l[0], l[1]
		if a != b {
			r[(q+a)*n+q+b] = columnColumn + linksTo
			r[(q+b)*n+q+a] = columnColumn + linkedFrom
		}
		from, to := in.Columns[a].Table, in.Columns[b].Table
		if from == to {
			continue
		}
		r[(q+a)*n+q+c+to] = columnTable + linksTable
		r[(q+c+to)*n+q+a] = tableColumn + linksTable
		join(&r[(q+c+from)*n+q+c+to], tableLinksTo)
		join(&r[(q+c+to)*n+q+c+from], tableLinkedFrom)
	}
}

// join adds a way to how a table relates to another.
func join(r *uint8, way uint8) {
	switch is := *r - tableTable; is {
	case 0, way:
		*r = tableTable + way
	default:
		*r = tableTable + tableBoth
	}
}
