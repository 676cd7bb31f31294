package embedded

// mostIgnored is the share of a question's words that a reading may have nothing
// to do with; beyond it the reading is of another question.
const mostIgnored = 0.74

// ignores reports whether a candidate has to do with too few of the words that
// a question is about.
func (r *reader) ignores(c *candidate) bool {
	about, ignored := r.asked.Ignored(c.tokens)
	return about > 0 && float64(ignored)/float64(about) > mostIgnored
}
