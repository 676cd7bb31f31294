package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// errKept says that somebody thought better of it.
var errKept = errors.New("nothing was deleted")

// addYes adds to cmd the flag that answers its question beforehand.
func addYes(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("yes", false, "delete without asking")
}

// confirm asks whether something is to be deleted. Without a terminal nobody can be
// asked, so that --yes has to say it.
func confirm(sh shell, yes bool, question string) error {
	if yes {
		return nil
	}
	if !readsTerminal(sh) {
		return usageError{"there is no terminal to ask at: say --yes to delete for good"}
	}
	fmt.Fprintf(sh.Err, "%s It cannot be undone. [y/N] ", printable(question))
	line, err := bufio.NewReader(sh.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return errKept
}

// readsTerminal reports whether what is typed at a terminal is read.
func readsTerminal(sh shell) bool {
	file, ok := sh.In.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
