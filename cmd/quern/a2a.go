package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quern/client"
)

func newA2A(sh shell) *cobra.Command {
	return newGroup("a2a", "Talk to the agents of a server, over the Agent2Agent protocol", newA2AAgents(sh), newA2AAsk(sh))
}

func newA2AAgents(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "agents", Short: "List the agents of a server", Args: noArgs}
	server := addServer(cmd, sh)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		agents, err := c.Agents(cmd.Context())
		if err != nil {
			return err
		}
		if *inJSON {
			return printJSON(sh.Out, agents)
		}
		rows := [][]string{{"AGENT", "TAGS", "ADDRESS", "WHAT IT DOES"}}
		for _, a := range agents {
			rows = append(rows, []string{a.Name, strings.Join(a.Tags, " "), a.URL, a.Description})
		}
		return printTable(sh.Out, rows)
	}
	return cmd
}

func newA2AAsk(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ask AGENT QUESTION",
		Short: "Ask an agent and print what it tells",
		Long: `Ask an agent of a server about a namespace, and print what it tells: the plan,
the queries and their rows, the answer. With --json every event is a line, as the
server sent it.

An agent that is not sure asks back; answer with --task and the task's id.`,
		Example: `  export QUERN_TOKEN=$(quern token create --user ada)
  quern a2a ask assistant -n harbour "Which ship has the most arrivals?"`,
	}
	server := addServer(cmd, sh)
	var m client.Message
	cmd.Flags().StringVarP(&m.Namespace, "namespace", "n", "", "the namespace to ask about, as NAME or OWNER/NAME")
	cmd.Flags().StringVar(&m.Context, "context", "", "the id of the conversation to go on with")
	cmd.Flags().StringVar(&m.Task, "task", "", "the id of the task to go on with, one that asked back")
	cmd.Flags().StringVar(&m.Model, "model", "", "the model to answer with, one of the server's")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return usageError{"an agent's name and one question are needed, the question in quotes"}
		}
		if m.Namespace == "" && m.Task == "" {
			return usageError{"--namespace is missing"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		m.Text = args[1]
		var latest client.TaskUpdate
		for u, err := range c.Send(cmd.Context(), args[0], m) {
			if err != nil {
				return err
			}
			if err := printUpdate(sh, u, *inJSON); err != nil {
				return err
			}
			latest = u
		}
		return outcome(latest)
	}
	return cmd
}

// outcome is nil for a task that was completed.
func outcome(u client.TaskUpdate) error {
	said := words(u.Says)
	switch u.State {
	case "TASK_STATE_COMPLETED":
		return nil
	case "TASK_STATE_INPUT_REQUIRED":
		return fmt.Errorf("the agent asks back; answer with --task %s", u.Task)
	}
	if said == "" {
		said = "the task is " + strings.ToLower(strings.TrimPrefix(u.State, "TASK_STATE_"))
	}
	return fmt.Errorf("%s", said)
}

func words(parts []client.Piece) string {
	var all []string
	for _, p := range parts {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

// printUpdate prints what an agent tells: what it makes for whoever reads the
// output, how it goes beside it.
func printUpdate(sh shell, u client.TaskUpdate, inJSON bool) error {
	if inJSON {
		_, err := fmt.Fprintln(sh.Out, string(u.JSON))
		return err
	}
	for _, a := range u.Made {
		if err := printArtifact(sh, a); err != nil {
			return err
		}
	}
	said := words(u.Says)
	switch {
	case said == "":
		return nil
	case u.State == "TASK_STATE_INPUT_REQUIRED":
		return printLines(sh.Out, said)
	case u.Ended():
		return nil // it becomes the reason of the exit code
	}
	return printLines(sh.Err, said)
}

// printArtifact prints what an agent made: the rows of a query beside it, the
// answer in words.
func printArtifact(sh shell, a client.Artifact) error {
	for _, p := range a.Parts {
		var step client.Step
		var rows struct{ Rows []json.RawMessage }
		if len(p.Data) > 0 && json.Unmarshal(p.Data, &rows) == nil && json.Unmarshal(p.Data, &step) == nil {
			step.Data = rows.Rows
			result, err := step.Rows()
			if err != nil {
				return err
			}
			if err := printResult(sh, result, false); err != nil {
				return err
			}
		}
		out := sh.Out
		if a.Name != "answer" {
			out = sh.Err
		}
		if err := printLines(out, p.Text); err != nil {
			return err
		}
	}
	return nil
}
