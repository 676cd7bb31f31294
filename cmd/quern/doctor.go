package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/doctor"
)

func newDoctor(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check a data directory or deployment, and mend what is safe",
		Long: `Check a data directory or deployment: versions, the metadata, clocks, permissions,
free space, whether all objects that the metadata name are there, and whether there are
objects that nobody names. It looks beside running servers and changes nothing.

--checksums also reads every object and compares it with what backups found in it.

--fix mends what cannot cost anybody anything, where no server runs: modes of files, and
objects that nobody names, which a server sweeps after object_grace. Lost and damaged
data come from a backup.

The exit code is 0 when nothing is wrong or all of it was mended, 4 when problems were
found, 1 when it could not look.`,
		Example: "  quern doctor --data /var/lib/quern\n  quern doctor --checksums --json",
		Args:    noArgs,
	}
	addSettings(cmd, "config", "data", "database_url", "s3_endpoint", "s3_bucket", "s3_region", "s3_access_key_id", "s3_secret_access_key", "object_grace")
	checksums := cmd.Flags().Bool("checksums", false, "read every object")
	fix := cmd.Flags().Bool("fix", false, "mend what is safe to mend; no server may run")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := loadSettings(cmd, sh)
		if err != nil {
			return err
		}
		terminal := app.IsTerminal(sh.Err)
		found, err := app.Examine(cmd.Context(), cfg, app.Checkup{Checksums: *checksums, Fix: *fix, Progress: func(check string) {
			if terminal {
				fmt.Fprintf(sh.Err, "\r\x1b[Kchecking %s", check)
			}
		}})
		if terminal {
			fmt.Fprint(sh.Err, "\r\x1b[K")
		}
		if len(found) > 0 || err == nil {
			if err := printFindings(sh, found, *inJSON); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		return verdict(found)
	}
	return cmd
}

func printFindings(sh shell, found []doctor.Finding, inJSON bool) error {
	if inJSON {
		return printJSON(sh.Out, found)
	}
	for _, f := range found {
		level := string(f.Level)
		if f.Fixed {
			level = "mended"
		}
		fmt.Fprintf(sh.Out, "%-8s %-12s %s\n", level, f.Check, f.Text)
		if f.Level != doctor.Problem {
			continue
		}
		for _, key := range f.Keys {
			fmt.Fprintf(sh.Out, "%22s%s\n", "", key)
		}
		if more := f.Count - len(f.Keys); more > 0 {
			fmt.Fprintf(sh.Out, "%22s… and %d more\n", "", more)
		}
	}
	return nil
}

// verdict is the error of problems that were found and not mended.
func verdict(found []doctor.Finding) error {
	problems, fixable := doctor.Problems(found), 0
	for _, f := range found {
		if f.Level == doctor.Problem && f.Fixable && !f.Fixed {
			fixable++
		}
	}
	if problems == 0 {
		return nil
	}
	text := fmt.Sprintf("problems found: %d", problems)
	if fixable > 0 {
		text += fmt.Sprintf("; --fix would mend %d of them", fixable)
	}
	return codedError{fmt.Errorf("%s", text), exitFound}
}
