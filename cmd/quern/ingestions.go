package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/client"
)

func newIngestions(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ingestions [DATASET]",
		Short: "List what was ingested into a dataset, or what of yours is under way",
		Long: `List what was ingested into a dataset, newest first: what was stored, what failed and
what is under way. Without a dataset, list the ingestions that you asked for and that
have not ended yet; what has failed is listed with its dataset.`,
		Example: "  quern ingestions\n  quern ingestions harbour/arrivals --limit 5\n  quern ingestions show ID --follow",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Sprintf("%q is one word too many", args[1])}
			}
			return nil
		},
	}
	server := addServer(cmd, sh)
	limit := cmd.Flags().Int("limit", 25, "the most to list")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var d client.Dataset
		var err error
		if len(args) == 1 {
			if d, err = datasetArg(args[0]); err != nil {
				return err
			}
		}
		if *limit < 1 {
			return usageError{"--limit is less than 1"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		var all []client.Ingestion
		if len(args) == 1 {
			all, err = c.Ingestions(cmd.Context(), d, *limit)
		} else {
			all, err = c.IngestionsUnderWay(cmd.Context())
			all = all[:min(len(all), *limit)]
		}
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, all)
		case len(all) == 0 && len(args) == 0:
			fmt.Fprintln(sh.Err, "Nothing of yours is under way. 'quern ingestions DATASET' lists what has ended or failed.")
			return nil
		}
		rows := [][]string{{"ID", "DATASET", "WHAT", "STATUS", "ROWS", "NOT READ", "ASKED FOR"}}
		for _, i := range all {
			rows = append(rows, ingestionRow(i))
		}
		return printTable(sh.Out, rows)
	}
	cmd.AddCommand(newIngestionShow(sh), newIngestionCancel(sh), newIngestionRetry(sh), newIngestionRejected(sh))
	return cmd
}

func ingestionRow(i client.Ingestion) []string {
	a := i.Attributes
	return []string{
		i.ID, client.Dataset{Owner: a.Owner, Namespace: a.Namespace, Name: a.Dataset}.String(), a.Name, ingestionStatus(i),
		strconv.FormatInt(i.ProcessedRows, 10), strconv.FormatInt(a.RejectedRows, 10), moment(a.CreatedAt),
	}
}

// ingestionStatus is a status in one word.
func ingestionStatus(i client.Ingestion) string {
	if i.Aborted {
		return "cancelled"
	}
	return i.Status
}

func newIngestionShow(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Tell how an ingestion went",
		Long: `Tell how an ingestion goes or went. With --follow, wait until it has ended; exit code
1 says that it failed.`,
		Args: oneArg("the ingestion's id"),
	}
	server := addServer(cmd, sh)
	follow := cmd.Flags().Bool("follow", false, "wait until it has ended")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		var i client.Ingestion
		if *follow {
			i, err = followIngestion(cmd.Context(), sh, c, args[0], !*inJSON)
		} else {
			i, err = c.Ingestion(cmd.Context(), args[0])
		}
		switch {
		case err != nil:
			return err
		case *inJSON:
			err = printJSON(sh.Out, i)
		default:
			err = printIngestionShown(sh, i)
		}
		if err == nil && *follow {
			err = failure(&i)
		}
		return err
	}
	return cmd
}

// followIngestion waits for the end of an ingestion; draw shows a bar on a terminal.
func followIngestion(ctx context.Context, sh shell, c *client.Client, id string, draw bool) (client.Ingestion, error) {
	started := time.Now()
	draw = draw && app.IsTerminal(sh.Err)
	made, err := c.Follow(ctx, id, func(i client.Ingestion) {
		if draw {
			fmt.Fprintf(sh.Err, "\r\x1b[Kingesting %s", progressLine(i.ProcessedBytes, i.ExpectedBytes, i.ProcessedBytes, time.Since(started)))
		}
	})
	if draw {
		fmt.Fprint(sh.Err, "\r\x1b[K")
	}
	return made, err
}

func printIngestionShown(sh shell, i client.Ingestion) error {
	rows := [][]string{{"ID", "DATASET", "WHAT", "STATUS", "ROWS", "NOT READ", "ASKED FOR"}, ingestionRow(i)}
	if err := printTable(sh.Out, rows); err != nil {
		return err
	}
	if len(i.Attributes.Tables) > 0 {
		fmt.Fprintln(sh.Out)
		if err := printTable(sh.Out, ingestedTables(i)); err != nil {
			return err
		}
	}
	return printLines(sh.Err, i.Message)
}

func newIngestionCancel(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "Stop an ingestion; the dataset stays as it was",
		Args:  oneArg("the ingestion's id"),
	}
	server := addServer(cmd, sh)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		i, err := c.CancelIngestion(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sh.Err, "ingestion %s %s\n", printable(i.ID), printable(ingestionStatus(i)))
		return err
	}
	return cmd
}

func newIngestionRetry(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retry ID",
		Short: "Try an ingestion again that failed or was cancelled, and print the new one's id",
		Args:  oneArg("the ingestion's id"),
	}
	server := addServer(cmd, sh)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		id, err := c.RetryIngestion(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(sh.Out, printable(id))
		return err
	}
	return cmd
}

func newIngestionRejected(sh shell) *cobra.Command {
	formats := []string{"csv", "ndjson", "json"}
	cmd := &cobra.Command{
		Use:   "rejected ID",
		Short: "Write the rows that could not be read to standard output, with line and reason",
		Args:  oneArg("the ingestion's id"),
	}
	server := addServer(cmd, sh)
	format := cmd.Flags().String("format", "csv", orList(formats))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(formats, *format) {
			return usageError{fmt.Sprintf("--format %q is none of %s", *format, orList(formats))}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		return c.RejectedRows(cmd.Context(), args[0], *format, cleaned(sh.Out))
	}
	return cmd
}
