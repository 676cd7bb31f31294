package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"quern/client"
	"quern/knowledge"
	"quern/knowledge/file"
)

func newKnowledge(sh shell) *cobra.Command {
	return newGroup("knowledge", "Exchange what is taught about a namespace with files",
		newKnowledgeExport(sh), newKnowledgeImport(sh), newKnowledgeCheck(sh), newKnowledgeDiff(sh))
}

// taughtFlags say which namespace a command is about.
type taughtFlags struct {
	serverFlags
	namespace *string
}

func addTaught(cmd *cobra.Command, sh shell) taughtFlags {
	return taughtFlags{addServer(cmd, sh), cmd.Flags().StringP("namespace", "n", "", "the namespace, as NAME or OWNER/NAME")}
}

// taught is the knowledge of a namespace, and the way to it.
type taught struct {
	*client.Client
	owner, namespace string
	version          int64
	document         knowledge.Document
}

// open connects, and returns the namespace; an empty owner is the caller.
func (f taughtFlags) open() (c *client.Client, owner, namespace string, err error) {
	if *f.namespace == "" {
		return nil, "", "", usageError{"--namespace is missing"}
	}
	namespace = *f.namespace
	if before, behind, found := strings.Cut(namespace, "/"); found {
		owner, namespace = before, behind
	}
	c, err = f.connect()
	return c, owner, namespace, err
}

// read connects and reads what is taught now.
func (f taughtFlags) read(ctx context.Context) (*taught, error) {
	c, owner, namespace, err := f.open()
	if err != nil {
		return nil, err
	}
	t := &taught{Client: c, owner: owner, namespace: namespace}
	now, err := c.Knowledge(ctx, t.owner, t.namespace)
	if err != nil {
		return nil, err
	}
	t.version = now.Version
	return t, json.Unmarshal(now.Document, &t.document)
}

func newKnowledgeExport(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write what is taught to standard output",
		Long: `Write what is taught about a namespace to standard output, as YAML that 'quern
knowledge import' reads, or as a semantic model of Apache Ossie 0.1.1. What that
has no place for is listed on standard error.`,
		Example: `  quern knowledge export -n harbour > harbour.yaml`,
		Args:    noArgs,
	}
	from := addTaught(cmd, sh)
	format := cmd.Flags().String("format", string(file.Quern), "quern or ossie")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *format != string(file.Quern) && *format != string(file.Ossie) {
			return usageError{fmt.Sprintf("%q cannot be written; quern and ossie can", *format)}
		}
		t, err := from.read(cmd.Context())
		if err != nil {
			return err
		}
		if *format == string(file.Quern) {
			return file.Write(sh.Out, t.document)
		}
		lost, err := file.WriteOssie(sh.Out, t.namespace, t.document)
		return errors.Join(err, printLost(sh.Err, lost))
	}
	return cmd
}

func newKnowledgeImport(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Teach what a file says",
		Long: `Add what a file says to what is taught about a namespace, in place of entries of
the same name. The file is our YAML, a CSV file with the columns word, means and
value, a semantic model of Apache Ossie 0.1.1 or of Snowflake, or a linguistic
schema of Power BI (.lsdl.yaml). Everything that could not be taken over is listed.`,
		Example: `  quern knowledge import -n harbour harbour.yaml`,
		Args:    oneArg("the file"),
	}
	to := addTaught(cmd, sh)
	format := addFormat(cmd)
	prune := cmd.Flags().Bool("prune", false, "remove what the file does not have")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		content, err := readKnowledge(args[0], *format)
		if err != nil {
			return err
		}
		t, err := to.read(cmd.Context())
		if err != nil {
			return err
		}
		wanted := content.Document
		if !*prune {
			wanted = t.document.Merge(&content.Document, &knowledge.Document{})
		}
		changes := knowledge.Diff(&t.document, &wanted)
		now, err := t.ReplaceKnowledge(cmd.Context(), t.owner, t.namespace, t.version, wanted)
		if err != nil {
			return err
		}
		for _, p := range now.Problems {
			fmt.Fprintf(sh.Err, "problem: %s: %s\n", printable(p.Entry), printable(p.Message))
		}
		if err := printLost(sh.Err, content.Lost); err != nil {
			return err
		}
		_, err = fmt.Fprintf(sh.Out, "version %d, %d changes\n", now.Version, len(changes))
		return err
	}
	return cmd
}

func newKnowledgeCheck(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Say what is wrong with a file, without a server",
		Long: `Read a file as 'quern knowledge import' does and hold it to what must be so whatever
the data are: limits, expressions, cycles of measures. Words for two things are named.`,
		Example: `  quern knowledge check harbour.yaml`,
		Args:    oneArg("the file"),
	}
	format := addFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		content, err := readKnowledge(args[0], *format)
		if err != nil {
			return err
		}
		if err := printLost(sh.Err, content.Lost); err != nil {
			return err
		}
		if err := knowledge.Check(&content.Document); err != nil {
			return err
		}
		for word, means := range content.Document.Ambiguous() {
			fmt.Fprintf(sh.Err, "problem: %q means several things: %s\n", printable(word), printable(strings.Join(means, ", ")))
		}
		_, err = fmt.Fprintln(sh.Out, "nothing is wrong by itself")
		return err
	}
	return cmd
}

func newKnowledgeDiff(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "diff FILE",
		Short:   "Say what an import with --prune would change",
		Example: `  quern knowledge diff -n harbour harbour.yaml`,
		Args:    oneArg("the file"),
	}
	to := addTaught(cmd, sh)
	format := addFormat(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		content, err := readKnowledge(args[0], *format)
		if err != nil {
			return err
		}
		t, err := to.read(cmd.Context())
		if err != nil {
			return err
		}
		for _, change := range knowledge.Diff(&t.document, &content.Document) {
			if _, err := fmt.Fprintln(sh.Out, printable(change)); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

func addFormat(cmd *cobra.Command) *string {
	return cmd.Flags().String("format", string(file.Auto), "quern, csv, ossie, snowflake or powerbi; otherwise by the file's name and content")
}

func readKnowledge(path, format string) (file.Content, error) {
	f, err := os.Open(path)
	if err != nil {
		return file.Content{}, err
	}
	defer f.Close()
	return file.Read(f, filepath.Base(path), file.Format(format))
}

// printLost lists what could not be taken over.
func printLost(w io.Writer, lost []string) error {
	for _, what := range lost {
		if _, err := fmt.Fprintf(w, "not taken over: %s\n", printable(what)); err != nil {
			return err
		}
	}
	return nil
}
