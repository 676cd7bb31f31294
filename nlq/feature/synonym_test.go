package feature_test

import (
	"strings"
	"testing"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/model"
	"quern/nlq/schema"
)

// known are the words of the product.
func known(t testing.TB) feature.Vectors {
	t.Helper()
	v, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// related returns how a word relates to a table and a column of one name.
func related(v feature.Vectors, word, name string) (toColumn, toTable uint8) {
	s := &schema.Schema{}
	table(s, name, column(name, quern.Text))
	f := feature.Extract(s, "the "+word, v, now)
	return f.Columns[1][0], f.Tables[1][0]
}

func TestSynonyms(t *testing.T) {
	t.Parallel()
	v := known(t)
	for pair := range strings.FieldsSeq(`wage/salary wages/salary instructor/teacher client/customer nations/country movie/film
		gender/sex sex/gender occupation/job telephone/phone purchased/buy author/writer doctor/physician colour/color
		teaches/teacher teacher/teach married/marriage arrival/arrive arrives/arrival directed/director publisher/published died/death
		old/age oldest/age younger/age long/length longest/length heaviest/weight tallest/height fastest/speed deep/depth french/france
		client/customer_id wages/yearly_salary`) {
		word, name, _ := strings.Cut(pair, "/")
		if toColumn, toTable := related(v, word, name); toColumn != feature.ColumnSynonym || toTable != feature.TableSynonym {
			t.Errorf("%s relates to column and table %s as %d and %d, want %d and %d", word, name, toColumn, toTable, feature.ColumnSynonym, feature.TableSynonym)
		}
	}
}

// Opposites, kinds of the same thing and things of one trade are near in their
// vectors; synonyms they are not.
func TestWhatIsNoSynonym(t *testing.T) {
	t.Parallel()
	v := known(t)
	for pair := range strings.FieldsSeq(`high/low low/high latest/earliest male/female man/woman old/young oldest/youngest start/end
		buy/sell sold/bought north/south open/closed husband/wife import/export birth/death arrival/departure credit/debit win/lose
		big/small employee/employer teacher/student home/away city/country month/year day/month date/time salary/tax price/quantity
		winner/loser cheap/expensive minimum/maximum first/last number/amount total/amount amount/number live/last`) {
		word, name, _ := strings.Cut(pair, "/")
		if toColumn, toTable := related(v, word, name); toColumn >= feature.ColumnSynonym || toTable >= feature.TableSynonym {
			t.Errorf("%s relates to column and table %s as %d and %d, which says that they mean the same", word, name, toColumn, toTable)
		}
	}
}

// What a name or a value says comes before synonyms, and descriptions know none.
func TestSynonymsAreLess(t *testing.T) {
	t.Parallel()
	v := known(t)
	s := &schema.Schema{}
	table(s, "staff", column("salary", quern.Text, "pay"), column("wage", quern.Text), column("x1", quern.Text))
	s.Columns[2].Described = []string{"salary"}
	f := feature.Extract(s, "wage pay", v, now)
	if got := f.Columns[0]; got[0] != feature.ColumnSynonym || got[1] != feature.NameExact*feature.ValueRelations {
		t.Errorf("wage relates to salary and wage as %d and %d, want a synonym and the name", got[0], got[1])
	}
	if got := f.Columns[1][0]; got != feature.ValueExact {
		t.Errorf("pay relates to salary as %d, want its value", got)
	}
	if got := f.Columns[0][2]; got >= feature.ColumnSynonym || got < feature.ColumnSimilar {
		t.Errorf("wage relates to what is described as a salary as %d, want a likeness", got)
	}
}

func BenchmarkExtractWords(b *testing.B) {
	v, s := known(b), &schema.Schema{}
	for name := range strings.FieldsSeq("employees departments customers orders invoices products locations schools") {
		var all []schema.Column
		for column := range strings.FieldsSeq("id first_name country hire_date salary phone_number shipping_address total_amount manager kind_of_" + name) {
			all = append(all, named(column))
		}
		table(s, name, all...)
	}
	for b.Loop() {
		feature.Extract(s, "Show me the name of all singers with a wage of more than 3000, whose nation is the United States since 2001 and clients bought something expensive", v, now)
	}
}

func named(name string) schema.Column { return column(name, quern.Text, "a", "b") }

// A short name with a digit is a name when it is written as it is.
func TestShortNamesWithDigits(t *testing.T) {
	t.Parallel()
	v := known(t)
	for _, name := range []string{"q1", "x3", "T1"} {
		if c, table := related(v, strings.ToLower(name), name); c/feature.ValueRelations != feature.NameExact || table != feature.NameExact {
			t.Errorf("%q relates to the column and the table %s by %d and %d, want an exact name", name, name, c, table)
		}
	}
	if c, _ := related(v, "q2", "q1"); c/feature.ValueRelations == feature.NameExact {
		t.Errorf("q2 relates to the column q1 by %d, want no exact name", c)
	}
}

// Other words for a value of a column of kinds are marked; columns that tell rows apart, and words of which more is known, are left as they are.
func TestSenses(t *testing.T) {
	t.Parallel()
	v := known(t)
	s := &schema.Schema{}
	kinds := column("kind", quern.Text, "sofa", "lamp", "phone")
	kinds.Rows, kinds.Distinct = 20, 3
	own := column("piece", quern.Text, "sofa", "lamp", "phone")
	own.Rows, own.Distinct = 3, 3
	table(s, "jobs", kinds, own)
	for text, want := range map[string][]bool{
		"the couches": {false, true}, "jobs for telephones": {false, false, true}, "the sofa": {false, false}, "the weather": {false, false},
	} {
		f := feature.Extract(s, text, v, now)
		for i, marked := range want {
			if got := f.Columns[i][0] >= feature.ColumnMeant; got != marked || f.Columns[i][1] >= feature.ColumnMeant {
				t.Errorf("%q: word %d relates to the columns as %v, want a sense of the first to be %v", text, i, f.Columns[i], marked)
			}
		}
	}
}
