package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern"
	"quern/auth"
)

func newToken(sh shell) *cobra.Command {
	return newGroup("token", "Create, list and revoke API tokens", newTokenCreate(sh), newTokenList(sh), newTokenRevoke(sh))
}

// tokenJSON is how programs see an API token.
type tokenJSON struct {
	ID         quern.TokenID `json:"id"`
	Username   string        `json:"username"`
	Name       string        `json:"name"`
	Scopes     []quern.Scope `json:"accessRestrictedTo,omitempty"`
	ReadOnly   bool          `json:"readOnly,omitempty"`
	Admin      bool          `json:"admin,omitempty"`
	Resource   string        `json:"resource,omitempty"`
	CreatedAt  time.Time     `json:"createdAt"`
	ExpiresAt  *time.Time    `json:"expiresAt"`
	LastUsedAt *time.Time    `json:"lastUsedAt"`
	Token      string        `json:"token,omitempty"`
}

func tokenAsJSON(username string, t quern.Token, secret string) tokenJSON {
	return tokenJSON{ID: t.ID, Username: username, Name: t.Name, Scopes: t.Scopes, ReadOnly: t.ReadOnly, Admin: t.Admin, Resource: t.Resource,
		CreatedAt: t.CreatedAt.UTC(),
		ExpiresAt: timeOrNil(t.ExpiresAt), LastUsedAt: timeOrNil(t.LastUsedAt), Token: secret}
}

func newTokenCreate(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create --user NAME",
		Short: "Create an API token and print it",
		Long: `Create an API token for a user and print it, and nothing else. It is shown this
once and kept nowhere.`,
		Example: `  TOKEN=$(quern token create --user ada --name nightly --expires 30d)
  quern token create --user ada --restrict sales --restrict crm/customers
  quern token create --user ada --name assistant --read-only`,
		Args: noArgs,
	}
	addSettings(cmd, storeSettings...)
	user := cmd.Flags().String("user", "", "the user that the token acts for")
	name := cmd.Flags().String("name", "command line", "what the token is for")
	expires := cmd.Flags().String("expires", "", "when it ends: 12h, 30d, 2027-01-31 or an RFC 3339 time (default never)")
	restrict := cmd.Flags().StringArray("restrict", nil, "a namespace, namespace/dataset or owner/namespace/dataset that the token reaches, and nothing else; may be repeated, * stands for all datasets")
	readOnly := cmd.Flags().Bool("read-only", false, "the token reads and asks, and changes nothing")
	admin := cmd.Flags().Bool("admin", false, "the token may administer the server while its user may")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *user == "" {
			return usageError{"--user is missing"}
		}
		spec := quern.TokenSpec{Name: *name, ReadOnly: *readOnly, Admin: *admin}
		var err error
		if spec.ExpiresAt, err = parseExpiry(*expires, time.Now()); err != nil {
			return err
		}
		if spec.Scopes, err = parseScopes(*restrict); err != nil {
			return err
		}
		return withAuth(cmd, sh, func(service *auth.Service) error {
			return createToken(cmd.Context(), sh, service, *user, spec, *inJSON)
		})
	}
	return cmd
}

func createToken(ctx context.Context, sh shell, service *auth.Service, user string, spec quern.TokenSpec, inJSON bool) error {
	principal, err := service.As(ctx, user)
	if err != nil {
		return err
	}
	if principal.User.Disabled {
		return fmt.Errorf("user %s is disabled; 'quern user enable %s' lets it in again", user, user)
	}
	if spec.Admin && !principal.Admin {
		return fmt.Errorf("user %s has not the role admin; 'quern user grant %s admin' gives it", user, user)
	}
	token, secret, err := service.CreateToken(ctx, principal, spec)
	if err != nil {
		return err
	}
	if inJSON {
		return printJSON(sh.Out, tokenAsJSON(principal.User.Username, token, secret))
	}
	printSecret(sh, secret)
	return nil
}

// parseExpiry reads a length of time from now on, a day or a time.
func parseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 100_000 {
			return now.AddDate(0, 0, n), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usageError{fmt.Sprintf("--expires %q is none of 12h, 30d, 2027-01-31 or an RFC 3339 time", text)}
}

func parseScopes(texts []string) ([]quern.Scope, error) {
	var scopes []quern.Scope
	for _, text := range texts {
		words := strings.Split(text, "/")
		scope := quern.Scope{Username: quern.Self}
		switch len(words) {
		case 1:
			scope.Namespace = words[0]
		case 2:
			scope.Namespace, scope.Dataset = words[0], words[1]
		case 3:
			scope.Username, scope.Namespace, scope.Dataset = words[0], words[1], words[2]
		default:
			return nil, usageError{fmt.Sprintf("--restrict %q is none of namespace, namespace/dataset or owner/namespace/dataset", text)}
		}
		if scope.Dataset == "*" {
			scope.Dataset = ""
		} else if len(words) > 1 && scope.Dataset == "" {
			return nil, usageError{fmt.Sprintf("--restrict %q names no dataset behind the slash", text)}
		}
		scopes = append(scopes, scope)
	}
	return scopes, nil
}
