package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"quern/app"
)

func newVersion() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: noArgs}
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		platform := runtime.GOOS + "/" + runtime.GOARCH
		if *inJSON {
			return printJSON(cmd.OutOrStdout(), map[string]string{"version": app.Version, "go": runtime.Version(), "platform": platform})
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "quern %s (%s, %s)\n", app.Version, runtime.Version(), platform)
		return err
	}
	return cmd
}
