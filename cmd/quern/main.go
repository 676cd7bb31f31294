// Command quern is the server and the command line of Quern.
//
// It owns turning words on a command line into calls, and their results into
// text, JSON and an exit code: 0 done, 1 failed, 2 used wrongly, 3 cut off and
// to be resumed, 4 problems found. It never holds rules of the domain; a command is a few lines
// around one call. The failure it is built around is the script that goes on
// after a mistake: whatever was not done ends with a code other than 0 and one
// readable line on standard error.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // machines and images without time zones have them nevertheless

	"quern/app"
	"quern/sandbox"
)

func main() {
	sandbox.Main(app.Works())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks for a graceful stop, the second one ends the process.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, shell{Args: os.Args[1:], In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ()}))
}
