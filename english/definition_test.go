package english_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/english"
)

func TestDefine(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"revenue of the order in EUR (sales, turnover)", "revenue of order: sales, turnover, order revenue, revenue of order"},
		{"Revenue in euro", "revenue"},
		{"turnover, sales", "turnover: sales"},
		{"date the invoice was issued", "issued date: issued"},
		{"date on which they started", "started date: started"},
		{"Date we bought it.", "bought date: bought"},
		{"date of birth", "date of birth: birth date, date of birth"},
		{"whether the client gets the newsletter", "newsletter"},
		{"true when the job is done", "done"},
		{"Has the job been invoiced?", "invoiced"},
		{"is the animal neutered?", "neutered"},
		{"True if under warranty.", "under warranty"},
		{"has a guarantor", "guarantor"},
		{"gets the sibling discount", "sibling discount"},
		{"whether it was paid", "paid"},
		{"number of bedrooms", "bedrooms: number of bedrooms"},
		{"reason for the visit; VA = vaccination, SU = surgery", "reason of visit: visit reason, reason of visit [VA vaccination] [SU surgery]"},
		{"drug that was prescribed", "drug: prescribed"},
		{"student it is lent to", "student: lent"},
		{"status: 1 open, 2 paid, 9 cancelled", "status [1 open] [2 paid] [9 cancelled]"},
		{"level, 1: beginner, 2: intermediate", "level [1 beginner] [2 intermediate]"},
		{"gender (m/w/d)", "gender [m male] [w female] [d diverse]"},
		{"X = blocked", " [X blocked]"},
		{"paid: 0=no 1=yes", "paid [0 no] [1 yes]"},
		{"open = 1, closed = 2", " [1 open] [2 closed]"},
		{"Y if discontinued, N otherwise.", " [Y discontinued] [N otherwise]"},
		{"QC result, Y passed / N failed", "qc result [Y passed] [N failed]"},
		{"driver: Y = has a licence, N = none", "driver [Y has a licence] [N none]"},
		{"One row per invoice", "invoice"},
		{"List of spare parts", "spare parts"},
		{"Customers of the company (clients)", "customers of company: clients, company customers, customers of company"},
		{"service, e.g. planting", "service"},
		{"a client, a customer", "client: customer"},
		{"", ""},
		{"= : ( / , 1", ""},
	}
	for _, tt := range tests {
		d := english.Define(tt.text)
		got := d.Head
		if d.Of != "" {
			got += " of " + d.Of
		}
		if len(d.Others) > 0 {
			got += ": " + strings.Join(d.Others, ", ")
		}
		for _, c := range d.Codes {
			got += fmt.Sprintf(" [%s %s]", c.Value, c.Meaning)
		}
		if got != tt.want {
			t.Errorf("Define(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzDefine(f *testing.F) {
	f.Add("status: 1 open, 2 paid (state; X = blocked)")
	f.Fuzz(func(t *testing.T, text string) {
		d := english.Define(text)
		for _, name := range d.Others {
			if len(strings.Fields(name)) > 8 {
				t.Errorf("Define(%q) has the name %q, which is a sentence", text, name)
			}
		}
	})
}
