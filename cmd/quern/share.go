package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quern/client"
)

// shared is what a share is of: a dataset, or a namespace where its name is empty.
type shared struct {
	*client.Client
	client.Dataset
}

func (s shared) list(ctx context.Context) ([]client.Share, error) {
	if s.Name == "" {
		return s.NamespaceShares(ctx, s.Owner, s.Namespace)
	}
	return s.Shares(ctx, s.Dataset)
}

func (s shared) grant(ctx context.Context, to client.Share) (client.Share, error) {
	if s.Name == "" {
		return s.ShareNamespace(ctx, s.Owner, s.Namespace, to)
	}
	return s.Share(ctx, s.Dataset, to)
}

func (s shared) revoke(ctx context.Context, username string) error {
	if s.Name == "" {
		return s.UnshareNamespace(ctx, s.Owner, s.Namespace, username)
	}
	return s.Unshare(ctx, s.Dataset, username)
}

func newShare(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "share DATASET [USER]",
		Short: "Share a dataset or a namespace, or list whom it is shared with",
		Long: `Share a dataset of yours with a user, or list whom it is shared with when no user is
named. A viewer reads, queries and asks; an editor also stores rows and changes the
definition. With --namespace it is a whole namespace, with the datasets to come.
With --revoke the user's access ends. All of it counts at once.`,
		Example: `  quern share harbour/arrivals
  quern share harbour/arrivals bob --role editor
  quern share -n harbour bob
  quern share harbour/arrivals bob --revoke`,
	}
	server := addServer(cmd, sh)
	namespace := cmd.Flags().StringP("namespace", "n", "", "share this namespace, as NAME or OWNER/NAME")
	role := cmd.Flags().String("role", "viewer", "what the user becomes: viewer or editor")
	revoke := cmd.Flags().Bool("revoke", false, "take the user's access away")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		what, user, err := shareArgs(*namespace, args)
		if err != nil {
			return err
		}
		switch {
		case user == "" && (*revoke || cmd.Flags().Changed("role")):
			return usageError{"the user is missing"}
		case *revoke && cmd.Flags().Changed("role"):
			return usageError{"--revoke and --role exclude each other"}
		case !slices.Contains([]string{"viewer", "editor"}, *role):
			return usageError{fmt.Sprintf("--role %q is none of viewer or editor", *role)}
		}
		c, err := server.connect()
		if err != nil {
			return err
		}
		s := shared{c, what}
		name := strings.TrimSuffix(what.String(), "/")
		switch {
		case user == "":
			return listShares(cmd.Context(), sh, s, *inJSON)
		case *revoke:
			if err := s.revoke(cmd.Context(), user); err != nil {
				return err
			}
			_, err := fmt.Fprintf(sh.Err, "%s is no longer shared with %s\n", printable(name), printable(user))
			return err
		}
		granted, err := s.grant(cmd.Context(), client.Share{Username: user, Role: *role})
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, granted)
		}
		_, err = fmt.Fprintf(sh.Err, "%s is now %s of %s\n", printable(granted.Username), printable(granted.Role), printable(name))
		return err
	}
	return cmd
}

// shareArgs reads what is shared, and with whom; an empty user is nobody.
func shareArgs(namespace string, args []string) (what client.Dataset, user string, err error) {
	if namespace != "" {
		what.Owner, what.Namespace = splitNamespace(namespace)
	} else {
		if len(args) == 0 {
			return what, "", usageError{"the dataset is missing"}
		}
		if what, err = datasetArg(args[0]); err != nil {
			return what, "", err
		}
		args = args[1:]
	}
	switch {
	case len(args) > 1:
		return what, "", usageError{fmt.Sprintf("%q is one word too many", args[1])}
	case len(args) == 1:
		user = args[0]
	}
	return what, user, nil
}

func listShares(ctx context.Context, sh shell, s shared, inJSON bool) error {
	all, err := s.list(ctx)
	switch {
	case err != nil:
		return err
	case inJSON:
		return printJSON(sh.Out, all)
	}
	rows := [][]string{{"USER", "ROLE"}}
	for _, one := range all {
		rows = append(rows, []string{one.Username, one.Role})
	}
	return printTable(sh.Out, rows)
}
