package tree_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"quern/tree"
)

func TestPrintedSQLParsesToTheSameTree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5_000) {
		q := (&random{Rand: rand.New(rand.NewPCG(seed, 1))}).query()
		text, err := tree.Print(q)
		if err != nil {
			t.Fatalf("seed %d: Print(%+v) = %v, want text", seed, q, err)
		}
		again, err := tree.Parse(text)
		if err != nil {
			t.Fatalf("seed %d: Parse(%s) = %v, want a tree", seed, text, err)
		}
		if !reflect.DeepEqual(again, q) {
			second, _ := tree.Print(again)
			t.Fatalf("seed %d: Parse(%s) prints as\n%s", seed, text, second)
		}
	}
}

func TestPrintedFluentFormParsesToTheSameTree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5_000) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 2)), fluent: true}
		q := r.chain(r.IntN(4))
		text, err := tree.Fluent(q)
		if err != nil {
			t.Fatalf("seed %d: Fluent(%+v) = %v, want text", seed, q, err)
		}
		again, err := tree.ParseFluent(text)
		if err != nil {
			t.Fatalf("seed %d: ParseFluent(%s) = %v, want a tree", seed, text, err)
		}
		if !reflect.DeepEqual(again, q) {
			second, _ := tree.Fluent(again)
			t.Fatalf("seed %d: ParseFluent(%s) prints as\n%s", seed, text, second)
		}
	}
}

func TestEveryTreeHasWords(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5_000) {
		q := (&random{Rand: rand.New(rand.NewPCG(seed, 3))}).query()
		if tree.English(q) == "" {
			t.Fatalf("seed %d: English(%+v) is empty", seed, q)
		}
		if text, err := tree.Fluent(q); err == nil {
			if _, err := tree.ParseFluent(text); err != nil {
				t.Fatalf("seed %d: ParseFluent(%s) = %v, want a tree", seed, text, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range parsed {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := tree.Parse(text)
		if err != nil {
			return
		}
		printed, err := tree.Print(q)
		if err != nil {
			t.Fatalf("Print(Parse(%q)) = %v, want text", text, err)
		}
		again, err := tree.Parse(printed)
		if err != nil || !reflect.DeepEqual(q, again) {
			t.Fatalf("Parse(%q) of %q = %+v, %v, want the same tree", printed, text, again, err)
		}
		_ = tree.English(q)
		_ = tree.Validate(q, shop)
		_ = tree.Resolve(q, shop, shopLinks)
	})
}

func FuzzParseFluent(f *testing.F) {
	for _, c := range resolved {
		f.Add(c.text)
	}
	for _, c := range loose {
		f.Add(c.text)
	}
	f.Add("Ontology(\"a\").filter((((a == 1 || `b c` in [1, -2, \"x\"])))).limit(3)")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := tree.ParseFluent(text)
		if err != nil {
			return
		}
		printed, err := tree.Fluent(q)
		if err != nil {
			t.Fatalf("Fluent(ParseFluent(%q)) = %v, want text", text, err)
		}
		again, err := tree.ParseFluent(printed)
		if err != nil || !reflect.DeepEqual(q, again) {
			t.Fatalf("ParseFluent(%q) of %q = %+v, %v, want the same tree", printed, text, again, err)
		}
		_ = tree.English(q)
		if tree.Resolve(q, shop, shopLinks) == nil {
			tree.FitValues(q, shop)
			if tree.Validate(q, shop) == nil {
				if _, err := tree.SQL(q); err != nil {
					t.Fatalf("SQL of %q = %v, want text", text, err)
				}
			}
		}
	})
}
