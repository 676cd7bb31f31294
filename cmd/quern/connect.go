package main

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"quern/client"
)

// serverFlags say which server a command talks to, and as whom.
type serverFlags struct {
	sh            shell
	server, token *string
	patience      *time.Duration
}

// addServer adds to cmd the flags by which it finds a server.
func addServer(cmd *cobra.Command, sh shell) serverFlags {
	return serverFlags{
		sh:       sh,
		server:   cmd.Flags().String("server", "", "the server's address (QUERN_SERVER) (default http://127.0.0.1:8080)"),
		token:    cmd.Flags().String("token", "", "the token to act with (QUERN_TOKEN)"),
		patience: cmd.Flags().Duration("patience", 2*time.Minute, "how long to try again before giving up"),
	}
}

// address is the server's address.
func (f serverFlags) address() string {
	return given(*f.server, f.sh.variable("QUERN_SERVER"), "http://127.0.0.1:8080")
}

// secret is the token to act with.
func (f serverFlags) secret() (string, error) {
	secret := given(*f.token, f.sh.variable("QUERN_TOKEN"))
	if secret == "" {
		return "", usageError{"there is no token: set QUERN_TOKEN"}
	}
	return secret, nil
}

// connect makes the client that the flags and variables describe.
func (f serverFlags) connect() (*client.Client, error) {
	secret, err := f.secret()
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Options{Server: f.address(), Token: secret, Patience: *f.patience, Retrying: f.reportRetry()})
	if err != nil {
		return nil, usageError{err.Error()}
	}
	return c, nil
}

// reportRetry returns what tells people, once, that a server does not answer and
// that the command goes on trying.
func (f serverFlags) reportRetry() func(error) {
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			why := printable(err.Error())
			if failed, ok := errors.AsType[*url.Error](err); ok {
				why = printable(failed.Err.Error())
			}
			fmt.Fprintf(f.sh.Err, "%s does not answer (%s); trying again for up to %s, Ctrl-C ends that.\n", f.address(), why, *f.patience)
		})
	}
}
