package embedded

import (
	"reflect"
	"regexp"

	"quern/tree"
)

// comparesTimes finds what asks how two times differ, whichever it names first.
var comparesTimes = regexp.MustCompile(`(?i)\b(?:diff?[eo]?ren\w*|change\w*|compar\w*)\b`)

// settleChange takes the earlier of two periods from the later one where the text asks how
// they differ: the difference between 2026 and 2025 is what 2026 has more.
func (g *grounding) settleChange(q *tree.Query) {
	if q.Select == nil || !comparesTimes.MatchString(g.text) {
		return
	}
	for i, item := range q.Select.Items {
		d, ok := item.Expr.(tree.Arith)
		later, isLater := d.Left.(tree.Aggregate)
		earlier, isEarlier := d.Right.(tree.Aggregate)
		if !ok || d.Op != '-' || !isLater || !isEarlier {
			continue
		}
		from, until := later.Where, earlier.Where
		later.Where, earlier.Where = nil, nil
		a, inA := from.(tree.Period)
		b, inB := until.(tree.Period)
		if inA && inB && reflect.DeepEqual(later, earlier) && a.From.Text < b.From.Text {
			d.Left, d.Right = d.Right, d.Left
			q.Select.Items[i].Expr = d
		}
	}
}
