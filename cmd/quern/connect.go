package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"quern/client"
	"quern/client/signin"
)

// defaultServer is where a server is looked for when nobody says where.
const defaultServer = "http://127.0.0.1:8080"

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
		server:   cmd.Flags().String("server", "", "the server's address (QUERN_SERVER) (default where you signed in last, or "+defaultServer+")"),
		token:    cmd.Flags().String("token", "", "the token to act with (QUERN_TOKEN) (default what 'quern login' got)"),
		patience: cmd.Flags().Duration("patience", 2*time.Minute, "how long to try again before giving up"),
	}
}

// address is the server's address.
func (f serverFlags) address() string {
	if named := given(*f.server, f.sh.variable("QUERN_SERVER")); named != "" {
		return named
	}
	if logins, err := loginFile(f.sh); err == nil {
		if _, current, err := logins.Logins(); err == nil && current != "" {
			return current
		}
	}
	return defaultServer
}

// tokens gives the token to act with: the one that was named, or what signing in at the
// server got, renewed as it is used.
func (f serverFlags) tokens() (func(context.Context) (string, error), error) {
	if secret := given(*f.token, f.sh.variable("QUERN_TOKEN")); secret != "" {
		return func(context.Context) (string, error) { return secret, nil }, nil
	}
	in, err := f.login()
	if err != nil {
		return nil, err
	}
	return in.Token, nil
}

// login is the sign-in at the server.
func (f serverFlags) login() (*signin.Source, error) {
	none := usageError{"there is no token: sign in with 'quern login', or set QUERN_TOKEN"}
	logins, err := loginFile(f.sh)
	if err != nil {
		return nil, none
	}
	server, err := signin.Normalize(f.address())
	if err != nil {
		return nil, usageError{err.Error()}
	}
	in, err := logins.Open(server, http.DefaultClient, userAgent())
	if errors.Is(err, signin.ErrNone) {
		return nil, none
	}
	return in, err
}

// connect makes the client that the flags and variables describe.
func (f serverFlags) connect() (*client.Client, error) {
	tokens, err := f.tokens()
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Options{Server: f.address(), Tokens: tokens, Patience: *f.patience, Retrying: f.reportRetry()})
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
