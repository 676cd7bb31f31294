package trino

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"quern"
	"quern/engine"
	"quern/tree"
)

var update = flag.Bool("update", false, "rewrite the expected statements under testdata")

// shop is what the cases are about; nothing has no rows.
var shop = map[string]engine.Table{
	"sales": {Dataset: "0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a15", Version: 7, Columns: []quern.Column{
		{Name: "id", Type: quern.Integer}, {Name: "Name", Type: quern.Text}, {Name: "region", Type: quern.Text}, {Name: "day", Type: quern.Date},
		{Name: "at", Type: quern.Timestamp}, {Name: "qty", Type: quern.Integer}, {Name: "amount", Type: quern.Decimal(10, 2)},
		{Name: "weight", Type: quern.Double}, {Name: "paid", Type: quern.Boolean}, {Name: "tags", Type: quern.JSON},
		{Name: "long", Type: quern.Decimal(38, 10)},
	}},
	"regions": {Dataset: "0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a16", Version: 3, Columns: []quern.Column{
		{Name: "region", Type: quern.Text}, {Name: `the "boss"`, Type: quern.Text}, {Name: "id", Type: quern.Integer},
	}},
	"nothing": {Dataset: "0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a17", Columns: []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "j", Type: quern.JSON}}},
	"sourced": {Version: 1, Columns: []quern.Column{{Name: "n", Type: quern.Integer}}, RowIDs: true},
	"bare":    {Version: 1},
}

func inShop(_ context.Context, ref engine.Ref) (engine.Table, error) {
	t, ok := shop[strings.ToLower(ref.Dataset)]
	if !ok {
		return t, quern.E(quern.NotFound, quern.CodeNotFound, "no such dataset")
	}
	return t, nil
}

// written shows what a query is written as, or why it is not.
func written(q engine.Query) string {
	q.Resolve = inShop
	s, err := write(context.Background(), "quern", q)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	columns := make([]string, len(s.columns))
	for i, c := range s.columns {
		columns[i] = c.Name + " " + string(c.Type)
	}
	return fmt.Sprintf("%s\n%s\n%d tables\n", s.sql, strings.Join(columns, ", "), len(s.datasets))
}

func TestStatements(t *testing.T) {
	t.Parallel()
	const path = "testdata/statements.txtar"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(text)
	for i := 0; i+1 < len(archive.Files); i += 2 {
		sql := strings.TrimSpace(string(archive.Files[i].Data))
		got := written(engine.Query{SQL: sql})
		if want := string(archive.Files[i+1].Data); !*update && got != want {
			t.Errorf("write(%s) =\n%swant\n%s", sql, got, want)
		}
		archive.Files[i+1].Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Trees that no SQL is read as, and values that Quern names itself.
func TestTrees(t *testing.T) {
	t.Parallel()
	of := func(items []tree.Item, where tree.Cond) *tree.Query {
		return &tree.Query{Select: &tree.Select{Items: items, From: []tree.Source{{Dataset: tree.Name{Owner: "ada", Namespace: "shop", Dataset: "sales"}}}, Where: where}}
	}
	count := []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}
	for want, q := range map[string]*tree.Query{
		"AS \"count\"":            of(count, nil),
		"spelled alike":           of(count, tree.Search{Words: []string{"x"}, Columns: []tree.Column{{Name: "Name"}}}),
		"a link that is not":      of(count, tree.Linked{}),
		"a condition of the form": of(count, nil2{}),
		"a value of the form":     of([]tree.Item{{Expr: nil2{}}}, nil),
		"the function sqrt":       of([]tree.Item{{Expr: tree.Call{Func: "sqrt", Args: []tree.Expr{tree.Column{Name: "qty"}}}}}, nil),
		"the function mode":       of([]tree.Item{{Expr: tree.Aggregate{Func: "mode", Arg: tree.Column{Name: "qty"}}}}, nil),
		"the time \"yesterday\"":  of(count, tree.Compare{Op: tree.Less, Left: tree.Column{Name: "at"}, Right: tree.Literal{Kind: tree.Timestamp, Text: "yesterday"}}),
	} {
		if got := written(engine.Query{Tree: q}); !strings.Contains(got, want) {
			t.Errorf("write(%+v) = %swant it to have %s", q.Select, got, want)
		}
	}
}

// nil2 is no form of a tree.
type nil2 struct {
	tree.Expr
	tree.Cond
}

func TestFailuresOfNames(t *testing.T) {
	t.Parallel()
	_, err := write(t.Context(), "quern", engine.Query{SQL: "SELECT n FROM gone", Resolve: inShop})
	if !quern.Is(err, quern.NotFound) {
		t.Errorf("write(of a dataset that is not there) = %v, want what Resolve says", err)
	}
	_, err = write(t.Context(), "quern", engine.Query{SQL: "SELECT a.n, FROM sourced", Resolve: inShop})
	if _, ok := errors.AsType[*engine.Unmapped](err); !ok || !quern.Is(err, quern.Invalid) {
		t.Errorf("write(what is no tree) = %v, want it unmapped", err)
	}
}
