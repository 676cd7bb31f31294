package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/client"
)

// pollEvaluation is how often a server is asked how far an evaluation is.
const pollEvaluation = 500 * time.Millisecond

// namespaceEval is 'quern eval' for a namespace of a server.
type namespaceEval struct {
	sh      shell
	to      taughtFlags
	history *bool
}

func addNamespaceEval(cmd *cobra.Command, sh shell) *namespaceEval {
	return &namespaceEval{sh, addTaught(cmd, sh), cmd.Flags().Bool("history", false, "with --namespace: list the evaluations there were, instead of another")}
}

// run has a server evaluate the namespace and prints how it went. It fails when a
// question that was good before is not any more.
func (n *namespaceEval) run(ctx context.Context, inJSON bool) error {
	c, owner, namespace, err := n.to.open()
	if err != nil {
		return err
	}
	if *n.history {
		return n.printHistory(ctx, c, owner, namespace, inJSON)
	}
	id, err := c.Evaluate(ctx, owner, namespace)
	if err != nil {
		return err
	}
	report, err := n.await(ctx, func() (client.EvaluationReport, error) { return c.Evaluation(ctx, owner, namespace, id) })
	if err != nil {
		return err
	}
	if inJSON {
		err = printJSON(n.sh.Out, report)
	} else {
		n.print(report)
	}
	switch {
	case err != nil:
		return err
	case report.Evaluation.Status != "completed":
		return fmt.Errorf("the evaluation is %s: %s", report.Evaluation.Status, printable(report.Evaluation.Message))
	case report.Since != nil && len(report.Since.Broke) > 0:
		return fmt.Errorf("%d questions that were good are not any more", len(report.Since.Broke))
	}
	return nil
}

// await reads an evaluation until it has ended.
func (n *namespaceEval) await(ctx context.Context, read func() (client.EvaluationReport, error)) (client.EvaluationReport, error) {
	for {
		r, err := read()
		if err != nil || !r.Evaluation.EndedAt.IsZero() {
			return r, err
		}
		if app.IsTerminal(n.sh.Err) {
			fmt.Fprintf(n.sh.Err, "\r\x1b[K%d of %d", r.Evaluation.Done, r.Evaluation.Total)
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(pollEvaluation):
		}
	}
}

// print tells people how an evaluation went: what is not good, what broke and what
// was mended.
func (n *namespaceEval) print(r client.EvaluationReport) {
	out := n.sh.Out
	for _, q := range r.Questions {
		if q.Mark != "good" {
			fmt.Fprintf(out, "%-6s  %s\n        %s\n", q.Mark, printable(q.Question), printable(q.Reason))
		}
	}
	if s := r.Since; s != nil {
		for _, q := range s.Broke {
			fmt.Fprintf(out, "broke   %s\n", printable(q.Question))
		}
		for _, q := range s.Mended {
			fmt.Fprintf(out, "mended  %s\n", printable(q.Question))
		}
		if len(s.Changed) > 0 {
			fmt.Fprintf(out, "changed since the evaluation before: %s\n", strings.Join(s.Changed, ", "))
		}
	}
	e := r.Evaluation
	fmt.Fprintf(out, "%d questions: %d good, %d bad, %d for review\n", e.Done, e.Good, e.Bad, e.Review)
	if e.Message != "" {
		fmt.Fprintln(out, printable(e.Message))
	}
}

func (n *namespaceEval) printHistory(ctx context.Context, c *client.Client, owner, namespace string, inJSON bool) error {
	all, err := c.Evaluations(ctx, owner, namespace)
	if err != nil {
		return err
	}
	if inJSON {
		return printJSON(n.sh.Out, all)
	}
	rows := [][]string{{"WHEN", "BY", "STATUS", "GOOD", "BAD", "REVIEW", "RIGHT", "KNOWLEDGE", "RELEASE", "MODEL"}}
	for _, e := range all {
		right := "-"
		if e.Done > 0 {
			right = fmt.Sprintf("%.0f %%", 100*float64(e.Good)/float64(e.Done))
		}
		rows = append(rows, []string{e.CreatedAt.Local().Format(time.DateTime), printable(e.By), e.Status, fmt.Sprint(e.Good), fmt.Sprint(e.Bad),
			fmt.Sprint(e.Review), right, fmt.Sprint(e.Knowledge), printable(e.Release), printable(e.Model)})
	}
	return printTable(n.sh.Out, rows)
}
