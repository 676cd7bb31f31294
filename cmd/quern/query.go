package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quern/client"
)

func newQuery(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query SQL",
		Short: "Run a query on a server",
		Long: `Run read-only SQL on a server, over the datasets the token may see, and print
the rows. Datasets are named dataset, namespace.dataset or
"owner/namespace/dataset"; unqualified names are looked up in the namespace
given by --namespace.`,
		Example: `  export QUERN_TOKEN=$(quern token create --user ada)
  quern query -n harbour "select ship, count(*) as calls from arrivals group by ship order by calls desc"`,
	}
	server := addServer(cmd, sh)
	namespace := cmd.Flags().StringP("namespace", "n", "", "the namespace of unqualified names, as NAME or OWNER/NAME")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError{"one SQL text is needed, in quotes"}
		}
		if *namespace == "" {
			return usageError{"--namespace is missing"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		q := client.Query{Namespace: *namespace, SQL: args[0]}
		if owner, name, found := strings.Cut(*namespace, "/"); found {
			q.Owner, q.Namespace = owner, name
		}
		result, err := c.Query(cmd.Context(), q)
		if err != nil {
			return err
		}
		return printResult(sh, result, *inJSON)
	}
	return cmd
}

// orderedRow is a row that is written with its columns in the order of the query.
type orderedRow struct {
	columns []string
	values  []json.RawMessage
}

// MarshalJSON writes the row as an object.
func (r orderedRow) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, value := range r.values {
		name, err := json.Marshal(r.columns[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

func printResult(sh shell, r client.Result, inJSON bool) error {
	if inJSON {
		rows := make([]orderedRow, len(r.Rows))
		for i, row := range r.Rows {
			rows[i] = orderedRow{r.Columns, row}
		}
		return printJSON(sh.Out, struct {
			Rows      []orderedRow `json:"rows"`
			Total     int64        `json:"total"`
			Truncated bool         `json:"truncated"`
		}{rows, r.Total, r.Truncated})
	}
	table := [][]string{r.Columns}
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = cell(value)
		}
		table = append(table, cells)
	}
	if len(r.Rows) > 0 {
		if err := printTable(sh.Out, table); err != nil {
			return err
		}
	}
	note := rowCount(r.Total)
	if r.Truncated {
		note = fmt.Sprintf("%d of %d rows; the rest was left out", len(r.Rows), r.Total)
	}
	_, err := fmt.Fprintln(sh.Err, note)
	return err
}

// rowCount says how many rows there are.
func rowCount(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// cell writes a value for a table on a terminal: text without its quotes and
// without what could move the cursor, null as nothing.
func cell(value json.RawMessage) string {
	text := string(value)
	if text == "null" {
		return ""
	}
	var unquoted string
	if json.Unmarshal(value, &unquoted) == nil {
		text = unquoted
	}
	return printable(text)
}
