package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quern/client"
	"quern/client/signin"
)

// defaultServer is where a server is looked for when nobody says where.
const defaultServer = "http://127.0.0.1:8080"

// firstPatience is how long a server is tried that has not answered yet.
const firstPatience = 3 * time.Second

// serverFlags say which server a command talks to, and as whom.
type serverFlags struct {
	sh            shell
	server, token *string
	patience      *time.Duration
	flags         *pflag.FlagSet
}

// addServer adds to cmd the flags by which it finds a server.
func addServer(cmd *cobra.Command, sh shell) serverFlags {
	return serverFlags{
		sh:       sh,
		server:   cmd.Flags().String("server", "", "the server's address (QUERN_SERVER) (default where you signed in last, or "+defaultServer+")"),
		token:    cmd.Flags().String("token", "", "the token to act with (QUERN_TOKEN) (default what 'quern login' got)"),
		patience: cmd.Flags().Duration("patience", 2*time.Minute, "how long to try again before giving up; a server that never answered is given up after "+firstPatience.String()+" unless this is said"),
		flags:    cmd.Flags(),
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
	c, err := client.New(client.Options{Server: f.address(), Tokens: tokens, Patience: *f.patience, FirstPatience: f.firstPatience(), Retrying: f.reportRetry()})
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
			why, patience := err.Error(), *f.patience
			if failed, ok := errors.AsType[*url.Error](err); ok {
				why = networkReason(failed)
			}
			if _, unreached := errors.AsType[*client.UnreachedError](err); unreached {
				patience = min(patience, f.firstPatience())
			}
			fmt.Fprintf(f.sh.Err, "%s does not answer (%s); trying again for up to %s, Ctrl-C ends that.\n", f.address(), printable(why), patience)
		})
	}
}

// firstPatience is how long a server is tried that has not answered yet: one that was
// just started gets so long, unless it was said how long.
func (f serverFlags) firstPatience() time.Duration {
	if f.flags.Changed("patience") {
		return *f.patience
	}
	return firstPatience
}

// explainNetwork writes an error of a request without an answer for people: which server it
// was, why, and what can be done where that server may not be there at all.
func explainNetwork(err error) string {
	failed, ok := errors.AsType[*url.Error](err)
	if !ok {
		return err.Error()
	}
	server := failed.URL
	if u, err := url.Parse(server); err == nil {
		server = u.Scheme + "://" + u.Host
	}
	said := fmt.Sprintf("there is no answer from %s (%s)", server, networkReason(failed))
	if _, unreached := errors.AsType[*client.UnreachedError](err); unreached {
		said += ": start a server with 'quern serve', or say where one is with --server or QUERN_SERVER"
	}
	return strings.Replace(err.Error(), failed.Error(), said, 1)
}

// networkReason says why a request got no answer, without the calls that it took to find out.
func networkReason(failed *url.Error) string {
	if name, ok := errors.AsType[*net.DNSError](failed); ok && name.IsNotFound {
		return "there is no host " + name.Name
	}
	if call, ok := errors.AsType[*os.SyscallError](failed); ok {
		return call.Err.Error()
	}
	switch {
	case failed.Timeout():
		return "it took too long"
	case errors.Is(failed, io.EOF):
		return "the connection was cut"
	}
	return failed.Err.Error()
}
