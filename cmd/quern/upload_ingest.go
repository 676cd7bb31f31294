package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"quern"
	"quern/app"
	"quern/client"
)

// addTarget adds the flags that say what becomes of uploaded files, and returns
// what reads them: a nil dataset when they are only stored.
func addTarget(cmd *cobra.Command) func() (to *client.Dataset, onError string, err error) {
	dataset := cmd.Flags().String("to", "", "make rows of the files in this dataset, as namespace/dataset or owner/namespace/dataset")
	choice := cmd.Flags().String("on-error", "", "with --to, what becomes of rows that cannot be read: fail or quarantine")
	return func() (*client.Dataset, string, error) {
		switch {
		case *choice != "" && *dataset == "":
			return nil, "", usageError{"--on-error needs --to"}
		case *dataset == "":
			return nil, "", nil
		}
		to, err := client.ParseDataset(*dataset)
		if err == nil {
			err = checkNames(to)
		}
		if err != nil {
			return nil, "", usageError{"--to " + err.Error()}
		}
		if *choice != "" && *choice != "fail" && *choice != "quarantine" {
			return nil, "", usageError{fmt.Sprintf("--on-error %q is none of fail or quarantine", *choice)}
		}
		return &to, *choice, nil
	}
}

// checkNames fails when the server would refuse the names, before anything is sent.
func checkNames(to client.Dataset) error {
	for _, part := range []struct{ what, name string }{{"namespace", to.Namespace}, {"dataset", to.Name}} {
		if !quern.ValidName(part.name) {
			return fmt.Errorf("%q cannot name a %s: 1 to 64 letters, digits, _ and - are allowed, beginning with a letter or digit", part.name, part.what)
		}
	}
	return nil
}

// recall takes over where a former upload's files were to go, unless this one was
// told.
func (u *uploading) recall(former uploadNote) error {
	if u.to != nil || former.To == "" {
		return nil
	}
	to, err := client.ParseDataset(former.To)
	if err != nil {
		return err
	}
	u.to, u.onError = &to, former.OnError
	return nil
}

// ingest makes rows of what was uploaded, where that was asked for, and waits
// until that is done. The server goes on with it if this program ends.
func (u uploading) ingest(ctx context.Context, s client.Session) (*client.Ingestion, error) {
	if u.to == nil {
		return nil, nil
	}
	id, err := u.client.Ingest(ctx, *u.to, client.IngestRequest{Session: s.ID, OnError: u.onError})
	if err != nil {
		return nil, u.explain(ctx, err, true)
	}
	started, draw := time.Now(), app.IsTerminal(u.sh.Err) && !u.json
	made, err := u.client.Follow(ctx, id, func(i client.Ingestion) {
		if draw {
			fmt.Fprintf(u.sh.Err, "\r\x1b[Kingesting %s", progressLine(i.ProcessedBytes, i.ExpectedBytes, i.ProcessedBytes, time.Since(started)))
		}
	})
	if draw {
		fmt.Fprint(u.sh.Err, "\r\x1b[K")
	}
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
	return fmt.Errorf("%s (ingestion %s; the files are still uploaded)", text, made.ID)
}

// printIngestion tells what was made of the files.
func (u uploading) printIngestion(made client.Ingestion) error {
	if made.Status != "completed" {
		return nil
	}
	fmt.Fprintf(u.sh.Out, "\nIngestion %s: %s", made.ID, rowCount(made.ProcessedRows))
	if n := made.Attributes.RejectedRows; n > 0 {
		fmt.Fprintf(u.sh.Out, ", %d more could not be read", n)
	}
	fmt.Fprint(u.sh.Out, "\n\n")
	rows := [][]string{{"TABLE", "ROWS", "READ AS"}}
	for _, t := range made.Attributes.Tables {
		name := t.Filename
		if t.Member != "" {
			name += ": " + t.Member
		}
		rows = append(rows, []string{name, strconv.FormatInt(t.Rows, 10), t.Format + ", " + t.Detail})
	}
	if err := printTable(u.sh.Out, rows); err != nil {
		return err
	}
	for _, t := range made.Attributes.Tables {
		for _, note := range t.Notes {
			fmt.Fprintf(u.sh.Err, "%s: %s\n", t.Filename, note)
		}
	}
	return nil
}
