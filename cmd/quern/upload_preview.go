package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"quern/client"
)

// preview shows what would be made of uploaded files.
func (u uploading) preview(ctx context.Context, s client.Session) error {
	ask := u.ask
	ask.Session = s.ID
	seen, err := u.client.PreviewIngest(ctx, *u.to, ask)
	if err != nil {
		return u.explain(ctx, err, true)
	}
	if u.json {
		return printJSON(u.sh.Out, seen)
	}
	for _, f := range seen.Files {
		if f.SameAs != "" {
			fmt.Fprintf(u.sh.Out, "%s was ingested before (ingestion %s): say --append or --replace.\n", f.Filename, f.SameAs)
		}
	}
	for _, t := range seen.Tables {
		if err := u.printPreview(t); err != nil {
			return err
		}
	}
	fmt.Fprintln(u.sh.Out, "Nothing is stored yet. The same command with --resume in place of --preview stores it.")
	return nil
}

func (u uploading) printPreview(t client.PreviewTable) error {
	looked := rowCount(t.Rows)
	if !t.Complete {
		looked = "the first " + looked
	}
	fmt.Fprintf(u.sh.Out, "%s (%s) into %s: %s", tableName(t.Filename, t.Member), readAs(t.Format, t.Detail), t.Dataset, looked)
	if t.RejectedRows > 0 {
		fmt.Fprintf(u.sh.Out, ", %d more would not be stored", t.RejectedRows)
	}
	fmt.Fprint(u.sh.Out, "\n\n")
	rows := [][]string{{"COLUMN", "TYPE", "FIRST VALUES", "DOES NOT FIT"}}
	for i, c := range t.Columns {
		rows = append(rows, []string{c.Name, strings.TrimSpace(c.Type + " " + c.Unit), firstValues(t.Sample, i), misfits(c)})
	}
	if err := printTable(u.sh.Out, rows); err != nil {
		return err
	}
	fmt.Fprintln(u.sh.Out)
	for _, r := range t.Rejected {
		fmt.Fprintf(u.sh.Out, "row %d: %s\n", r.Row, r.Reason)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(u.sh.Out, "%s\n", note)
	}
	return nil
}

// firstValues writes some values of a column on one line.
func firstValues(sample [][]any, column int) string {
	const most, width = 3, 40
	var some []string
	for _, row := range sample[:min(len(sample), most)] {
		text := "-"
		if row[column] != nil {
			text = strings.Join(strings.Fields(fmt.Sprint(row[column])), " ")
		}
		some = append(some, text)
	}
	text := []rune(strings.Join(some, ", "))
	if len(text) > width {
		text = append(text[:width], '…')
	}
	return string(text)
}

// misfits writes what of a column does not fit.
func misfits(c client.PreviewColumn) string {
	if c.Misfits == nil {
		return ""
	}
	var some []string
	for _, e := range c.Misfits.Examples {
		some = append(some, strconv.Quote(e.Text))
	}
	return fmt.Sprintf("%d not %s: %s", c.Misfits.Cells, c.Misfits.Type, strings.Join(some, ", "))
}
