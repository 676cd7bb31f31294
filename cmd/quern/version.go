package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"quern/app"
)

func newVersion() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: noArgs}
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *inJSON {
			return printJSON(cmd.OutOrStdout(), map[string]string{"version": app.Version, "go": runtime.Version(), "platform": platform()})
		}
		_, err := io.WriteString(cmd.OutOrStdout(), versionLine())
		return err
	}
	return cmd
}

// versionLine is what 'quern version' and 'quern --version' print.
func versionLine() string {
	return fmt.Sprintf("quern %s (%s, %s)\n", app.Version, runtime.Version(), platform())
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }
