package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"quern"
	"quern/learned"
	"quern/place"
)

// newLicences prints what must go with every copy, so that whoever has only the
// binary has it too.
func newLicences(sh shell) *cobra.Command {
	return &cobra.Command{
		Use:   "licences",
		Short: "Print the licences of Quern and of everything that the binary contains",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			texts := []string{quern.Notice, quern.Licence, learned.Licence, place.Licence, quern.ThirdPartyNotices}
			_, err := io.WriteString(sh.Out, strings.Join(texts, "\n"+strings.Repeat("=", 80)+"\n\n"))
			return err
		},
	}
}
