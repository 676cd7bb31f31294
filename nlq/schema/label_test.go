package schema_test

import (
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/nlq/schema"
)

// People call rows by a name, by both parts of one, by a column like the dataset, or by
// the first text that tells them apart.
func TestLabelsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		table, columns string
		want           []string
	}{
		{"patients", "patient_number:int first_name town last_name phone:key", []string{"first_name", "last_name"}},
		{"staff", "staff_id:int first last job", []string{"first", "last"}},
		{"routes", "route_id:int route_name sector", []string{"route_name"}},
		{"members", "member_id:int full_name home_town", []string{"full_name"}},
		{"clients", "client_id:int company:key industry email:key", []string{"company"}},
		{"issues", "issue:int published pages", []string{"issue"}},
		{"boats", "boat:int name type", []string{"name"}},
		{"mishaps", "mishap:int what", []string{"mishap"}},
		{"varieties", "var:key vname crop", []string{"vname"}},
		{"songs", "song_id:int title artist", []string{"title"}},
		{"orders", "order_id:int customer note:key", nil},
		{"invoices", "invoice_no:key job:link due", nil},
		{"results", "player:link points:int", []string{"player"}},
	} {
		v := schema.View{Schema: &schema.Schema{Tables: []schema.Table{{
			Path: quern.DatasetPath{Dataset: c.table}, Words: []string{c.table}, Rows: 4, Len: len(strings.Fields(c.columns)),
		}}}}
		for _, field := range strings.Fields(c.columns) {
			name, kind, _ := strings.Cut(field, ":")
			column := schema.Column{Name: name, Words: strings.Split(name, "_"), Type: quern.Text, Rows: 4, Distinct: 2}
			if kind != "" {
				column.Distinct = 4
			}
			if kind == "link" {
				v.Links = append(v.Links, schema.Link{From: len(v.Columns), To: len(strings.Fields(c.columns))})
			}
			if kind == "int" {
				column.Type = quern.Integer
			}
			v.Columns = append(v.Columns, column)
		}
		v.Columns = append(v.Columns, schema.Column{Name: "id", Table: 1})
		var got []string
		for _, id := range v.LabelsOf(0) {
			got = append(got, v.Columns[id].Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("LabelsOf(%s: %s) = %q, want %q", c.table, c.columns, got, c.want)
		}
	}
}
