package absence

import (
	"fmt"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

// NoteNeither says which rows are left out where an answer is those of which a column says no, and of
// some it says neither yes nor no: a beer that may be vegan is none that is not.
func NoteNeither(r *ground.Asked, t *nlq.Translation) {
	before := len(t.Notes)
	ground.NoteCondition(t, func(from []tree.Source, c tree.Cond) string {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		said, isLiteral := compare.Right.(tree.Literal)
		id, known := r.Whole.ColumnOf(from, column)
		if !ok || !isColumn || !isLiteral || !known || compare.Op != tree.Equal {
			return ""
		}
		neither := r.Whole.Columns[id].Neither()
		if _, no, _ := r.Whole.Columns[id].Truth(); len(neither) == 0 || said.Text != no {
			return ""
		}
		return fmt.Sprintf("Rows whose %s is %s are left out.", strings.ToLower(english.Spaced(column.Name)), english.List(neither, "or"))
	})
	t.Doubt = t.Doubt || len(t.Notes) > before
}
