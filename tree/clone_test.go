package tree_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"quern/tree"
)

// trees calls fn with random trees of every kind of node.
func trees(fn func(name string, q *tree.Query)) {
	for seed := range uint64(2_000) {
		fn(fmt.Sprintf("seed %d", seed), (&random{Rand: rand.New(rand.NewPCG(seed, 4))}).query())
		r := &random{Rand: rand.New(rand.NewPCG(seed, 5)), fluent: true}
		fn(fmt.Sprintf("chain of seed %d", seed), r.chain(r.IntN(4)))
	}
}

func TestCloneIsEqualAndSharesNoMemory(t *testing.T) {
	t.Parallel()
	trees(func(name string, q *tree.Query) {
		c := tree.Clone(q)
		if !reflect.DeepEqual(c, q) {
			t.Fatalf("%s: Clone(%+v) = %+v, want an equal tree", name, q, c)
		}
		seen := map[uintptr]string{}
		pointers(reflect.ValueOf(q), "Query", func(at uintptr, path string) { seen[at] = path })
		pointers(reflect.ValueOf(c), "Query", func(at uintptr, path string) {
			if original, shared := seen[at]; shared {
				t.Fatalf("%s: %s of the copy is %s of the original", name, path, original)
			}
		})
	})
}

// pointers calls fn with the address of everything that v points to: pointers
// and slices with room for an element.
func pointers(v reflect.Value, path string, fn func(at uintptr, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fn(v.Pointer(), path)
			pointers(v.Elem(), path, fn)
		}
	case reflect.Interface:
		if !v.IsNil() {
			pointers(v.Elem(), path+":"+v.Elem().Type().Name(), fn)
		}
	case reflect.Slice:
		if v.Cap() > 0 {
			fn(v.Pointer(), path)
		}
		for i := range v.Len() {
			pointers(v.Index(i), fmt.Sprintf("%s[%d]", path, i), fn)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			pointers(v.Field(i), path+"."+v.Type().Field(i).Name, fn)
		}
	case reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		panic("a tree holds a " + v.Kind().String() + " at " + path + ": Clone and this test must learn of it")
	}
}

func TestChangingACloneLeavesTheOriginal(t *testing.T) {
	t.Parallel()
	trees(func(name string, q *tree.Query) {
		before := fmt.Sprintf("%#v", printed(q))
		c := tree.Clone(q)
		scribble(reflect.ValueOf(c).Elem())
		if after := fmt.Sprintf("%#v", printed(q)); after != before {
			t.Fatalf("%s: after changing the copy the original is\n%s\nwant\n%s", name, after, before)
		}
	})
}

// printed is the text of a tree, in the form that can say it.
func printed(q *tree.Query) string {
	if text, err := tree.Print(q); err == nil {
		return text
	}
	text, err := tree.Fluent(q)
	return fmt.Sprint(text, err)
}

// scribble overwrites everything that can be reached through pointers and slices.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			inner := reflect.New(v.Elem().Type()).Elem()
			inner.Set(v.Elem())
			scribble(inner)
			v.Set(inner)
		}
	case reflect.Slice:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			scribble(v.Field(i))
		}
	case reflect.String:
		v.SetString(v.String() + " changed")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int64, reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8:
		v.SetUint(v.Uint() + 1)
	default:
		panic("scribble does not know " + v.Kind().String())
	}
}

func TestCloneOfNothing(t *testing.T) {
	t.Parallel()
	if c := tree.Clone(nil); c != nil {
		t.Errorf("Clone(nil) = %+v, want nil", c)
	}
	if c := tree.CloneCond(nil); c != nil {
		t.Errorf("CloneCond(nil) = %+v, want nil", c)
	}
	if e := tree.CloneExpr(nil); e != nil {
		t.Errorf("CloneExpr(nil) = %+v, want nil", e)
	}
}
