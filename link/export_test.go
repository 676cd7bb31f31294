package link

// Likeness is likeness, for its table test.
func Likeness(column, toTable, toColumn string, leading bool) float64 {
	return likeness(nameOf(column), nameOf(toTable), nameOf(toColumn), leading)
}
