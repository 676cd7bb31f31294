package grammar

import (
	"reflect"
	"slices"

	"quern/tree"
)

// alternatives returns the condition that one of some conjunctions holds. Where
// they differ in what one column is, the rest goes for all: who says "insured and
// worn or broken" means insured things of both kinds.
func alternatives(either [][]tree.Cond) tree.Cond {
	if shared, values, ok := oneColumn(either); ok {
		return tree.All(append(shared, tree.Or{Conds: values})...)
	}
	all := make([]tree.Cond, len(either))
	for i, conjuncts := range either {
		all[i] = tree.All(conjuncts...)
	}
	if len(all) == 1 {
		return all[0]
	}
	return tree.Or{Conds: all}
}

// oneColumn returns what the first of some conjunctions has besides a value of one
// column, and all values of that column; ok is false unless the others have
// nothing else.
func oneColumn(either [][]tree.Cond) (shared, values []tree.Cond, ok bool) {
	if len(either) < 2 || len(either[0]) < 2 {
		return nil, nil, false
	}
	last := len(either[0]) - 1
	shared, values = slices.Clone(either[0][:last]), []tree.Cond{either[0][last]}
	for _, other := range either[1:] {
		if len(other) != 1 || !sameColumn(values[0], other[0]) {
			return nil, nil, false
		}
		values = append(values, other[0])
	}
	return shared, values, true
}

// sameColumn reports whether two conditions say that one column equals something.
func sameColumn(a, b tree.Cond) bool {
	x, okX := a.(tree.Compare)
	y, okY := b.(tree.Compare)
	return okX && okY && x.Op == tree.Equal && y.Op == tree.Equal && reflect.DeepEqual(x.Left, y.Left)
}
