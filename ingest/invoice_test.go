package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
)

// invoicePage draws an invoice: what it says of itself, its items and its totals.
func invoicePage(number, day, customer string, totals ...[]string) string {
	items := [][]string{{"Description", "Qty", "Price", "Amount"}, {"Ropes", "3", "10.00", "30.00"}, {"Sails", "2", "50.00", "100.00"}}
	y := 340 + 20*len(items)
	var below []at
	for _, row := range totals {
		below = append(below, at{260, y, row[0]}, at{370, y, row[1]})
		y += 20
	}
	return page(at{40, 40, "Harbour Supplies Ltd"}, at{40, 100, "Invoice Number:"}, at{150, 100, number}, at{40, 120, "Date: " + day},
		at{300, 100, "Bill to:"}, at{300, 114, customer}, at{300, 128, "1 Quay Road"}, at{40, 160, "Order No"}, at{150, 160, "Terms"},
		at{40, 176, "PO-" + number}, at{150, 176, "30 days"}) +
		tablePage(340, items...) + page(below...) + page(at{40, 700, "Thank you for your business"})
}

func TestFieldsOfPDFStandBesideItsItems(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	totals := [][]string{{"Subtotal", "130.00"}, {"VAT 20%", "26.00"}, {"Total", "156.00"}}
	one := pdf("", invoicePage("INV-7", "2024-03-05", "Acme Ltd", totals...), invoicePage("INV-8", "2024-03-06", "Zeta GmbH", totals...))
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.pdf", one})
	want := "Description text, Qty integer, Price double, Amount double, Invoice_Number text, Bill_to text, Date date, Order_No text, Terms text\n" +
		`["Ropes",3,10,30,"INV-7","Acme Ltd, 1 Quay Road","2024-03-05","PO-INV-7","30 days"]
["Sails",2,50,100,"INV-7","Acme Ltd, 1 Quay Road","2024-03-05","PO-INV-7","30 days"]
["Ropes",3,10,30,"INV-8","Zeta GmbH, 1 Quay Road","2024-03-06","PO-INV-8","30 days"]
["Sails",2,50,100,"INV-8","Zeta GmbH, 1 Quay Road","2024-03-06","PO-INV-8","30 days"]
`
	if got := m.table("it"); got != want {
		t.Errorf("ingest(invoices) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if notes := fmt.Sprint(i.Report.Tables[0].Notes); i.Report.Rejected != 6 || !strings.Contains(notes, "lines below the rows were left out") {
		t.Errorf("the report counts %d rows left out and says %s, want the six totals", i.Report.Rejected, notes)
	}
}

func TestTotalsOfPDF(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	adds, wrong := []string{"Total", "130.00"}, []string{"Total", "131.00"}
	for _, tc := range []struct {
		name   string
		o      quern.IngestionOptions
		totals []string
		rows   int64
	}{
		{"it adds up", quern.IngestionOptions{}, adds, 2},
		{"it is to be kept", quern.IngestionOptions{Totals: quern.KeepTotals, Mode: quern.ReplaceRows}, adds, 3},
		{"it does not add up", quern.IngestionOptions{Mode: quern.ReplaceRows}, wrong, 3},
	} {
		i := m.ingestFiles("it", tc.o, file{"a.pdf", pdf("", invoicePage("INV-7", "2024-03-05", "Acme", tc.totals))})
		if i.ProcessedRows != tc.rows {
			t.Errorf("rows of an invoice whose total %s = %d (%s %s), want %d\n%s", tc.name, i.ProcessedRows, i.Status, i.Message, tc.rows, m.table("it"))
		}
	}
}

// TestFieldsAlone has a document that is nothing but names and values: it is one row.
func TestFieldsAlone(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	receipt := pdf("", page(at{40, 100, "Receipt No: R-12"}, at{40, 120, "Paid on: 2024-05-06"}, at{40, 140, "Received from: Bo Berg"},
		at{40, 160, "For: two tickets"}, at{40, 180, "Total: 24.00"}))
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.pdf", receipt})
	want := "Receipt_No text, Paid_on date, Received_from text, For text\n" + `["R-12","2024-05-06","Bo Berg","two tickets"]` + "\n"
	if got := m.table("it"); got != want {
		t.Errorf("ingest(receipt) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if notes := fmt.Sprint(i.Report.Tables[0].Notes); !strings.Contains(notes, "totals were left out: Total 24.00") {
		t.Errorf("the report says %s, want the total", notes)
	}
}

func TestBrokenAndEndlessPDF(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	whole := pdf("", tablePage(80, ports...))
	for name, tc := range map[string]struct {
		data []byte
		want string
	}{
		"no objects":     {[]byte("%PDF-1.7\nthis is all"), "the PDF file is damaged"},
		"cut short":      {whole[:40], "the PDF file is damaged"},
		"its own parent": {[]byte(strings.Replace(string(whole), "/Kids [5 0 R]", "/Kids [2 0 R]", 1)), "the PDF file"},
	} {
		if i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.pdf", tc.data}); i.Status != quern.IngestionFailed || !strings.Contains(i.Message, tc.want) {
			t.Errorf("ingest(%s) = %s: %q, want %q", name, i.Status, i.Message, tc.want)
		}
	}
}
