package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quern"
	"quern/auth"
)

func newTokenList(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the API tokens that are in force, without their secrets", Args: noArgs}
	addSettings(cmd, storeSettings...)
	user := cmd.Flags().String("user", "", "only this user's")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withAuth(cmd, sh, func(service *auth.Service) error {
			all := []tokenJSON{}
			err := eachOwner(cmd.Context(), service, *user, func(owner quern.Principal) error {
				tokens, err := service.Tokens(cmd.Context(), owner)
				for _, t := range tokens {
					all = append(all, tokenAsJSON(owner.User.Username, t, ""))
				}
				return err
			})
			switch {
			case err != nil:
				return err
			case *inJSON:
				return printJSON(sh.Out, all)
			}
			rows := [][]string{{"ID", "USER", "NAME", "REACHES", "MAY", "CREATED", "EXPIRES", "LAST USED"}}
			for _, t := range all {
				rows = append(rows, tokenRow(t))
			}
			return printTable(sh.Out, rows)
		})
	}
	return cmd
}

func tokenRow(t tokenJSON) []string {
	reaches := "everything"
	if len(t.Scopes) > 0 {
		var names []string
		for _, s := range t.Scopes {
			names = append(names, strings.TrimSuffix(s.Username+"/"+s.Namespace+"/"+s.Dataset, "/"))
		}
		reaches = strings.Join(names, " ")
	}
	expires, used := "never", "never"
	if t.ExpiresAt != nil {
		expires = moment(*t.ExpiresAt)
	}
	if t.LastUsedAt != nil {
		used = moment(*t.LastUsedAt)
	}
	if t.Resource != "" {
		reaches += " at " + t.Resource
	}
	return []string{string(t.ID), t.Username, t.Name, reaches, rightsOf(t.ReadOnly, t.Admin), moment(t.CreatedAt), expires, used}
}

// eachOwner runs fn for the named user, or for every user when none is named.
func eachOwner(ctx context.Context, service *auth.Service, user string, fn func(quern.Principal) error) error {
	if user != "" {
		owner, err := service.As(ctx, user)
		if err != nil {
			return err
		}
		return fn(owner)
	}
	users, err := service.Users(ctx)
	if err != nil {
		return err
	}
	for _, u := range users {
		if err := fn(quern.Principal{User: u}); err != nil {
			return err
		}
	}
	return nil
}

func newTokenRevoke(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "revoke ID",
		Short: "Make an API token worthless, at once",
		Long:  "Make an API token worthless, at once. 'quern token list' shows the ids.",
		Args:  oneArg("the token's id"),
	}
	addSettings(cmd, storeSettings...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withAuth(cmd, sh, func(service *auth.Service) error {
			id, revoked := quern.TokenID(quern.CanonicalID(args[0])), false
			err := eachOwner(cmd.Context(), service, "", func(owner quern.Principal) error {
				err := service.RevokeToken(cmd.Context(), owner, id)
				revoked = revoked || err == nil
				if quern.Is(err, quern.NotFound) {
					return nil // it may be the next user's
				}
				return err
			})
			if err == nil && !revoked {
				err = fmt.Errorf("no token in force has the id %s", args[0])
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(sh.Err, "token %s revoked\n", id)
			return nil
		})
	}
	return cmd
}
