package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/client"
)

func newExport(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DATASET",
		Short: "Write all rows of a dataset to a file or standard output",
		Long: `Write all rows of a dataset, as they are at this moment, to standard output or to a
file. The file appears when it is complete: what breaks off leaves none, and what
was there before. On standard output, exit code 1 says that rows are missing.

In CSV an apostrophe stands before text that a spreadsheet would run as a formula,
unless --formulas leaves it as it is.`,
		Example: "  quern export harbour/arrivals > arrivals.csv\n  quern export bob/harbour/arrivals --format parquet -o arrivals.parquet",
		Args:    oneArg("the dataset"),
	}
	server := addServer(cmd, sh)
	var o client.ExportOptions
	cmd.Flags().StringVar(&o.Format, "format", "csv", orList(client.ExportFormats()))
	cmd.Flags().BoolVar(&o.Formulas, "formulas", false, "leave text of CSV as it is that a spreadsheet would run as a formula")
	path := cmd.Flags().StringP("output", "o", "", "the file to write (default standard output)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		d, err := datasetArg(args[0])
		if err != nil {
			return err
		}
		if !slices.Contains(client.ExportFormats(), o.Format) {
			return usageError{fmt.Sprintf("--format %q is none of %s", o.Format, orList(client.ExportFormats()))}
		}
		if *path == "" && app.IsTerminal(sh.Out) && (o.Format == "parquet" || o.Format == "arrow") {
			return usageError{"such a file is nothing for a terminal: name one with --output"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		if *path == "" {
			_, err = c.Export(cmd.Context(), d, o, cleaned(sh.Out))
			return err
		}
		return writeWhole(*path, func(f *os.File) error {
			n, err := c.Export(cmd.Context(), d, o, f)
			if err == nil {
				fmt.Fprintf(sh.Err, "%s written to %s\n", bytesText(n), printable(*path))
			}
			return err
		})
	}
	return cmd
}

// writeWhole has write fill a file that takes its name when it is complete. What fails is
// told of under that name.
func writeWhole(path string, write func(*os.File) error) (err error) {
	half := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:8])
	defer func() {
		if err != nil && strings.Contains(err.Error(), half) {
			err = errors.New(strings.ReplaceAll(err.Error(), half, path))
		}
	}()
	f, err := os.OpenFile(half, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // as the shell makes files
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half))
	}
	return nil
}
