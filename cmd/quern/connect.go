package main

import (
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

// connect makes the client that the flags and variables describe.
func (f serverFlags) connect() (*client.Client, error) {
	secret := given(*f.token, f.sh.variable("QUERN_TOKEN"))
	if secret == "" {
		return nil, usageError{"there is no token: set QUERN_TOKEN"}
	}
	c, err := client.New(client.Options{Server: f.address(), Token: secret, Patience: *f.patience})
	if err != nil {
		return nil, usageError{err.Error()}
	}
	return c, nil
}
