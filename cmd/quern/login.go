package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/client"
	"quern/client/signin"
)

// maxTyped bounds a code that somebody types.
const maxTyped = 8 << 10

// loginFile is where sign-ins are kept.
func loginFile(sh shell) (signin.File, error) {
	base := sh.variable("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		home := sh.variable("HOME")
		if home == "" {
			return signin.File{}, errors.New("HOME is not set: there is no place to keep a sign-in")
		}
		base = filepath.Join(home, ".config")
	}
	return signin.File{Path: filepath.Join(base, "quern", "logins.json")}, nil
}

// userAgent is how this command line calls itself, as lists of sessions show it.
func userAgent() string {
	machine, err := os.Hostname()
	if err != nil {
		machine = "a machine"
	}
	return fmt.Sprintf("quern/%s (%s; %s)", app.Version, machine, runtime.GOOS)
}

func newLogin(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "login [SERVER]",
		Short: "Sign in to a server, through the browser",
		Long: `Sign in to a server with its identity provider, through the browser of this machine.
What comes of it is kept in ~/.config/quern/logins.json, for you alone, and renewed
as it is used; commands that call the server act with it unless QUERN_TOKEN or
--token is given. 'quern logout' ends it, and so does signing out of that browser.

Where there is no browser, --no-browser prints an address to visit on any machine,
and takes the code that is shown there.`,
		Example: "  quern login https://quern.example\n  quern login --no-browser",
		Args:    mayNameServer,
	}
	noBrowser := cmd.Flags().Bool("no-browser", false, "print the address, and take a code")
	port := cmd.Flags().Int("port", 0, "the port of this machine that the browser comes back to (default any that is free)")
	wait := cmd.Flags().Duration("wait", 5*time.Minute, "how long to wait for the browser")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *port < 0 || *port > 65535 {
			return usageError{"--port is not between 1 and 65535"}
		}
		logins, err := loginFile(sh)
		if err != nil {
			return err
		}
		if _, _, err := logins.Logins(); err != nil {
			return err // before anybody signs in for nothing
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), *wait)
		defer cancel()
		in := signingIn{sh: sh, logins: logins, server: chosenServer(sh, args)}
		if *noBrowser {
			err = in.typed(ctx)
		} else {
			err = in.browse(ctx, *port)
		}
		switch {
		case errors.Is(err, context.DeadlineExceeded) && cmd.Context().Err() == nil:
			return fmt.Errorf("nobody signed in within %s", *wait)
		case cmd.Context().Err() != nil:
			return errors.New("the sign-in was given up")
		}
		return err
	}
	return cmd
}

// mayNameServer wants one argument, the server's address, or none.
func mayNameServer(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Sprintf("%q is one word too many", args[1])}
	}
	if len(args) == 1 {
		if _, err := signin.Normalize(args[0]); err != nil {
			return usageError{err.Error()}
		}
	}
	return nil
}

// chosenServer is the server that a command names, or the one to think of.
func chosenServer(sh shell, args []string) string {
	named := ""
	if len(args) == 1 {
		named = args[0]
	}
	none := ""
	return serverFlags{sh: sh, server: &named, token: &none}.address()
}

// signingIn is a sign-in that is under way.
type signingIn struct {
	sh     shell
	logins signin.File
	server string
}

// provider finds who signs people in.
func (s signingIn) provider(ctx context.Context) (signin.Provider, error) {
	p, err := signin.Find(ctx, http.DefaultClient, s.server)
	if errors.Is(err, signin.ErrNoClient) {
		return p, fmt.Errorf("%w: its operator sets oidc_cli_client_id; until then, use an API token in QUERN_TOKEN", err)
	}
	if err == nil && signin.Plain(p.Server) {
		fmt.Fprintf(s.sh.Err, "note: %s is not encrypted; whoever is on the way can read the sign-in\n", printable(p.Server))
	}
	return p, err
}

// browse signs in through a browser of this machine.
func (s signingIn) browse(ctx context.Context, port int) error {
	p, err := s.provider(ctx)
	if err != nil {
		return err
	}
	back, err := signin.Listen(ctx, port)
	if err != nil {
		return err
	}
	defer func() { _ = back.Close() }()
	flow := signin.Begin(p, http.DefaultClient, userAgent(), back.Redirect())
	fmt.Fprintf(s.sh.Err, "Sign in with the browser. If none opens, visit\n\n  %s\n\nor begin again with --no-browser where this machine has none.\n", flow.Address())
	openBrowser(ctx, s.sh, flow.Address())
	_, err = back.Await(ctx, flow, s.accept)
	return err
}

// typed signs in with a code that is shown elsewhere.
func (s signingIn) typed(ctx context.Context) error {
	p, err := s.provider(ctx)
	if err != nil {
		return err
	}
	flow := signin.Begin(p, http.DefaultClient, userAgent(), p.CodeURL)
	fmt.Fprintf(s.sh.Err, "Visit\n\n  %s\n\nand copy what is shown there.\n\nCode: ", flow.Address())
	text, err := readTyped(ctx, s.sh.In)
	if err != nil {
		return err
	}
	answer, err := flow.Typed(text)
	if err != nil {
		return err
	}
	l, err := flow.Finish(ctx, answer)
	if err != nil {
		return err
	}
	return s.accept(ctx, l)
}

// readTyped reads a line, unless ctx ends before.
func readTyped(ctx context.Context, in io.Reader) (string, error) {
	type typed struct {
		text string
		err  error
	}
	got := make(chan typed, 1)
	go func() {
		text, err := bufio.NewReader(io.LimitReader(in, maxTyped)).ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = nil
		}
		got <- typed{text, err}
	}()
	select {
	case t := <-got:
		if t.err == nil && strings.TrimSpace(t.text) == "" {
			t.err = errors.New("there is no code; the sign-in was given up")
		}
		return t.text, t.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// accept keeps a sign-in that the server takes, and ends the one before.
func (s signingIn) accept(ctx context.Context, l signin.Login) error {
	c, err := client.New(client.Options{Server: l.Server, Token: l.Access, Patience: 10 * time.Second})
	if err != nil {
		return err
	}
	who, err := c.Me(ctx)
	switch {
	case client.IsStatus(err, http.StatusUnauthorized):
		return fmt.Errorf("%s does not take what %s gave (%w): access tokens of the client %s must name its audience", l.Server, l.Issuer, err, l.ClientID)
	case err != nil:
		return err
	}
	l.Username = who.Username
	former, err := s.logins.Keep(l)
	if err != nil {
		return err
	}
	if former.Refresh != "" && former.Refresh != l.Refresh {
		_ = former.End(ctx, http.DefaultClient) // it ends by itself in time
	}
	_, err = fmt.Fprintf(s.sh.Err, "signed in to %s as %s\n", printable(l.Server), printable(l.Username))
	return err
}

// openBrowser asks the machine to show an address; when it cannot, the address has been
// printed.
func openBrowser(ctx context.Context, sh shell, address string) {
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	program := sh.variable("BROWSER")
	switch {
	case program != "":
	case runtime.GOOS == "darwin":
		program = "open"
	default:
		program = "xdg-open"
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, address) //nolint:gosec // a web page, shown by its user's own program
	cmd.Env = sh.Environ
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}
