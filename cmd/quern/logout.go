package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"quern/client/signin"
)

func newLogout(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "logout [SERVER]",
		Short: "End the sign-in of 'quern login', here and at the server",
		Args:  mayNameServer,
	}
	all := cmd.Flags().Bool("all", false, "end the sign-ins at all servers")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		logins, err := loginFile(sh)
		if err != nil {
			return err
		}
		if !*all {
			server, err := signin.Normalize(chosenServer(sh, args))
			if err != nil {
				return usageError{err.Error()}
			}
			return leave(cmd.Context(), sh, logins, server)
		}
		if len(args) > 0 {
			return usageError{"a server and --all exclude each other"}
		}
		in, _, err := logins.Logins()
		for _, l := range in {
			err = errors.Join(err, leave(cmd.Context(), sh, logins, l.Server))
		}
		return err
	}
	return cmd
}

// leave forgets the sign-in at a server, and tells its provider.
func leave(ctx context.Context, sh shell, logins signin.File, server string) error {
	l, err := logins.Drop(server)
	if errors.Is(err, signin.ErrNone) {
		return fmt.Errorf("nobody is signed in at %s", server)
	}
	if err != nil {
		return err
	}
	if err := l.End(ctx, http.DefaultClient); err != nil {
		return fmt.Errorf("%s is forgotten here, but could not be told (%w): the session can be ended in the settings there", server, err)
	}
	_, err = fmt.Fprintf(sh.Err, "signed out of %s\n", printable(server))
	return err
}

func newWhoami(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "whoami",
		Short: "Tell who commands act as, and at which server",
		Args:  noArgs,
	}
	server := addServer(cmd, sh)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		who, err := c.Me(cmd.Context())
		if err != nil {
			return err
		}
		by := "signed in"
		if who.TokenID != "" {
			by = "API token " + who.TokenID
		}
		if *inJSON {
			return printJSON(sh.Out, map[string]any{
				"server": server.address(), "username": who.Username, "by": by, "restricted": who.Restricted, "readOnly": who.ReadOnly,
			})
		}
		if who.Restricted {
			by += ", restricted"
		}
		if who.ReadOnly {
			by += ", read-only"
		}
		_, err = fmt.Fprintf(sh.Out, "%s at %s (%s)\n", printable(who.Username), printable(server.address()), printable(by))
		return err
	}
	return cmd
}
