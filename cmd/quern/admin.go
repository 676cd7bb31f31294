package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern/client"
	"quern/config"
)

func newAdmin(sh shell) *cobra.Command {
	cmd := newGroup("admin", "Administer a server: users, quotas, tokens, work and retention",
		newAdminUsers(sh), newAdminQuota(sh),
		newAdminSwitch(sh, "disable", "Keep a user out, at once", client.UserChange{Disabled: new(true)}),
		newAdminSwitch(sh, "enable", "Let a disabled user in again", client.UserChange{Disabled: new(false)}),
		newAdminSwitch(sh, "grant", "Give a user the role admin", client.UserChange{Admin: new(true)}),
		newAdminSwitch(sh, "revoke", "Take the role admin away from a user", client.UserChange{Admin: new(false)}),
		newAdminDelete(sh), newAdminTokens(sh), newAdminRevokeToken(sh), newAdminWork(sh), newAdminCancel(sh), newAdminRetention(sh))
	cmd.Long = `Administer a server over its API, as a user with the role admin: after 'quern login', or
with a token that was made with 'quern token create --admin'. The first administrator is
made beside the server, by 'quern user grant NAME admin'.

None of it shows anybody's rows, questions or answers.`
	return cmd
}

// adminCommand is a command that calls a server and prints what comes back: as JSON, or
// as the table that show makes of it.
func adminCommand[T any](
	sh shell, cmd *cobra.Command, call func(context.Context, *client.Client, []string) (T, error), show func(T) [][]string,
) *cobra.Command {
	server := addServer(cmd, sh)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err != nil {
			return err
		}
		got, err := call(cmd.Context(), c, args)
		switch {
		case err != nil:
			return err
		case *inJSON:
			return printJSON(sh.Out, got)
		}
		return printTable(sh.Out, show(got))
	}
	return cmd
}

func newAdminUsers(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use: "users [NAME]", Short: "List users with what they use and may use, or show one", Args: cobra.MaximumNArgs(1),
	}
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, args []string) ([]client.ManagedUser, error) {
		if len(args) == 0 {
			return c.ManagedUsers(ctx)
		}
		return one(c.ManagedUser(ctx, args[0]))
	}, userTable)
}

// one is a list of one, or of none after a failure.
func one[T any](v T, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return []T{v}, nil
}

func userTable(all []client.ManagedUser) [][]string {
	rows := [][]string{{"USERNAME", "STATE", "ROLE", "BYTES", "ROWS", "QUESTIONS TODAY", "ID"}}
	used := func(n int64, limit *int64) string {
		if limit == nil {
			return strconv.FormatInt(n, 10)
		}
		return fmt.Sprintf("%d of %d", n, *limit)
	}
	for _, a := range all {
		state, role := "enabled", ""
		switch {
		case !a.DeletingSince.IsZero():
			state = "being deleted"
		case a.Disabled:
			state = "disabled"
		}
		if a.Admin {
			role = "admin"
		}
		rows = append(rows, []string{
			a.Username, state, role, used(a.Usage.Bytes, a.Limits.Bytes), used(a.Usage.Rows, a.Limits.Rows),
			used(a.Usage.QuestionsToday, a.Limits.Questions), a.ID,
		})
	}
	return rows
}

func newAdminQuota(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "quota NAME",
		Short: "Say what a user may use",
		Long: `Say what a user may use. It replaces what was said before: what is not named is as the
server's settings say (quota_bytes, quota_rows, quota_questions).`,
		Example: "  quern admin quota ada --bytes 10GiB --questions 200\n  quern admin quota ada",
		Args:    oneArg("the user's name"),
	}
	bytes := cmd.Flags().String("bytes", "", "the bytes that its tables and uploaded files may take: 10GiB")
	rows := cmd.Flags().Int64("rows", 0, "the rows that its datasets may have")
	questions := cmd.Flags().Int64("questions", 0, "the questions that it may ask in a day")
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, args []string) ([]client.ManagedUser, error) {
		var q client.Quota
		if *bytes != "" {
			n, err := config.ParseSize(*bytes)
			if err != nil {
				return nil, usageError{fmt.Sprintf("--bytes %q %v", *bytes, err)}
			}
			q.Bytes = &n
		}
		if cmd.Flags().Changed("rows") {
			q.Rows = rows
		}
		if cmd.Flags().Changed("questions") {
			q.Questions = questions
		}
		return one(c.SetQuota(ctx, args[0], q))
	}, userTable)
}

func newAdminSwitch(sh shell, use, short string, change client.UserChange) *cobra.Command {
	cmd := &cobra.Command{Use: use + " NAME", Short: short, Args: oneArg("the user's name")}
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, args []string) ([]client.ManagedUser, error) {
		return one(c.ChangeUser(ctx, args[0], change))
	}, userTable)
}

func newAdminDelete(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete NAME",
		Short: "Delete a user with all that is theirs",
		Long: `Delete a user with all that is theirs: datasets, definitions, knowledge, uploads,
conversations, runs, those of others about its namespaces, grants, tokens and sessions. The
user is disabled at once and gone within minutes, restarts included; 'quern admin users
NAME' finds it until then. Backups that were made before still hold all of it.`,
		Args: oneArg("the user's name"),
	}
	yes := addYes(cmd)
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, args []string) ([]client.ManagedUser, error) {
		if err := confirm(sh, *yes, fmt.Sprintf("Delete the user %s with all that is theirs?", args[0])); err != nil {
			return nil, err
		}
		return one(c.DeleteUser(ctx, args[0]))
	}, userTable)
}

func newAdminTokens(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "tokens NAME", Short: "List the API tokens of a user, without their secrets", Args: oneArg("the user's name")}
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, args []string) ([]client.ManagedToken, error) {
		return c.ManagedTokens(ctx, args[0])
	}, func(all []client.ManagedToken) [][]string {
		rows := [][]string{{"ID", "NAME", "MAY", "CREATED", "EXPIRES", "LAST USED"}}
		for _, t := range all {
			used := "never"
			if !t.LastUsedAt.IsZero() {
				used = moment(t.LastUsedAt)
			}
			rows = append(rows, []string{t.ID, t.Name, rightsOf(t.ReadOnly, t.Admin), moment(t.CreatedAt), moment(t.ExpiresAt), used})
		}
		return rows
	})
}

// rightsOf says what a token may do.
func rightsOf(readOnly, admin bool) string {
	may := "read and change"
	if readOnly {
		may = "read"
	}
	if admin {
		may += ", administer"
	}
	return may
}

func newAdminRevokeToken(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "revoke-token NAME ID", Short: "Revoke an API token of a user, at once", Args: cobra.ExactArgs(2)}
	server := addServer(cmd, sh)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err == nil {
			err = c.RevokeManagedToken(cmd.Context(), args[0], args[1])
		}
		if err == nil {
			fmt.Fprintf(sh.Err, "token %s is revoked\n", printable(args[1]))
		}
		return err
	}
	return cmd
}

func newAdminWork(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "work", Short: "List the runs and ingestions of all users that have not ended", Args: noArgs}
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, _ []string) ([]client.Work, error) {
		return c.RunningWork(ctx)
	}, func(all []client.Work) [][]string { return workTable(all, time.Now()) })
}

func workTable(all []client.Work, now time.Time) [][]string {
	rows := [][]string{{"KIND", "USER", "STATE", "FOR", "ATTEMPT", "DONE", "ROWS", "ID"}}
	for _, w := range all {
		done, made := "", ""
		if w.ExpectedBytes > 0 {
			done = fmt.Sprintf("%d %%", 100*w.Bytes/w.ExpectedBytes)
			made = strconv.FormatInt(w.Rows, 10)
		}
		age := max(0, now.Sub(w.CreatedAt)).Round(time.Second).String()
		rows = append(rows, []string{w.Kind, w.Username, w.State, age, strconv.Itoa(w.Attempt), done, made, w.ID})
	}
	return rows
}

func newAdminCancel(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "cancel ID", Short: "End a run or an ingestion, whoever's it is", Args: oneArg("the id")}
	server := addServer(cmd, sh)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := server.connect()
		if err == nil {
			err = c.CancelWork(cmd.Context(), args[0])
		}
		if err == nil {
			fmt.Fprintf(sh.Err, "%s is cancelled\n", printable(args[0]))
		}
		return err
	}
	return cmd
}

func newAdminRetention(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retention",
		Short: "Show or say how long things are kept",
		Long: `Show how long uploaded files, questions, traces and the audit trail are kept, or say so for all servers.
Saying replaces what was said before: what is not named is as the settings say, and --reset
names nothing. 0 is for good, and of traces not at all.`,
		Example: "  quern admin retention\n  quern admin retention --runs 90d --originals 30d\n  quern admin retention --reset",
		Args:    noArgs,
	}
	kinds := []string{"originals", "runs", "traces", "audit"}
	said := map[string]*string{}
	for _, kind := range kinds {
		said[kind] = cmd.Flags().String(kind, "", "how long to keep them: 12h, 90d or 0")
	}
	reset := cmd.Flags().Bool("reset", false, "keep all as the settings say")
	return adminCommand(sh, cmd, func(ctx context.Context, c *client.Client, _ []string) ([]client.Kept, error) {
		seconds := map[string]int64{}
		for _, kind := range kinds {
			if *said[kind] == "" {
				continue
			}
			life, err := parseLife(*said[kind])
			if err != nil {
				return nil, usageError{fmt.Sprintf("--%s %q is none of 12h, 90d or 0", kind, *said[kind])}
			}
			seconds[kind] = int64(life / time.Second)
		}
		if len(seconds) == 0 && !*reset {
			return c.Retention(ctx)
		}
		return c.SetRetention(ctx, seconds)
	}, func(all []client.Kept) [][]string {
		rows := [][]string{{"WHAT", "KEPT FOR", "AS SAID BY"}}
		for _, k := range all {
			life := (time.Duration(k.Seconds) * time.Second).String()
			if k.Seconds == 0 {
				life = "good"
				if k.Kind == "traces" {
					life = "no time"
				}
			}
			rows = append(rows, []string{k.Kind, life, k.Source})
		}
		return rows
	})
}

// parseLife reads a length of time, in which d are days.
func parseLife(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 15)
		return time.Duration(n) * 24 * time.Hour, err
	}
	if text == "0" {
		return 0, nil
	}
	life, err := time.ParseDuration(text)
	if err == nil && life < time.Second {
		err = fmt.Errorf("%q is less than a second", text)
	}
	return life, err
}
