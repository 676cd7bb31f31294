package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/config"
	"quern/structure/judge"
)

func newEvalExtract(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "extract",
		Short: "Measure how well documents become rows",
		Long: `Measure the steps that structure data. Every line of the file is a document: rows
with texts in them, the steps to run, a definition if there is one, and the rows
that should come out:

  {"name","rows":[{"text":"…"}],"steps":[{"type":"table","deriveFrom":"text"}],
   "definition":{"schemaDefinition":{…}},"gold":[{…}]}

Printed are, by the first step of the documents, how many rows were lost, and the
precision and recall of values in the columns of the gold rows. With --model a model
of the settings (QUERN_LLM_*) is asked by the steps that name none; without it
none is.

With --json there is one line for each document and a summary as the last line.`,
		Example: "  quern eval extract --documents documents.jsonl",
		Args:    noArgs,
	}
	file := cmd.Flags().String("documents", "", "a file with one document a line")
	model := cmd.Flags().Bool("model", false, "ask the model of the settings")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *file == "" {
			return usageError{"--documents is needed"}
		}
		f, err := os.Open(*file)
		if err != nil {
			return err
		}
		documents, err := judge.Documents(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		for i := range documents {
			for n := range documents[i].Steps {
				if s := &documents[i].Steps[n]; !*model && s.Model == "" {
					s.Model = "embedded"
				}
			}
		}
		return evalExtract(cmd, sh, documents, *inJSON)
	}
	return cmd
}

// evalExtract runs the documents through the product and prints how they went.
func evalExtract(cmd *cobra.Command, sh shell, documents []judge.Document, inJSON bool) (err error) {
	data, err := os.MkdirTemp("", "quern-eval-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	cfg, err := config.Load(config.Inputs{Environ: sh.Environ, Flags: map[string]string{"data": data, "listen": "127.0.0.1:0", "log_level": "error"}})
	if err != nil {
		return err
	}
	a, err := app.New(cmd.Context(), cfg, app.Options{Log: sh.Err})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	encoder := json.NewEncoder(sh.Out)
	var failed error
	scores, err := judge.Evaluate(cmd.Context(), a.Structure(), documents, func(v judge.Verdict) {
		if inJSON {
			failed = errors.Join(failed, encoder.Encode(map[string]any{"name": v.Name, "step": v.Step, "score": v.Score, "notes": v.Notes}))
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if inJSON {
		return encoder.Encode(scores)
	}
	w := tabwriter.NewWriter(sh.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "STEP\tDOCUMENTS\tROWS\tFOUND\tLOST\tEXTRA\tPRECISION\tRECALL\tSECONDS")
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		s := scores[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.3f\t%.3f\t%.2f\n", name, s.Documents, s.Gold, s.Found, s.Lost, s.Extra, s.Precision, s.Recall, s.Seconds)
	}
	return w.Flush()
}
