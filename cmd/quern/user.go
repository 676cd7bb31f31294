package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"quern"
	"quern/app"
	"quern/auth"
)

func newUser(sh shell) *cobra.Command {
	return newGroup("user", "Add, list and change users",
		newUserAdd(sh), newUserList(sh), newUserSwitch(sh, "disable", "Refuse a user's tokens and end its sign-ins, at once", (*auth.Service).DisableUser),
		newUserSwitch(sh, "enable", "Let a disabled user in again", (*auth.Service).EnableUser), newUserPasswd(sh),
		newUserRole(sh, "grant", "Give a user the role admin", true), newUserRole(sh, "revoke", "Take the role admin away from a user", false))
}

// withAuth loads the settings and runs fn on the users and tokens they lead to. It
// fails, and makes nothing, where there are none.
func withAuth(cmd *cobra.Command, sh shell, fn func(*auth.Service) error) error {
	return openAuth(cmd, sh, false, fn)
}

// withNewAuth is withAuth for a command that may come before the first server: it
// makes the data directory that is missing.
func withNewAuth(cmd *cobra.Command, sh shell, fn func(*auth.Service) error) error {
	return openAuth(cmd, sh, true, fn)
}

func openAuth(cmd *cobra.Command, sh shell, create bool, fn func(*auth.Service) error) error {
	cfg, err := loadSettings(cmd, sh)
	if err != nil {
		return err
	}
	service, closeAuth, err := app.OpenAuth(cmd.Context(), cfg, create)
	if err != nil {
		return err
	}
	err = fn(service)
	if closeErr := closeAuth(); err == nil {
		err = closeErr
	}
	return err
}

// userJSON is how programs see a user.
type userJSON struct {
	ID        quern.UserID `json:"id"`
	Username  string       `json:"username"`
	Disabled  bool         `json:"disabled"`
	Admin     bool         `json:"admin,omitempty"`
	CreatedAt time.Time    `json:"createdAt"`
	Password  string       `json:"password,omitempty"`
}

func asJSON(u quern.User) userJSON {
	return userJSON{ID: u.ID, Username: u.Username, Disabled: u.Disabled, Admin: u.Admin, CreatedAt: u.CreatedAt.UTC()}
}

func newUserAdd(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a user",
		Long: `Add a user. The password is read from standard input, or asked for on a
terminal; --generate makes one and prints it. With an outside identity provider
there is no password here: the provider's account of that name becomes the user.`,
		Example: "  quern user add ada --generate\n  printf %s \"$PASSWORD\" | quern user add ada",
		Args:    oneArg("the user's name"),
	}
	addSettings(cmd, append([]string{"oidc_issuer", "oidc_audience"}, storeSettings...)...)
	generate := cmd.Flags().Bool("generate", false, "make a password and print it")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withNewAuth(cmd, sh, func(service *auth.Service) error {
			password, err := newPassword(sh, *generate, service.Embedded())
			if err != nil {
				return err
			}
			user, err := service.AddUser(cmd.Context(), args[0], password)
			if err != nil {
				return err
			}
			shown := asJSON(user)
			if *generate {
				shown.Password = password
			}
			if *inJSON {
				return printJSON(sh.Out, shown)
			}
			fmt.Fprintf(sh.Err, "user %s added\n", user.Username)
			printSecret(sh, shown.Password)
			return nil
		})
	}
	return cmd
}

// printSecret prints a secret and nothing else, so that a script can take it.
func printSecret(sh shell, secret string) {
	if secret != "" {
		fmt.Fprintln(sh.Out, secret)
	}
}

func newUserList(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the users", Args: noArgs}
	addSettings(cmd, storeSettings...)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withAuth(cmd, sh, func(service *auth.Service) error {
			users, err := service.Users(cmd.Context())
			if err != nil {
				return err
			}
			if *inJSON {
				all := make([]userJSON, 0, len(users))
				for _, u := range users {
					all = append(all, asJSON(u))
				}
				return printJSON(sh.Out, all)
			}
			rows := [][]string{{"USERNAME", "STATE", "ROLE", "ADDED"}}
			for _, u := range users {
				state := "enabled"
				if u.Disabled {
					state = "disabled"
				}
				role := ""
				if u.Admin {
					role = "admin"
				}
				rows = append(rows, []string{u.Username, state, role, moment(u.CreatedAt)})
			}
			return printTable(sh.Out, rows)
		})
	}
	return cmd
}

func newUserSwitch(sh shell, use, short string, change func(*auth.Service, context.Context, string) error) *cobra.Command {
	cmd := &cobra.Command{Use: use + " NAME", Short: short, Args: oneArg("the user's name")}
	addSettings(cmd, storeSettings...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withAuth(cmd, sh, func(service *auth.Service) error {
			if err := change(service, cmd.Context(), args[0]); err != nil {
				return err
			}
			fmt.Fprintf(sh.Err, "user %s %sd\n", args[0], use)
			return nil
		})
	}
	return cmd
}

// newUserRole gives and takes the one role that users have.
func newUserRole(sh shell, use, short string, has bool) *cobra.Command {
	cmd := &cobra.Command{
		Use: use + " NAME admin", Short: short,
		Long: short + `, from its next request on. An administrator manages the server over its API
('quern admin'); API tokens can do so only when they are made with --admin.`,
		Example: "  quern user " + use + " ada admin",
		Args:    cobra.ExactArgs(2),
	}
	addSettings(cmd, storeSettings...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[1] != "admin" {
			return usageError{fmt.Sprintf("there is no role %q: the one that users have is admin", args[1])}
		}
		return withAuth(cmd, sh, func(service *auth.Service) error {
			if err := service.SetAdmin(cmd.Context(), args[0], has); err != nil {
				return err
			}
			word := "is an administrator"
			if !has {
				word = "is no administrator"
			}
			fmt.Fprintf(sh.Err, "user %s %s\n", args[0], word)
			return nil
		})
	}
	return cmd
}

func newUserPasswd(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "passwd NAME",
		Short: "Give a user a new password and end its sign-ins",
		Long: `Give a user a new password and end its sign-ins; its API tokens stay. The
password is read from standard input, or asked for on a terminal; --generate
makes one and prints it.`,
		Args: oneArg("the user's name"),
	}
	addSettings(cmd, storeSettings...)
	generate := cmd.Flags().Bool("generate", false, "make a password and print it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withAuth(cmd, sh, func(service *auth.Service) error {
			password, err := newPassword(sh, *generate, true)
			if err != nil {
				return err
			}
			if err := service.SetPassword(cmd.Context(), args[0], password); err != nil {
				return err
			}
			fmt.Fprintf(sh.Err, "user %s has a new password\n", args[0])
			if *generate {
				printSecret(sh, password)
			}
			return nil
		})
	}
	return cmd
}
