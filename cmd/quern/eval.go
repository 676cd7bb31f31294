package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/config"
	"quern/nlq/ground"
	"quern/nlq/judge"
)

// measured is the flags that commands over question sets have in common.
type measured struct {
	sh                           shell
	questions, databases, keepIn string
	weights                      []string // files; nil: the networks of this program
	without                      []string // mechanisms of the translator that are left out
	limit                        int
}

func (m *measured) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.questions, "questions", "", `a file with one {"db","question","sql"} a line; also: "also", "kind", "dialogue", "turn"`)
	cmd.Flags().StringVar(&m.databases, "databases", "", "the folder of the databases: <db>.sqlite, or <db>/ with a CSV file for each dataset, definitions.json and knowledge.yaml if there are")
	cmd.Flags().IntVar(&m.limit, "limit", 0, "take only so many questions")
	cmd.Flags().StringVar(&m.keepIn, "keep", "", "a data directory to load the databases into and use again; otherwise a temporary one")
}

// house starts the product on the command's data directory. Nothing of it is
// reachable from outside.
func (m *measured) house(ctx context.Context) (h *judge.Product, done func() error, err error) {
	data := m.keepIn
	remove := func() error { return nil }
	if data == "" {
		if data, err = os.MkdirTemp("", "quern-eval-"); err != nil {
			return nil, nil, err
		}
		remove = func() error { return os.RemoveAll(data) }
	}
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{
		"data": data, "listen": "127.0.0.1:0", "query_rows": "200000", "log_level": "error",
	}})
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	weights, err := m.readWeights()
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	without, err := ground.ParseMechanisms(m.without)
	if err != nil {
		return nil, nil, errors.Join(usageError{err.Error()}, remove())
	}
	a, err := app.New(ctx, cfg, app.Options{Log: m.sh.Err, Weights: weights, Without: without})
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	done = func() error { return errors.Join(a.Close(), remove()) }
	if h, err = a.Judge(ctx); err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return h, done, nil
}

// readWeights reads the files of networks.
func (m *measured) readWeights() ([][]byte, error) {
	if m.weights == nil {
		return nil, nil
	}
	all := [][]byte{}
	for _, file := range m.weights {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// open reads the questions and starts the product.
func (m *measured) open(ctx context.Context) (h *judge.Product, questions []judge.Question, done func() error, err error) {
	if m.questions == "" || m.databases == "" {
		return nil, nil, nil, usageError{"--questions and --databases are needed"}
	}
	f, err := os.Open(m.questions)
	if err != nil {
		return nil, nil, nil, err
	}
	questions, err = judge.Questions(f, m.limit)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, nil, nil, err
	}
	h, done, err = m.house(ctx)
	return h, questions, done, err
}

// tell shows how far the work has come, on a terminal.
func (m *measured) tell() judge.Progress {
	if !app.IsTerminal(m.sh.Err) {
		return func(int, int, string) {}
	}
	return func(done, total int, what string) {
		fmt.Fprintf(m.sh.Err, "\r\x1b[K%d of %d  %s", done, total, what)
		if what == "" {
			fmt.Fprintln(m.sh.Err)
		}
	}
}

const aboutEval = `Measure the embedded translator. Every database becomes a namespace and every
table or CSV file a dataset; links are discovered; each question goes through the translator
and its rows are compared with those of the set's own query, which the
translator never sees. Row order counts when the set's query orders.
A question whose own query does not run is shown and not counted. The queries
are SQLite's for a SQLite file; for CSV files, which are ingested like any
uploaded file, they are those of POST /query.

A line whose sql is null is a question that nothing in the data answers: right
is to decline; its "class" (other topic, missing column, missing value, ambiguous,
deed, reason, prediction) is counted apart, and "missing" is the word that should be
named. "also" lists queries of other fair readings, "kind" is counted apart, and
lines with a "dialogue" are asked in one conversation in the order of their "turn".

With --json there is one line for each miss and a summary as the last line.

With --namespace a server evaluates one of its namespaces instead: it asks the tests
and verified questions of its knowledge, the latter each without its own entry. What
is not good is printed, and what broke since the evaluation before; that anything
broke is a failure.`

func newEval(sh shell) *cobra.Command {
	m := &measured{sh: sh}
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure the embedded translator on a question set",
		Long:  aboutEval,
		Example: `  quern eval --questions dev.jsonl --databases databases --limit 200
  quern eval --namespace harbour`,
		Args: noArgs,
	}
	cmd.AddCommand(newEvalExtract(sh))
	m.add(cmd)
	cmd.Flags().StringSliceVar(&m.weights, "weights", nil, "networks to measure instead of those in this program, files with commas between")
	cmd.Flags().StringSliceVar(&m.without, "without", nil, "leave out mechanisms of the translator, to measure what they are worth: once, doubt, meanings, names, shapes, words, followups")
	verdicts := cmd.Flags().String("verdicts", "", "write how every question went to this file, one JSON object a line")
	candidates := cmd.Flags().String("candidates", "", "write the readings and what speaks for each to this file instead, for training")
	trials := cmd.Flags().String("trials", "", "write the answers and what speaks against each to this file instead, for training")
	namespace := addNamespaceEval(cmd, sh)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if *namespace.to.namespace != "" {
			return namespace.run(cmd.Context(), *inJSON)
		}
		house, questions, done, err := m.open(cmd.Context())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, done()) }()
		for file, export := range map[string]func(context.Context, string, []judge.Question, io.Writer, judge.Progress) error{
			*candidates: house.Candidates, *trials: house.Trials,
		} {
			if file == "" {
				continue
			}
			f, err := os.Create(file)
			if err != nil {
				return err
			}
			return errors.Join(export(cmd.Context(), m.databases, questions, f, m.tell()), f.Close())
		}
		return m.evaluate(cmd.Context(), house, questions, *verdicts, *inJSON)
	}
	return cmd
}

// evaluate puts the questions and prints how they went.
func (m *measured) evaluate(ctx context.Context, house *judge.Product, questions []judge.Question, file string, inJSON bool) (err error) {
	kept := io.Discard
	if file != "" {
		f, failed := os.Create(file)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		kept = f
	}
	var all []judge.Verdict
	var failed error
	summary, err := house.Evaluate(ctx, m.databases, questions, func(v judge.Verdict) {
		printMiss(m.sh.Out, v, inJSON)
		if v.LeftOut {
			return
		}
		all = append(all, v)
		failed = errors.Join(failed, judge.WriteVerdict(kept, v))
	}, m.tell())
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if err := printSummary(m.sh.Out, summary, inJSON); err != nil || inJSON {
		return err
	}
	_, err = fmt.Fprintf(m.sh.Out, "right on the surest 60 %%  %.3f\n", judge.Surest(all, 0.6))
	return err
}

func printMiss(w io.Writer, v judge.Verdict, inJSON bool) {
	if v.Correct {
		return
	}
	if inJSON {
		line, _ := json.Marshal(map[string]string{
			"db": v.Question.DB, "question": v.Question.Question, "gold": v.Question.SQL, "query": v.Query, "reason": v.Reason,
		})
		fmt.Fprintf(w, "%s\n", line)
		return
	}
	fmt.Fprintf(w, "%s: %s\n  gold   %s\n  query  %s\n  %s\n", v.Question.DB, v.Question.Question, v.Question.SQL, v.Query, v.Reason)
}

func printSummary(w io.Writer, s judge.Summary, inJSON bool) error {
	if inJSON {
		return json.NewEncoder(w).Encode(s)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nquestions\t%d\nanswered\t%d\ncorrect\t%d\n", s.Questions, s.Answered, s.Correct)
	fmt.Fprintf(t, "execution accuracy\t%.3f\naccuracy when answered\t%.3f\n", s.ExecutionAccuracy, s.AccuracyWhenAnswered)
	fmt.Fprintf(t, "right, with a note of doubt\t%d\nwrong, with a note of doubt\t%d\nwrong without a word\t%d\n",
		s.RightWithNote, s.WrongWithNote, s.SilentlyWrong)
	fmt.Fprintf(t, "not answered\t%d\nof these with choices\t%d\nwith the right one among them\t%d\n", s.Declined, s.AskedBack, s.OfferedRight)
	fmt.Fprintf(t, "unanswerable\t%d\nof these declined\t%d\n", s.Unanswerable, s.UnanswerableDeclined)
	fmt.Fprintf(t, "with a word that is missing\t%d\nof these declined for it\t%d\n", s.MissingSaid, s.MissingNamed)
	fmt.Fprintf(t, "score, wrong answers taken off\t%.3f\np50\t%.1f ms\np95\t%.1f ms\n", s.Score, s.P50, s.P95)
	if len(s.Kinds) > 0 {
		fmt.Fprintf(t, "\nkind\tquestions\tright\twrong\tsilently\tdeclined\tunanswerable\tdeclined\n")
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		k := s.Kinds[kind]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", kind, k.Questions, k.Correct,
			k.Answered-k.Correct, k.SilentlyWrong, k.Declined, k.Unanswerable, k.UnanswerableDeclined)
	}
	if len(s.Classes) > 0 {
		fmt.Fprintf(t, "\nclass\tunanswerable\tdeclined\tmissing\tnamed\n")
	}
	for _, class := range slices.Sorted(maps.Keys(s.Classes)) {
		c := s.Classes[class]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\n", class, c.Unanswerable, c.UnanswerableDeclined, c.MissingSaid, c.MissingNamed)
	}
	return t.Flush()
}

func newFeatures(sh shell) *cobra.Command {
	m := &measured{sh: sh, weights: []string{}} // no networks: those there are may be of other features
	cmd := &cobra.Command{
		Use:   "features",
		Short: "Write what the embedded translator sees of a question set, for training",
		Long: `Write what the embedded translator sees of a question set, one JSON object a
line: each database, then its questions with their tokens, the matches between
words and names, values and numbers, and the derivation of the right query. The
training code under learned/train reads it, so that training and serving cannot differ.`,
		Example: "  quern features --questions train.jsonl --databases databases --out features.jsonl",
		Args:    noArgs,
	}
	m.add(cmd)
	out := cmd.Flags().String("out", "", "the file to write")
	check := cmd.Flags().Bool("check", false, "run every derivation and count those that give the right rows")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if *out == "" {
			return usageError{"--out is needed"}
		}
		house, questions, done, err := m.open(cmd.Context())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, done()) }()
		f, err := os.Create(*out)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		export, err := house.Features(cmd.Context(), m.databases, questions, judge.FeatureFile{Out: f, Check: *check, Tell: m.tell()})
		if err != nil {
			return err
		}
		if *inJSON {
			return printJSON(sh.Out, export)
		}
		_, err = fmt.Fprintf(sh.Out, "questions  %d\nderived    %d\nfaithful   %d\n", export.Questions, export.Derived, export.Faithful)
		return err
	}
	return cmd
}
