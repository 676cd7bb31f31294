package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"quern/client"
)

// ingest makes rows of what was uploaded, where that was asked for, and waits
// until that is done. The server goes on with it if this program ends.
func (u uploading) ingest(ctx context.Context, s client.Session) (*client.Ingestion, error) {
	if u.to == nil {
		return nil, nil
	}
	ask := u.ask
	ask.Session = s.ID
	id, err := u.client.Ingest(ctx, *u.to, ask)
	if err != nil {
		return nil, u.explain(ctx, err, true)
	}
	made, err := followIngestion(ctx, u.sh, u.client, id, !u.json)
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted")
		}
		return nil, codedError{fmt.Errorf("%w; the server goes on with the ingestion %s, and the same command with --resume follows it", err, id), exitResumable}
	}
	return &made, nil
}

// failure is an ingestion that did not make rows of the files.
func failure(made *client.Ingestion) error {
	if made == nil || made.Status == "completed" {
		return nil
	}
	text := "the ingestion was " + made.Status
	if made.Message != "" {
		text = made.Message
	}
	for _, f := range made.Attributes.Files {
		if f.SameAs != "" {
			return fmt.Errorf("%s: say --append to store it again, or --replace to put it in the place of all rows", text)
		}
	}
	return fmt.Errorf("%s (ingestion %s; the files are still uploaded)", text, made.ID)
}

// tableName is what a table of a file is called.
func tableName(file, member string) string {
	if member == "" {
		return file
	}
	return file + ": " + member
}

// readAs says how a table was read.
func readAs(format, detail string) string {
	first, _, _ := strings.Cut(detail, ",")
	switch {
	case detail == "":
		return format
	case strings.EqualFold(first, format):
		return detail
	}
	return format + ", " + detail
}

// ingestedTables lists the tables that were found in files.
func ingestedTables(made client.Ingestion) [][]string {
	rows := [][]string{{"TABLE", "DATASET", "ROWS", "READ AS"}}
	for _, t := range made.Attributes.Tables {
		rows = append(rows, []string{tableName(t.Filename, t.Member), t.Dataset, strconv.FormatInt(t.Rows, 10), readAs(t.Format, t.Detail)})
	}
	return rows
}

// printIngestion tells what was made of the files.
func (u uploading) printIngestion(made client.Ingestion) error {
	if made.Status != "completed" {
		return nil
	}
	fmt.Fprintf(u.sh.Out, "\nIngestion %s: %s", made.ID, rowCount(made.ProcessedRows))
	if n := made.Attributes.RejectedRows; n > 0 {
		fmt.Fprintf(u.sh.Out, ", %d more not stored (see its rejected rows)", n)
	}
	fmt.Fprint(u.sh.Out, "\n\n")
	if err := printTable(u.sh.Out, ingestedTables(made)); err != nil {
		return err
	}
	for _, t := range made.Attributes.Tables {
		for _, note := range t.Notes {
			fmt.Fprintf(u.sh.Err, "%s: %s\n", printable(tableName(t.Filename, t.Member)), printable(note))
		}
	}
	return nil
}
