package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern/client"
)

func newConversations(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "conversations",
		Short: "List your conversations, latest first",
		Long: `List your conversations, latest change first. 'quern ask --conversation ID' goes on
with one.`,
		Example: "  quern conversations -n harbour\n  quern conversations show ID",
		Args:    noArgs,
	}
	server := addServer(cmd, sh)
	namespace := cmd.Flags().StringP("namespace", "n", "", "only those about a namespace, as NAME or OWNER/NAME")
	limit := cmd.Flags().Int("limit", 25, "the most to list")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit < 1 {
			return usageError{"--limit is less than 1"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		owner, name := splitNamespace(*namespace)
		all, err := c.Conversations(cmd.Context(), owner, name, *limit)
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, all)
		}
		rows := [][]string{{"ID", "NAMESPACE", "TITLE", "LAST QUESTION"}}
		for _, e := range all {
			rows = append(rows, []string{e.ID, e.Owner + "/" + e.Namespace, e.Title, moment(time.UnixMilli(e.UpdatedAt))})
		}
		return printTable(sh.Out, rows)
	}
	cmd.AddCommand(newConversationShow(sh), newConversationRename(sh), newConversationDelete(sh))
	return cmd
}

func newConversationShow(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print a conversation: its questions, their queries and the answers",
		Args:  oneArg("the conversation's id"),
	}
	server := addServer(cmd, sh)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		told, err := c.Conversation(cmd.Context(), args[0])
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, told)
		}
		fmt.Fprintf(sh.Out, "%s\nabout %s/%s\n", printable(told.Title), printable(told.Owner), printable(told.Namespace))
		for _, turn := range told.Turns {
			if err := printTurn(sh, turn); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// printTurn prints a question, its queries and its answer.
func printTurn(sh shell, turn client.Turn) error {
	if _, err := fmt.Fprintf(sh.Out, "\n%s  %s\n", moment(turn.CreatedAt), printable(turn.Question)); err != nil {
		return err
	}
	if turn.Result == nil {
		why := turn.Status
		if turn.Message != "" {
			why += ": " + turn.Message
		}
		return printLines(sh.Out, "  ("+why+")")
	}
	for _, step := range turn.Result.Steps {
		if step.Query == "" {
			continue
		}
		if err := printLines(sh.Out, "  "+step.Query); err != nil {
			return err
		}
	}
	return printLines(sh.Out, strings.TrimRight(turn.Result.Response, "\n"))
}

func newConversationRename(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rename ID TITLE",
		Short: "Give a conversation another title",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{"the conversation's id and one title are needed, the title in quotes"}
			}
			return nil
		},
	}
	server := addServer(cmd, sh)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		e, err := c.RenameConversation(cmd.Context(), args[0], args[1])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(sh.Err, "conversation %s is called %s\n", printable(e.ID), printable(e.Title))
		return err
	}
	return cmd
}

func newConversationDelete(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a conversation with its questions and answers, for good",
		Args:  oneArg("the conversation's id"),
	}
	server := addServer(cmd, sh)
	yes := addYes(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		if err := confirm(sh, *yes, "Delete the conversation "+args[0]+" with its answers?"); err != nil {
			return err
		}
		if err := c.DeleteConversation(cmd.Context(), args[0]); err != nil {
			return err
		}
		_, err = fmt.Fprintf(sh.Err, "conversation %s deleted\n", printable(args[0]))
		return err
	}
	return cmd
}
