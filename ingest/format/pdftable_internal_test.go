package format

import (
	"strings"
	"testing"
)

// FuzzPDFTables holds the search for tables to its promise for any words at any
// places: every row of a table is as wide as the table.
func FuzzPDFTables(f *testing.F) {
	f.Add("<page >\n<word xMin=\"1\" yMin=\"1\" xMax=\"9\" yMax=\"9\">a</word>\n</page>")
	var b strings.Builder
	b.WriteString("<page >\n")
	for _, w := range []string{`"40" yMin="1" xMax="60" yMax="9">a`, `"90" yMin="1" xMax="99" yMax="9">b`,
		`"40" yMin="21" xMax="60" yMax="29">1`,
		`"90" yMin="21" xMax="99" yMax="29">2`, `"90" yMin="31" xMax="99" yMax="39">c`, `"40" yMin="41" xMax="60" yMax="49">3`,
		`"90" yMin="41" xMax="99" yMax="49">4`} {
		b.WriteString("<word xMin=" + w + "</word>\n")
	}
	f.Add(b.String() + "</page>\n" + b.String() + "</page>")
	f.Fuzz(func(t *testing.T, text string) {
		found := &pdfFinder{}
		if err := found.read(strings.NewReader(text)); err != nil {
			if _, ok := Refused(err); !ok {
				t.Fatalf("error = %v, want a refusal", err)
			}
			return
		}
		for _, table := range found.tables {
			for _, row := range table.rows {
				if len(row) != len(table.columns) {
					t.Fatalf("row %q in a table of %d columns", row, len(table.columns))
				}
			}
		}
		found.found(Options{})
	})
}
