package format

import (
	"encoding/binary"
	"strings"
	"testing"

	"quern/ingest/pdfium"
)

// wordsOfBytes makes words at places that any bytes name.
func wordsOfBytes(data []byte) (words []pdfium.Word) {
	texts := strings.Fields("Name Date: Invoice 12 1,250.00 Total VAT: a 2024-01-02 € Customer")
	for ; len(data) >= 6; data = data[6:] {
		left, top := float64(binary.LittleEndian.Uint16(data)%600), float64(binary.LittleEndian.Uint16(data[2:])%840)
		words = append(words, pdfium.Word{Left: left, Top: top, Right: left + 1 + float64(data[4]), Bottom: top + 1 + float64(data[5]%40),
			Text: texts[int(data[4]^data[5])%len(texts)]})
	}
	return words
}

// FuzzPDFTables holds the search for tables and fields to its promise for any words at
// any places: every row of a table is as wide as the table.
func FuzzPDFTables(f *testing.F) {
	f.Add([]byte("abcdefghijkl"))
	f.Add([]byte("\x28\x00\x01\x00\x14\x08\x5a\x00\x01\x00\x14\x08\x28\x00\x15\x00\x14\x08\x5a\x00\x15\x00\x14\x08\x28\x00\x29\x00\x14\x08\x5a\x00\x29\x00\x14\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		found := &pdfFinder{budget: heldBudget("PDF file")}
		for number := 1; number < 3; number++ {
			words := wordsOfBytes(data)
			lines := linesOf(words)
			layOut(lines)
			if err := found.page(number, words, lines); err != nil {
				if _, ok := Refused(err); !ok {
					t.Fatalf("error = %v, want a refusal", err)
				}
				return
			}
		}
		for _, table := range found.tables {
			for _, row := range table.rows {
				if len(row) != len(table.columns) {
					t.Fatalf("row %q in a table of %d columns", row, len(table.columns))
				}
			}
		}
		tables, err := found.found(Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			in, err := table.Open()
			if err != nil {
				t.Fatal(err)
			}
			for rec, err := in.Next(); err == nil; rec, err = in.Next() {
				if len(rec.Cells) > len(in.Header()) {
					t.Fatalf("a record of %d cells in a table of %d columns", len(rec.Cells), len(in.Header()))
				}
			}
		}
	})
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"1,250.00": 1250, "€ 1.250,00": 1250, "12,50 EUR": 12.5, "(35.00)": -35, "-7": -7, "1 234.5": 1234.5, "1,250": 1250, "0.125": 0.125, "20 %": 20,
	} {
		if got, ok := amountOf(text); !ok || got != want {
			t.Errorf("amountOf(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "Total", "invoice 7 of May", "."} {
		if got, ok := amountOf(text); ok {
			t.Errorf("amountOf(%q) = %v, want no amount", text, got)
		}
	}
	for text, want := range map[string]bool{"Subtotal": true, "Sub-total:": true, "VAT (20%)": true, "Grand Total EUR": true, "Amount due": true,
		"Total": true, "Net": true, "Net curtains": false, "Tax advice, 3 hours": false, "Due": false, "Shipping box": false} {
		if got := callsSummary(text); got != want {
			t.Errorf("callsSummary(%q) = %v, want %v", text, got, want)
		}
	}
}
