package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quern"
	"quern/client"
	"quern/ingest/format"
)

// onErrorQuarantine sets rows aside that cannot be read.
const onErrorQuarantine = "quarantine"

// addTarget adds the flags that say what becomes of uploaded files, and returns
// what reads them: a nil dataset when they are only stored.
func addTarget(cmd *cobra.Command) func() (to *client.Dataset, ask client.IngestRequest, err error) {
	flags := cmd.Flags()
	dataset := flags.String("to", "", "make rows of the files in this dataset, as namespace/dataset or owner/namespace/dataset")
	var ask client.IngestRequest
	flags.StringVar(&ask.OnError, "on-error", "", "with --to, what becomes of rows that cannot be read: fail stores no row at all, "+
		onErrorQuarantine+" sets them aside and stores the others (default fail)")
	flags.StringVar(&ask.Format, "format", "", "with --to, what the files are: "+kindList()+" (default what they hold)")
	header := flags.String("header", "", "with --to, whether the first row names the columns: yes or no (default what it looks like)")
	flags.StringVar(&ask.Sheet, "sheet", "", "with --to, the one sheet of workbooks to read (default all)")
	flags.StringSliceVar(&ask.NullValues, "null", nil, "with --to, a spelling of null; may be repeated (default those of the server)")
	flags.StringVar(&ask.Into, "into", "", "with --to, which datasets several tables of a file go into: one or each (default by their shape)")
	lists := flags.StringSlice("list", nil, "with --to, the dataset that a list of objects in JSON goes into, as list=dataset, "+
		"or list= to keep it nested; may be repeated (default <dataset>_<list>)")
	replace := flags.Bool("replace", false, "with --to, put the rows in the place of those that the dataset has")
	again := flags.Bool("append", false, "with --to, add the rows to those that the dataset has, even of a file that it was given before")
	given := []string{"on-error", "format", "header", "sheet", "null", "into", "list", "replace", "append", "preview"}
	return func() (*client.Dataset, client.IngestRequest, error) {
		if *dataset == "" {
			for _, name := range given {
				if flags.Changed(name) {
					return nil, ask, usageError{"--" + name + " needs --to"}
				}
			}
			return nil, ask, nil
		}
		to, err := client.ParseDataset(*dataset)
		if err == nil {
			err = checkNames(to)
		}
		if err != nil {
			return nil, ask, usageError{"--to " + err.Error()}
		}
		if err := checkChoices(ask, *header); err != nil {
			return nil, ask, err
		}
		if ask.Lists, err = readLists(*lists); err != nil {
			return nil, ask, err
		}
		if *header != "" {
			named := *header == "yes"
			ask.Header = &named
		}
		switch {
		case *replace && *again:
			return nil, ask, usageError{"--replace and --append exclude each other"}
		case *replace:
			ask.Mode = "replace"
		case !*again:
			ask.SameFile = "refuse"
		}
		return &to, ask, nil
	}
}

// readLists reads which datasets lists go into.
func readLists(given []string) (map[string]string, error) {
	if len(given) == 0 {
		return nil, nil
	}
	lists := map[string]string{}
	for _, one := range given {
		list, dataset, found := strings.Cut(one, "=")
		if list = strings.TrimSpace(list); !found || list == "" {
			return nil, usageError{fmt.Sprintf("--list %q is not of the form list=dataset", one)}
		}
		if _, twice := lists[list]; twice {
			return nil, usageError{fmt.Sprintf("--list names %q twice", list)}
		}
		if dataset = strings.TrimSpace(dataset); dataset != "" && !quern.ValidName(dataset) {
			return nil, usageError{"--list " + badName("dataset", dataset).Error()}
		}
		lists[list] = dataset
	}
	return lists, nil
}

func kindList() string {
	var names []string
	for _, k := range format.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// checkChoices fails when the server would refuse what the flags say, before anything
// is sent.
func checkChoices(ask client.IngestRequest, header string) error {
	for _, c := range []struct {
		flag, value string
		choices     []string
	}{
		{"on-error", ask.OnError, []string{"fail", onErrorQuarantine}},
		{"header", header, []string{"yes", "no"}},
		{"into", ask.Into, []string{"one", "each"}},
		{"format", ask.Format, strings.Split(kindList(), ", ")},
	} {
		if c.value != "" && !slices.Contains(c.choices, c.value) {
			return usageError{fmt.Sprintf("--%s %q is none of %s", c.flag, c.value, orList(c.choices))}
		}
	}
	return nil
}

// orList writes choices as people do.
func orList(choices []string) string {
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

// checkNames fails when the server would refuse the names, before anything is sent.
func checkNames(to client.Dataset) error {
	for _, part := range []struct{ what, name string }{{"namespace", to.Namespace}, {"dataset", to.Name}} {
		if !quern.ValidName(part.name) {
			return badName(part.what, part.name)
		}
	}
	return nil
}

func badName(what, name string) error {
	return fmt.Errorf("%q cannot name a %s: 1 to 64 letters, digits, _ and - are allowed, beginning with a letter or digit", name, what)
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
	u.to, u.ask = &to, former.Ask
	return nil
}
