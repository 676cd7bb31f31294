package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"quern"
	"quern/nlq/account"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/nlq/model"
	"quern/nlq/schema"
	"quern/tree"
)

// names of the uses in the tests.
var names = map[account.Use]string{
	account.Named: "named", account.Value: "value", account.Time: "time", account.Does: "does", account.Near: "near", account.Like: "like",
	account.Joins: "joins", account.Left: "left", account.Lost: "lost",
}

// harbour is a schema of ships and what they carried.
func harbour(t *testing.T) schema.View {
	t.Helper()
	in := quern.NamespacePath{Owner: "ada", Namespace: "port"}
	s := &schema.Schema{}
	table := func(name string, columns ...schema.Column) {
		first := len(s.Columns)
		for _, c := range columns {
			c.Table, c.Words = len(s.Tables), lex.Words(c.Name, nil)
			s.Columns = append(s.Columns, c)
		}
		s.Tables = append(s.Tables, schema.Table{
			Path: quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: name}, Words: lex.Words(name, nil),
			Rows: 40, First: first, Len: len(columns),
		})
	}
	values := func(all ...string) *schema.Values {
		v := schema.NewValues(100)
		for _, text := range all {
			v.Add(text)
		}
		v.Done()
		return v
	}
	table("ships",
		schema.Column{Name: "id", Type: quern.Integer, Rows: 40, Distinct: 40, Min: "1", Max: "40"},
		schema.Column{Name: "name", Type: quern.Text, Rows: 40, Distinct: 40, Values: values("Ariadne", "Boreas")},
		schema.Column{Name: "length_m", Type: quern.Double, Rows: 40, Distinct: 30, Min: "10", Max: "300"},
		schema.Column{Name: "beam_m", Type: quern.Double, Rows: 40, Distinct: 30, Min: "4", Max: "60"},
		schema.Column{Name: "flag", Type: quern.Text, Rows: 40, Distinct: 3, Values: values("Panama", "Malta", "Norway")},
		schema.Column{Name: "built", Type: quern.Date, Rows: 40, Distinct: 30, Min: "1990-01-01", Max: "2024-01-01"},
		schema.Column{Name: "resolved", Type: quern.Boolean, Rows: 40, Distinct: 2},
		schema.Column{Name: "calls_2019", Type: quern.Integer, Rows: 40, Distinct: 9, Min: "0", Max: "9"},
		schema.Column{Name: "refit", Type: quern.Integer, Rows: 40, Distinct: 20, Min: "1998", Max: "2023"},
		schema.Column{Name: "remark", Type: quern.Text, Rows: 40, Distinct: 3, Values: values("late", "two hosts", "early")})
	return schema.View{Schema: s, In: in}
}

// text relates a question to the harbour.
func text(t *testing.T, question string) account.Text {
	t.Helper()
	vectors, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	view := harbour(t)
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return account.Text{Text: question, View: view, Features: feature.Extract(view.Schema, question, vectors, now)}
}

// parsed returns a query of the harbour.
func parsed(t *testing.T, view schema.View, sql string) *tree.Query {
	t.Helper()
	q, err := tree.Parse(sql)
	if err == nil {
		err = tree.Resolve(q, view.Tree(), nil)
	}
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return q
}

func TestWordsAreAccountedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, sql, want string }{
		{"How many ships are there?", "select count(*) from ships", "ships named"},
		{"What is the average length of ships from Panama?", "select avg(length_m) from ships where flag = 'Panama'",
			"average does, length named, ships named, Panama value"},
		{"What is the average draught of the ships?", "select avg(length_m) from ships", "average does, draught lost, ships named"},
		{"the median length of ships", "select avg(length_m) from ships", "median lost!, length named, ships named"},
		{"the median length of ships", "select median(length_m) from ships", "median does, length named, ships named"},
		{"ships three times the length of Boreas", "select name from ships where length_m > 3", "ships named, three value, times left!, length named, Boreas left"},
		{"the 3 longest ships", "select name from ships order by length_m desc limit 3", "3 value, longest does, ships named"},
		{"ships deeper than the average", "select name from ships where beam_m > (select avg(beam_m) from ships)", "ships named, deeper does, average does"},
		{"ships built in 2020", "select name from ships where built >= date '2020-01-01' and built < date '2021-01-01'", "ships named, built named, 2020 time"},
		{"ships with a beam of at least 20 meters", "select name from ships where beam_m > 19", "ships named, beam named, 20 value"},
		{"ships with 7 masts", "select name from ships", "ships named, 7 lost!!, masts lost"},
		{"how many ships per month", "select flag, count(*) from ships group by flag", "ships named, month lost!!"},
		{"which ships are unresolved?", "select name from ships where resolved = false", "ships named, unresolved named"},
		{"which ships carry the flag of Narnia", "select name from ships where flag = 'Narnia'", "ships named, carry like, flag named, Narnia lost"},
		{"ships affiliated with Malta", "select name from ships where flag = 'Malta'", "ships named, affiliated joins, Malta value"},
		{"each flag of ships once", "select distinct flag from ships", "flag named, ships named, once does"},
		{"ships with the remark two hosts", "select name from ships where remark = 'two hosts'", "ships named, remark named, two hosts value"},
		{"how many calls of ships were there in 2019", "select sum(calls_2019) from ships", "calls named, ships named, 2019 named"},
		{"how many calls of ships were there in 2018", "select sum(calls_2019) from ships", "calls named, ships named, 2018 lost"},
		{"on what day was Boreas built", "select built from ships where name = 'Boreas'", "day time, Boreas value, built named"},
		{"in which year was the refit of Boreas", "select refit from ships where name = 'Boreas'", "year time, refit named, Boreas value"},
		{"in which year was Boreas built", "select name from ships where name = 'Boreas'", "year lost!!, Boreas value, built like"},
		{"ships in the port", "select name from ships", "ships named"},
	} {
		about := text(t, c.question)
		var got []string
		for _, w := range about.Of(account.Reading{Query: parsed(t, about.View, c.sql), Score: 1}) {
			said := c.question[about.Features.Tokens[w.First].Start:about.Features.Tokens[w.Last].End] + " " + names[w.Use]
			if w.Strict {
				said += "!"
			}
			if w.Essential {
				said += "!!"
			}
			got = append(got, said)
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("Of(%q as %s) =\n %s, want\n %s", c.question, c.sql, all, c.want)
		}
	}
}

// TestConstantsWithoutAColumn: a number is not compared with whatever is numeric.
func TestConstantsWithoutAColumn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, sql string
		want          bool
	}{
		{"ships that arrived after half past six", "select name from ships where id > 6", true},
		{"ships with more than two hosts", "select name from ships where remark > '2'", true},
		{"ships over 500", "select name from ships where beam_m > 500", true},
		{"how many ships in 2020", "select count(*) from ships where length_m = 2020", true},
		{"ships with a length over 50", "select name from ships where length_m > 50", false},
		{"ships with an id over 6", "select name from ships where id > 6", false},
		{"ship 6", "select name from ships where id = 6", false},
		{"ships named Ariadne", "select name from ships where name = 'Ariadne'", false},
	} {
		about := text(t, c.question)
		if constant, got := about.Misplaced(parsed(t, about.View, c.sql)); got != c.want {
			t.Errorf("Misplaced(%q as %s) = %q, %t, want %t", c.question, c.sql, constant, got, c.want)
		}
	}
}

// TestSupposedColumns: it is told that no word names the column that says yes or no.
func TestSupposedColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, sql, want string }{
		{"ships tagged urgent", "select name from ships where resolved = true", "resolved"},
		{"ships tagged urgent over 6 m long", "select name from ships where resolved = true and length_m > 6", "resolved"},
		{"ships that are not resolved", "select name from ships where resolved = false", ""},
		{"unresolved ships", "select name from ships where resolved = false", ""},
		{"ships built in 2020", "select name from ships where built >= date '2020-01-01' and built < date '2021-01-01'", ""},
	} {
		about := text(t, c.question)
		if got, ok := about.Supposed(parsed(t, about.View, c.sql)); got != c.want || ok != (c.want != "") {
			t.Errorf("Supposed(%q as %s) = %q, %t, want %q", c.question, c.sql, got, ok, c.want)
		}
	}
}

// TestOtherMeanings: the other columns that a guessed word could mean are told with
// the question that asks for them.
func TestOtherMeanings(t *testing.T) {
	t.Parallel()
	about := text(t, "What is the average draught of the ships?")
	for _, w := range about.Of(account.Reading{Query: parsed(t, about.View, "select avg(length_m) from ships"), Score: 1}) {
		if w.Use != account.Lost {
			continue
		}
		got := fmt.Sprint(about.Instead(w))
		if w.Means != "the column length_m" || !strings.Contains(got, "{the column beam_m What is the average beam m of the ships?}") {
			t.Errorf("draught means %s, or instead %s; want length_m, or the beam", w.Means, got)
		}
	}
}

// FuzzOf holds what every account of a text is: words in their order, each of tokens
// of the text, with a state and a place that people can be shown.
func FuzzOf(f *testing.F) {
	for _, text := range []string{
		"How many ships are there?", "ships three times the length", "select * from ships", "Größe 东 \x00 ships", "7 7 7", "'", "per month",
		"the second half of unresolved ships after half past six",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, question string) {
		if len(question) > 2000 || !utf8.ValidString(question) {
			return
		}
		about := text(t, question)
		for _, sql := range []string{
			"select count(*) from ships", "select flag, avg(length_m) from ships where resolved = true and beam_m > 7 group by flag order by 2 desc limit 3",
		} {
			q := parsed(t, about.View, sql)
			about.Misplaced(q)
			words := about.Of(account.Reading{Query: q, Score: 1})
			last := -1
			for _, w := range words {
				if w.First <= last || w.Last < w.First || w.Last >= len(about.Features.Tokens) || w.Use == account.Filler || w.Use >= account.Uses {
					t.Fatalf("Of(%q) has the word %+v behind %d", question, w, last)
				}
				last = w.Last
				about.Instead(w)
			}
			states := make([]quern.WordState, len(words))
			runes := []rune(question)
			for _, w := range about.Tell(words, states) {
				if string(runes[w.Start:w.End]) != w.Text {
					t.Fatalf("Tell(%q) has the word %+v, want it at its place", question, w)
				}
			}
		}
	})
}
