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

func newTop(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Show the running work of a server, again and again",
		Long: `Show the runs and ingestions of all users that have not ended, oldest first, as a user
with the role admin. On a terminal the list is shown anew until Ctrl-C; otherwise it is
printed once.`,
		Args: noArgs,
	}
	server := addServer(cmd, sh)
	every := cmd.Flags().Duration("every", 2*time.Second, "how often the list is shown anew")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *every < 100*time.Millisecond {
			return usageError{"--every is less than 100ms"}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		if *inJSON {
			work, err := c.RunningWork(cmd.Context())
			if err != nil {
				return err
			}
			return printJSON(sh.Out, work)
		}
		again := app.IsTerminal(sh.Out)
		for {
			if err := showTop(cmd.Context(), sh, c, again); err != nil || !again {
				return err
			}
			select {
			case <-cmd.Context().Done():
				return nil
			case <-time.After(*every):
			}
		}
	}
	return cmd
}

// showTop prints the running work, in the place of what a terminal showed before when anew.
func showTop(ctx context.Context, sh shell, c *client.Client, anew bool) error {
	work, err := c.RunningWork(ctx)
	if err != nil {
		return err
	}
	count := map[string]int{}
	for _, w := range work {
		count[w.Kind+" "+w.State]++
	}
	var heading []string
	for _, what := range []string{"run working", "run waiting", "ingestion working", "ingestion waiting"} {
		kind, state, _ := strings.Cut(what, " ")
		heading = append(heading, fmt.Sprintf("%ss %s %d", kind, state, count[what]))
	}
	if anew {
		fmt.Fprint(sh.Out, "\x1b[H\x1b[2J")
	}
	now := time.Now()
	if _, err := fmt.Fprintf(sh.Out, "%s  %s\n\n", now.Format(time.TimeOnly), strings.Join(heading, ", ")); err != nil {
		return err
	}
	return printTable(sh.Out, workTable(work, now))
}
