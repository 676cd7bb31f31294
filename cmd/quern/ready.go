package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

func newReady(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ready [SERVER]",
		Short: "Ask a server whether it is ready",
		Long: `Ask a server whether it is ready, and say nothing when it is: for health checks of
containers, and for scripts that wait for a server. It needs no token.`,
		Example: "  quern ready http://127.0.0.1:8080\n  until quern ready; do sleep 1; done",
		Args:    mayNameServer,
	}
	wait := cmd.Flags().Duration("wait", 5*time.Second, "how long the server may take to answer")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		server := chosenServer(sh, args)
		ctx, cancel := context.WithTimeout(cmd.Context(), *wait)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/readyz", http.NoBody)
		if err != nil {
			return usageError{err.Error()}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			const most = 2 << 10
			why, _ := io.ReadAll(io.LimitReader(resp.Body, most))
			return fmt.Errorf("%s is not ready (HTTP %d): %s", printable(server), resp.StatusCode, printable(string(why)))
		}
		return nil
	}
	return cmd
}
