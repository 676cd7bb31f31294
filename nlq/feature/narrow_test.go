package feature_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/schema"
)

// among puts the tables of music, and one that stands between two of them, among
// many others.
func among(others int) *schema.Schema {
	s := wide(others, 50)
	first := len(s.Columns)
	for _, t := range music().Tables {
		table(s, t.Path.Dataset, slices.Clone(music().Columns[t.First:t.First+t.Len])...)
	}
	table(s, "tickets", column("no", quern.Integer, "1", "2"), column("concertID", quern.Integer, "10", "11"), column("guest", quern.Integer, "1", "2"))
	table(s, "guests", column("guest_id", quern.Integer, "1", "2"), column("Email", quern.Text, "a@b.org", "c@d.org"))
	s.Links = []schema.Link{
		{From: first + 7, To: first, Score: 0.9}, {From: first + 12, To: first + 5, Score: 0.9}, {From: first + 13, To: first + 14, Score: 0.9},
	}
	return s
}

func tables(s *schema.Schema) string {
	var all []string
	for _, t := range s.Tables {
		if !strings.HasPrefix(t.Path.Dataset, "table") {
			all = append(all, t.Path.Dataset)
		}
	}
	return strings.Join(all, " ")
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	wide := among(200)
	for _, c := range []struct{ question, tables, columns string }{
		{"salary of the singers from France", "singer", "singer_id salary Country"},
		{"Who is Joe Sharp?", "singer", "singer_id Name"},
		{"emails of guests of the concert Auditions", "concerts tickets guests", "concertID guest guest_id Email concert_name"},
	} {
		s := feature.Narrow(wide, c.question, words, now, 60)
		if len(s.Columns) > 60 {
			t.Errorf("Narrow(%s) has %d columns, want at most 60", c.question, len(s.Columns))
		}
		for _, want := range strings.Fields(c.tables) {
			if !slices.Contains(strings.Fields(tables(s)), want) {
				t.Errorf("Narrow(%s) = %s, want %s among them", c.question, tables(s), want)
			}
		}
		for _, want := range strings.Fields(c.columns) {
			if !slices.ContainsFunc(s.Columns, func(c schema.Column) bool { return c.Name == want }) {
				t.Errorf("Narrow(%s) has no column %s", c.question, want)
			}
		}
		checkSchema(t, s)
	}
	small := music()
	if feature.Narrow(small, "anything", words, now, 11) != small {
		t.Error("Narrow(a small schema) is another, want the same")
	}
	checkSchema(t, feature.Narrow(small, "", words, now, 3))
	checkSchema(t, feature.Narrow(wide, "nothing of it", words, now, 1))
}

// However many columns are linked, a table that a question names keeps one.
func TestNarrowKeepsWhatIsNamed(t *testing.T) {
	t.Parallel()
	s := wide(20, 40)
	for c := range 400 { // each with the one at its place in the other ten tables
		s.Links = append(s.Links, schema.Link{From: c, To: c + 400, Score: 0.9})
	}
	table(s, "whales", column("name", quern.Text, "Moby"))
	if got := feature.Narrow(s, "How many whales are there?", words, now, 300); tables(got) != "whales" {
		t.Errorf("Narrow keeps %q of what the question names, want the whales", tables(got))
	}
}

// checkSchema checks that what refers to columns and tables does.
func checkSchema(t *testing.T, s *schema.Schema) {
	t.Helper()
	at := 0
	for i, table := range s.Tables {
		if table.First != at || table.Len == 0 {
			t.Errorf("table %d has columns from %d, %d of them, want from %d", i, table.First, table.Len, at)
		}
		for _, c := range s.Columns[table.First : table.First+table.Len] {
			if c.Table != i {
				t.Errorf("column %s is of table %d, want %d", c.Name, c.Table, i)
			}
		}
		at += table.Len
	}
	for _, l := range s.Links {
		if l.From >= len(s.Columns) || l.To >= len(s.Columns) {
			t.Errorf("a link from %d to %d, of %d columns", l.From, l.To, len(s.Columns))
		}
	}
	feature.Relations(s)
}

func BenchmarkNarrow(b *testing.B) {
	s := among(200)
	fmt.Fprintln(b.Output(), len(s.Columns), "columns")
	for b.Loop() {
		feature.Narrow(s, "Show me the name of all singers with a salary of more than 3000, whose country is the United States since 2001", words, now, 100)
	}
}

// The tables that a question is about come first, with those between them.
func TestRankTables(t *testing.T) {
	t.Parallel()
	s := among(200)
	question := "emails of guests of the concert Auditions"
	ranked := feature.RankTables(s, feature.Extract(s, question, words, now), 5)
	var names []string
	for _, i := range ranked {
		names = append(names, s.Tables[i].Path.Dataset)
	}
	if len(ranked) != 5 || !slices.Contains(names[:3], "guests") || !slices.Contains(names[:3], "concerts") || !slices.Contains(names[:3], "tickets") {
		t.Errorf("RankTables(%s) = %q, want guests, concerts and the tickets between them first", question, names)
	}
}
