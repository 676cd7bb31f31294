package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
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
		return nil, u.explain(ctx, u.explainMissing(ctx, err), true)
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

// explainMissing says which part of the name of another user's dataset is not found.
func (u uploading) explainMissing(ctx context.Context, err error) error {
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || refused.Status != http.StatusNotFound || u.to.Owner == "" {
		return err
	}
	worded := *refused
	worded.Message = "there is no such dataset: " + u.to.String()
	if _, err := u.client.DatasetsIn(ctx, u.to.Owner, u.to.Namespace); client.IsStatus(err, http.StatusNotFound) {
		worded.Message = fmt.Sprintf("there is no namespace %s/%s that you see; is there such a user, and is it shared with you?", u.to.Owner, u.to.Namespace)
	}
	return &worded
}

// setAside says how rows that can be read are stored although others cannot, where these are why
// nothing was.
func (u uploading) setAside(ctx context.Context, made *client.Ingestion, failed error) error {
	if failed == nil || made.Aborted || u.ask.OnError == onErrorQuarantine {
		return failed
	}
	var unread bytes.Buffer
	if err := u.client.RejectedRows(ctx, made.ID, "ndjson", &unread); err != nil || unread.Len() == 0 {
		return failed // it failed for another reason
	}
	return fmt.Errorf("%w\nno row was stored: --on-error quarantine sets such rows aside and stores the others", failed)
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
