package grammar_test

import (
	"testing"

	"quern"
	"quern/nlq/schema"
)

// choir has tables that no link connects: singers and concerts with remarks of their own, lessons
// given by some who sing too, and two lists of what one teacher had to do with.
func choir() *schema.Schema {
	s := &schema.Schema{}
	named := func(c schema.Column, least, most string) schema.Column {
		c.Min, c.Max = least, most
		return c
	}
	addTable(s, "singers",
		named(column("singer", quern.Text, true, "Ann Poole", "Bert Marsh", "Cleo Quick"), "Ann Poole", "Cleo Quick"),
		column("town", quern.Text, false, "Ash", "Elm"),
		column("code", quern.Text, true, "A", "B", "C"),
		column("notes", quern.Text, true, "reads music", "often late"))
	addTable(s, "concerts",
		column("hall", quern.Text, false, "Old Hall"),
		column("code", quern.Text, true, "X", "Y", "Z"),
		column("notes", quern.Text, true, "reads music", "sold out"))
	addTable(s, "lessons",
		named(column("given_by_whom", quern.Text, false, "Ann Poole", "Cleo Quick", "Dan Old"), "Ann Poole", "Dan Old"),
		column("teacher", quern.Text, false, "Mrs Low", "Mr High"),
		column("pupil", quern.Text, false),
		column("town", quern.Text, false, "Ash", "Elm"))
	addTable(s, "books",
		column("title", quern.Text, false),
		column("price", quern.Double, false),
		column("teacher", quern.Text, false, "Mrs Low", "Mr High"))
	return s
}

// TestTablesWithoutLinks: columns of one name connect tables where they may be a key and have
// values in common, and people connect them; remarks and places do not.
func TestTablesWithoutLinks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"SEL books.title EXTRA @lessons END":                        "SELECT books.title FROM books WHERE books.teacher IN (SELECT lessons.teacher FROM lessons)",
		"SEL lessons.town EXTRA @books END":                         "SELECT DISTINCT lessons.town FROM lessons JOIN books ON lessons.teacher = books.teacher",
		"SEL sum books.price EXTRA @lessons END":                    "SELECT sum(books.price) FROM books WHERE books.teacher IN (SELECT lessons.teacher FROM lessons)",
		"SEL singers.code EXTRA @lessons END":                       "SELECT singers.code FROM singers WHERE singers.singer IN (SELECT lessons.given_by_whom FROM lessons)",
		"SEL singers.town lessons.pupil END":                        "SELECT singers.town, lessons.pupil FROM singers JOIN lessons ON singers.singer = lessons.given_by_whom",
		"SEL concerts.hall EXTRA @singers END":                      "",
		"SEL books.title concerts.hall END":                         "",
		"SEL lessons.pupil books.title END":                         "",
		"SEL sum books.price lessons.pupil GROUP lessons.pupil END": "",
	} {
		if got, err := built(t, choir(), "", line); got != want || (err == nil) != (want != "") {
			t.Errorf("Build(%s) = %s, %v, want %q", line, got, err, want)
		}
	}
}
