package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/config"
)

func newServe(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Start the server",
		Long: `Start the server. It runs until it gets SIGINT or SIGTERM, then finishes the
requests in flight; a second signal ends it at once.

Every flag but --first-user is a setting that can also be given by its variable
or in the settings file; 'quern config' shows what is in effect.`,
		Example: "  quern serve --data /var/lib/quern --listen 127.0.0.1:8080",
		Args:    noArgs,
	}
	addSettings(cmd)
	firstUser := cmd.Flags().String("first-user", "", "a user to make when there is none yet; its password is printed once")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := loadSettings(cmd, sh)
		if err != nil {
			return err
		}
		return serve(cmd.Context(), sh, cfg, *firstUser)
	}
	return cmd
}

func serve(ctx context.Context, sh shell, cfg *config.Config, firstUser string) (err error) {
	server, err := app.New(ctx, cfg, app.Options{Log: sh.Err})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if firstUser != "" {
		if err := welcome(ctx, sh, server, cfg, firstUser); err != nil {
			return err
		}
	}
	return server.Run(ctx)
}

// welcome tells a newcomer where the server is and how to sign in.
func welcome(ctx context.Context, sh shell, server *app.App, cfg *config.Config, firstUser string) error {
	var login [][2]string
	if cfg.OIDC.Issuer != "" {
		login = [][2]string{{"Sign in at", cfg.OIDC.Issuer}}
	} else {
		password, err := server.FirstUser(ctx, firstUser)
		if err != nil {
			return err
		}
		login = loginLines(cfg, firstUser, password)
	}
	lines := append([][2]string{{"Address", server.URL()}}, login...)
	lines = append(lines, [2]string{"Reference", server.URL() + "/docs"}, [2]string{"Data", cfg.Data})
	bold, dim, plain := "", "", ""
	if app.IsTerminal(sh.Out) {
		bold, dim, plain = "\x1b[1m", "\x1b[2m", "\x1b[0m"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n  %sQuern is running.%s %sStop it with Ctrl-C.%s\n\n", bold, plain, dim, plain)
	for _, line := range lines {
		fmt.Fprintf(&text, "  %s%-10s%s %s\n", dim, line[0], plain, line[1])
	}
	_, err := fmt.Fprintln(sh.Out, text.String())
	return err
}

func loginLines(cfg *config.Config, user, password string) [][2]string {
	if password != "" {
		return [][2]string{{"Username", user}, {"Password", password}, {"", "(shown this once and kept nowhere; change it with 'quern user passwd')"}}
	}
	return [][2]string{{"Sign in", "as before; for a new password: bin/quern user passwd NAME --generate --data " + cfg.Data}}
}
