package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quern/client"
)

// datasetArg reads the address of a dataset.
func datasetArg(text string) (client.Dataset, error) {
	d, err := client.ParseDataset(text)
	if err == nil {
		err = checkNames(d)
	}
	if err != nil {
		return d, usageError{err.Error()}
	}
	return d, nil
}

// splitNamespace reads NAME or OWNER/NAME; an empty owner is the caller.
func splitNamespace(text string) (owner, namespace string) {
	if before, behind, found := strings.Cut(text, "/"); found {
		return before, behind
	}
	return "", text
}

func newDatasets(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "datasets",
		Short: "List the datasets that you see",
		Long: `List the datasets that you own and those that are shared with you, and what you
may do with each.`,
		Example: "  quern datasets\n  quern datasets -n bob/harbour --json",
		Args:    noArgs,
	}
	server := addServer(cmd, sh)
	namespace := cmd.Flags().StringP("namespace", "n", "", "only those of a namespace, as NAME or OWNER/NAME")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		var all []client.DatasetEntry
		if *namespace == "" {
			all, err = c.Datasets(cmd.Context())
		} else {
			owner, name := splitNamespace(*namespace)
			all, err = c.DatasetsIn(cmd.Context(), owner, name)
		}
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, all)
		}
		rows := [][]string{{"DATASET", "NAMESPACE", "OWNER", "YOU ARE ITS"}}
		for _, d := range all {
			rows = append(rows, []string{d.Name, d.Namespace, d.Owner, d.Role})
		}
		return printTable(sh.Out, rows)
	}
	return cmd
}

func newDescribe(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "describe DATASET",
		Short: "Tell what a dataset holds",
		Long: `Tell what a dataset holds: how many rows, its columns and their types, and what is
known of their values; how many are different is an estimate. A dataset is named
namespace/dataset, or owner/namespace/dataset where it is another's.`,
		Example: "  quern describe harbour/arrivals",
		Args:    oneArg("the dataset"),
	}
	server := addServer(cmd, sh)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		d, err := datasetArg(args[0])
		if err != nil {
			return err
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		about, err := c.Describe(cmd.Context(), d)
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, about)
		}
		return printDescription(sh, about)
	}
	return cmd
}

func printDescription(sh shell, about client.DatasetDescription) error {
	m := about.Metadata
	fmt.Fprintf(sh.Out, "%s: %s, version %d; you are its %s\n", printable(about.Dataset.Dataset().String()), rowCount(m.RowCount),
		m.Version, printable(about.Dataset.Role))
	if err := printLines(sh.Out, m.Description); err != nil {
		return err
	}
	if len(m.Columns) == 0 {
		return nil
	}
	fmt.Fprintln(sh.Out)
	rows := [][]string{{"COLUMN", "TYPE", "EMPTY", "DIFFERENT", "FROM", "TO", "SUCH AS"}}
	for _, c := range m.Columns {
		kind := c.Type
		if c.Unit != "" {
			kind += " in " + c.Unit
		}
		rows = append(rows, []string{
			c.Name, kind, strconv.FormatInt(c.Nulls, 10), strconv.FormatInt(c.Distinct, 10),
			c.Min, c.Max, strings.Join(c.Examples, ", "),
		})
	}
	return printTable(sh.Out, rows)
}

func newDelete(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete DATASET",
		Short: "Delete a dataset or a namespace, for good",
		Long: `Delete a dataset of yours with its rows, definition and shares, for good. With
--namespace a whole namespace is deleted: one that holds datasets only with
--with-datasets. You are asked first, unless --yes says that it is meant.`,
		Example: "  quern delete harbour/arrivals\n  quern delete -n harbour --with-datasets --yes",
	}
	server := addServer(cmd, sh)
	namespace := cmd.Flags().StringP("namespace", "n", "", "delete this namespace, as NAME or OWNER/NAME")
	with := cmd.Flags().Bool("with-datasets", false, "with --namespace, delete the datasets in it, too")
	yes := addYes(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *namespace == "":
			if err := oneArg("the dataset")(cmd, args); err != nil {
				return err
			}
			if *with {
				return usageError{"--with-datasets needs --namespace"}
			}
			return deleteDataset(cmd, sh, server, args[0], *yes)
		case len(args) > 0:
			return usageError{"a dataset and --namespace exclude each other"}
		}
		owner, name := splitNamespace(*namespace)
		question := fmt.Sprintf("Delete the namespace %s?", *namespace)
		if *with {
			question = fmt.Sprintf("Delete the namespace %s with all its datasets?", *namespace)
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		if !*yes { // what does not exist is not asked about
			if _, err := c.DatasetsIn(cmd.Context(), owner, name); err != nil {
				return err
			}
		}
		if err := confirm(sh, *yes, question); err != nil {
			return err
		}
		if err := c.DeleteNamespace(cmd.Context(), owner, name, *with); err != nil {
			return err
		}
		_, err = fmt.Fprintf(sh.Err, "namespace %s deleted\n", printable(*namespace))
		return err
	}
	return cmd
}

func deleteDataset(cmd *cobra.Command, sh shell, server serverFlags, name string, yes bool) error {
	d, err := datasetArg(name)
	if err != nil {
		return err
	}
	c, err := server.connect()
	if err != nil {
		return err
	}
	if !yes { // what does not exist is not asked about
		about, err := c.Describe(cmd.Context(), d)
		if err != nil {
			return err
		}
		name = fmt.Sprintf("%s with its %s", about.Dataset.Dataset(), rowCount(about.Metadata.RowCount))
	}
	if err := confirm(sh, yes, "Delete "+name+"?"); err != nil {
		return err
	}
	if err := c.DeleteDataset(cmd.Context(), d); err != nil {
		return err
	}
	_, err = fmt.Fprintf(sh.Err, "dataset %s deleted\n", d)
	return err
}
