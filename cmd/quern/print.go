package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"quern/app"
)

// addJSON adds to cmd the flag that makes its output one for programs.
func addJSON(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, "print JSON, for programs")
}

func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// printLines prints what somebody else wrote, line by line, without what could
// move the cursor.
func printLines(w io.Writer, text string) error {
	for line := range strings.Lines(text) {
		if _, err := fmt.Fprintln(w, printable(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

// printable is a text without what could move the cursor, or change the order in which
// letters are shown.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, text)
}

// moment writes a time for a table.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// timeOrNil is a time for JSON, null when there is none.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// cleaned is w; on a terminal, what is written there arrives without what could move the
// cursor, but for the ends of lines.
func cleaned(w io.Writer) io.Writer {
	if !app.IsTerminal(w) {
		return w
	}
	return cleaner{w}
}

type cleaner struct{ to io.Writer }

func (c cleaner) Write(p []byte) (int, error) {
	lines := strings.Split(string(p), "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	if _, err := io.WriteString(c.to, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(p), nil
}
