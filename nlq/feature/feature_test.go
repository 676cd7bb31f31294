package feature_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var now = time.Date(2024, 5, 15, 12, 0, 0, 0, time.UTC)

// angles are vectors in a plane, in degrees.
type angles struct {
	ids     map[string]int32
	degrees []float64 // from id 3 on
}

func (a angles) ID(word string) int32 {
	if id, ok := a.ids[word]; ok {
		return id
	}
	if word[0] >= '0' && word[0] <= '9' {
		return 2
	}
	return 1
}

func (a angles) Cosine(x, y int32) float32 {
	return float32(math.Cos((a.degrees[x-3] - a.degrees[y-3]) * math.Pi / 180))
}

// Bases has no word for a form of another.
func (a angles) Bases(int32) []int32 { return nil }

// Related has the nation for the country.
func (a angles) Related(id int32) []int32 {
	for _, pair := range [][2]int32{{a.ids["country"], a.ids["nation"]}, {a.ids["nation"], a.ids["country"]}} {
		if id == pair[0] {
			return pair[1:]
		}
	}
	return nil
}

// Sense knows nothing.
func (a angles) Sense(string) []float32 { return nil }

// words are three groups, apart from each other as far as a plane allows.
var words = func() angles {
	all := angles{ids: map[string]int32{}}
	for i, w := range strings.Fields("salary pay wage singer artist vocalist country nation") {
		all.ids[w] = int32(i + 3)
	}
	all.degrees = []float64{0, 30, 50, 180, 220, 200, 90, 152} // pay and salary 0.87, wage and salary 0.64, ...
	return all
}()

func column(name string, t quern.Type, values ...string) schema.Column {
	index := schema.NewValues(0)
	distinct := map[string]bool{}
	for _, v := range values {
		index.Add(v)
		distinct[v] = true
	}
	index.Done()
	c := schema.Column{Name: name, Words: lex.Words(name, nil), Type: t, Rows: int64(len(values)), Distinct: int64(len(distinct)), Values: index}
	if len(values) > 0 && t != quern.Text {
		c.Min, c.Max = values[0], values[len(values)-1]
	}
	return c
}

func table(s *schema.Schema, name string, columns ...schema.Column) {
	t := schema.Table{Path: quern.DatasetPath{Owner: "ada", Namespace: "music", Dataset: name}, Words: lex.Words(name, nil), First: len(s.Columns), Len: len(columns)}
	for i := range columns {
		columns[i].Table = len(s.Tables)
	}
	s.Tables = append(s.Tables, t)
	s.Columns = append(s.Columns, columns...)
}

func music() *schema.Schema {
	s := &schema.Schema{}
	table(s, "singer",
		column("singer_id", quern.Integer, "1", "2", "3"),
		column("Name", quern.Text, "Joe Sharp", "Rose White", "John Nizinik"),
		column("Country", quern.Text, "Netherlands", "United States", "France", "France"),
		column("salary", quern.Double, "1000", "2500.5", "9000"),
		column("dob", quern.Date, "1990-02-03", "2001-05-06"))
	table(s, "concerts",
		column("concertID", quern.Integer, "10", "11"),
		column("concert_name", quern.Text, "Auditions", "Home Visits"),
		column("singer", quern.Integer, "1", "2", "2"),
		column("username", quern.Text, "a", "b"),
		column("show", quern.Text, "x", "y"),
		column("year", quern.Integer, "2014", "2015"))
	s.Columns[3].Described = []string{"nation", "pays", "yearly", "wage"}
	s.Links = []schema.Link{{From: 7, To: 0, Score: 0.9}}
	return s
}

// show writes a row for each token: its kind, and what it relates to.
func show(s *schema.Schema, question string) string {
	f := feature.Extract(s, question, words, now)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", question)
	for i, token := range f.Tokens {
		fmt.Fprintf(&b, "%-12s id %d kind %d", token.Text, f.WordIDs[i], f.Kinds[i])
		for c, relation := range f.Columns[i] {
			switch {
			case relation >= feature.ColumnSimilar:
				fmt.Fprintf(&b, "  %s~%d", s.Columns[c].Name, relation)
			case relation > 0:
				fmt.Fprintf(&b, "  %s=%d+%d", s.Columns[c].Name, relation/feature.ValueRelations, relation%feature.ValueRelations)
			}
		}
		for t, relation := range f.Tables[i] {
			if relation > 0 {
				fmt.Fprintf(&b, "  [%s]=%d", s.Tables[t].Path.Dataset, relation)
			}
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, q := range []string{
		"How many singers from France earn more than 2,000.5?",
		"Show the show of each singer",
		"American and Dutch singers",
		"Show the name of each concert in 2014 .",
		"What is the pay of the vocalist 'Joe Sharp' born since March 2001?",
		"Which concert names does singer 2 have, and her user name",
		"names of artists of the united state, or of Paris; their nation's wages?",
		"",
		"name name 10 eleven third \"",
		"sallary of each singr named Whyte, and the nizinik concrts",
	} {
		b.WriteString(show(music(), q))
	}
	golden(t, "testdata/features.golden", b.String())
}

func TestRelations(t *testing.T) {
	t.Parallel()
	s := music()
	r := feature.Relations(s)
	var b strings.Builder
	fmt.Fprintf(&b, "types %v\nflags %v\ncolumn-column\n", r.Types, r.Flags)
	for c, row := range r.ColumnColumn {
		fmt.Fprintf(&b, "%-12s %v\n", s.Columns[c].Name, row)
	}
	b.WriteString("column-table\n")
	for c, row := range r.ColumnTable {
		fmt.Fprintf(&b, "%-12s %v\n", s.Columns[c].Name, row)
	}
	fmt.Fprintf(&b, "table-table\n%v\n", r.TableTable)
	columns, tables := feature.NameIDs(s, words)
	fmt.Fprintf(&b, "ids %v %v\n", columns, tables)
	golden(t, "testdata/relations.golden", b.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}

func wide(tables, columns int) *schema.Schema {
	s := &schema.Schema{}
	for i := range tables {
		var all []schema.Column
		for j := range columns {
			var values []string
			for k := range 10 {
				values = append(values, fmt.Sprint("value ", i, " of ", j, " with ", k))
			}
			all = append(all, column(fmt.Sprintf("column_%d_of_%d", j, i), quern.Text, values...))
		}
		table(s, fmt.Sprint("table_", i), all...)
	}
	return s
}

func BenchmarkExtract(b *testing.B) {
	s := wide(10, 10)
	for b.Loop() {
		feature.Extract(s, "Show me the name of all singers with a salary of value 3 of 5 with 7, whose country is the United States since 2001", words, now)
	}
}
