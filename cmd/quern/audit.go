package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"quern"
)

func newAudit(sh shell) *cobra.Command {
	return newGroup("audit", "Export the audit trail of a server, and verify it", newAuditExport(sh), newAuditVerify(sh))
}

func newAuditExport(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print the audit trail: one JSON object a line",
		Long: `Print the audit trail of a server, as a user with the role admin: entries, and behind
each stretch of them its seal. --from goes on with a stretch, so that an archive can
be added to. 'quern audit verify' reads what this prints.`,
		Example: "  quern audit export > audit.ndjson\n  quern audit export --from 120 >> audit.ndjson",
		Args:    noArgs,
	}
	server := addServer(cmd, sh)
	from := cmd.Flags().Int64("from", 1, "the stretch to begin with")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		return c.Audit(cmd.Context(), *from, cleaned(sh.Out))
	}
	return cmd
}

func newAuditVerify(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Check that no entry of the audit trail was changed, added or taken away",
		Long: `Check the audit trail of a server, or one that was exported to a file (- is standard
input): every stretch has the entries and the digest that it was sealed with, and goes on
from the one before. --expect names a digest that was noted earlier, in the server's log
for one, which must be among them: it tells whether the whole trail was written anew.`,
		Example: "  quern audit verify\n  quern audit verify audit.ndjson --expect 5d0c…",
		Args:    cobra.MaximumNArgs(1),
	}
	server := addServer(cmd, sh)
	expect := cmd.Flags().String("expect", "", "a digest that a stretch must have")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		trail, end, err := openTrail(cmd, sh, server, args)
		if err != nil {
			return err
		}
		v, err := verifyTrail(trail, *expect)
		if err := errors.Join(err, end()); err != nil {
			return err
		}
		_, err = fmt.Fprintf(sh.Out, "%d entries in %d stretches are as they were sealed; %d stretches were cut, %d entries are not sealed yet\nlast digest %s\n",
			v.Entries, v.Stretches, v.Cut, v.Open, v.Last)
		return err
	}
	return cmd
}

// openTrail returns the trail of a file or a server, and what ends the reading of it.
func openTrail(cmd *cobra.Command, sh shell, server serverFlags, args []string) (io.Reader, func() error, error) {
	nothing := func() error { return nil }
	switch {
	case len(args) == 1 && args[0] == "-":
		return sh.In, nothing, nil
	case len(args) == 1:
		file, err := os.Open(args[0])
		return file, file.Close, err
	}
	c, err := server.connect()
	if err != nil {
		return nil, nothing, err
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(c.Audit(cmd.Context(), 1, out)) }()
	return in, in.Close, nil
}

// maxAuditLine bounds a line of an audit trail.
const maxAuditLine = 1 << 20

func verifyTrail(trail io.Reader, expect string) (v quern.AuditVerifier, err error) {
	lines := bufio.NewScanner(trail)
	lines.Buffer(nil, maxAuditLine)
	expected := expect == ""
	for n := 1; lines.Scan(); n++ {
		var line quern.AuditLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return v, fmt.Errorf("line %d is no line of an audit trail: %w", n, err)
		}
		if err := v.Line(line); err != nil {
			return v, fmt.Errorf("the audit trail was changed, line %d: %w", n, err)
		}
		expected = expected || line.Seal != nil && line.Seal.Digest == expect
	}
	if err := lines.Err(); err != nil {
		return v, err
	}
	if !expected {
		return v, fmt.Errorf("the audit trail was changed: no stretch has the digest %s", expect)
	}
	v.End()
	return v, nil
}
