package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/client"
)

// shownRows is how many rows of a step a terminal is shown.
const shownRows = 20

func newAsk(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ask [QUESTION]",
		Short: "Ask a question on a server, or begin a conversation",
		Long: `Ask a question about the datasets of a namespace, in plain English. The plan and
each query are printed as they come, then the rows and the answer. A question
that can be read in several ways is answered with the readings to choose from:
ask again with the number or the words of one, in the same conversation.

Without a question a conversation begins at the terminal: each line is a question,
and \help lists what else there is. Where standard input is no terminal, each of
its lines is asked, one after the other.`,
		Example: `  export QUERN_TOKEN=$(quern token create --user ada)
  quern ask -n harbour "Which ship is the longest?"
  quern ask -n harbour --conversation ID "and in 2024?"`,
	}
	server := addServer(cmd, sh)
	namespace := cmd.Flags().StringP("namespace", "n", "", "the namespace to ask about, as NAME or OWNER/NAME")
	conversation := cmd.Flags().String("conversation", "", "the conversation that the question follows up on")
	model := cmd.Flags().String("model", "", "the model that answers (default: the server's choice)")
	provider := cmd.Flags().String("provider", "", "the provider of the model")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		question := strings.TrimSpace(strings.Join(args, " "))
		if *namespace == "" {
			return usageError{"--namespace is missing"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		q := client.Question{Namespace: *namespace, Text: question, Conversation: *conversation, Model: *model, Provider: *provider}
		if owner, name, found := strings.Cut(*namespace, "/"); found {
			q.Owner, q.Namespace = owner, name
		}
		switch {
		case question == "" && *inJSON:
			return usageError{"the question is missing: --json is for one"}
		case question == "":
			return converse(cmd.Context(), sh, c, q)
		}
		if *inJSON {
			answer, err := c.Ask(cmd.Context(), q, nil)
			if err != nil {
				return err
			}
			return printJSON(sh.Out, answer)
		}
		answer, err := c.Ask(cmd.Context(), q, func(e client.Event) error { return printEvent(sh.Out, question, e) })
		if err != nil {
			return errors.Join(printUntold(sh.Out, answer), err)
		}
		return printEnd(sh, answer)
	}
	return cmd
}

// printEvent prints what people want to see of a run while it goes on.
func printEvent(w io.Writer, question string, e client.Event) error {
	switch e.Type {
	case "plan":
		var plan client.Plan
		if err := json.Unmarshal(e.Data, &plan); err != nil {
			return err
		}
		return printPlan(w, question, plan)
	case "step":
		var step client.Step
		if err := json.Unmarshal(e.Data, &step); err != nil {
			return err
		}
		return printStep(w, step)
	}
	return nil
}

// printPlan prints a plan that is more than the question itself.
func printPlan(w io.Writer, question string, plan client.Plan) error {
	onlyQuestion := len(plan.Steps) == 1 && plan.Steps[0] == question
	if len(plan.Steps) == 0 || onlyQuestion {
		return nil
	}
	_, err := fmt.Fprintln(w, "Plan: "+printable(plan.Reasoning))
	for i, step := range plan.Steps {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %d. %s\n", i+1, printable(step))
		}
	}
	if err == nil {
		_, err = fmt.Fprintln(w)
	}
	return err
}

// printStep prints how the words of a step were taken, and its query.
func printStep(w io.Writer, step client.Step) error {
	if err := printWords(w, step.Instruction, step.Words, app.IsTerminal(w)); err != nil {
		return err
	}
	if step.Query == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s\n  %s\n\n", printable(step.Reasoning), printable(step.Query))
	return err
}

// printRows prints the rows of a step's query.
func printRows(w io.Writer, step client.Step) error {
	if step.Query == "" {
		return nil
	}
	rows, err := step.Rows()
	if err != nil || len(rows.Rows) == 0 {
		return err
	}
	table := [][]string{rows.Columns}
	for _, row := range rows.Rows[:min(len(rows.Rows), shownRows)] {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = withoutNoise(cell(value))
		}
		table = append(table, cells)
	}
	if err := printTable(w, table); err != nil {
		return err
	}
	if more := rows.Total - int64(len(table)-1); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	_, err = fmt.Fprintln(w)
	return err
}

// withoutNoise returns a number without the digits that adding up floating-point
// numbers makes: 131424.58000000002 is 131424.58. Everything else stays.
func withoutNoise(text string) string {
	const exact, most = 14, 16 // digits that are kept, and those from which on there may be noise
	whole, fraction, ok := strings.Cut(text, ".")
	value, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil || len(whole)+len(fraction) < most || strings.ContainsAny(text, "eE") {
		return text
	}
	if short := strconv.FormatFloat(value, 'g', exact, 64); !strings.Contains(short, "e") {
		return short
	}
	return text
}

// printEnd prints the answer, and how to go on.
func printEnd(sh shell, a client.Answer) error {
	if err := printAnswer(sh, a); err != nil {
		return err
	}
	_, err := fmt.Fprintln(sh.Err, "conversation "+printable(a.ConversationID))
	return err
}

// printAnswer prints the rows, the answer, and what to know of how it was made.
func printAnswer(sh shell, a client.Answer) error {
	if err := errors.Join(printUntold(sh.Out, a), printResponse(sh.Out, a.Response)); err != nil {
		return err
	}
	for _, note := range a.Notes {
		fmt.Fprintln(sh.Err, "note: "+printable(note))
	}
	return nil
}
