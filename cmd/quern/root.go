package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"quern"
	"quern/app"
	"quern/client"
	"quern/config"
)

// shell is what a command sees of the process.
type shell struct {
	Args     []string
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
}

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitFound  = 4 // the doctor found problems
)

// run executes one command line and returns its exit code.
func run(ctx context.Context, sh shell) int {
	root := newRoot(sh)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	_ = printLines(sh.Err, "quern: "+explain(err)) // there is nowhere else to say it
	if _, wrong := errors.AsType[usageError](err); wrong {
		fmt.Fprintf(sh.Err, "\nRun '%s --help' for how to use it.\n", command.CommandPath())
		return exitUsage
	}
	if _, wrong := errors.AsType[*config.Problems](err); wrong {
		return exitUsage
	}
	if client.IsStatus(err, http.StatusUnauthorized) {
		fmt.Fprintln(sh.Err, "'quern login' signs in; a token in QUERN_TOKEN comes before that.")
	}
	if coded, ok := errors.AsType[codedError](err); ok {
		return coded.code
	}
	return exitFailed
}

func newRoot(sh shell) *cobra.Command {
	root := &cobra.Command{
		Use:   "quern",
		Short: "Grinds files into datasets that people and agents can question.",
		Long: `Quern keeps datasets, shares them, and answers questions about them.

Start a server with 'quern serve', add a user with 'quern user add', and make a
token for a program with 'quern token create'. These work beside a running server
and find its data by --data or QUERN_DATA. The commands that upload, query, ask and
teach call a server: they find it by --server or QUERN_SERVER, and act with the
token in QUERN_TOKEN, or with what 'quern login' got.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          showHelp,
	}
	root.Version = app.Version
	root.SetVersionTemplate(versionLine())
	root.SetArgs(sh.Args)
	root.SetIn(sh.In)
	root.SetOut(sh.Out)
	root.SetErr(sh.Err)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 100 "))
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err.Error()} })
	root.AddCommand(newServe(sh), newUser(sh), newToken(sh), newAdmin(sh), newAudit(sh), newTop(sh), newLogin(sh), newLogout(sh), newWhoami(sh), newUpload(sh), newDatasets(sh), newDescribe(sh), newExport(sh), newDelete(sh),
		newShare(sh), newIngestions(sh), newQuery(sh), newAsk(sh), newConversations(sh), newKnowledge(sh), newA2A(sh), newMCP(sh),
		newEval(sh), newFeatures(sh), newBackup(sh), newDoctor(sh), newReady(sh), newConfig(sh), newVersion(), newLicences(sh))
	return root
}

// newGroup is a command that only holds others.
func newGroup(use, short string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: use, Short: short, Args: noArgs, RunE: showHelp}
	group.AddCommand(commands...)
	return group
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// usageError says that the command line makes no sense.
type usageError struct{ reason string }

func (e usageError) Error() string { return e.reason }

func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return usageError{fmt.Sprintf("there is no command %q%s", args[0], suggestion(cmd, args[0]))}
	}
	return usageError{fmt.Sprintf("%q is one word too many", args[0])}
}

// suggestion says which commands somebody may have meant, nothing where none is near.
func suggestion(cmd *cobra.Command, typed string) string {
	const mostTypos = 2
	cmd.SuggestionsMinimumDistance = mostTypos
	near := cmd.SuggestionsFor(typed)
	if len(near) == 0 {
		return ""
	}
	for i, name := range near {
		near[i] = "'" + cmd.CommandPath() + " " + name + "'"
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// oneArg wants one argument and says what it is.
func oneArg(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usageError{what + " is missing"}
		case len(args) > 1:
			return usageError{fmt.Sprintf("%q is one word too many", args[1])}
		}
		return nil
	}
}

// explain writes an error for people: what the caller may read of our own
// errors with its parts, and the text of others.
func explain(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	e, ours := errors.AsType[*quern.Error](err)
	if !ours {
		return explainNetwork(err)
	}
	text := e.Detail
	if len(e.Sub) == 1 && strings.HasPrefix(e.Sub[0].Message, e.Detail) {
		return e.Sub[0].Message
	}
	for _, sub := range e.Sub {
		if strings.Replace(sub.Message, ": ", " ", 1) != e.Detail { // which says it already
			text += "\n  " + sub.Message
		}
	}
	if e.Kind == quern.Internal || e.Kind == quern.Unavailable {
		text = err.Error() // the operator is the one who can do something about it
	}
	return text
}
